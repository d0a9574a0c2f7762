import OfflineSync
import Support
import TableProtocol
import Testing

@Suite("Pulling only what matches a filter")
struct FilteredPullTests {
  private let server = FakeServer()

  private static let open = Filter.compare("complete", .equal, .bool(false))
  private static let done = Filter.compare("complete", .equal, .bool(true))

  private func pull(_ filter: Filter?, queryID: String? = "mine") -> PullQuery {
    PullQuery(TableQuery(table: "TodoItem", filter: filter), queryID: queryID)
  }

  /// Items on the server, one after another; those that are done have a name in capitals.
  private func fill(_ names: String...) {
    for name in names {
      server.put(RecordID(name), ["text": .text(name), "complete": .bool(name != name.lowercased())])
    }
  }

  private func device() throws -> TestDevice {
    try TestDevice(server, settings: PullSettings(pageSize: 2, overlapMilliseconds: 0))
  }

  @Test("brings what matches, and with every later pull what is new of it", arguments: ["mine", nil])
  func matching(queryID: String?) async throws {
    let device = try device()
    fill("a", "B", "c", "D", "e")
    #expect(await device.pull(pull(Self.open, queryID: queryID)).pulled == 3)
    #expect(try device.texts().keys.sorted() == ["a", "c", "e"])
    fill("f", "G")
    #expect(await device.pull(pull(Self.open, queryID: queryID)).pulled == 1)
    #expect(try device.texts().keys.sorted() == ["a", "c", "e", "f"])
  }

  @Test("a row that left the filter on the server is found by a full pull, and only by that one")
  func leftFilter() async throws {
    let device = try device()
    fill("a", "b", "c")
    await device.pull(pull(Self.open))
    server.put("b", ["complete": .bool(true)])
    #expect(await device.pull(pull(Self.open)).pulled == 0)
    #expect(try device.table.read("b")?.values["complete"] == .bool(false))
    #expect(await device.pull(pull(Self.open), isFull: true).pulled == 1)
    #expect(try device.table.read("b")?.values["complete"] == .bool(true))
    #expect(try device.texts().count == 3, "it is another now, and still there")
  }

  @Test("a row that is gone on the server goes here with a full pull of its filter, with a tombstone or without")
  func gone() async throws {
    let device = try device()
    fill("a", "b", "c", "D")
    await device.pull(pull(nil))
    server.forget("b")
    server.forget("D")
    server.put("c", ["complete": .bool(true)])
    server.remove("c")
    await device.pull(pull(Self.open, queryID: nil))
    #expect(try device.texts().keys.sorted() == ["D", "a"], "what does not match is not looked at")
  }

  @Test("a row with a pending change is not removed because it left the filter")
  func pending() async throws {
    let device = try device()
    fill("a", "b")
    await device.pull(pull(Self.open))
    try device.edit("b", "mine")
    server.forget("b")
    await device.pull(pull(Self.open, queryID: nil))
    #expect(try device.texts()["b"] == "mine")
  }

  @Test("the progress of another filter under the same name is not used")
  func otherFilter() async throws {
    let device = try device()
    fill("A", "b")
    await device.pull(pull(Self.open))
    await device.pull(pull(Self.done))
    #expect(try device.texts().keys.sorted() == ["A", "b"])
    fill("c")
    await device.pull(pull(nil))
    #expect(try device.texts().keys.sorted() == ["A", "b", "c"])
  }

  @Test("the progress of another filter is not used either when the first pull of the new one fails")
  func otherFilterAfterFailure() async throws {
    let device = try device()
    fill("A", "b")
    await device.pull(pull(Self.open))
    server.fail(.unreachable)
    #expect(await device.pull(pull(Self.done)).failure != nil)
    await device.pull(pull(Self.done))
    #expect(try device.texts().keys.sorted() == ["A", "b"])
  }

  @Test("the progress of the same filter with other parameters is not used")
  func otherParameters() async throws {
    let device = try device()
    fill("a")
    var query = TableQuery(table: "TodoItem", parameters: ["list": "home"])
    await device.pull(PullQuery(query, queryID: "mine"))
    query.parameters = ["list": "work"]
    await device.pull(PullQuery(query, queryID: "mine"))
    #expect(
      server.queries.last { $0.filter != nil }?.filter == server.queries.first?.filter, "from the beginning again")
  }

  @Test("a query of another name has a progress of its own")
  func otherName() async throws {
    let device = try device()
    fill("a")
    await device.pull(pull(nil, queryID: "one"))
    await device.pull(pull(nil, queryID: "two"))
    let tokens = try ["one", "two", "three"].map { name in
      try device.context.store.read { try $0.deltaToken(table: "TodoItem", queryID: name) }
    }
    #expect(tokens[0] != nil && tokens[0] == tokens[1] && tokens[2] == nil)
  }

  @Test("the caller's filter and parameters go with every request of a pull", arguments: ["mine", nil])
  func everyPage(queryID: String?) async throws {
    let device = try device()
    fill("a", "b", "c", "d", "e")
    let query = TableQuery(table: "TodoItem", filter: Self.open, parameters: ["list": "home"])
    await device.pull(PullQuery(query, queryID: queryID))
    #expect(server.queries.count > 2)
    #expect(server.queries.allSatisfy { $0.parameters == ["list": "home"] && $0.includesDeleted })
    #expect(server.queries.allSatisfy { $0.filter.map(Self.holdsOpen) ?? false })
    #expect(server.queries.allSatisfy { ($0.skip ?? 0) == 0 }, "it never skips: sync-rules P1")
  }

  private static func holdsOpen(_ filter: Filter) -> Bool {
    if case .binary(.and, let left, let right) = filter { return holdsOpen(left) || holdsOpen(right) }
    return filter == open
  }
}
