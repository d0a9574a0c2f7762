import OfflineSync
import Support
import TableProtocol
import Testing

@Suite("Every remote table: pages")
struct RemotePageConformanceTests {
  private static let table = RemoteTableUnderTest.table

  @Test("the link of a page leads to the next one, until the last has none", arguments: RemoteTableUnderTest.allCases)
  func links(kind: RemoteTableUnderTest) async throws {
    try await kind.with { remote in
      try remote.fill(120)
      let query = TableQuery(
        table: Self.table, filter: .compare("complete", .equal, .bool(false)), order: [SortKey("id", ascending: false)],
        skip: 1)
      var ids: [RecordID] = []
      var link: PageLink?
      repeat {
        let page = try remote.page(query, at: link)
        #expect(page.hasMore == (page.next != nil))
        #expect(!page.records.isEmpty)
        ids += page.records.map(\.id)
        link = page.next
      } while link != nil && ids.count < 200
      #expect(ids == (0..<59).map { "item\(216 - 2 * $0)" })
    }
  }

  @Test("no more rows come than the query asks for, on all its pages", arguments: RemoteTableUnderTest.allCases)
  func limit(kind: RemoteTableUnderTest) async throws {
    try await kind.with { remote in
      try remote.fill(5)
      let page = try remote.page(TableQuery(table: Self.table, limit: 2))
      #expect(page.records.map(\.id) == ["item100", "item101"])
      #expect(!page.hasMore)
      #expect(try remote.page(TableQuery(table: Self.table, limit: 0)).records.isEmpty)
    }
  }

  @Test(
    "the total counts what matches, whatever the page, and only where it was asked for",
    arguments: RemoteTableUnderTest.allCases)
  func totalCount(kind: RemoteTableUnderTest) async throws {
    try await kind.with { remote in
      try remote.fill(9)
      var query = TableQuery(
        table: Self.table, filter: .compare("complete", .equal, .bool(true)), skip: 1, limit: 2,
        includesTotalCount: true)
      #expect(try remote.page(query).totalCount == 4)
      query.limit = 0
      #expect(try remote.page(query).totalCount == 4)
      query.includesTotalCount = false
      #expect(try remote.page(query).totalCount == nil)
    }
  }

  @Test("only the columns asked for come", arguments: RemoteTableUnderTest.allCases)
  func select(kind: RemoteTableUnderTest) async throws {
    try await kind.with { remote in
      try remote.fill(2)
      let page = try remote.page(TableQuery(table: Self.table, select: ["id", "text"]))
      #expect(page.records.map(\.values) == [["text": .text("0")], ["text": .text("1")]])
      #expect(page.records.map(\.id) == ["item100", "item101"])
    }
  }

  @Test("tombstones come only when they are asked for", arguments: RemoteTableUnderTest.allCases)
  func tombstones(kind: RemoteTableUnderTest) async throws {
    try await kind.with { remote in
      try remote.fill(2)
      _ = try remote.send(.delete(table: Self.table, id: "item100", base: nil))
      var query = TableQuery(table: Self.table)
      #expect(try remote.page(query).records.map(\.id) == ["item101"])
      query.includesDeleted = true
      #expect(try remote.page(query).records.map(\.system.deleted) == [true, false])
    }
  }

  @Test("a filter for a column the table has not finds nothing or is refused", arguments: RemoteTableUnderTest.allCases)
  func unknownColumn(kind: RemoteTableUnderTest) async throws {
    try await kind.with { remote in
      try remote.fill(1)
      do {
        let page = try remote.page(TableQuery(table: Self.table, filter: .compare("colour", .equal, .text("red"))))
        #expect(page.records.isEmpty)
      } catch let failure as RemoteFailure {
        #expect(!failure.mayHaveActed && !failure.concernsAll)
      }
    }
  }

  @Test(
    "a server says which database it has, or nothing, and the same each time", arguments: RemoteTableUnderTest.allCases)
  func identify(kind: RemoteTableUnderTest) async throws {
    try await kind.with { remote in
      let first = try remote.identify(Self.table)
      #expect(try remote.identify(Self.table) == first)
      #expect(remote.knowledge.database == first)
      try remote.fill(1)
    }
  }
}
