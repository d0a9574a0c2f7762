import InMemoryStore
import OfflineSync
import Support
import Synchronization
import TableProtocol
import TableSQL
import Testing

/// The durable mark that says a change was sent (sync-rules Q10).
@Suite("Marks of a push")
struct PushMarkTests {
  private let server = FakeServer()

  @Test("only what the next request carries is marked as sent")
  func oneRequest() async throws {
    let device = try TestDevice(server)
    let ids = try ["milk", "bread", "tea"].map { try device.add($0) }
    let marked = Mutex<[[RecordID]]>([])
    server.onRequest { request in
      guard request.hasPrefix("POST") else { return }
      let ids = (try? device.operations())?.filter(\.isMarked).map(\.itemID) ?? ["unreadable"]
      marked.withLock { $0.append(ids) }
    }
    await device.sync()
    #expect(marked.withLock(\.self) == ids.map { [$0] })
    #expect(try device.operations().isEmpty)
  }

  @Test("a text that is taken back while an earlier change travels is never uploaded")
  func takenBack() async throws {
    let device = try TestDevice(server)
    try device.add("milk")
    let secret = try device.add("secret")
    server.onRequest { if $0.hasPrefix("POST"), !$0.hasSuffix(secret.text) { try? device.table.delete(secret) } }
    #expect(await device.sync().failure == nil)
    #expect(!server.requests.contains { $0.hasSuffix(secret.text) })
    #expect(try device.texts().values.sorted() == ["milk"] && device.operations().isEmpty)
  }

  @Test("a change that is edited while an earlier one travels goes out once, as it is then")
  func edited() async throws {
    let device = try TestDevice(server)
    try device.add("milk")
    let late = try device.add("draft")
    server.onRequest { if $0.hasPrefix("POST"), !$0.hasSuffix(late.text) { try? device.edit(late, "done") } }
    let report = await device.sync()
    #expect(report.failure == nil && report.push.accepted == 2)
    #expect(server.requests.filter { $0.hasSuffix(late.text) } == ["POST \(late)"])
    #expect(server.rows[late]?.values["text"] == .text("done"))
  }

  @Test("a crash leaves what never left unmarked, so that it can be taken back without a trace")
  func crash() async throws {
    let store = ReadOnlyAfterDeath(
      InMemoryStore(tables: [InMemoryTable("TodoItem", columns: [.init("text", .text), .init("complete", .bool)])]))
    let before = context(store)
    try add(["a", "b", "c"], to: before)
    server.onRequest { if $0 == "POST b" { store.die() } }
    await push(before)
    server.onRequest(nil)
    let marks = try store.base.read { try $0.operations(after: 0, limit: 9) }
    #expect(marks.map(\.itemID) == ["b", "c"] && marks.map(\.isMarked) == [true, false])

    let after = context(store.base)
    try after.table("TodoItem").delete("c")
    await push(after)
    #expect(server.rows.keys.sorted() == ["a", "b"])
    #expect(!server.requests.contains { $0.hasSuffix(" c") })
  }

  @Test("a change that a busy server is asked again about was asked for once")
  func busy() {
    let remote = RetryingRemoteTable(server, environment: TestEnvironment().environment)
    server.fail(.pass, .failure(RemoteFailure(.busy(status: 503, retryAfter: nil), mayHaveActed: false)))
    var asked: [Int] = []
    var settled: [Int] = []
    let changes = (0..<4).map { RemoteChange.insert(table: "TodoItem", Record(id: "item\($0)")) }
    remote.send(changes) { indices in
      asked += indices
      return indices.filter { $0 != 2 }
    } settle: { part in
      settled += part.map(\.index)
      return true
    }
    #expect(asked == [0, 1, 2, 3] && settled == [0, 1, 3])
  }

  @Test("a row that is edited after the push was planned goes out as it is then", arguments: Editor.allCases)
  func editedBeforeMark(_ editor: Editor) async throws {
    let (context, edits, device) = try pair(editor)
    defer { withExtendedLifetime(device) {} }
    try add(["a", "b", "c"], to: context)
    server.onRequest {
      if $0 == "POST a" {
        _ = try? edits.update("b", ["text": .text("done")])
        try? edits.delete("c")
      }
    }
    await push(context)
    server.onRequest(nil)
    #expect(server.requests == ["POST a", "POST b"])
    #expect(server.rows["b"]?.values["text"] == .text("done"))
    #expect(try context.pendingCount() == 0)
  }

  @Test("a row that is edited while it is on its way keeps the edit, which goes out next", arguments: Editor.allCases)
  func editedBeforeAnswer(_ editor: Editor) async throws {
    let (context, edits, device) = try pair(editor)
    defer { withExtendedLifetime(device) {} }
    try add(["a", "b"], to: context)
    server.onRequest { if $0 == "POST a" { _ = try? edits.update("a", ["text": .text("done")]) } }
    await push(context)
    server.onRequest(nil)
    #expect(try context.table("TodoItem").read("a")?.values["text"] == .text("done"))
    await push(context)
    #expect(server.rows["a"]?.values["text"] == .text("done"))
    #expect(server.requests == ["POST a", "POST b", "PUT a text"])
    #expect(try context.pendingCount() == 0)
  }

  /// Who edits a row while a push runs.
  enum Editor: CaseIterable { case inMemory, thisProgram, otherProgram }

  /// The program that pushes, the table that is edited, and what has to live as long as both.
  private func pair(_ editor: Editor) throws -> (context: SyncContext, edits: SyncTable, device: TestDevice?) {
    switch editor {
    case .inMemory:
      let context = context(
        InMemoryStore(tables: [InMemoryTable("TodoItem", columns: [.init("text", .text), .init("complete", .bool)])]))
      return (context, context.table("TodoItem"), nil)
    case .thisProgram:
      let device = try TestDevice(server)
      return (device.context, device.table, device)
    case .otherProgram:
      let device = try TestDevice(server)
      return (device.context, try device.restarted(server).table, device)
    }
  }

  private func add(_ ids: [RecordID], to context: SyncContext) throws {
    for id in ids { try context.table("TodoItem").insert(Record(id: id, values: ["text": .text(id.text)])) }
  }

  private func context(_ store: any LocalStore) -> SyncContext {
    SyncContext(
      SyncPorts(
        tables: ["TodoItem"], store: store, remote: server, lock: FreeLock(),
        environment: TestEnvironment().environment))
  }

  private func push(_ context: SyncContext) async {
    await withCheckedContinuation { continuation in
      _ = context.request(SyncRequest(pushes: true, pulls: [])) { event in
        if case .finished = event { continuation.resume() }
      }
    }
  }

  @Test("a change that may have arrived stays marked though its next attempt surely did not")
  func staysMarked() async throws {
    let device = try TestDevice(server)
    let id = try device.add("milk")
    server.fail(.lostAnswer, .unreachable)
    await device.sync()
    await device.sync()
    try device.edit(id, "oat milk")
    let report = await device.sync()
    #expect(report.push.conflicts == 0)
    #expect(server.rows[id]?.values["text"] == .text("oat milk"))
    #expect(try device.operations().isEmpty)
  }

  @Test("a delete that follows a lost insert does not take away what somebody made of the row")
  func deleteAfterLostInsert() async throws {
    let device = try TestDevice(server)
    let id = try device.add("milk")
    server.fail(.lostAnswer)
    await device.sync()
    server.put(id, ["text": .text("oat milk")])
    try device.table.delete(id)
    let report = await device.sync()
    #expect(report.failure == nil)
    #expect(server.rows[id]?.values["text"] == .text("oat milk"))
    #expect(try device.errors().count == 1)
  }
}
