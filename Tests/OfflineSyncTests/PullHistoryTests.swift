import InMemoryStore
import TableProtocol
import TableSQL
import Testing

@testable import OfflineSync

/// Milliseconds.
private let day: Int64 = 86_400_000

@Suite("When a query was pulled, and whether it must compare all rows")
struct PullHistoryTests {
  private static let now = Timestamp(milliseconds: 1_795_000_000_000)
  private static let query = PullQuery(table: "T", queryID: "q")

  private func history(_ pulls: [CompletedPull], required: String? = nil) throws -> PullHistory {
    var history = PullHistory(nil, earlier: nil, required: nil)
    for (index, pull) in pulls.enumerated() {
      history.note(pull, now: Self.now.advanced(byMilliseconds: Int64(index)))
    }
    return PullHistory(try history.text(), earlier: nil, required: required.map { RequiredComparison($0) })
  }

  @Test(
    "a query compares if its last pull was more than 90 days ago, or more than a day in the future",
    arguments: [
      (nil, false), (0, false), (90 * day, false), (90 * day + 1, true), (-day, false), (-day - 1, true),
    ] as [(Int64?, Bool)])
  func age(milliseconds: Int64?, isDue: Bool) {
    let last = milliseconds.map { Self.now.advanced(byMilliseconds: -$0) }
    #expect(PullSettings().requiresComparison(since: last, now: Self.now) == isDue)
  }

  @Test(
    "a query must compare until it has made this very comparison, and it never has made one of an older program",
    arguments: [
      (nil, nil, false), ("1", nil, false), ("x 1", nil, false),
      (nil, "1", true), ("1", "1", true), ("x 1", "1", true),
      (nil, "x 1", true), ("1", "x 1", true), ("x 1", "x 1", false), ("x 2", "x 1", true),
    ] as [(String?, String?, Bool)])
  func required(made: String?, required: String?, isDue: Bool) throws {
    let pull = CompletedPull(query: Self.query, made: made.map { RequiredComparison($0) })
    #expect(try history([pull], required: required).requiresComparison(of: Self.query) == isDue)
  }

  @Test("a query that was never pulled has made no comparison, and has the time of the store")
  func neverPulled() {
    #expect(PullHistory(nil, earlier: nil, required: RequiredComparison("x 1")).requiresComparison(of: Self.query))
    let history = PullHistory(nil, earlier: Self.now, required: nil)
    #expect(!history.requiresComparison(of: Self.query))
    #expect(history.lastPull(of: Self.query) == Self.now && history.newestPull == Self.now)
  }

  @Test("a pull that compared nothing moves the time, and leaves the answer")
  func incremental() throws {
    let pulls = [CompletedPull(query: Self.query, made: RequiredComparison("x 1")), CompletedPull(query: Self.query)]
    let history = try history(pulls, required: "x 1")
    #expect(!history.requiresComparison(of: Self.query))
    #expect(history.lastPull(of: Self.query) == Self.now.advanced(byMilliseconds: 1))
  }

  @Test("queries are told apart by their names, whatever these hold, and by filters under one name")
  func names() throws {
    let filter = Filter.compare("complete", .equal, .bool(false))
    let queries = ["", "a", "a b", "\"a\"", "a\nb", "é", "\\"].map { PullQuery(table: "T", queryID: $0) }
    let history = try history(queries.map { CompletedPull(query: $0) })
    for (index, query) in queries.enumerated() {
      #expect(history.lastPull(of: query) == Self.now.advanced(byMilliseconds: Int64(index)))
      let filtered = PullQuery(TableQuery(table: "T", filter: filter), queryID: query.queryID)
      #expect(history.lastPull(of: filtered) == nil)
    }
    #expect(history.lastPull(of: PullQuery(table: "T", queryID: nil)) == nil)
    #expect(history.newestPull == Self.now.advanced(byMilliseconds: Int64(queries.count - 1)))
  }

  @Test("a name stands for the query that it was pulled with last")
  func otherFilter() throws {
    let filter = Filter.compare("complete", .equal, .bool(false))
    let filtered = PullQuery(TableQuery(table: "T", filter: filter), queryID: "q")
    let pulls = [CompletedPull(query: Self.query, made: RequiredComparison("x 1")), CompletedPull(query: filtered)]
    let history = try history(pulls, required: "x 1")
    #expect(history.lastPull(of: Self.query) == nil)
    #expect(history.lastPull(of: filtered) != nil && history.requiresComparison(of: filtered))
  }

  @Test("a query without a name is told from others by all that it asks for, and makes no comparison but its own")
  func unnamed() throws {
    let filter = Filter.compare("complete", .equal, .bool(false))
    let queries = [
      TableQuery(table: "T"), TableQuery(table: "T", filter: filter), TableQuery(table: "T", limit: 5),
      TableQuery(table: "T", skip: 5), TableQuery(table: "T", order: [SortKey("text")]),
      TableQuery(table: "T", parameters: ["list": "home"]),
    ].map { PullQuery($0, queryID: nil) }
    for (index, query) in queries.enumerated() {
      let history = try history([CompletedPull(query: query, made: RequiredComparison("x 1"))], required: "x 1")
      #expect(queries.filter { !history.requiresComparison(of: $0) } == [query])
      #expect(queries.filter { history.lastPull(of: $0) != nil } == [query])
      #expect(history.requiresComparison(of: PullQuery(queries[index].query, queryID: "q")))
    }
  }

  @Test("of the queries without a name the last pulled ones are remembered, and all that have one")
  func mostUnnamed() throws {
    let most = PullHistory.mostUnnamed
    let unnamed = (0...most).map { PullQuery(TableQuery(table: "T", skip: $0), queryID: nil) }
    // The first one is pulled again, so that the second one is the oldest.
    let pulled = [Self.query] + unnamed.dropLast() + [unnamed[0], unnamed[most]]
    let history = try history(pulled.map { CompletedPull(query: $0) })
    #expect(unnamed.filter { history.lastPull(of: $0) == nil } == [unnamed[1]])
    #expect(history.lastPull(of: Self.query) == Self.now)
  }

  @Test("a fact that makes no sense is none", arguments: ["", "1", "[]", "{}", "[{}]", "nonsense"])
  func nonsense(text: String) {
    #expect(PullHistory(text, earlier: nil, required: nil).newestPull == nil)
  }

  @Test(
    "a level that is where the token is says nothing while a comparison is due: required, by time, or for new columns",
    arguments: [
      (0, false, false), (90 * day, false, false), (90 * day + 1, false, true), (-day - 1, false, true),
      (0, true, true),
    ] as [(Int64, Bool, Bool)])
  func place(age: Int64, isRequired: Bool, isDue: Bool) throws {
    let store = InMemoryStore(tables: [InMemoryTable("T", columns: [.init("text", .text)])])
    func position() throws -> ListPosition {
      let now = Self.now.advanced(byMilliseconds: age)
      return try store.read { try ListPosition(of: Self.query, at: "server", in: $0, PullSettings(), now: now) }
    }
    try store.write { store in
      try store.setDeltaToken(DeltaToken(Self.now), table: "T", queryID: "q")
      try store.save([CompletedPull(query: Self.query)], now: Self.now)
      if isRequired { try store.requireComparison(now: Self.now) }
    }
    #expect(try position().token == (isDue ? nil : Self.now))
    try store.write { try $0.setFact(SyncFact.newColumns(of: "T"), "new") }
    #expect(try position().token == nil)
  }
}
