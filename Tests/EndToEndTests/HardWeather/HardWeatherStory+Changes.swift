import Chance

/// What a person does at a device. The ledger learns of it by what the store holds afterwards: a killed command may
/// have done its work, and what can be read afterwards must stay, too.
extension HardWeatherStory {
  /// Two items that all devices have, so that there is something to disagree about.
  mutating func begin() async throws {
    for _ in 1...2 { try await add(devices[0]) }
    for device in devices {
      note("\(device.name): sync")
      try await device.ebb("sync")
    }
  }

  mutating func change(_ device: Device) async throws {
    let rows = try device.file.rows()
    guard !rows.isEmpty, !chance.once(in: 8) else { return try await add(device) }
    let row = chance.pick(rows)
    switch chance.number(1...12) {
    case ...5: try await act(device, ["edit", row.id] + edited(row.text))
    case 6, 7: try await act(device, [row.complete ? "undone" : "done", row.id])
    case 8: try await act(device, ["delete", row.id])
    case 9, 10: try await act(device, ["undo"], allowing: [0, 1])
    case 11: try await act(device, ["redo"], allowing: [0, 1])
    default: try await decide(device)
    }
  }

  mutating func add(_ device: Device) async throws {
    try await act(device, ["add"] + (1...chance.number(1...4)).map { _ in newWord() })
  }

  /// The words with a new one put in, or in the place of one or of all of them.
  private mutating func edited(_ text: String) -> [String] {
    var words = text.split(separator: " ").map(String.init)
    let place = chance.number(0...words.count)
    switch chance.number(1...6) {
    case ...3 where place < words.count: words[place] = newWord()
    case 6: words = [newWord()]
    default: words.insert(newWord(), at: place)
    }
    return words
  }

  private mutating func act(_ device: Device, _ words: [String], allowing allowed: Set<Int32> = [0]) async throws {
    let before = try device.file.rows()
    try await command(device, words, allowing: allowed)
    ledger.acted(at: device.name, from: before, to: try device.file.rows())
  }

  /// Runs the command, or kills it on the way.
  private mutating func command(_ device: Device, _ words: [String], allowing allowed: Set<Int32>) async throws {
    let delay = chance.once(in: 7) ? chance.number(0...40) : nil
    note("\(device.name): \(words.joined(separator: " "))\(delay.map { ", killed after \($0) ms" } ?? "")")
    let program = try RunningProgram(device, words)
    guard let delay else {
      try await program.end(allowing: allowed)
      return
    }
    try await ContinuousClock().sleep(for: .milliseconds(delay))
    program.kill()
    try expectSound(device.file, device.name)
  }
}

extension HardWeatherStory {
  /// Decides about the oldest conflict, if there is one.
  private mutating func decide(_ device: Device) async throws {
    guard let conflict = try await conflicts(device).first else { return }
    try await decide(device, conflict, chance.pick(["mine", "theirs", "both"]))
  }

  mutating func decide(_ device: Device, _ conflict: ListedConflict, _ choice: String) async throws {
    let before = try device.file.rows()
    try await command(device, ["resolve", conflict.id, "--keep", choice], allowing: [0])
    guard try await !conflicts(device).contains(where: { $0.id == conflict.id }) else { return }
    let after = try device.file.rows()
    let shown = [conflict.mine, conflict.theirs].compactMap { $0?.text.split(separator: " ").map(String.init) }
    ledger.acted(at: device.name, from: before, to: after, seeing: Set(shown.joined()))
    ledger.copied(Set(after.map(\.id)).subtracting(before.map(\.id) + [conflict.id]))
    if after.contains(where: { $0.id == conflict.id }) { ledger.revived(conflict.id) }
  }

  func conflicts(_ device: Device) async throws -> [ListedConflict] {
    try await device.ebb("conflicts", "--json").decoded()
  }
}
