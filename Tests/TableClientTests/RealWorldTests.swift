import Chance
import Foundation
import OfflineSync
import Support
import TableClient
import TableProtocol
import Testing

@testable import Simulation

/// Some devices, each with the engine on a SQLite store and the real client, and the real server behind a rough road.
///
/// Each edit adds a word that nobody else writes, or takes one out. Two devices may sync at once. In the end the
/// weather clears, people decide, and everybody syncs until nothing moves: all have the same rows as the server. The
/// ledger of the simulated worlds says which words must be in them and which must not.
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
  private let ledger = Ledger()

  init(seed: UInt64, road: RoughRoad, address: String) throws {
    self.seed = seed
    self.road = road
    chance = SeededGenerator(seed: seed)
    let address = try #require(ServerAddress(address))
    let version: ProtocolVersion? = [nil, .v2, .v3][Int(seed % 3)]
    devices = try (0..<3).map { _ in
      try TestDevice(
        HTTPRemoteTable(address: address, knowledge: ServerKnowledge(protocolVersion: version)),
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
    switch Int.random(in: 0..<11, using: &chance) {
    case 0, 1, 2: try add(number, device)
    case 3, 4, 5: try edit(number, device)
    case 6: try takeOut(device)
    case 7: try delete(device)
    case 8: await sync([devices[device], devices[(device + 1) % devices.count]])
    default: await sync([devices[device]])
    }
  }

  /// Each request of a sync may meet weather. Several devices sync at the same time.
  private func sync(_ devices: [TestDevice]) async {
    let count = Int.random(in: 0...3 * devices.count, using: &chance)
    road.expect(
      (0..<count).map { _ in Bool.random(using: &chance) ? RoadWeather.allCases.randomElement(using: &chance) : nil })
    await withTaskGroup { group in
      for device in devices { group.addTask { _ = await device.sync() } }
    }
  }

  private func add(_ number: Int, _ device: Int) throws {
    let id = RecordID("item\(number)")
    let text = "w\(number) a\(number) b\(number) c\(number) d\(number) e\(number)"
    try devices[device].table.insert(Record(id: id, values: ["text": .text(text), "complete": .bool(false)]))
    items.append(id)
    ledger.wrote(id, from: [], to: Self.words(text), by: .device(device))
  }

  /// Each device writes at a place of its own, so that some edits merge and some clash.
  private func edit(_ number: Int, _ device: Int) throws {
    try change(device) { words in words.insert("x\(number)", at: min(words.count, 1 + 2 * device)) }
  }

  private func takeOut(_ device: Int) throws {
    try change(device) { words in if words.count > 2 { words.remove(at: min(words.count - 1, 1 + device)) } }
  }

  private func change(_ device: Int, _ change: (inout [String]) -> Void) throws {
    guard let id = items.randomElement(using: &chance), let text = try devices[device].texts()[id] else { return }
    var words = text.split(separator: " ").map(String.init)
    change(&words)
    try devices[device].edit(id, words.joined(separator: " "))
    ledger.wrote(id, from: Self.words(text), to: Set(words), by: .device(device))
  }

  private func delete(_ device: Int) throws {
    guard let id = items.randomElement(using: &chance), let text = try devices[device].texts()[id] else { return }
    try devices[device].table.delete(id)
    ledger.deleted(id, seeing: Self.words(text), by: .device(device))
  }

  private static func words(_ text: String) -> Set<String> { Set(text.split(separator: " ").map(String.init)) }

  private func becomeQuiet() async throws {
    for _ in 0..<8 {
      var sent = 0
      for device in devices {
        let report = await device.sync()
        #expect(report.failure == nil, "seed \(seed): \(String(describing: report.failure))")
        sent += report.push.accepted + report.pulled
      }
      let decided = try devices.indices.map { try decide($0) }.contains(true)
      if sent == 0, !decided { return }
    }
    Issue.record("seed \(seed) does not become quiet")
  }

  /// All words of both sides stay, and an item that one side deleted stays too.
  private func decide(_ device: Int) throws -> Bool {
    let conflicts = try devices[device].table.conflicts()
    for conflict in conflicts {
      let id = conflict.itemID
      guard let mine = conflict.mine, let theirs = conflict.theirs else {
        try devices[device].table.resolve(id, conflict.mine == nil ? .theirs : .mine)
        ledger.undeleted(id, by: .device(device))
        ledger.revived(id)
        ledger.reopen(id)
        continue
      }
      let (here, there) = (mine.values["text"]?.text ?? "", theirs.values["text"]?.text ?? "")
      let known = Self.words(there)
      let news = here.split(separator: " ").map(String.init).filter { !known.contains($0) }
      var values = theirs.values
      values["text"] = .text(([there] + news).joined(separator: " "))
      try devices[device].table.resolve(id, .merged(values))
      ledger.decided(
        id, mine: Self.words(here), theirs: known, to: known.union(news), by: .device(device))
    }
    return !conflicts.isEmpty
  }

  private func check() throws {
    let texts = try devices[0].texts()
    for device in devices {
      #expect(try device.texts() == texts, "seed \(seed)")
      #expect(try device.operations().isEmpty && device.errors().isEmpty, "seed \(seed)")
    }
    for (word, id) in ledger.owed {
      #expect(texts[id].map { Self.words($0).contains(word) } == true, "seed \(seed): \(word) of \(id) is lost")
    }
    for (id, text) in texts {
      let words = text.split(separator: " ")
      #expect(Set(words).count == words.count, "seed \(seed): a word is twice in \(id)")
      #expect(ledger.gone[id]?.isDisjoint(with: Self.words(text)) != false, "seed \(seed): words came back in \(id)")
    }
    for id in ledger.deletedForGood { #expect(texts[id] == nil, "seed \(seed): \(id) came back") }
  }
}
