import OfflineSync
import Support
import TableProtocol
import Testing

@Suite("A query that can't be pulled")
struct InvalidPullTests {
  private let server = FakeServer()

  private static func query(_ change: (inout TableQuery) -> Void) -> TableQuery {
    var query = TableQuery(table: "TodoItem")
    change(&query)
    return query
  }

  @Test(
    "is refused with its reason, and nothing is asked, sent or written",
    arguments: [
      (query { $0.includesTotalCount = true }, nil, InvalidPull.totalCount),
      (query { $0.includesTotalCount = true }, "all", .totalCount),
      (query { $0.select = ["text"] }, nil, .select),
      (query { $0.order = [SortKey("text")] }, "all", .order),
      (query { $0.limit = 0 }, "all", .limit),
      (query { $0.skip = 0 }, "all", .limit),
      (query { ($0.skip, $0.limit) = (5, 5) }, "all", .limit),
      (query { $0.parameters = ["$filter": "1"] }, nil, .parameter("$filter")),
      (query { $0.parameters = ["__includeDeleted": "false"] }, nil, .parameter("__includeDeleted")),
      (query { $0.parameters = ["__INCLUDEdeleted": "nonsense"] }, "all", .parameter("__INCLUDEdeleted")),
    ])
  func refused(query: TableQuery, queryID: String?, reason: InvalidPull) async throws {
    let device = try TestDevice(server)
    try device.add("milk")
    let report = await device.sync(SyncRequest(pulls: [PullQuery(query, queryID: queryID)]))
    #expect(report.failure == .invalidPull(reason))
    #expect(server.requests.isEmpty)
    #expect(try device.operations().count == 1)
  }

  @Test("with an order, skip and limit it can be pulled without a name")
  func withoutName() async throws {
    let device = try TestDevice(server)
    let query = Self.query { ($0.order, $0.skip, $0.limit) = ([SortKey("text")], 0, 5) }
    #expect(await device.pull(PullQuery(query, queryID: nil)).failure == nil)
  }

  @Test("a page size that makes no sense is the usual one; one row is a page", arguments: [0, -1, .min])
  func pageSize(size: Int) {
    #expect(PullSettings(pageSize: size).pageSize == PullSettings.usualPageSize)
    #expect(PullSettings(pageSize: 1).pageSize == 1)
    #expect(PullSettings.usualPageSize > 0)
  }

  @Test("the page size of the settings is what is asked for", arguments: ["all", nil])
  func asked(queryID: String?) async throws {
    let device = try TestDevice(server, settings: PullSettings(pageSize: 7))
    for number in 0..<20 { server.put("item\(number)", ["text": .text("x")]) }
    await device.pull(PullQuery(table: "TodoItem", queryID: queryID))
    #expect(server.queries.allSatisfy { $0.limit == 7 || ($0.limit == 1 && $0.order.first?.ascending == false) })
    #expect(try device.texts().count == 20)
  }
}
