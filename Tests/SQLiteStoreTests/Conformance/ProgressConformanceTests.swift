import OfflineSync
import Support
import TableProtocol
import Testing

@Suite("Every local store: progress and what is remembered")
struct ProgressConformanceTests {
  @Test("tokens belong to a table and a query", arguments: StoreUnderTest.allCases)
  func tokens(kind: StoreUnderTest) throws {
    let (store, folder) = try kind.open()
    defer { withExtendedLifetime(folder) {} }
    let early = DeltaToken(Timestamp(milliseconds: 1_795_000_000_001))
    let late = DeltaToken(Timestamp(milliseconds: 1_795_000_000_002))
    try store.write { store throws in
      try store.setDeltaToken(early, table: "T", queryID: "q")
      try store.setDeltaToken(late, table: "T", queryID: "q")
      try store.setDeltaToken(early, table: "U", queryID: "q")
    }
    try store.read { store throws in
      #expect(try store.deltaToken(table: "T", queryID: "q") == late)
      #expect(try store.deltaToken(table: "U", queryID: "q") == early)
      #expect(try store.deltaToken(table: "T", queryID: "Q") == nil)
    }
  }

  @Test("a fact is what was last said", arguments: StoreUnderTest.allCases)
  func facts(kind: StoreUnderTest) throws {
    let (store, folder) = try kind.open()
    defer { withExtendedLifetime(folder) {} }
    try store.write { try $0.setFact("a", "one") }
    try store.write { try $0.setFact("a", "two") }
    #expect(try store.read { try $0.fact("a") } == "two")
    #expect(try store.read { try $0.fact("b") } == nil)
  }

  @Test("the tokens of one table are forgotten, and no other's", arguments: StoreUnderTest.allCases)
  func forgetTable(kind: StoreUnderTest) throws {
    let (store, folder) = try kind.open()
    defer { withExtendedLifetime(folder) {} }
    try store.write { store throws in
      for table in ["T", "U"] {
        for name in ["p", "q"] { try store.setDeltaToken(DeltaToken(.epoch), table: table, queryID: name) }
      }
      try store.clear(.deltaTokens, of: "T")
    }
    try store.read { store throws in
      for name in ["p", "q"] {
        #expect(try store.deltaToken(table: "T", queryID: name) == nil)
        #expect(try store.deltaToken(table: "U", queryID: name) == DeltaToken(.epoch))
      }
    }
  }

  @Test("a fact can be forgotten, also twice, and said anew", arguments: StoreUnderTest.allCases)
  func removeFact(kind: StoreUnderTest) throws {
    let (store, folder) = try kind.open()
    defer { withExtendedLifetime(folder) {} }
    try store.write { store throws in
      try store.setFact("a", "one")
      try store.setFact("b", "two")
      try store.removeFact("a")
      try store.removeFact("a")
      #expect(try store.fact("a") == nil)
      #expect(try store.fact("b") == "two")
      try store.setFact("a", "three")
      #expect(try store.fact("a") == "three")
    }
  }

  private func request(_ number: Int, _ outcome: RequestRecord.Outcome = .status(200)) -> RequestRecord {
    RequestRecord(
      startedAt: Timestamp(milliseconds: 1_795_000_000_000 + Int64(number)), verb: "PUT", path: "/買?a=\(number)",
      outcome: outcome, milliseconds: number, bytesSent: 2 * number, bytesReceived: 3 * number)
  }

  @Test("requests come back whole, newest first, at most so many", arguments: StoreUnderTest.allCases)
  func requests(kind: StoreUnderTest) throws {
    let (store, folder) = try kind.open()
    defer { withExtendedLifetime(folder) {} }
    let noted = [request(1), request(2, .failed("connection cut")), request(3, .status(412))]
    try store.write { try $0.appendRequests(Array(noted.prefix(2)), keeping: 10) }
    try store.write { try $0.appendRequests([noted[2]], keeping: 10) }
    #expect(try store.read { try $0.requests(limit: 10) } == noted.reversed())
    #expect(try store.read { try $0.requests(limit: 2) } == [noted[2], noted[1]])
    #expect(try store.read { try $0.requests(limit: 0) } == [])
  }

  @Test("of the requests the newest are kept, however many come at once", arguments: StoreUnderTest.allCases)
  func newestRequests(kind: StoreUnderTest) throws {
    let (store, folder) = try kind.open()
    defer { withExtendedLifetime(folder) {} }
    try store.write { try $0.appendRequests((0..<1_500).map { request($0) }, keeping: 1_000) }
    try store.write { try $0.appendRequests((1_500..<1_700).map { request($0) }, keeping: 1_000) }
    let kept = try store.read { try $0.requests(limit: 2_000) }
    #expect(kept == (700..<1_700).reversed().map { request($0) })
  }

  @Test("no new request forgets none that is within the limit", arguments: StoreUnderTest.allCases)
  func noRequest(kind: StoreUnderTest) throws {
    let (store, folder) = try kind.open()
    defer { withExtendedLifetime(folder) {} }
    try store.write { try $0.appendRequests((0..<5).map { request($0) }, keeping: 10) }
    try store.write { store throws in
      for id in 0..<50 { try store.append(TableOperation(id: 0, table: "T", itemID: "\(id)", kind: .delete)) }
      try store.appendRequests([], keeping: 10)
    }
    #expect(try store.read { try $0.requests(limit: 10).count } == 5)
    try store.write { try $0.appendRequests([], keeping: 3) }
    #expect(try store.read { try $0.requests(limit: 10).map(\.milliseconds) } == [4, 3, 2])
  }
}
