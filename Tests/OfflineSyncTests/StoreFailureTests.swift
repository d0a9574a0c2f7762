import InMemoryStore
import OfflineSync
import Support
import TableProtocol
import TableSQL
import Testing

@Suite("A store that fails")
struct StoreFailureTests {
  private let server = FakeServer()
  private let store = FailingStore(
    InMemoryStore(tables: [InMemoryTable("TodoItem", columns: [.init("text", .text), .init("complete", .bool)])]))
  private let context: SyncContext

  init() {
    context = SyncContext(
      SyncPorts(
        tables: ["TodoItem"], store: store, remote: server, lock: FreeLock(),
        environment: TestEnvironment().environment, settings: PullSettings(pageSize: 2, overlapMilliseconds: 0)))
  }

  private var table: SyncTable { context.table("TodoItem") }

  private func sync() async -> SyncReport {
    await withCheckedContinuation { continuation in
      context.request(SyncRequest(pulls: [PullQuery(table: "TodoItem", queryID: "all")])) { event in
        if case .finished(let report) = event { continuation.resume(returning: report) }
      }
    }
  }

  private func count() throws -> Int { try store.read { try $0.count(TableQuery(table: "TodoItem")) } }

  @Test("a change that can't be written is not made, and can be made again")
  func localChanges() throws {
    store.fail(write: 1)
    #expect(throws: FailingStore.error) { try table.insert(Record(id: "a", values: ["text": .text("milk")])) }
    #expect(try count() == 0 && context.pendingCount() == 0)
    try table.insert(Record(id: "a", values: ["text": .text("milk")]))
    store.fail(write: 1)
    #expect(throws: FailingStore.error) { try table.update("a", ["text": .text("bread")]) }
    store.fail(write: 1)
    #expect(throws: FailingStore.error) { try table.delete("a") }
    #expect(try table.read("a")?.values["text"] == .text("milk"))
    #expect(try context.pendingCount() == 1)
  }

  @Test("that can't be read is said so, as it is")
  func reads() {
    store.fail(read: 1)
    #expect(throws: FailingStore.error) { try table.read("a") }
    store.fail(read: 1)
    #expect(throws: FailingStore.error) { try table.read(TableQuery(table: "TodoItem")) }
  }

  @Test("at any transaction of a sync ends it with that reason, and the next one does the rest", arguments: 1...9)
  func anyWrite(failing: Int) async throws {
    for number in 0..<5 { server.put("item\(number)", ["text": .text("\(number)")]) }
    for text in ["milk", "bread"] { try table.insert(["text": .text(text)]) }
    store.fail(write: failing)
    let report = await sync()
    #expect(report.failure == .store(FailingStore.error) || (report.failure == nil && failing > 6))
    #expect(try report.push.accepted == 2 - context.pendingCount(), "what is counted was done")
    #expect(await sync().failure == nil)
    #expect(try count() == 7)
    #expect(try context.pendingCount() == 0)
    #expect(server.rows.count == 7, "nothing came twice")
  }

  @Test("at any look of a sync into it ends the sync once, with the reason", arguments: 1...10)
  func anyRead(failing: Int) async throws {
    server.put("a", ["text": .text("milk")])
    try table.insert(["text": .text("bread")])
    store.fail(read: failing)
    #expect(await sync().failure == .store(FailingStore.error))
    #expect(await sync().failure == nil)
    #expect(try count() == 2)
    #expect(server.rows.count == 2)
  }
}
