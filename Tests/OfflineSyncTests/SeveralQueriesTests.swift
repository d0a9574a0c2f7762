import InMemoryStore
import SQLiteStore
import Support
import TableProtocol
import TableSQL
import Testing

@testable import OfflineSync

@Suite("Several queries of one store")
struct SeveralQueriesTests {
  /// Milliseconds.
  private static let day: Int64 = 86_400_000
  private static let a = PullQuery(table: "TodoItem", queryID: "a")
  private static let b = PullQuery(table: "TodoItem", queryID: "b")

  private let server = FakeServer()

  /// A device with ten items, which both queries have pulled.
  private func filled() async throws -> TestDevice {
    let device = try TestDevice(server)
    server.putItems(10)
    for query in [Self.a, Self.b] { await device.pull(query) }
    return device
  }

  /// Removes an item on the server without a tombstone, and pulls. Returns true if the pull noticed it: then it has
  /// compared all rows.
  private func compares(_ device: TestDevice, _ query: PullQuery, without id: RecordID) async throws -> Bool {
    server.forget(id)
    #expect(await device.pull(query).failure == nil)
    return try device.table.read(id) == nil
  }

  /// Leaves the facts of an earlier version: one time for the whole store.
  private func makeFormer(_ device: TestDevice) throws {
    try device.store.write { store in
      try store.removeFact(SyncFact.pulls(of: "TodoItem"))
      try store.removeFact(SyncFact.earlierPull)
    }
  }

  @Test("a query that was away for too long compares, though another one was pulled meanwhile")
  func longAway() async throws {
    let device = try await filled()
    for number in 1...2 {
      device.world.advance(milliseconds: 50 * Self.day)
      #expect(try await !compares(device, Self.a, without: "item10\(number)"))
    }
    #expect(try await compares(device, Self.b, without: "item103"))
    #expect(try device.texts().count == 7)
    #expect(try await !compares(device, Self.b, without: "item104"))
  }

  @Test("a comparison that was begun and stopped is made, though another query was compared meanwhile")
  func stopped() async throws {
    let device = try await filled()
    try device.store.write { try $0.requireComparison(now: device.world.now) }
    server.fail(.unreachable)
    #expect(await device.pull(Self.a).failure != nil)
    #expect(try await compares(device, Self.b, without: "item101"))
    #expect(try await !compares(device, Self.b, without: "item102"))
    #expect(try await compares(device, Self.a, without: "item103"))
    #expect(try await !compares(device, Self.a, without: "item104"))
  }

  @Test("a comparison that the guard stopped stays due for its query, though another query agreed")
  func stoppedByGuard() async throws {
    let device = try await filled()
    for number in 0..<9 { server.forget("item10\(number)") }
    server.forget("item109")
    guard case .massRemoval? = await device.pull(Self.a, isFull: true).failure else {
      Issue.record("nothing stopped it")
      return
    }
    server.putItems(10)
    await device.pull(Self.b, isFull: true)
    #expect(try await compares(device, Self.a, without: "item101"))
  }

  @Test("a query without a name that has compared answers nothing for another: the guard watches a short list still")
  func unnamed() async throws {
    let device = try await filled()
    try device.store.write { try $0.requireComparison(now: device.world.now) }
    let few = PullQuery(TableQuery(table: "TodoItem", limit: 2), queryID: nil)
    #expect(await device.pull(few).failure == nil)
    for number in 0..<6 { server.forget("item10\(number)") }
    guard case .massRemoval? = await device.pull(PullQuery(table: "TodoItem", queryID: nil)).failure else {
      Issue.record("nothing stopped it")
      return
    }
    #expect(try device.texts().count == 10)
  }

  @Test("a comparison that an earlier version left due is due for each query, and so is that of an older program later")
  func formerRequirement() async throws {
    let device = try await filled()
    try makeFormer(device)
    try device.store.write { try $0.setFact(SyncFact.requiredComparison, "1") }
    server.fail(.unreachable)
    #expect(await device.pull(Self.a).failure != nil)
    #expect(try await compares(device, Self.b, without: "item101"))
    #expect(try await compares(device, Self.a, without: "item102"))
    #expect(try await !compares(device, Self.a, without: "item103"))
    try device.store.write { try $0.setFact(SyncFact.requiredComparison, "1") }
    #expect(try await compares(device, Self.a, without: "item104"))
  }

  @Test("the time of an earlier version holds for each query until its next pull, and no other pull moves it")
  func formerTime() async throws {
    let device = try await filled()
    try makeFormer(device)
    for number in 1...2 {
      device.world.advance(milliseconds: 50 * Self.day)
      #expect(try await !compares(device, Self.a, without: "item10\(number)"))
    }
    #expect(try await compares(device, Self.b, without: "item103"))
  }

  @Test("the time of an earlier version is not lost: a query with it need not compare because the store is old")
  func formerTimeOfOldStore() async throws {
    let device = try await filled()
    device.world.advance(milliseconds: 80 * Self.day)
    await device.pull(Self.a)
    try makeFormer(device)
    device.world.advance(milliseconds: 20 * Self.day)
    #expect(try await !compares(device, Self.b, without: "item101"))
  }
}

@Suite("A comparison that a store requires of all its queries")
struct RequiredComparisonTests {
  private static let now = Timestamp(milliseconds: 1_795_000_000_000)
  private static let tables = ["Todo", "Note"]

  private let store = InMemoryStore(tables: Self.tables.map { InMemoryTable($0, columns: [.init("text", .text)]) })

  private func due(_ queries: [PullQuery]) throws -> [PullQuery] {
    try store.read { store in
      try queries.filter { try PullHistory(of: $0.table, in: store).requiresComparison(of: $0) }
    }
  }

  private func save(_ query: PullQuery, isCompared: Bool) throws {
    try store.write { store in
      let made = isCompared ? try store.requiredComparison() : nil
      try store.save([CompletedPull(query: query, made: made)], now: Self.now)
    }
  }

  @Test("concerns each query of each table, also one that comes later, until that very one has compared")
  func eachQuery() throws {
    let queries = Self.tables.flatMap { table in ["a", "b"].map { PullQuery(table: table, queryID: $0) } }
    for query in queries { try save(query, isCompared: false) }
    #expect(try due(queries) == [])
    try store.write { try $0.requireComparison(now: Self.now) }
    var left = queries + [PullQuery(table: "Note", queryID: "later")]
    #expect(try due(left) == left)
    while let query = left.popLast() {
      try save(query, isCompared: false)
      #expect(try due([query]) == [query])
      try save(query, isCompared: true)
      #expect(try due([query]) == [] && due(left) == left)
    }
    try store.write { try $0.requireComparison(now: Self.now) }
    #expect(try due(queries) == queries)
  }

  @Test("is another one each time, though the clock stands still and an older program sets and removes it")
  func differs() throws {
    var texts: [String] = []
    for former in [nil, nil, "1", "1"] {
      try store.write { store in
        try store.removeFact(SyncFact.requiredComparison)
        if let former { try store.setFact(SyncFact.requiredComparison, former) }
        try store.requireComparison(now: Self.now)
        texts.append(try #require(try store.requiredComparison()).text)
      }
    }
    #expect(Set(texts).count == 4 && !texts.contains("1"))
  }

  @Test("of a query that must compare anyway is no second one for those that have compared")
  func keptDue() throws {
    let (a, b) = (PullQuery.everything(of: "Todo"), PullQuery.everything(of: "Note"))
    try store.write { try $0.requireComparison(now: Self.now) }
    try save(b, isCompared: true)
    try store.write { try $0.keepRequiringComparison(of: a, now: Self.now) }
    #expect(try due([a, b]) == [a])
    try store.write { try $0.keepRequiringComparison(of: b, now: Self.now) }
    #expect(try due([a, b]) == [a, b])
  }

  @Test("stays when one table is purged, which forgets its pulls, and goes with the last rows of the store")
  func purge() throws {
    for table in Self.tables {
      try store.write { try $0.upsert([Record(id: "1", values: ["text": .text("milk")])], in: table) }
      try save(.everything(of: table), isCompared: false)
    }
    try store.write { try $0.requireComparison(now: Self.now) }
    func purge(_ table: String) throws {
      let purge = Purge(table: table, isForced: false, tables: Self.tables)
      #expect(try store.write { try purge.carryOut(in: $0) }.rows == 1)
    }
    func facts(_ names: String...) throws -> [String] {
      try store.read { store in try names.filter { try store.fact($0) != nil } }
    }
    try purge("Todo")
    #expect(try facts(SyncFact.pulls(of: "Todo"), SyncFact.pulls(of: "Note")) == [SyncFact.pulls(of: "Note")])
    #expect(try due([.everything(of: "Note")]) == [.everything(of: "Note")])
    try purge("Note")
    #expect(
      try facts(SyncFact.pulls(of: "Note"), SyncFact.requiredComparison, SyncFact.lastPull, SyncFact.earlierPull) == [])
  }
}

@Suite("The time of a store's last pull")
struct LastPullTests {
  private func time(_ hour: Int64) -> Timestamp { Timestamp(milliseconds: hour * 3_600_000) }

  @Test(
    "after a purge is the newest of the tables that are left, unless an older program pulled later",
    arguments: [("Todo", nil, 8), ("Note", nil, 12), ("Todo", 18, 18)] as [(String, Int64?, Int64)])
  func purge(table: String, olderProgram: Int64?, left: Int64) throws {
    let tables = ["Todo", "Note"]
    let store = InMemoryStore(tables: tables.map { InMemoryTable($0, columns: [.init("text", .text)]) })
    for (pulled, hour) in [("Note", 8), ("Todo", 12)] as [(String, Int64)] {
      try store.write { store in
        try store.upsert([Record(id: "1", values: ["text": .text("milk")])], in: pulled)
        try store.save([CompletedPull(query: .everything(of: pulled))], now: time(hour))
      }
    }
    if let olderProgram { try store.write { try $0.setFact(SyncFact.lastPull, time(olderProgram).text) } }
    let purge = Purge(table: table, isForced: false, tables: tables)
    #expect(try store.write { try purge.carryOut(in: $0) }.rows == 1)
    #expect(try store.read { try $0.fact(SyncFact.lastPull) } == time(left).text)
  }
}
