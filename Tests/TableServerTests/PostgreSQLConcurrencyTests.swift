import Chance
import Dispatch
import FoundationEssentials
import Glibc
import StorageSupport
import Support
import Synchronization
import TableProtocol
import TableSQL
import Testing

@testable import TableStorage

/// Several processes on one database: here each is a storage of its own, which shares nothing with the others.
@Suite("Several servers on one PostgreSQL", .enabled(if: PostgreSQLCluster.isInstalled, "PostgreSQL is not installed"))
struct PostgreSQLConcurrencyTests {
  private func withStorages(
    _ count: Int, _ options: PostgreSQLStorage.Options = .init(),
    _ body: ([PostgreSQLStorage], PostgreSQLAddress) async throws -> Void
  ) async throws {
    try await PostgreSQLDatabase.use { address in
      let storages = try await withThrowingTaskGroup(of: PostgreSQLStorage.self) { group in
        // All at once: one of them makes the tables.
        for _ in 0..<count { group.addTask { try PostgreSQLStorage(address, options, makeUUID: { UUID() }) } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      defer { for storage in storages { try? storage.close() } }
      #expect(Set(storages.map(\.identity)).count == 1)
      try await body(storages, address)
    }
  }

  @Test(
    "pass nothing by: who asks for what is newer than the newest it has sees every row, in the order of the moments")
  func nothingIsPassedBy() async throws {
    try await withStorages(3) { storages, _ in
      let course = try await Course.run(readers: storages, writers: 8, writes: 25) { number, random in
        let pause = UInt32.random(in: 0..<8_000, using: &random)
        let isDeleted = Int.random(in: 0..<5, using: &random) == 0
        try await storages[number % 3].write(ListID.first) { list in
          try list.write("row\(Int(pause) % 40)", isDeleted: isDeleted)
          usleep(pause)
        }
      }
      #expect(course.isWhole && course.wentBack == 0)
      let check = try await storages[0].read(.first) { try $0.check() }
      #expect(check.stored == check.counted && check.damaged == 0)
    }
  }

  @Test(
    "pass nothing by while the clock of PostgreSQL is set an hour forth and back, and moments rise",
    .enabled(if: SteppedClock.isThere, "libfaketime is not there"))
  func clockSteps() async throws {
    let clock = try SteppedClock()
    let cluster = try await blocking { try PostgreSQLCluster(["fsync=off"], clock: clock) }
    let url = try await blocking { try cluster.makeDatabase() }
    let address = try #require(PostgreSQLAddress(url))
    let storages = try (0..<2).map { _ in try PostgreSQLStorage(address, makeUUID: { UUID() }) }
    defer { for storage in storages { try? storage.close() } }
    let steps = Task {
      for step in [3_600, 0, -3_600, 3_600, -3_600, 0] {
        try await Task.sleep(for: .milliseconds(150))
        try clock.set(seconds: step)
      }
    }
    let course = try await Course.run(readers: storages, writers: 6, writes: 60) { number, random in
      let pause = UInt32.random(in: 0..<4_000, using: &random)
      // A step forth ends the time of what runs.
      _ = try await eventually {
        try? await storages[number % 2].write(ListID.first) { list in
          try list.write("row\(Int(pause) % 40)")
          usleep(pause)
        }
      }
    }
    try await steps.value
    #expect(course.isWhole && course.wentBack == 0)
    let now = WallClock.now()
    let (check, state) = try await storages[0].read(.first) { (try $0.check(), try $0.state()) }
    #expect(check.stored == check.counted && check.damaged == 0)
    #expect(state.lastMoment > now.advanced(byMilliseconds: 3_000_000), "the clock was an hour ahead once")
    try await blocking { try cluster.stop() }
  }

  @Test("a moment that is taken at the start of a transaction is passed by, and this is noticed")
  func mutant() async throws {
    try await withStorages(1) { storages, address in
      let early = try PostgreSQLConnection(address, longest: .seconds(30))
      let late = try PostgreSQLConnection(address, longest: .seconds(30))
      for connection in [early, late] {
        try connection.run("BEGIN")
        try connection.run("SELECT now()")
      }
      var reader = Course.Reader()
      for (connection, id) in [(late, "late"), (early, "early")] {
        try Self.writeAtStart(id, connection)
        try await reader.pull(from: storages[0])
      }
      #expect(reader.rows.keys.sorted() == ["late"])
      #expect(try await !reader.hasAll(of: storages[0]))
    }
  }

  /// Writes as a trigger with `NOW()` does, and ends the transaction.
  private static func writeAtStart(_ id: String, _ connection: PostgreSQLConnection) throws {
    try connection.run(
      """
      INSERT INTO ebb_item (list_id, id, created_at, updated_at, version, deleted)
      SELECT list_id, $1, 0, (extract(epoch FROM now()) * 1000000)::bigint % 9000000000000000, 'v', false FROM ebb_list
      """, [.text(id)])
    try connection.run("COMMIT")
  }

  @Test("a second writer of a list waits, one of another list does not, and a reader sees neither half")
  func interleaving() async throws {
    let movies = ListID(try #require(ServedTable(named: "movies")))
    try await withStorages(2) { storages, _ in
      let (begun, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      let order = Shared<[String]>([])
      async let first: Void = storages[0].write(ListID.first) { list in
        try list.write("a")
        begun.signal()
        goOn.wait()
        try list.write("b")
        order.value.withLock { $0.append("first") }
      }
      await blocking { begun.wait() }
      async let second: Void = storages[1].write(ListID.first) { list in
        order.value.withLock { $0.append("second") }
        #expect(try list.row("b") != nil, "it sees what the one before it wrote")
        try list.write("c")
      }
      try await storages[1].write(movies) { list in
        try list.write("other")
        order.value.withLock { $0.append("other") }
      }
      #expect(try await storages[1].read(.first) { try $0.row("a") } == nil)
      goOn.signal()
      try await first
      try await second
      #expect(order.value.withLock(\.self) == ["other", "first", "second"])
      let rows = try await Course.rows(storages[1])
      #expect(rows.map(\.id) == ["a", "b", "c"])
    }
  }

  @Test("tell each other what moved", arguments: [false, true])
  func notices(isPooled: Bool) async throws {
    var options = PostgreSQLStorage.Options()
    options.isPooled = isPooled
    try await withStorages(2, options) { storages, _ in
      let anna = ListID(.todoItem, owner: UserName("anna"))
      let moves = storages[1].moves
      let writer = Task {
        // Until the other listens: a notice may be lost before that.
        while !Task.isCancelled {
          try await storages[0].write(anna) { try $0.write("a") }
          try await Task.sleep(for: .milliseconds(50))
        }
      }
      for await notice in moves where notice.list == anna {
        let state = try await storages[1].read(anna) { try $0.state() }
        #expect(state.lastMoment >= notice.lastMoment)
        break
      }
      writer.cancel()
      _ = await writer.result
    }
  }

  @Test("ask a list how far it has come, whatever a notice says")
  func falseNotices() async throws {
    try await withStorages(2, PostgreSQLStorage.Options()) { storages, address in
      // Before that, a false notice tells of a list that has not come anywhere, which is true.
      try await storages[0].write(.first) { try $0.write("a") }
      var moves = storages[1].moves.makeAsyncIterator()
      let stranger = try PostgreSQLConnection(address, longest: .seconds(30))
      let writer = Task {
        while !Task.isCancelled {
          for words in ["x 9000000000000000 TodoItem ", "x 9000000000000000 TodoItem nobody", "x", "", "  9  "] {
            try stranger.run("SELECT pg_notify('ebb_moves', $1)", [.text(words)])
          }
          try await storages[0].write(.first) { try $0.write("a") }
          try await Task.sleep(for: .milliseconds(50))
        }
      }
      var last = Timestamp.epoch
      for _ in 1...3 {
        let notice = try #require(await moves.next())
        let state = try await storages[1].read(.first) { try $0.state() }
        #expect(notice.list == .first && notice.lastMoment > last && notice.lastMoment <= state.lastMoment)
        last = notice.lastMoment
      }
      writer.cancel()
      _ = await writer.result
    }
  }

  @Test("a removal waits for a list longer than writers do for a lock, and users are invited meanwhile")
  func removal() async throws {
    var options = PostgreSQLStorage.Options()
    options.patience.busy = .milliseconds(200)
    try await withStorages(2, options) { storages, address in
      let (anna, ben) = (try #require(UserName("anna")), try #require(UserName("ben")))
      try await storages[0].write(ListID(.todoItem, owner: anna)) { try $0.write("a") }
      let writer = try PostgreSQLConnection(address, longest: .seconds(30))
      try writer.run("BEGIN")
      try writer.run("SELECT 1 FROM ebb_list WHERE owner = 'anna' FOR UPDATE")
      let removal = Task { try await blocking { try storages[0].remove([anna], now: .epoch, nonce: "n1") } }
      try await Self.waitForLock(at: address)
      try await Task.sleep(for: .milliseconds(500))
      let grant = Grant(id: "", user: ben, scope: .invite, createdAt: .epoch)
      let digest = TokenDigest(hash: Array(repeating: 1, count: 32))
      _ = try await blocking { try storages[1].add(grant, digest) }
      try writer.run("ROLLBACK")
      #expect(try await removal.value.lists == RemovedLists(lists: 1, items: 1))
    }
  }

  @Test("a removal locks no list before another one has ended, so that neither waits for the lists of the other")
  func removals() async throws {
    try await withStorages(2) { storages, address in
      let (anna, ben) = (try #require(UserName("anna")), try #require(UserName("ben")))
      for user in [anna, ben] {
        try await storages[0].write(ListID(.todoItem, owner: user)) { try $0.write("a") }
      }
      let writer = try PostgreSQLConnection(address, longest: .seconds(30))
      try writer.run("BEGIN")
      try writer.run("SELECT 1 FROM ebb_list WHERE owner = 'anna' FOR UPDATE")
      let first = Task { try await blocking { try storages[0].remove([anna], now: .epoch, nonce: "n1") } }
      try await Self.waitForLock(at: address)
      let second = Task { try await blocking { try storages[1].remove([ben], now: .epoch, nonce: "n2") } }
      try await Self.waitForLock(at: address, count: 2)
      try writer.run("SELECT 1 FROM ebb_list WHERE owner = 'ben' FOR UPDATE NOWAIT")
      try writer.run("ROLLBACK")
      #expect(try await first.value.lists == RemovedLists(lists: 1, items: 1))
      #expect(try await second.value.lists == RemovedLists(lists: 1, items: 1))
    }
  }

  @Test("a revocation waits for a token that is given out, and takes it back; who joins locks no token before it waits")
  func revocation() async throws {
    let anna = try #require(UserName("anna"))
    let invitation = Grant(id: "", user: anna, scope: .invite, createdAt: .epoch)
    let first = TokenDigest(hash: Array(repeating: 1, count: 32))
    let second = TokenDigest(hash: Array(repeating: 2, count: 32))
    try await withStorages(1) { storages, address in
      let keeper = try PostgreSQLConnection(address, longest: .seconds(30))
      try keeper.run("BEGIN")
      _ = try PostgreSQLGrants.give(invitation, first, keeper)
      let isOver = Shared(false)
      let revocation = Task {
        defer { isOver.value.withLock { $0 = true } }
        return try await blocking { try storages[0].revoke(.user(anna)).count }
      }
      try await Self.waitForLock(at: address, unless: isOver)
      try keeper.run("COMMIT")
      #expect(try await revocation.value == 1)

      _ = try await blocking { try storages[0].add(invitation, second) }
      try keeper.run("BEGIN")
      try keeper.run("SELECT 1 FROM ebb_database FOR UPDATE")
      let token = TokenDigest(hash: Array(repeating: 3, count: 32))
      let joining = Task { try await storages[0].join(second, as: token, device: "", at: .epoch) }
      try await Self.waitForLock(at: address)
      try keeper.run("SELECT 1 FROM ebb_token FOR UPDATE NOWAIT")
      #expect(try PostgreSQLGrants.revoke(.user(anna), keeper).count == 1)
      try keeper.run("COMMIT")
      #expect(try await joining.value == .unknown, "the invitation was taken back first")
    }
  }

  /// Returns once so many wait for a lock, or `isOver` says that nobody will.
  private static func waitForLock(
    at address: PostgreSQLAddress, count: Int = 1, unless isOver: Shared<Bool> = Shared(false)
  ) async throws {
    let waiting = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    let watcher = try PostgreSQLConnection(address, longest: .seconds(30))
    while try watcher.run(waiting).count < count, !isOver.value.withLock(\.self) {
      try await Task.sleep(for: .milliseconds(10))
    }
  }

  @Test("what is left of the time for queries is no limit of the writes after them")
  func timeLimits() async throws {
    var options = PostgreSQLStorage.Options()
    options.patience.reading = .milliseconds(400)
    try await withStorages(1, options) { storages, _ in
      try await storages[0].write(ListID.first) { list in
        try list.write("a")
        let query = ListQuery(filter: try FilterParser.parse("text eq 'a'"), nulls: .sql, limit: 9)
        while (try? list.count(of: query)) != nil {}
        let connection = try #require(list as? PostgreSQLEditableList).connection
        let limit = try connection.run("SELECT current_setting('statement_timeout')").text(0, 0)
        #expect(limit == "1min")
        try list.write("b")
      }
      #expect(try await storages[0].read(.first) { try $0.state().digest.count } == 2)
      // A transaction goes on after a query that took too long.
      await #expect(throws: StorageError.tooSlow) {
        try await storages[0].read(.first) { list in
          let query = ListQuery(nulls: .sql, limit: 9)
          while true { _ = try list.count(of: query) }
        }
      }
    }
  }

  @Test("a batch of a thousand is a few round trips")
  func roundTrips() async throws {
    try await withStorages(1) { storages, _ in
      let ids = (0..<1_000).map { RecordID("row\($0)") }
      for _ in 0..<2 {
        let trips = try await storages[0].write(ListID.first) { list in
          let connection = try #require(list as? PostgreSQLEditableList).connection
          let before = connection.roundTrips
          try list.prepare { ids }
          for id in ids { try list.write(id) }
          return (before, connection.roundTrips)
        }
        let after = try await storages[0].write(ListID.first) { list in
          try #require(list as? PostgreSQLEditableList).connection.roundTrips
        }
        #expect(trips.1 - trips.0 == 1 && after - trips.1 <= 3, "one to ask, one to write, and the next transaction")
      }
      #expect(try await storages[0].read(.first) { try $0.state().digest.count } == 1_000)
    }
  }
}

/// A value that several tasks see.
private final class Shared<Value: Sendable>: Sendable {
  let value: Mutex<Value>

  init(_ value: Value) { self.value = Mutex(value) }
}

/// Writers that write, and readers that ask for what is newer than the newest row they have.
private struct Course {
  /// How often a reader was given a row that is not newer than what it had.
  private(set) var wentBack = 0
  /// True if each reader has in the end what the table has.
  private(set) var isWhole = true

  static func run(
    readers: [PostgreSQLStorage], writers: Int, writes: Int,
    _ write: @escaping @Sendable (Int, inout SeededGenerator) async throws -> Void
  ) async throws -> Course {
    let isOver = Shared(false)
    var course = Course()
    let reading = Task {
      try await withThrowingTaskGroup(of: Reader.self) { group in
        for number in 0..<4 {
          group.addTask {
            var reader = Reader()
            // One that is refused asks again.
            while !isOver.value.withLock(\.self) { try? await reader.pull(from: readers[number % readers.count]) }
            try await reader.pull(from: readers[number % readers.count])
            return reader
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
    }
    // Also if a writer fails: readers that never end would keep every thread from all other tests.
    defer { isOver.value.withLock { $0 = true } }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<writers {
        group.addTask {
          var random = SeededGenerator(seed: UInt64(number))
          for _ in 0..<writes { try await write(number, &random) }
        }
      }
      try await group.waitForAll()
    }
    isOver.value.withLock { $0 = true }
    for reader in try await reading.value {
      course.wentBack += reader.wentBack
      let isWhole = try await reader.hasAll(of: readers[0])
      course.isWhole = course.isWhole && isWhole
    }
    return course
  }

  static func rows(_ storage: PostgreSQLStorage, after moment: Timestamp? = nil) async throws -> [ListedRow] {
    try await storage.read(.first) { list in
      var query = ListQuery(nulls: .sql, order: [SortKey("updatedAt")], limit: .max, includesDeleted: true)
      query.filter = moment.map { .compare("updatedAt", .greater, .timestamp($0)) }
      var rows: [ListedRow] = []
      try list.forEachRow(of: query) { row in
        rows.append(row)
        return true
      }
      return rows
    }
  }

  struct Reader {
    private(set) var rows: [RecordID: Timestamp] = [:]
    private(set) var wentBack = 0
    private var token: Timestamp?

    mutating func pull(from storage: PostgreSQLStorage) async throws {
      for row in try await Course.rows(storage, after: token) {
        if let token, row.updatedAt <= token { wentBack += 1 }
        rows[row.id] = row.updatedAt
        token = row.updatedAt
      }
    }

    func hasAll(of storage: PostgreSQLStorage) async throws -> Bool {
      rows == Dictionary(uniqueKeysWithValues: try await Course.rows(storage).map { ($0.id, $0.updatedAt) })
    }
  }
}
