import OfflineSync
import Support
import TableProtocol
import Testing

@Suite("A table of the server used directly")
struct OnlineTableTests {
  private let server = FakeServer(pageCap: 3)
  private let world = TestEnvironment()

  private var table: OnlineTable {
    OnlineTable("TodoItem", remote: server, environment: world.environment)
  }

  private func fill(_ count: Int) {
    for number in 0..<count {
      server.put("item\(100 + number)", ["text": .text("\(number)"), "complete": .bool(false)])
    }
  }

  @Test("what is added is on the server at once, under a new id, and comes back with its version")
  func insert() throws {
    let stored = try table.insert(["text": .text("milk")])
    #expect(server.rows[stored.id] == stored)
    #expect(stored.system.version != nil)
  }

  @Test("what is done to it leaves no trace in the store or the journal")
  func noTrace() async throws {
    let device = try TestDevice(server)
    try await blocking { [table = device.context.onlineTable("TodoItem")] in
      let stored = try table.insert(["text": .text("milk")])
      try table.delete(stored.id)
    }
    #expect(try device.operations().isEmpty)
    #expect(try device.texts().isEmpty)
  }

  @Test("adding under an id that is taken is a conflict with the server's copy")
  func insertTwice() throws {
    let stored = try table.insert(Record(id: "a", values: ["text": .text("milk")]))
    #expect(throws: OnlineTableError.conflict(status: 409, stored)) {
      try table.insert(Record(id: "a", values: ["text": .text("bread")]))
    }
  }

  @Test("a change from the version the server has is done, one from an older version is a conflict")
  func update() throws {
    let stored = try table.insert(["text": .text("milk")])
    var edited = stored
    edited.values["text"] = .text("oat milk")
    let updated = try table.update(edited)
    #expect(updated.system.version != stored.system.version)
    edited.values["text"] = .text("rice milk")
    #expect(throws: OnlineTableError.conflict(status: 412, updated)) { try table.update(edited) }
    edited.system.version = nil
    #expect(try table.update(edited).values["text"] == .text("rice milk"), "without a version it wins")
  }

  @Test("a delete from an older version is a conflict, without a version it is done")
  func delete() throws {
    let stored = try table.insert(["text": .text("milk")])
    server.put(stored.id, ["text": .text("oat milk")])
    #expect(throws: OnlineTableError.conflict(status: 412, server.rows[stored.id])) {
      try table.delete(stored.id, version: stored.system.version)
    }
    try table.delete(stored.id)
    #expect(server.rows.isEmpty)
    #expect(throws: OnlineTableError.notFound) { try table.delete(stored.id) }
    #expect(try table.read(stored.id) == nil)
  }

  @Test("a deleted item lives again, with new values")
  func undelete() throws {
    let stored = try table.insert(["text": .text("milk")])
    try table.delete(stored.id)
    #expect(
      try table.undelete(Record(id: stored.id, values: ["text": .text("oat milk")])).values["text"]?.text == "oat milk")
    #expect(server.rows[stored.id]?.values["text"] == .text("oat milk"))
    #expect(throws: OnlineTableError.notFound) { try table.undelete(Record(id: "nobody")) }
  }

  @Test("an id the protocol forbids is refused before anything is sent", arguments: ["", "..", "a/b"])
  func badID(id: RecordID) {
    #expect(throws: OnlineTableError.invalidID) { try table.insert(Record(id: id)) }
    #expect(throws: OnlineTableError.invalidID) { try table.update(Record(id: id)) }
    #expect(throws: OnlineTableError.invalidID) { try table.delete(id) }
    #expect(throws: OnlineTableError.invalidID) { try table.read(id) }
    #expect(server.requests.isEmpty)
  }

  @Test("what the server refuses is told in its words, and a missing network as what it is")
  func refusals() {
    server.fail(.answer(.refused(status: 400, message: "too long")), .unreachable)
    #expect(throws: OnlineTableError.refused(status: 400, message: "too long")) {
      try table.insert(["text": .text("milk")])
    }
    #expect(throws: RemoteFailure(.unreachable("name not found"), mayHaveActed: false)) { try table.read("a") }
  }

  @Test("a query is read over as many pages as it takes, and counted once")
  func pages() throws {
    fill(8)
    let all = try table.read(TableQuery(table: "TodoItem", includesTotalCount: true))
    #expect(all.records.map(\.id) == (0..<8).map { "item\(100 + $0)" })
    #expect(all.totalCount == 8)
    #expect(server.requests.count == 3)
    #expect(try table.read(TableQuery(table: "TodoItem")).totalCount == nil)
  }

  @Test("filter, order, skip, limit and select are the server's", arguments: [0, 1, 3, 4, 7, 50])
  func query(limit: Int) throws {
    fill(8)
    server.put("item103", ["complete": .bool(true)])
    let query = TableQuery(
      table: "TodoItem", filter: .compare("complete", .equal, .bool(false)), order: [SortKey("id", ascending: false)],
      skip: 2, limit: limit, select: ["text"], includesTotalCount: true)
    let (records, total) = try table.read(query)
    #expect(records.map(\.id) == Array(["item105", "item104", "item102", "item101", "item100"].prefix(limit)))
    #expect(records.allSatisfy { $0.values.keys.sorted() == ["text"] })
    #expect(total == 7)
  }

  @Test("deleted items are read only when they are asked for")
  func tombstones() throws {
    fill(2)
    server.remove("item100")
    #expect(try table.read(TableQuery(table: "TodoItem")).records.count == 1)
    #expect(try table.read(TableQuery(table: "TodoItem", includesDeleted: true)).records.count == 2)
  }

  @Test("a page that leads to itself ends in a failure, and an empty one that promises more ends the walk")
  func circles() throws {
    let circle = RemotePage(records: [Record(id: "a")], hasMore: true, next: PageLink(query: "again"))
    #expect(throws: RemoteFailure.self) { try read(answering: circle) }
    let empty = RemotePage(records: [], hasMore: true, next: PageLink(query: "again"))
    #expect(try read(answering: empty).isEmpty)
  }

  private func read(answering page: RemotePage) throws -> [Record] {
    let table = OnlineTable("TodoItem", remote: OnePage(page: page), environment: world.environment)
    return try table.read(TableQuery(table: "TodoItem")).records
  }
}

/// A server that has one page for everybody.
private struct OnePage: RemoteTable {
  let page: RemotePage
  let server = "http://one.example"
  let knowledge = ServerKnowledge()
  let traffic = Traffic()

  func send(_ changes: [RemoteChange], starting: ([Int]) -> [Int], settle: ([SettledChange]) -> Bool) {}
  func read(_ id: RecordID, in table: String) throws(RemoteFailure) -> Record? { nil }
  func page(_ query: TableQuery, at link: PageLink?, verifying: Bool) throws(RemoteFailure) -> RemotePage { page }
}
