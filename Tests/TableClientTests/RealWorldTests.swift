import Foundation
import OfflineSync
import Support
import TableClient
import TableProtocol
import Testing

/// Some devices, each with the engine on a SQLite store and the real client, and the real server behind a rough road.
///
/// Each edit adds a word that nobody else writes. In the end the weather clears, people decide, and everybody syncs
/// until nothing moves: all have the same rows as the server, and every word is in one.
@Suite("Worlds over real sockets", .serialized, .timeLimit(.minutes(5)))
struct RealWorldTests {
  /// `EBB_REAL_WORLDS` is how many seeds are run.
  static let seeds = 1...(ProcessInfo.processInfo.environment["EBB_REAL_WORLDS"].flatMap { UInt64($0) } ?? 4)

  @Test("nothing acknowledged is lost, and all agree in the end", arguments: seeds)
  func lawsHold(seed: UInt64) async throws {
    try await withServer { address in
      let road = try RoughRoad(to: address)
      let proxy = try ScriptedServer { road.reply(to: $0) }
      defer { proxy.stop() }
      let world = try RealWorld(seed: seed, road: road, address: proxy.address)
      try await world.run()
    }
  }
}

private final class RealWorld {
  private let seed: UInt64
  private var chance: SeededGenerator
  private let road: RoughRoad
  private let devices: [TestDevice]
  private var items: [RecordID] = []
  /// By word, the item it was written into.
  private var written: [String: RecordID] = [:]
  private var deleted: Set<RecordID> = []

  init(seed: UInt64, road: RoughRoad, address: String) throws {
    self.seed = seed
    self.road = road
    chance = SeededGenerator(seed: seed)
    let address = try #require(ServerAddress(address))
    let version: ProtocolVersion? = [nil, .v2, .v3][Int(seed % 3)]
    devices = try (0..<3).map { _ in
      try TestDevice(
        HTTPRemoteTable(address: address, token: nil, knowledge: ServerKnowledge(protocolVersion: version)),
        settings: PullSettings(pageSize: 7))
    }
  }

  func run() async throws {
    for number in 0..<40 { try await step(number) }
    road.expect([])
    try await becomeQuiet()
    #expect(road.faults > 0, "seed \(seed) met no weather")
    try check()
  }

  private func step(_ number: Int) async throws {
    let device = Int.random(in: 0..<devices.count, using: &chance)
    switch Int.random(in: 0..<10, using: &chance) {
    case 0, 1, 2: try add(number, on: devices[device])
    case 3, 4, 5: try edit(number, on: devices[device], device)
    case 6: try delete(on: devices[device])
    default:
      let count = Int.random(in: 0...3, using: &chance)
      road.expect(
        (0..<count).map { _ in Bool.random(using: &chance) ? RoadWeather.allCases.randomElement(using: &chance) : nil })
      await devices[device].sync()
    }
  }

  private func add(_ number: Int, on device: TestDevice) throws {
    let id = RecordID("item\(number)")
    try device.table.insert(
      Record(id: id, values: ["text": .text("w\(number) a b c d e"), "complete": .bool(false)]))
    items.append(id)
    written["w\(number)"] = id
  }

  /// Each device writes at a place of its own, so that some edits merge and some clash.
  private func edit(_ number: Int, on device: TestDevice, _ place: Int) throws {
    guard let id = items.randomElement(using: &chance), let text = try device.texts()[id] else { return }
    var words = text.split(separator: " ").map(String.init)
    words.insert("w\(number)", at: min(words.count, 1 + 2 * place))
    try device.edit(id, words.joined(separator: " "))
    written["w\(number)"] = id
  }

  /// Whoever deletes an item takes away what others write into it too, if nobody is asked.
  private func delete(on device: TestDevice) throws {
    guard let id = items.randomElement(using: &chance), try device.texts()[id] != nil else { return }
    try device.table.delete(id)
    deleted.insert(id)
  }

  private func becomeQuiet() async throws {
    for _ in 0..<8 {
      var sent = 0
      for device in devices {
        let report = await device.sync()
        #expect(report.failure == nil, "seed \(seed): \(String(describing: report.failure))")
        sent += report.push.accepted + report.pulled
      }
      let decided = try devices.map { try decide(on: $0) }.contains(true)
      if sent == 0, !decided { return }
    }
    Issue.record("seed \(seed) does not become quiet")
  }

  /// All words of both sides stay.
  private func decide(on device: TestDevice) throws -> Bool {
    let conflicts = try device.table.conflicts()
    for conflict in conflicts {
      guard let mine = conflict.mine, let theirs = conflict.theirs else {
        try device.table.resolve(conflict.itemID, conflict.mine == nil ? .theirs : .mine)
        continue
      }
      let (here, there) = (mine.values["text"]?.text ?? "", theirs.values["text"]?.text ?? "")
      let known = Set(there.split(separator: " "))
      let news = here.split(separator: " ").filter { !known.contains($0) }
      var values = theirs.values
      values["text"] = .text(([there] + news.map(String.init)).joined(separator: " "))
      try device.table.resolve(conflict.itemID, .merged(values))
    }
    return !conflicts.isEmpty
  }

  private func check() throws {
    let texts = try devices[0].texts()
    for device in devices {
      #expect(try device.texts() == texts, "seed \(seed)")
      #expect(try device.operations().isEmpty && device.errors().isEmpty, "seed \(seed)")
    }
    for (word, id) in written where !deleted.contains(id) {
      #expect(texts[id]?.split(separator: " ").filter { $0 == word }.count == 1, "seed \(seed): \(word) of \(id)")
    }
  }
}
