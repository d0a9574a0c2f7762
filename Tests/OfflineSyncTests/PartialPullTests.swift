import OfflineSync
import Support
import TableProtocol
import Testing

@Suite("Pulling a part of a table")
struct PartialPullTests {
  private let server = FakeServer(pageCap: 4)

  private func ids(_ numbers: some Sequence<Int>) -> [RecordID] { numbers.map { "item\(100 + $0)" } }

  @Test(
    "so many rows come and no more, from where the query begins, whatever the page size",
    arguments: [1, 3, 50], [(0, 5), (2, 4), (2, 100), (0, 0), (9, 5), (10, 5)])
  func limits(pageSize: Int, extent: (skip: Int, limit: Int)) async throws {
    let device = try TestDevice(server, settings: PullSettings(pageSize: pageSize))
    server.putItems(10)
    let query = TableQuery(table: "TodoItem", skip: extent.skip, limit: extent.limit)
    let report = await device.pull(PullQuery(query, queryID: nil))
    #expect(report.failure == nil)
    #expect(try device.texts().keys.sorted() == ids((0..<10).dropFirst(extent.skip).prefix(extent.limit)))
  }

  @Test("no more is asked for than is left", arguments: [(3, [2, 1]), (4, [2, 2]), (1, [1])])
  func lastPage(limit: Int, asked: [Int]) async throws {
    let device = try TestDevice(server, settings: PullSettings(pageSize: 2))
    server.putItems(10)
    await device.pull(PullQuery(TableQuery(table: "TodoItem", limit: limit), queryID: nil))
    #expect(server.queries.map(\.limit) == asked)
  }

  @Test("in an order of the caller's the first so many come")
  func order() async throws {
    let device = try TestDevice(server)
    server.putItems(10)
    let query = TableQuery(table: "TodoItem", order: [SortKey("id", ascending: false)], skip: 1, limit: 6)
    await device.pull(PullQuery(query, queryID: nil))
    #expect(try device.texts().keys.sorted() == ids(3..<9))
  }

  @Test("in an order of the caller's all rows come, and what is gone there goes here")
  func orderOfAll() async throws {
    let device = try TestDevice(server)
    server.putItems(10)
    let query = PullQuery(TableQuery(table: "TodoItem", order: [SortKey("text")]), queryID: nil)
    await device.pull(query)
    #expect(try device.texts().count == 10)
    server.forget("item104")
    server.remove("item105")
    await device.pull(query)
    #expect(try device.texts().count == 8)
  }

  @Test("a part says nothing of the other rows: none is removed, and no progress is noted")
  func othersStay() async throws {
    let device = try TestDevice(server)
    server.putItems(6)
    await device.sync()
    let token = try device.token()
    server.forget("item105")
    await device.pull(PullQuery(TableQuery(table: "TodoItem", limit: 2), queryID: nil))
    #expect(try device.texts().count == 6)
    #expect(try device.token() == token)
  }

  @Test("a server that gives fewer than asked for is asked on until it has no more")
  func smallPages() async throws {
    let device = try TestDevice(server, settings: PullSettings(pageSize: 100))
    server.putItems(9)
    await device.pull(PullQuery(table: "TodoItem", queryID: nil))
    #expect(try device.texts().count == 9)
    #expect(server.queries.allSatisfy { $0.skip == nil })
  }
}
