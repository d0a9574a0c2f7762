/// The fair weather at the end, and the laws that hold then.
extension HardWeatherStory {
  private static let longestCalming = 30

  /// Syncs and decides until nothing happens any more.
  mutating func calmDown() async throws {
    note("fair weather from here on")
    proxy.forecast([])
    try await startServer()
    for round in 0..<Self.longestCalming {
      var isQuiet = true
      for device in devices {
        let sync = try await sync(device)
        isQuiet = isQuiet && sync.pushed == 0 && sync.pulled == 0
      }
      let decided = try await decideAll(round)
      if isQuiet && !decided { return }
    }
    throw Failure("the devices do not come to rest")
  }

  private mutating func sync(_ device: Device) async throws -> ListedSync {
    note("\(device.name): sync")
    let outcome = try await RunningProgram(device, ["sync", "--json"]).end(allowing: [0, 2])
    let sync = try outcome.decoded(ListedSync.self)
    guard sync.failed == 0 else { throw Failure("the server refuses what \(device.name) sends: \(outcome)") }
    return sync
  }

  private mutating func decideAll(_ round: Int) async throws -> Bool {
    var count = 0
    for device in devices {
      for conflict in try await conflicts(device) {
        try await decide(device, conflict, ["mine", "theirs", "both"][(round + count) % 3])
        count += 1
      }
    }
    return count > 0
  }

  func checkLaws() async throws {
    let there = try serverFile.rows()
    var broken = try await agreement(with: there) + lost(in: there) + doubled(in: there)
    for file in devices.map(\.file) + [serverFile] { broken += try file.damage().map { "\(file.path): \($0)" } }
    guard broken.isEmpty else { throw Failure(broken.joined(separator: "\n")) }
  }

  /// All devices list what the server has, and have nothing left to send or to decide.
  private func agreement(with there: [StoredRow]) async throws -> [String] {
    var broken: [String] = []
    for device in devices {
      let here = try await device.items("--all").map(StoredRow.init)
      for row in Set(here).symmetricDifference(there).sorted(by: { $0.id < $1.id }) {
        broken.append("only \(here.contains(row) ? device.name : "the server, not \(device.name),") has \(row)")
      }
      let status = try await device.status()
      if status.pending + status.conflicts > 0 { broken.append("\(device.name) is not done: \(status)") }
    }
    return broken
  }

  /// Every edit that was acknowledged is there, or was overwritten by somebody who had seen it.
  private func lost(in there: [StoredRow]) -> [String] {
    let words = there.words
    let completed = ledger.completedByOne
    return ledger.owed.filter { !words.contains($0) }.map { "\($0) is lost" }
      + there.filter { ledger.deletedForGood.contains($0.id) }.map { "\($0) was deleted and is back" }
      + there.filter { completed[$0.id] == !$0.complete }.map { "only one device said whether it is done: \($0)" }
  }

  /// No word is in two items, unless one was made of the other by keeping both, nor twice in one.
  private func doubled(in there: [StoredRow]) -> [String] {
    let words = there.filter { !ledger.copies.contains($0.id) }.flatMap { $0.text.split(separator: " ") }
    return Dictionary(grouping: words) { $0 }.filter { $0.value.count > 1 }.keys.map { "\($0) is there twice" }
  }
}

extension StoredRow {
  fileprivate init(_ item: ListedItem) {
    self.init(id: item.id, text: item.text, complete: item.complete, version: item.version)
  }
}
