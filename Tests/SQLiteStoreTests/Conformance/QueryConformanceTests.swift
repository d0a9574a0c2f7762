import OfflineSync
import Support
import TableProtocol
import TableSQL
import Testing

@Suite("Every local store: queries")
struct QueryConformanceTests {
  private func filled(_ kind: StoreUnderTest) throws -> (store: any LocalStore, folder: TemporaryFolder) {
    let opened = try kind.open()
    try opened.store.put(
      stored("d", "same"), stored("b", "milk", complete: true), stored("c", "same"), stored("a", "Bread"),
      Record(id: "e", values: ["text": .text("new")], system: SystemProperties(createdAt: .epoch)))
    return opened
  }

  @Test("rows come in the order asked for, and ties by id", arguments: StoreUnderTest.allCases)
  func order(kind: StoreUnderTest) throws {
    let (store, folder) = try filled(kind)
    defer { withExtendedLifetime(folder) {} }
    #expect(try store.ids() == ["a", "b", "c", "d", "e"])
    #expect(try store.ids(order: [SortKey("text")]) == ["a", "b", "e", "c", "d"])
    #expect(try store.ids(order: [SortKey("text", ascending: false)]) == ["c", "d", "e", "b", "a"])
    #expect(
      try store.ids(order: [SortKey("complete", ascending: false), SortKey("id", ascending: false)]).first == "b")
    #expect(try store.ids(order: [SortKey("updatedAt")]).first == "e", "null comes first")
  }

  @Test("skip and limit cut the order, and the total counts what matches", arguments: StoreUnderTest.allCases)
  func limits(kind: StoreUnderTest) throws {
    let (store, folder) = try filled(kind)
    defer { withExtendedLifetime(folder) {} }
    #expect(try store.ids(limit: 2) == ["a", "b"])
    #expect(try store.ids(skip: 3) == ["d", "e"])
    #expect(try store.ids(skip: 1, limit: 2) == ["b", "c"])
    #expect(try store.ids(limit: 0) == [])
    #expect(try store.ids(skip: 9) == [])
    let filter = Filter.compare("text", .equal, .text("same"))
    for limit in [nil, 0, 1, 5] {
      var query = TableQuery(table: store.table, filter: filter, limit: limit, includesTotalCount: true)
      #expect(try store.read { try $0.records(query).totalCount } == 2)
      query.includesTotalCount = false
      #expect(try store.read { try $0.records(query).totalCount } == nil)
      #expect(try store.read { try $0.count(query) } == 2)
    }
  }

  @Test("only the columns asked for are read, and the server's with them", arguments: StoreUnderTest.allCases)
  func select(kind: StoreUnderTest) throws {
    let (store, folder) = try filled(kind)
    defer { withExtendedLifetime(folder) {} }
    let filter = Filter.compare("complete", .equal, .bool(true))
    let query = TableQuery(table: store.table, filter: filter, select: ["text", "version"])
    let row = try #require(try store.read { try $0.records(query).records.first })
    #expect(row.values == ["text": .text("milk")])
    #expect(row.system.version == RecordVersion("v1"))
  }

  @Test("columns are compared by their type", arguments: StoreUnderTest.allCases)
  func filters(kind: StoreUnderTest) throws {
    let (store, folder) = try filled(kind)
    defer { withExtendedLifetime(folder) {} }
    let moment = Timestamp(milliseconds: 2_000)
    #expect(try store.ids(.member("complete")) == ["b"])
    #expect(try store.ids(.compare("complete", .equal, .bool(false))) == ["a", "c", "d", "e"])
    #expect(try store.ids(.compare("text", .greater, .text("milk"))) == ["c", "d", "e"])
    #expect(try store.ids(.compare("updatedAt", .greaterOrEqual, .timestamp(moment))) == ["a", "b", "c", "d"])
    #expect(try store.ids(.not(.compare("updatedAt", .greaterOrEqual, .timestamp(moment)))) == [], "null is unknown")
    #expect(try store.ids(.compare("version", .equal, .null)) == ["e"])
    #expect(try store.ids(.call(.startsWith, [.member("text"), .literal(.text("s"))])) == ["c", "d"])
  }

  @Test("a query for a column the table has not is an error", arguments: StoreUnderTest.allCases)
  func unknownColumn(kind: StoreUnderTest) throws {
    let (store, folder) = try filled(kind)
    defer { withExtendedLifetime(folder) {} }
    let error = QueryError.unknownColumn("colour")
    #expect(throws: error) { try store.ids(.compare("colour", .equal, .text("red"))) }
    #expect(throws: error) { try store.ids(order: [SortKey("colour")]) }
    #expect(throws: error) {
      try store.read { try $0.records(TableQuery(table: store.table, select: ["colour"])) }
    }
  }
}
