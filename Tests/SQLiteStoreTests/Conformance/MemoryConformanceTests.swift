import OfflineSync
import Support
import TableProtocol
import Testing

@Suite("Every local store: what rows were, and what arrived")
struct MemoryConformanceTests {
  private static let table = StoreUnderTest.table

  private func version(_ before: Record?, at milliseconds: Int64? = 5) -> PastVersion {
    PastVersion(before: before, changedAt: milliseconds.map(Timestamp.init(milliseconds:)), origin: .merge)
  }

  private func arrival(_ id: RecordID, _ kind: String = RowArrival.added, before: Record? = nil) -> RowArrival {
    RowArrival(itemID: id, before: before, kind: kind, arrivedAt: Timestamp(milliseconds: 7_000))
  }

  @Test("versions come back whole, numbered from 1 for each row of each table", arguments: StoreUnderTest.allCases)
  func versions(kind: StoreUnderTest) throws {
    let (store, folder) = try kind.open()
    defer { withExtendedLifetime(folder) {} }
    try store.write { store throws in
      let changes: [(RecordID, PastVersion)] = [
        ("a", version(stored("a", "milk"))), ("b", version(nil)), ("a", version(nil, at: nil)),
      ]
      try store.appendPastVersions(changes, in: Self.table, keeping: 10, of: 100)
      try store.appendPastVersions([("a", version(nil))], in: "Other", keeping: 10, of: 100)
    }
    try store.read { store throws in
      let versions = try store.pastVersions(of: "a", in: Self.table)
      #expect(versions.map(\.number) == [1, 2])
      #expect(versions.map(\.before) == [stored("a", "milk"), nil])
      #expect(versions.map(\.changedAt) == [Timestamp(milliseconds: 5), nil])
      #expect(versions.allSatisfy { $0.origin == .merge })
      #expect(try store.pastVersions(of: "a", in: "Other").map(\.number) == [1])
      #expect(try store.pastVersions(of: "A", in: Self.table).isEmpty)
      let several = try store.pastVersions(ofItems: ["a", "nobody", "b"], in: Self.table)
      #expect(several.keys.sorted { $0.text < $1.text } == ["a", "b"])
      #expect(several["a"] == versions && several["b"]?.map(\.number) == [1])
      #expect(try store.pastVersions(ofItems: ["b"], in: "Other").isEmpty)
    }
    try store.write { try $0.clear(.pastVersions, of: Self.table) }
    #expect(try store.read { try $0.pastVersions(of: "a", in: Self.table) }.isEmpty)
    #expect(try store.read { try $0.pastVersions(of: "a", in: "Other") }.count == 1)
  }

  @Test("only so many versions are kept, of a row and of all, and go on counting", arguments: StoreUnderTest.allCases)
  func mostVersions(kind: StoreUnderTest) throws {
    let (store, folder) = try kind.open()
    defer { withExtendedLifetime(folder) {} }
    func numbers(_ id: RecordID) throws -> [Int64] {
      try store.read { try $0.pastVersions(of: id, in: Self.table).map(\.number) }
    }
    try store.write { store in
      try store.appendPastVersions([("old", version(nil))], in: Self.table, keeping: 3, of: 8)
      for _ in 1...5 { try store.appendPastVersions([("a", version(nil))], in: Self.table, keeping: 3, of: 8) }
    }
    #expect(try numbers("a") == [3, 4, 5])
    #expect(try numbers("old") == [1])
    try store.write {
      try $0.appendPastVersions(Array(repeating: ("b", version(nil)), count: 4), in: Self.table, keeping: 3, of: 8)
    }
    #expect(try numbers("b") == [2, 3, 4])
    #expect(try numbers("old").isEmpty)
    #expect(try numbers("a") == [3, 4, 5])
  }

  @Test("arrivals come back whole, the newest last, one for each row", arguments: StoreUnderTest.allCases)
  func arrivals(kind: StoreUnderTest) throws {
    let (store, folder) = try kind.open()
    defer { withExtendedLifetime(folder) {} }
    try store.write { store in
      let edited = arrival("a", "text", before: stored("a", "milk"))
      try store.putArrivals([arrival("a"), arrival("b")], in: Self.table, keeping: 100)
      try store.putArrivals([edited, arrival("c")], in: Self.table, keeping: 100)
      try store.putArrivals([arrival("a")], in: "Other", keeping: 100)
    }
    try store.read { store throws in
      let all = try store.arrivals(in: Self.table)
      #expect(all == [arrival("b"), arrival("a", "text", before: stored("a", "milk")), arrival("c")])
      #expect(try store.arrivals(ofItems: ["c", "nobody", "C"], in: Self.table) == [arrival("c")])
      #expect(try store.arrivalCounts(in: Self.table) == ["added": 2, "text": 1])
    }
    try store.write { try $0.removeArrivals(ofItems: ["b", "nobody"], in: Self.table) }
    #expect(try store.read { try $0.arrivals(in: Self.table) }.map(\.itemID) == ["a", "c"])
    try store.write { try $0.clear(.arrivals, of: Self.table) }
    #expect(try store.read { try $0.arrivals(in: Self.table) }.isEmpty)
    #expect(try store.read { try $0.arrivals(in: "Other") }.count == 1)
  }

  @Test("only so many arrivals are kept, the newest", arguments: StoreUnderTest.allCases)
  func mostArrivals(kind: StoreUnderTest) throws {
    let (store, folder) = try kind.open()
    defer { withExtendedLifetime(folder) {} }
    try store.write { store in
      try store.putArrivals((1...250).map { arrival("\($0)") }, in: Self.table, keeping: 250)
      try store.putArrivals([arrival("1"), arrival("new")], in: Self.table, keeping: 4)
    }
    #expect(try store.read { try $0.arrivals(in: Self.table) }.map(\.itemID) == ["249", "250", "1", "new"])
  }

  @Test("the rows that arrived are found by a query, in its order", arguments: StoreUnderTest.allCases)
  func arrivedRecords(kind: StoreUnderTest) throws {
    let (store, folder) = try kind.open()
    defer { withExtendedLifetime(folder) {} }
    try store.put(stored("a", "z"), stored("b", "y"), stored("c", "x"), stored("d", "x", complete: true))
    try store.write { store in
      try store.putArrivals(["a", "c", "d", "gone"].map { arrival($0) }, in: Self.table, keeping: 10)
      try store.putArrivals([arrival("b")], in: "Other", keeping: 10)
    }
    let open = RowCondition.matches(.compare("complete", .equal, .bool(false)))
    var query = RowQuery(
      table: Self.table, condition: .all([open, .arrived]),
      order: [RowKey(.column("text")), RowKey(.column("id"))])
    #expect(try store.read { try $0.records(query) }.map(\.id) == ["c", "a"])
    #expect(try store.read { try $0.count(query) } == 2)
    query.start = .after(stored("c", "x"))
    #expect(try store.read { try $0.records(query) } == [stored("a", "z")])
    query.condition = .not(.arrived)
    query.start = .first
    #expect(try store.read { try $0.records(query) }.map(\.id) == ["b"])
  }
}
