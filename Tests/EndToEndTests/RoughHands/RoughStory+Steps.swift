import Chance
import Glibc

extension RoughStory {
  /// Does one thing, and looks at what came of it.
  mutating func step() async throws {
    switch chance.number(1...100) {
    case ...26: try await input(RoughInput.keys(&chance))
    case ...34: try await type()
    case ...42: try await paste()
    case ...48: try await input(RoughInput.mouse(&chance, columns: size.columns, rows: size.rows))
    case ...54: try await input(RoughInput.garbage(&chance))
    case ...62: try await resizeSomehow()
    case ...67: try await addForSure()
    case ...70: try await draftOutlives(chance.pick([SIGKILL, SIGTERM, SIGHUP, SIGQUIT]))
    case ...78: try await signalSomehow()
    case ...83: try await meanwhile()
    case ...88: try await changeOnPhone()
    case ...94: try await changeWeather()
    default: try await expectTheSameAfterRedraw()
    }
  }

  /// Looks at the list when it has come to rest. It may have been left by a key; then it is started again.
  mutating func look() async throws {
    var wrong: String?
    for _ in 1...5 {
      let screen = try await terminal.settle(size)
      saw(screen)
      if terminal.hasEnded { return try await expectEnd(status: 0) }
      if terminal.isStopped { return try await takeUpAgain() }
      wrong = disorder(on: screen)
      if wrong == nil { return }
    }
    throw Failure(wrong ?? "")
  }

  private mutating func input(_ input: RoughInput) async throws {
    note(input.name)
    try await acting { story in
      try await story.terminal.session.send(input.bytes)
      try await story.look()
    }
  }

  private mutating func type() async throws {
    let text = RoughInput.text(&chance, word: newWord())
    note("types \(text.debugDescription)")
    try await acting { story in
      try await story.terminal.session.send(text)
      try await story.look()
    }
  }

  private mutating func paste() async throws {
    var lines: [String] = []
    for _ in 1...chance.pick([1, 2, 5, 40]) { lines.append(RoughInput.text(&chance, word: newWord())) }
    try await input(RoughInput.paste(&chance, lines: lines))
  }

  private mutating func resizeSomehow() async throws {
    for _ in 1...chance.pick([1, 1, 2, 8]) {
      switch chance.number(1...4) {
      case 1: try await resize(chance.number(5...20), chance.number(2...5))
      case 2: try await resize(chance.number(20...45), chance.number(5...12))
      default: try await resize(chance.number(40...200), chance.number(8...60))
      }
    }
    try await look()
  }

  /// Another program works on the same store while keys are pressed.
  private mutating func meanwhile() async throws {
    let (words, word) = try otherCommand()
    let keys = chance.once(in: 2) ? RoughInput.keys(&chance) : nil
    note("another program: \(words.joined(separator: " "))" + (keys.map { ", and \($0.name)" } ?? ""))
    try await acting { story in
      let program = try RunningProgram(story.laptop, words)
      if let keys { try await story.terminal.session.send(keys.bytes) }
      let outcome = try await program.end(allowing: [0, 1])
      if keys == nil, outcome.status == 0, let word, try !story.rows(story.laptop.file).words.contains(word) {
        throw Failure("\(word) was added by another program and is not there")
      }
      try await story.look()
    }
  }

  private mutating func otherCommand() throws -> ([String], added: String?) {
    let rows = try laptop.file.rows()
    let word = newWord()
    guard !rows.isEmpty, !chance.once(in: 3) else { return (["add", word], word) }
    let row = chance.pick(rows)
    return switch chance.number(1...6) {
    case 1: (["edit", row.id, "\(word) edited"], nil)
    case 2: ([row.complete ? "undone" : "done", row.id], nil)
    case 3: (["delete", row.id], nil)
    case 4: (["undo"], nil)
    case 5: (["redo"], nil)
    default: (["list"], nil)
    }
  }

  private mutating func changeOnPhone() async throws {
    let before = try rows(phone.file)
    let row = before.isEmpty ? nil : chance.pick(before)
    let word = newWord()
    let words: [String]
    switch chance.number(1...5) {
    case 1: words = row.map { ["edit", $0.id, "\(word) edited"] } ?? ["add", word]
    case 2: words = row.map { ["delete", $0.id] } ?? ["add", word]
    case 3: words = row.map { [$0.complete ? "undone" : "done", $0.id] } ?? ["add", word]
    default: words = ["add", word]
    }
    proxy.release()
    note("the phone: \(words.joined(separator: " ")), and syncs")
    try await RunningProgram(phone, words).end(allowing: [0])
    ledger.acted(at: phone.name, from: before, to: try rows(phone.file))
    try await RunningProgram(phone, ["sync", "--yes"]).end(allowing: [0, 1, 2, 69])
    try await look()
  }

  private mutating func changeWeather() async throws {
    proxy.release()
    switch chance.number(1...6) {
    case 1 where server != nil: try await stopServer(with: chance.pick([SIGTERM, SIGKILL]))
    case 2:
      note("the line is slow")
      proxy.hold()
    default:
      try await startServer()
      let forecast: [Cut?] = (0..<chance.number(1...4)).map { _ in
        chance.once(in: 3) ? nil : chance.pick([.unheard, .halfHeard, .unanswered, .halfAnswered])
      }
      note("the next requests: \(forecast.map { $0.map { "\($0)" } ?? "fine" }.joined(separator: ", "))")
      proxy.forecast(forecast)
    }
    try await goHome()
    try await input(RoughInput.refresh)
  }
}
