import InMemoryStore
import OfflineSync
import Support
import Synchronization
import TableProtocol
import TableSQL
import Testing

@Suite("Several tables in one store")
struct SeveralTablesTests {
  private let server = FakeServer()
  private let store = InMemoryStore(
    tables: ["Todo", "Note"].map { InMemoryTable($0, columns: [.init("text", .text)]) })
  private let context: SyncContext

  init() {
    context = SyncContext(
      SyncPorts(
        tables: ["Todo", "Note"], store: store, remote: server, lock: FreeLock(),
        environment: TestEnvironment().environment))
  }

  private func purge(_ table: String, forced: Bool = false) async -> Result<PurgeReport, any Error> {
    await withCheckedContinuation { continuation in
      context.purge(table, forced: forced) { continuation.resume(returning: $0) }
    }
  }

  private func push(_ other: SyncContext? = nil) async -> SyncReport {
    await withCheckedContinuation { continuation in
      (other ?? context).push { event in
        if case .finished(let report) = event { continuation.resume(returning: report) }
      }
    }
  }

  private func setToken(of table: String) throws {
    try store.write { try $0.setDeltaToken(DeltaToken(.epoch), table: table, queryID: "all") }
  }

  private func hasToken(_ table: String) throws -> Bool {
    try store.read { try $0.deltaToken(table: table, queryID: "all") != nil }
  }

  @Test("what is remembered of two queries is apart, also if their names have spaces")
  func names() {
    let queries = [
      PullQuery(table: "A B", queryID: "C"), PullQuery(table: "A", queryID: "B C"), PullQuery(table: "A", queryID: "B"),
      PullQuery(table: "\"A", queryID: "B"), PullQuery(table: "\"A B\"", queryID: "C"),
    ]
    #expect(Set(queries.map(SyncFact.filter)).count == queries.count)
    #expect(SyncFact.filter(of: .everything(of: "TodoItem")) == "filter TodoItem all")
  }

  @Test("a push sends the changes of all of them, in the order they were made")
  func pushAll() async throws {
    let ids = [
      try context.table("Todo").insert(["text": .text("1")]).id,
      try context.table("Note").insert(["text": .text("2")]).id,
      try context.table("Todo").insert(["text": .text("3")]).id,
    ]
    #expect(await push().push.accepted == 3)
    #expect(server.requests == ids.map { "POST \($0)" })
  }

  @Test("a table is purged though changes of another one wait, and the other keeps all it has")
  func purgeOne() async throws {
    try context.table("Todo").insert(["text": .text("milk")])
    _ = await push()
    let note = try context.table("Note").insert(["text": .text("mine")])
    for table in ["Todo", "Note"] { try setToken(of: table) }
    #expect(try await purge("Todo").get().rows == 1)
    #expect(try context.table("Note").read(note.id) != nil)
    #expect(try context.pendingCount() == 1)
    #expect(try !hasToken("Todo") && hasToken("Note"))
    await #expect(throws: PurgeRefused(pending: 1)) { try await purge("Note").get() }
  }

  @Test("a forced purge drops the changes of its table, and no others")
  func forced() async throws {
    try context.table("Todo").insert(["text": .text("milk")])
    let note = try context.table("Note").insert(["text": .text("mine")])
    let report = try await purge("Todo", forced: true).get()
    #expect(report.rows == 1 && report.changes == 1)
    #expect(await push().push.accepted == 1)
    #expect(server.requests == ["POST \(note.id)"])
  }

  @Test("the same id in two tables is two rows with two changes")
  func sameID() throws {
    for table in ["Todo", "Note"] { try context.table(table).insert(Record(id: "a", values: ["text": .text(table)])) }
    #expect(try context.pendingCount() == 2)
    try context.table("Todo").delete("a")
    #expect(try context.pendingCount() == 1)
    #expect(try context.table("Note").read("a")?.values["text"] == .text("Note"))
  }

  @Test("an id that is taken in one of them says nothing about the same id in another: both are sent twice")
  func sameIDTaken() async throws {
    for table in ["Todo", "Note"] { try context.table(table).insert(Record(id: "a", values: ["text": .text(table)])) }
    for _ in 0..<4 { server.fail(.answer(.conflict(status: 409, nil)), .pass) }
    #expect(await push().push.refused == 2)
    #expect(server.requests.count { $0 == "POST a" } == 4)
  }

  @Test("the delegate is asked as often about a row as if no other table had its id")
  func sameIDAsked() async throws {
    let delegate = LateDelegate(server)
    let context = SyncContext(
      SyncPorts(
        tables: ["Todo", "Note"], store: store, remote: server, lock: FreeLock(),
        environment: TestEnvironment().environment, delegate: delegate))
    server.put("a", ["text": .text("rice")])
    for table in ["Todo", "Note"] { try context.table(table).insert(Record(id: "a", values: ["text": .text(table)])) }
    #expect(await push(context).failure == nil)
    for table in ["Todo", "Note"] { #expect(delegate.asked.count { $0 == table } == 5) }
  }

  @Test("one that is not there is an error, and nothing is journalled")
  func unknown() throws {
    #expect(throws: StoreError.self) { try context.table("Nothing").insert(["text": .text("x")]) }
    #expect(try context.pendingCount() == 0)
  }
}

/// Decides for the row here when somebody has just written again, each time.
private final class LateDelegate: SyncDelegate {
  private let server: FakeServer
  private let tables = Mutex<[String]>([])

  init(_ server: FakeServer) {
    self.server = server
  }

  /// The tables of the rows that it was asked about.
  var asked: [String] { tables.withLock(\.self) }

  func resolution(of conflict: Conflict) -> ConflictResolution? {
    tables.withLock { $0.append(conflict.table) }
    server.put(conflict.itemID, ["text": .text("rice\(server.requests.count)")])
    return .mine
  }
}
