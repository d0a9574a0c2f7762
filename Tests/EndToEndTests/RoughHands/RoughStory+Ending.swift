import Glibc

/// The calm at the end, and the laws that hold then.
extension RoughStory {
  private static let longestCalming = 30

  /// Syncs and decides until nothing happens any more, with the list open beside it.
  mutating func calmDown() async throws {
    note("calm from here on")
    proxy.release()
    proxy.forecast([])
    try await startServer()
    try await goHome()
    for round in 0..<Self.longestCalming {
      var isQuiet = true
      for device in [laptop, phone] {
        let outcome = try await RunningProgram(device, ["sync", "--yes", "--json"]).end(allowing: [0, 1, 2])
        let sync = try outcome.decoded(ListedSync.self)
        isQuiet = isQuiet && sync.pushed == 0 && sync.pulled == 0
        let decided = try await decideAll(device, round)
        isQuiet = isQuiet && !decided
      }
      if isQuiet { return }
    }
    throw Failure("the devices do not come to rest")
  }

  private mutating func decideAll(_ device: Device, _ round: Int) async throws -> Bool {
    let conflicts: [ListedConflict] = try await device.ebb("conflicts", "--json").decoded()
    for conflict in conflicts {
      // What the server refuses it would refuse again.
      let choice = conflict.kind == "conflict" ? ["mine", "theirs", "both"][round % 3] : "theirs"
      note("\(device.name): resolve \(conflict.id) --keep \(choice)")
      let before = try rows(device.file)
      try await device.ebb("resolve", conflict.id, "--keep", choice)
      let shown = [conflict.mine, conflict.theirs].compactMap { $0?.text.matches(of: /z\d+q/).map { String($0.0) } }
      ledger.acted(at: device.name, from: before, to: try rows(device.file), seeing: Set(shown.joined()))
    }
    return !conflicts.isEmpty
  }

  mutating func checkLaws() async throws {
    try await refreshInList()
    let there = try serverFile.rows()
    var broken: [String] = []
    for device in [laptop, phone] {
      for row in Set(try device.file.rows()).symmetricDifference(there) {
        broken.append("not both \(device.name) and the server have \(row)")
      }
      let status = try await device.status()
      if status.pending + status.conflicts > 0 { broken.append("\(device.name) is not done: \(status)") }
    }
    for file in [laptop.file, phone.file, serverFile] { broken += try file.damage().map { "\(file.path): \($0)" } }
    let words = try rows(serverFile).words
    broken += ledger.owed.filter { !words.contains($0) }.map { "\($0) is lost" }
    guard broken.isEmpty else { throw Failure(broken.joined(separator: "\n")) }
    try await expectInList(Set(there.map(\.text)))
    try await expectTheSameAfterRedraw()
    note("leaves")
    try await goHome()
    try await terminal.session.send("q")
    let status = try await terminal.session.exitStatus()
    guard status == 0 else { throw Failure("the list ended with \(status)") }
  }

  private mutating func refreshInList() async throws {
    note("r, at last")
    try await goHome()
    try await terminal.session.send("r")
    let screen = try await terminal.session.wait("the last refresh") { screen in
      screen.lines[0].contains("synced") && screen.lines.suffix(5).contains { $0.contains("sent 0 · received 0") }
    }
    saw(screen)
  }

  /// The list shows all items when it is scrolled from the first row to the last.
  private mutating func expectInList(_ texts: Set<String>) async throws {
    try await goHome()
    // From the agenda two views back.
    for keys in ["0", "\u{1B}[Z", "\u{1B}[Z"] {
      try await terminal.session.send(keys)
      _ = try await terminal.settle(size)
    }
    let wanted = Set(texts.compactMap { $0.firstMatch(of: /z\d+q/).map { String($0.0) } })
    try await resize(200, 60)
    try await terminal.session.send("g")
    var seen: Set<String> = []
    for _ in 0...(texts.count / 20) {
      let screen = try await terminal.settle(size)
      saw(screen)
      seen.formUnion(screen.lines.flatMap { $0.matches(of: /z\d+q/).map { String($0.0) } })
      try await terminal.session.send("\u{1B}[6~")
    }
    let missing = wanted.subtracting(seen)
    guard missing.isEmpty else { throw Failure("the list does not show \(missing.sorted())") }
  }
}
