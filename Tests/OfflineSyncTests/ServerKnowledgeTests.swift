import SQLiteStore
import Support
import TableProtocol
import Testing

@testable import OfflineSync

@Suite("What is remembered of a server")
struct ServerKnowledgeTests {
  private static let day: Int64 = 86_400_000
  private static let address = "http://fake.example"

  private func knowledge(_ device: TestDevice, of server: String = address) throws -> ServerKnowledge {
    try device.context.store.read { try ServerKnowledge(of: server, in: $0, now: device.world.now) }
  }

  /// A device that has synced with a server of this kind.
  private func device(_ batching: BatchSupport?, database: String? = nil) async throws -> TestDevice {
    let device = try TestDevice(FakeServer(database: database, batching: batching))
    await device.sync()
    return device
  }

  @Test("its version of the protocol, its batches and its database are known after a restart")
  func remembered() async throws {
    let device = try await device(.own, database: "db-1")
    let again = try device.restarted(FakeServer())
    #expect(try knowledge(again) == ServerKnowledge(protocolVersion: .v3, batching: .own, database: "db-1"))
  }

  @Test("how it takes updates and what its rows hold are known after a restart")
  func rows() throws {
    let device = try TestDevice(FakeServer())
    for columns in [
      [:], ["TodoItem": ServerColumns()],
      ["TodoItem": ServerColumns(known: ["text", "complete"], wasListed: true), "b": ServerColumns(hasOthers: true)],
      ["TodoItem": ServerColumns(known: ["text"], hasOthers: true, varies: true, wasListed: true)],
    ] as [[String: ServerColumns]] {
      for merges in [true, false] {
        let found = ServerKnowledge(mergesUpdates: merges, columns: columns)
        try device.context.store.write { try found.remember(of: Self.address, in: $0, now: device.world.now) }
        #expect(try knowledge(device) == found)
      }
    }
  }

  @Test("its epoch is known after a restart, and what it announces later is not noted before the rows were compared")
  func epoch() async throws {
    let server = FakeServer(manners: .init { $0.announcesState = true })
    let device = try TestDevice(server)
    await device.sync()
    let again = try device.restarted(server)
    #expect(try knowledge(again, of: server.server).epoch == DatabaseEpoch(number: 1))
    server.restore(server.backUp())
    _ = try server.page(TableQuery(table: "TodoItem", limit: 1))
    try again.store.write { try server.knowledge.remember(of: server.server, in: $0, now: again.world.now) }
    #expect(try knowledge(again, of: server.server).epoch == DatabaseEpoch(number: 1))
    await again.sync()
    #expect(try knowledge(again, of: server.server).epoch == DatabaseEpoch(number: 2, nonce: "raised1"))
  }

  @Test("a column whose name could not be read again is not remembered")
  func oddNames() throws {
    let device = try TestDevice(FakeServer())
    let columns = ["TodoItem": ServerColumns(known: ["a b", "c,d", "text"], wasListed: true), "x y": ServerColumns()]
    let found = ServerKnowledge(columns: columns)
    try device.context.store.write { try found.remember(of: Self.address, in: $0, now: device.world.now) }
    let kept = ["TodoItem": ServerColumns(known: ["text"], wasListed: true)]
    #expect(try knowledge(device).columns == kept)
  }

  @Test("nothing is known of another server")
  func otherServer() async throws {
    let device = try await device(.own, database: "db-1")
    #expect(try knowledge(device, of: "http://other.example") == ServerKnowledge())
  }

  @Test("what a later sync did not learn stays known")
  func stays() async throws {
    let device = try await device(.own, database: "db-1")
    let again = try device.restarted(FakeServer(database: "db-1"))
    await again.sync()
    #expect(try knowledge(again).batching == .own)
  }

  @Test("that it takes no batches is believed for a day, for it may have learned to")
  func refusal() async throws {
    let device = try await device(.unsupported)
    #expect(try knowledge(device).batching == .unsupported)
    device.world.advance(milliseconds: Self.day)
    #expect(try knowledge(device).batching == .unsupported)
    device.world.advance(milliseconds: 1)
    #expect(try knowledge(device).batching == nil)
  }

  @Test("that it takes no batches is not believed when it was noted in the future: the clock was set back")
  func clockSetBack() async throws {
    let device = try await device(.unsupported)
    device.world.advance(milliseconds: -Self.day)
    #expect(try knowledge(device).batching == nil)
  }

  @Test("that it takes batches does not age")
  func announced() async throws {
    let device = try await device(.own)
    device.world.advance(milliseconds: 1_000 * Self.day)
    #expect(try knowledge(device).batching == .own)
  }

  @Test("a fact that makes no sense is none", arguments: ["", "none", "none never", "nonsense", "json; max=x", "\n\n"])
  func nonsense(text: String) throws {
    let device = try TestDevice(FakeServer())
    let store = device.context.store
    try store.write { store in
      try store.setFact(SyncFact.batching(of: Self.address), text)
      try store.setFact(SyncFact.protocolVersion(of: Self.address), text)
      try store.setFact(SyncFact.epoch(of: Self.address), text)
      try store.setFact(SyncFact.merging(of: Self.address), text)
    }
    #expect(try knowledge(device) == ServerKnowledge())
  }
}
