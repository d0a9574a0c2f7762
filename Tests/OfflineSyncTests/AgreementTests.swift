import OfflineSync
import SQLiteStore
import Support
import Synchronization
import TableProtocol
import Testing

@Suite("After a pull both sides are compared")
struct AgreementTests {
  private let server = FakeServer(tellsDigest: true)

  private func filled(_ count: Int) async throws -> (TestDevice, [RecordID]) {
    let device = try TestDevice(server)
    let ids = try (0..<count).map { try device.add("item \($0)") }
    await device.sync()
    return (device, ids)
  }

  @Test("what the server told is what is here, at no request more")
  func same() async throws {
    let (device, _) = try await filled(3)
    server.put("other", ["text": .text("by somebody else")])
    let before = server.requests.count
    let comparison = try #require(await device.compare())
    #expect(comparison.isSame && comparison.here.count == 4)
    #expect(server.requests.count == before + 1)
  }

  @Test("it is said after the end of the sync, once")
  func order() async throws {
    let device = try TestDevice(server)
    try device.add("milk")
    let events = Mutex<[String]>([])
    let request = SyncRequest(pulls: [PullQuery(table: "TodoItem", queryID: "all")])
    _ = await device.sync(
      request,
      report: { event in
        switch event {
        case .finished: events.withLock { $0.append("finished") }
        case .compared: events.withLock { $0.append("compared") }
        case .progress, .waitingForOtherProgram: break
        }
      })
    await blocking { device.context.waitUntilIdle() }
    #expect(events.withLock(\.self) == ["finished", "compared"])
    #expect(device.context.state == .idle)
  }

  @Test("changes that wait here are seen through")
  func waiting() async throws {
    let (device, ids) = try await filled(4)
    try device.edit(ids[0], "edited")
    try device.table.delete(ids[1])
    try device.add("never sent")
    server.fail(.failure(RemoteFailure(.notAllowed, mayHaveActed: false, concernsAll: true)))
    let comparison = try #require(await device.compare())
    #expect(try device.operations().count == 3)
    #expect(comparison.isSame && comparison.here.count == 4)
  }

  @Test("what others did to items that wait here is known too")
  func shadows() async throws {
    let (device, ids) = try await filled(3)
    for id in ids { try device.edit(id, "mine") }
    server.put(ids[0], ["text": .text("theirs")])
    server.remove(ids[1])
    server.fail(.failure(RemoteFailure(.notAllowed, mayHaveActed: false)))
    #expect(try #require(await device.compare()).isSame)
    #expect(try #require(await device.compare()).isSame)
    #expect(try device.errors().count == 2)
    server.put(ids[0], ["text": .text("theirs again")])
    #expect(try #require(await device.compare()).isSame)
  }

  @Test("a row the server lost without a trace is found, and a full comparison mends it")
  func lost() async throws {
    let (device, ids) = try await filled(3)
    #expect(try #require(await device.compare()).isSame)
    server.forget(ids[0])
    let comparison = try #require(await device.compare())
    #expect(!comparison.isSame && comparison.here.count == 3 && comparison.there.count == 2)
    #expect(try #require(await device.compare()).isSame == false)
    #expect(try #require(await device.compare(isFull: true)).isSame)
  }

  @Test("a row that is gone there while its change is refused is believed to be gone after a full comparison")
  func lostAndRefused() async throws {
    let (device, ids) = try await filled(2)
    server.forget(ids[0])
    try device.edit(ids[0], "mine")
    server.fail(.failure(RemoteFailure(.notAllowed, mayHaveActed: false)))
    #expect(try #require(await device.compare(isFull: true)).isSame)
    #expect(try device.texts()[ids[0]] == "mine")
  }

  @Test("the rows here are counted each time, also when nothing was sent or received")
  func counted() async throws {
    // A pull that looked back would bring the row again.
    let device = try TestDevice(server, settings: PullSettings(overlapMilliseconds: 0))
    let ids = try ["milk", "bread", "salt"].map { try device.add($0) }
    #expect(try #require(await device.compare()).isSame)
    let damage = Record(id: ids[1], system: SystemProperties(version: RecordVersion("damaged")))
    try device.context.store.write { try $0.upsert([damage], in: "TodoItem") }
    #expect(try #require(await device.compare()).isSame == false)
    try device.context.store.write { try $0.remove([ids[1]], from: "TodoItem") }
    let comparison = try #require(await device.compare())
    #expect(comparison.here.count == 2 && comparison.there.count == 3)
    #expect(try agreement(of: device) == nil)
  }

  /// A device that counts its rows while a request is under way; `began` is called with each such work.
  private func counting(
    _ device: TestDevice, of server: FakeServer, _ began: @escaping @Sendable () -> Void
  ) -> SyncContext {
    let own = device.world.environment
    let environment = Environment(
      now: own.now, newID: own.newID,
      beside: { work in
        began()
        work()
        return {}
      })
    return SyncContext(
      SyncPorts(
        tables: ["TodoItem"], store: device.store, remote: server, lock: FileLock(storePath: device.path),
        environment: environment))
  }

  private func comparison(of context: SyncContext) async throws -> TableComparison {
    let said = Mutex<TableComparison?>(nil)
    _ = await context.sync { event in
      if case .compared(let comparison) = event { said.withLock { $0 = comparison } }
    }
    await blocking { context.waitUntilIdle() }
    let comparison = said.withLock(\.self)
    return try #require(comparison)
  }

  @Test("the rows here are counted beside the request, and again if anybody wrote since, or the pull did")
  func countedEarly() async throws {
    let server = FakeServer(database: "d", tellsDigest: true, manners: .init { $0.promisesOrder = .always })
    let device = try TestDevice(server)
    let ids = try ["milk", "bread", "salt"].map { try device.add($0) }
    await device.sync()
    let works = Mutex(0)
    let context = counting(device, of: server) { works.withLock { $0 += 1 } }
    #expect(try await comparison(of: context).isSame)
    #expect(works.withLock(\.self) == 1)
    server.put("new", ["text": .text("new")])
    let grown = try await comparison(of: context)
    #expect(grown.isSame && grown.here.count == 4)
    // Somebody damages the store while the list is asked for.
    server.onRequest { _ in try? device.store.write { try $0.remove([ids[1]], from: "TodoItem") } }
    let damaged = try await comparison(of: context)
    #expect(!damaged.isSame && damaged.here.count == 3 && damaged.there.count == 4)
  }

  @Test("a sync that sends and then fails leaves no agreement behind; one that can't send leaves what was known")
  func failedAfterSending() async throws {
    let (device, _) = try await filled(2)
    #expect(try #require(await device.compare()).isSame)
    server.fail(.unreachable)
    #expect(await device.compare() == nil)
    #expect(try agreement(of: device) != nil)
    try device.add("bread")
    server.fail(.pass, .unreachable)
    #expect(await device.compare() == nil)
    #expect(try agreement(of: device) == nil)
  }

  private func agreement(of device: TestDevice) throws -> String? {
    try device.context.store.read { try $0.fact(SyncFact.agreement(on: "TodoItem")) }
  }

  @Test("a purge forgets what both sides had")
  func purged() async throws {
    let (device, _) = try await filled(2)
    #expect(try #require(await device.compare()).isSame)
    _ = await device.purge()
    #expect(try device.context.store.read { try $0.fact(SyncFact.agreement(on: "TodoItem")) } == nil)
    #expect(try #require(await device.compare()).isSame)
  }

  @Test("nothing is said where the server does not tell, or a part of the rows is kept, or the pull failed")
  func nothingSaid() async throws {
    let silent = try TestDevice(FakeServer())
    try silent.add("milk")
    #expect(await silent.compare() == nil)
    let (device, _) = try await filled(2)
    let part = TableQuery(table: "TodoItem", filter: .compare("complete", .equal, .bool(false)))
    #expect(await device.compare(PullQuery(part, queryID: "open")) == nil)
    #expect(await device.compare(PullQuery(table: "TodoItem", queryID: nil)) == nil)
    server.fail(.unreachable)
    #expect(await device.compare() == nil)
  }

  @Test("a decision keeps in mind what came of the row since it was looked at")
  func decidedOnAnOlderCopy() async throws {
    let (device, id) = try await TestDevice.withItem("milk", mine: "my milk", theirs: "their milk", on: server)
    #expect(try #require(await device.compare()).isSame)
    #expect(try device.errors().count == 1)
    server.put(id, ["text": .text("their oat milk")])
    #expect(try #require(await device.compare()).isSame)
    _ = try device.table.resolve(id, .mine)
    server.fail(.answer(.refused(status: 400, message: "not today")))
    #expect(try #require(await device.compare()).isSame)
    _ = try device.table.resolve(id, .theirs)
    #expect(try device.texts()[id] == "their oat milk")
  }
}
