import Chance
import Glibc

extension RoughStory {
  /// What of the title, the rows and the hints is not where it belongs; where there is no room for them, the
  /// word of that.
  func disorder(on screen: Screen) -> String? {
    let lines = screen.lines
    guard lines.count == size.rows else { return "\(lines.count) rows on \(size)" }
    if size.columns < 20 || size.rows < 5 {
      let isTold = lines[0] == "too small".prefix(size.columns) && lines.dropFirst().allSatisfy(\.isEmpty)
      return isTold ? nil : "no word of the small terminal"
    }
    guard ![lines[0], lines[size.rows - 1]].contains(where: \.isEmpty) else {
      return "a title or hints are missing"
    }
    let isText = lines.allSatisfy { $0.unicodeScalars.allSatisfy { $0.value >= 0x20 } }
    return isText ? nil : "control characters on the screen"
  }

  /// The terminal shows what it shows when all of it is drawn anew.
  mutating func expectTheSameAfterRedraw() async throws {
    note("Ctrl-L")
    // What was being said may just have been folding away: only what differs every time is wrong.
    var differences: [String] = []
    for _ in 1...3 {
      let before = try await terminal.settle(size)
      guard !terminal.hasEnded, !terminal.isStopped else { return try await look() }
      try await terminal.session.send([12])
      let after = try await terminal.settle(size)
      saw(after)
      let rows = zip(before.atRest, after.atRest).enumerated().filter { $0.element.0 != $0.element.1 }
      if rows.isEmpty && before.lines.count == after.lines.count { return }
      differences.append(
        rows.map { "\($0.offset): \($0.element.0.debugDescription) is \($0.element.1.debugDescription)" }
          .joined(separator: "\n"))
      // A redraw mends what it shows to be wrong, so one difference of a row of the list is enough.
      if rows.contains(where: { $0.offset > 0 && $0.offset < size.rows - 4 }) { break }
    }
    throw Failure("a redraw shows something else:\n\(differences.joined(separator: "\n"))")
  }

  /// Back to where keys are commands of the list, with nothing but Escape.
  mutating func goHome() async throws {
    if size.columns < 60 || size.rows < 10 { try await resize(80, 24) }
    for _ in 1...12 {
      let screen = try await terminal.settle(size)
      if terminal.hasEnded || terminal.isStopped {
        try await look()
      } else if screen.isHome {
        return
      } else {
        try await terminal.session.send([0x1B])
      }
    }
    saw(try await terminal.settle(size))
    throw Failure("Escape does not lead back to the list")
  }

  /// Adds an item as a careful person does. Once the list shows it as saved it is in the store, whatever comes.
  mutating func addForSure() async throws {
    try await goHome()
    let word = newWord()
    let text = "a" + RoughInput.text(&chance, word: word) + "\r\r"
    let isKilled = chance.once(in: 3)
    note("adds \(text.debugDescription)" + (isKilled ? ", killed when it is there" : ""))
    try await acting { story in
      try await story.terminal.session.send(text)
      try await story.waitUntilSaved(word)
      if isKilled { story.terminal.signal(SIGKILL) }
      guard try story.rows(story.laptop.file).words.contains(word) else { throw Failure("\(word) is lost") }
      if isKilled { try await story.expectEnd(status: 128 + SIGKILL) } else { try await story.look() }
    }
  }

  /// The list shows it with the sign that it waits, or says that its filter or view hides it, maybe of an earlier one.
  private func waitUntilSaved(_ word: String) async throws {
    var isThere = false
    try await terminal.session.wait("\(word) to be saved") { screen in
      let isHidden = screen.lines.contains { $0.contains("hides it") }
      if isHidden { isThere = (try? rows(laptop.file).words.contains(word)) == true }
      return isThere || screen.lines.contains { $0.contains("↑ [ ]   \(word)") }
    }
  }

  /// What was being typed when the list ended is offered when it is started again.
  mutating func draftOutlives(_ signal: Int32) async throws {
    try await goHome()
    let word = newWord()
    note("types a\(word), then signal \(signal)")
    try await acting { story in
      try await story.terminal.session.send("a\(word) not saved yet")
      try await story.terminal.session.wait("\(word) to be typed") { $0.shows(words: "\(word) not saved yet") }
      if signal == SIGKILL { try await story.waitUntilKept(word) }
      story.terminal.signal(signal)
      try await story.expectEnd(status: 128 + signal)
      try await story.terminal.session.send("R")
      try await story.terminal.session.wait("\(word) to be typed on") { $0.isTyping && $0.shows(words: word) }
      try await story.terminal.session.send("\r")
      try await story.waitUntilSaved(word)
    }
    guard try rows(laptop.file).words.contains(word) else { throw Failure("\(word) is lost") }
    try await look()
  }

  private func waitUntilKept(_ word: String) async throws {
    _ = try await waitFor {
      try laptop.file.draft()?.contains(word) == true ? true : nil
    } otherwise: {
      "the draft of \(word) was not kept"
    }
  }
}
