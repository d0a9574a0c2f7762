import Chance
import FoundationEssentials
import GRDB
import HTTPTypes
import StorageSupport
import TableProtocol
import Testing

@testable import TableServer
@testable import TableStorage

@Suite("A database that is not as the server left it")
struct DamageTests {
  private let table = "/tables/TodoItem"

  @Test(
    "has a row whose value has another type: an error of that row, named in the log without its text",
    arguments: [
      "updatedAt = 'abc'", "createdAt = x'00ff'", "text = x'ff00fe'", "complete = 'yes'", "version = x'00'",
      "deleted = 'no'",
    ])
  func wrongTypes(change: String) async throws {
    try await ServerDatabaseFile.use { file in
      let log = LogLines()
      try await TestServer.run(databasePath: file.path, logger: log.logger) { server async throws in
        for id: RecordID in ["a", "r5", "z"] { try await server.insert(id, #""text":"secret words""#) }
        try await file.run("UPDATE TodoItem SET \(change) WHERE id = 'r5'")
        for (verb, path, body) in [
          (.get, "\(table)/r5", nil), (.patch, "\(table)/r5", #"{"text":"x"}"#), (.delete, "\(table)/r5", nil),
          (.get, "\(table)?__includedeleted=true", nil),
        ] as [(Verb, String, String?)] {
          let answer = try await server.send(verb, path, .v3, body: body)
          #expect(answer.status == 500, "\(verb) \(path)")
          #expect(answer.text.contains("r5") && answer.text.contains(change.prefix { $0 != " " }))
        }
        #expect(try await server.send(.get, "\(table)/z").status == 200)
        #expect(try await server.ids("id ne 'r5'") == ["a", "z"])
        let batch = #"""
          {"requests":[{"id":"1","method":"patch","url":"/tables/TodoItem/a","body":{"text":"b"}},
          {"id":"2","method":"patch","url":"/tables/TodoItem/r5","body":{"text":"b"}},
          {"id":"3","method":"patch","url":"/tables/TodoItem/z","body":{"text":"b"}}]}
          """#
        let parts = try #require(BatchResponse.all(in: try await server.send(.post, "/$batch", .v3, body: batch).body))
        #expect(parts.map(\.status) == [200, 500, 200])
        #expect(try await server.send(.get, "\(table)/a").item.values["text"] == .text("b"))
      }
      #expect(log.all.contains { $0.contains("r5") } && !log.all.contains { $0.contains("secret") }, "\(log.all)")
      try await TestServer.run(databasePath: file.path) { server async throws in
        #expect(try await server.send(.get, "\(table)/a").status == 200, "it starts again")
      }
    }
  }

  @Test("has wrong values for one cause in all rows: the check has one line for them, and names the first")
  func oneCause() async throws {
    try await ServerDatabaseFile.use { file in
      let ids = (10..<40).map { "r\($0)" }
      try await TestServer.run(databasePath: file.path) { server async throws in
        for id in ids { try await server.insert(RecordID(id)) }
      }
      try await file.run("UPDATE TodoItem SET complete = iif(id = 'r39', 0.5, 'yes')")
      let named = Array(ids.prefix(ListCheck.mostNamed))
      #expect(
        try ServerDatabase(path: file.path).check().findings == [
          .damagedRows(table: "TodoItem", ids: named, count: 30),
          .wrongType("REAL", column: "complete", table: "TodoItem", ids: ["r39"], count: 1),
          .wrongType("TEXT", column: "complete", table: "TodoItem", ids: named, count: 29),
        ])
    }
  }

  @Test("has a value larger than any that the server takes: it starts, and names the row as a damaged one")
  func tooLarge() async throws {
    try await ServerDatabaseFile.use { file in
      try await TestServer.run(databasePath: file.path) { server async throws in
        for id: RecordID in ["a", "b", "c"] { try await server.insert(id, #""text":"x""#) }
      }
      try await file.run("UPDATE TodoItem SET text = hex(zeroblob(3000000)) WHERE id = 'b'")
      let damaged = DatabaseFinding.damagedRows(table: "TodoItem", ids: ["b"], count: 1)
      #expect(try ServerDatabase(path: file.path).check().findings == [damaged])
      let log = LogLines()
      try await TestServer.run(databasePath: file.path, logger: log.logger) { server async throws in
        #expect(log.all.count == 1 && log.all.first?.contains(#""b""#) == true, "\(log.all)")
        let large = try await server.send(.get, "\(table)/b")
        #expect(large.status == 500 && large.text.contains("'b'") && large.text.contains("'text'"), "\(large.text)")
        #expect(try await server.send(.get, table).status == 500)
        #expect(try await server.ids("id ne 'b'") == ["a", "c"])
        let others = try await server.send(.patch, "\(table)/c", .v3, body: #"{"text":"y"}"#)
        #expect(others.status == 200)
      }
      try await file.run("UPDATE TodoItem SET id = hex(zeroblob(3000000)) WHERE id = 'b'")
      let findings = try ServerDatabase(path: file.path).check().findings
      let unnamed = DatabaseFinding.damagedRows(table: "TodoItem", ids: ["rowid 2"], count: 1)
      #expect(findings == [.otherRows(table: "TodoItem", kept: 3, found: 2), unnamed], "\(findings)")
      try await TestServer.run(databasePath: file.path) { server async throws in
        #expect(try await server.send(.get, "\(table)/a").status == 200, "it starts again")
      }
    }
  }

  @Test("has a value that is too large in a table whose rows have no number: the check says so, and goes on")
  func tooLargeWithoutNumber() async throws {
    try await ServerDatabaseFile.use { file in
      let tables = TablePolicy(.open)
      try await TestServer.run(databasePath: file.path, tables: tables) { server async throws in
        try await server.insert("a", #""text":"x""#)
        #expect(try await server.send(.post, "/tables/movies", body: #"{"id":"b"}"#).status == 201)
      }
      try await file.run(
        """
        ALTER TABLE TodoItem ADD COLUMN rowid TEXT; ALTER TABLE TodoItem ADD COLUMN oid TEXT;
        ALTER TABLE TodoItem ADD COLUMN _rowid_ TEXT; UPDATE TodoItem SET text = hex(zeroblob(3000000));
        """)
      let report = try ServerDatabase(path: file.path).check()
      #expect(report.findings == [.damagedFile("string or blob too big")], "\(report.findings)")
      #expect(report.lists == 2 && report.items == 1, "of the other list")
    }
  }

  /// How many rows have no digest, and the ids of those that a look keeps.
  private func unmarked(_ path: String, forRepair: Bool) throws -> (count: Int, ids: [String]?) {
    let queue = try DatabaseQueue(path: path)
    defer { try? queue.close() }
    let check = try queue.read { database in
      let schema = try TableSchema(of: ListPlace.first, in: database)
      return try RowCheck(of: ListPlace.first, schema, in: database, forRepair: forRepair)
    }
    return (check.list.unmarked, check.unmarked?.map { $0.id }.sorted())
  }

  @Test("has rows without a digest: each look counts them, and only one for a repair keeps their ids")
  func withoutDigest() async throws {
    try await ServerDatabaseFile.use { file in
      try await file.write("a", "b")
      try await file.run("UPDATE TodoItem SET \"row-digest\" = NULL")
      let look = try unmarked(file.path, forRepair: false)
      #expect(look.count == 2 && look.ids == nil)
      let repair = try unmarked(file.path, forRepair: true)
      #expect(repair.count == 2 && repair.ids == ["a", "b"])
    }
  }

  @Test("has a row dated after the clock of its list: what is announced goes by the other rows")
  func laterThanClock() async throws {
    try await ServerDatabaseFile.use { file in
      try await TestServer.run(databasePath: file.path) { server async throws in
        for id: RecordID in ["a", "b"] { try await server.insert(id) }
        let before = try await server.send(.get, "\(table)?$orderby=updatedAt", .v3).header(ZumoHeader.newest)
        try await file.run("UPDATE TodoItem SET updatedAt = updatedAt | (1 << 46) WHERE id = 'a'")
        let after = try await server.send(.get, "\(table)?$orderby=updatedAt&$top=1", .v3).header(ZumoHeader.newest)
        #expect(before != nil && after == before)
      }
    }
  }

  @Test("has a clock at its end: nothing is written that would have the version of another write, and a check says it")
  func clockAtItsEnd() async throws {
    try await ServerDatabaseFile.use { file in
      try await TestServer.run(databasePath: file.path) { server async throws in
        try await server.insert("a")
        try await file.run("UPDATE StoredList SET lastUpdatedAt = 9223372036854775807")
        #expect(try await server.send(.patch, "\(table)/a", .v3, body: #"{"text":"x"}"#).status == 500)
        #expect(try await server.send(.get, "\(table)/a").status == 200)
      }
      let findings = try ServerDatabase(path: file.path).check().findings
      #expect(findings == [.clockAtEnd(table: "TodoItem")], "\(findings)")
    }
  }

  @Test("has triggers, views and indexes of somebody else: the server starts all the same, and a check names each")
  func foreignCode() async throws {
    try await ServerDatabaseFile.use { file in
      try await TestServer.run(databasePath: file.path, tables: TablePolicy(.open)) { server async throws in
        try await server.insert("a")
        #expect(try await server.send(.post, "/tables/movies", body: #"{"id":"b"}"#).status == 201)
      }
      let database = ServerDatabase(path: file.path)
      #expect(try database.check().findings.isEmpty)
      try await file.run(
        """
        CREATE INDEX x ON TodoItem (text); CREATE INDEX "y z" ON TodoItem (id) WHERE text IS NULL;
        DROP INDEX KeptAnswer_firstSent; CREATE UNIQUE INDEX KeptAnswer_firstSent ON KeptAnswer (list, firstSent);
        CREATE TRIGGER spy AFTER INSERT ON TodoItem BEGIN DELETE FROM AccessToken; END;
        DROP TRIGGER TodoItem_removed;
        CREATE TRIGGER TodoItem_removed AFTER DELETE ON TodoItem BEGIN UPDATE StoredList SET newestRemoved = 1; END;
        CREATE VIEW names AS SELECT user FROM AccessToken;
        """)
      #expect(
        try database.check().findings == [
          .foreignIndex("KeptAnswer_firstSent", table: "KeptAnswer"), .foreignIndex("x", table: "TodoItem"),
          .foreignIndex("y z", table: "TodoItem"), .foreignTrigger("TodoItem_removed", table: "TodoItem"),
          .foreignTrigger("spy", table: "TodoItem"), .foreignView("names"),
        ])
      try await TestServer.run(databasePath: file.path) { server async throws in
        #expect(try await server.send(.get, "\(table)/a").status == 200)
      }
    }
  }

  @Test("lacks a trigger or an index of the server's: a check names it, no start makes it again, and a restore does")
  func missingCode() async throws {
    try await ServerDatabaseFile.use { file in
      try await TestServer.run(databasePath: file.path, tables: TablePolicy(.open)) { server async throws in
        try await server.insert("a")
        #expect(try await server.send(.post, "/tables/movies", body: #"{"id":"b"}"#).status == 201)
      }
      let database = ServerDatabase(path: file.path)
      try await file.run(
        """
        DROP INDEX KeptAnswer_firstSent; DROP INDEX TodoItem_updatedAt; DROP TRIGGER Table_movies_2_removed;
        CREATE INDEX Table_movies_2_removed ON TodoItem (text);
        """)
      let missing: [DatabaseFinding] = [
        .missingIndex("KeptAnswer_firstSent", table: "KeptAnswer"),
        .missingIndex("TodoItem_updatedAt", table: "TodoItem"),
        .missingTrigger("Table_movies_2_removed", table: "Table_movies_2"),
      ]
      let foreign = DatabaseFinding.foreignIndex("Table_movies_2_removed", table: "TodoItem")
      #expect(try database.check().findings == missing + [foreign])
      try await TestServer.run(databasePath: file.path, tables: TablePolicy(.open)) { server async throws in
        #expect(try await server.send(.get, "\(table)/a").status == 200)
      }
      #expect(try database.check().findings == missing + [foreign])
      let backup = file.folder.appending(path: "backup.sqlite").path
      _ = try database.backUp(to: backup)
      _ = try database.restore(from: backup, clock: TestServer.systemClock)
      #expect(try database.check() == DatabaseReport(lists: 2, items: 2))
    }
  }

  @Test("has a trigger and an index that an earlier version wrote without quotation marks: both are the server's")
  func earlierNames() async throws {
    try await ServerDatabaseFile.use { file in
      try await file.write("a")
      try await file.run(
        """
        DROP INDEX TodoItem_updatedAt; CREATE INDEX TodoItem_updatedAt ON TodoItem (updatedAt, id);
        DROP TRIGGER TodoItem_removed;
        CREATE TRIGGER TodoItem_removed AFTER DELETE ON TodoItem BEGIN
          UPDATE StoredList SET newestRemoved = max(coalesce(newestRemoved, OLD.updatedAt), OLD.updatedAt)
          WHERE number = 1;
        END;
        """)
      #expect(try ServerDatabase(path: file.path).check().findings.isEmpty)
    }
  }

  @Test("may have any damage: the server refuses to start or answers, and never traps")
  func bitRot() async throws {
    let seed = UInt64.random(in: .min ... .max)
    var chance = SeededGenerator(seed: seed)
    try await ServerDatabaseFile.use { file in
      try await TestServer.run(databasePath: file.path) { server async throws in
        for number in 0..<60 { try await server.insert("row\(number)", #""text":"some words","n":\#(number)"#) }
        for number in 0..<9 { _ = try await server.send(.delete, "\(table)/row\(number)") }
      }
      let sound = try Data(contentsOf: URL(filePath: file.path))
      for _ in 0..<40 {
        var damaged = sound
        for _ in 0..<Int.random(in: 1...40, using: &chance) {
          damaged[Int.random(in: 100..<damaged.count, using: &chance)] = UInt8.random(in: .min ... .max, using: &chance)
        }
        for end in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file.path + end) }
        try damaged.write(to: URL(filePath: file.path))
        await Self.use(file.path)
      }
    }
    print("seed \(seed)")
  }

  /// Reads and changes what can be read and changed.
  private static func use(_ path: String) async {
    guard let storage = try? SQLiteStorage(path: path, makeUUID: { UUID() }) else { return }
    defer { try? storage.close() }
    let log = ServerLog(TestServer.quiet, clock: TestServer.systemClock)
    try? await storage.checkAll(log)
    let routes = TableRoutes(
      storage: storage, clock: TestServer.systemClock, makeID: { UUID().uuidString },
      newColumns: ColumnAllowances(mostInAnHour: 9), log: log, order: BatchOrder(longestWait: .zero))
    let list = "/tables/TodoItem?$top=1000&__includedeleted=true&$count=true"
    for target in [list, list + "&$orderby=updatedAt", list + "&$filter=n%20gt%205"] {
      let request = TableRequest(method: .get, target: target, headers: HTTPFields([(.verify, "true")]))
      _ = await routes.respond(to: request)
    }
    for number in stride(from: 0, to: 60, by: 7) {
      for method in [.get, .patch, .delete, .put] as [HTTPRequest.Method] {
        let body = method == .get || method == .delete ? "" : #"{"id":"row\#(number)","text":"x"}"#
        _ = await routes.respond(
          to: TableRequest(
            method: method, target: "/tables/TodoItem/row\(number)", headers: [.contentType: "application/json"],
            body: Array(body.utf8)))
      }
    }
  }

  @Test("was removed or replaced while it runs: nothing is taken that would be lost, and the log says so")
  func removed() async throws {
    try await ServerDatabaseFile.use { file in
      let log = LogLines()
      try await TestServer.run(databasePath: file.path, logger: log.logger) { server async throws in
        try await server.insert("a")
        for part in ["", "-wal"] {
          let (path, aside) = (file.path + part, file.path + part + ".aside")
          try FileManager.default.moveItem(atPath: path, toPath: aside)
          #expect(try await server.send(.post, table, body: "{}").status == 503)
          #expect(try await server.send(.get, table).status == 503)
          try Data("something else".utf8).write(to: URL(filePath: path))
          #expect(try await server.send(.post, table, body: "{}").status == 503)
          try FileManager.default.removeItem(atPath: path)
          try FileManager.default.moveItem(atPath: aside, toPath: path)
          #expect(try await server.send(.post, table, body: "{}").status == 201, "it is back")
        }
        #expect(try await server.send(.get, table).list.items.count == 3)
      }
      #expect(log.all.contains { $0.contains("removed or replaced") })
    }
  }

  @Test("that cannot be made leaves no empty file behind")
  func noRoom() async throws {
    try await ServerDatabaseFile.use { file in
      // A folder where SQLite wants its journal stands for a disk without room.
      try FileManager.default.createDirectory(atPath: file.path + "-journal", withIntermediateDirectories: true)
      try Data().write(to: URL(filePath: file.path + "-journal/x"))
      #expect(throws: ServerDatabaseError.self) { try SQLiteStorage(path: file.path, makeUUID: { UUID() }) }
      #expect(!FileManager.default.fileExists(atPath: file.path))
    }
  }
}

@Suite("A database that cannot do what it should")
struct StorageFailureTests {
  private func answer(_ error: StorageError) async -> TableResponse {
    let log = ServerLog(TestServer.quiet, clock: TestServer.systemClock)
    let routes = TableRoutes(
      storage: FailingStorage(error: error), clock: TestServer.systemClock, makeID: { "x" },
      newColumns: ColumnAllowances(mostInAnHour: 1), log: log, order: BatchOrder(longestWait: .zero))
    return await routes.respond(
      to: TableRequest(
        method: .post, target: "/tables/TodoItem", headers: [.contentType: "application/json"], body: Array("{}".utf8)))
  }

  @Test("is busy, full or broken: three statuses")
  func statuses() async {
    let busy = await answer(.busy)
    #expect(busy.status.code == 503 && busy.headers[.retryAfter] != nil)
    #expect(await answer(.full).status.code == 507)
    #expect(await answer(.failed("x")).status.code == 500)
  }

  @Test("says by its library's code which of them it is")
  func codes() {
    let meanings: [(ResultCode, StorageError)] = [
      (.SQLITE_BUSY, .busy), (.SQLITE_BUSY_SNAPSHOT, .busy), (.SQLITE_LOCKED, .busy), (.SQLITE_FULL, .full),
      (.SQLITE_IOERR_SHMSIZE, .full), (.SQLITE_IOERR_FSYNC, .failed("SQLite 1034: disk I/O error")),
      (.SQLITE_TOOBIG, .valueTooLarge), (.SQLITE_INTERRUPT, .interrupted),
    ]
    for (code, meaning) in meanings {
      #expect(SQLiteFailure(DatabaseError(resultCode: code)).error as? StorageError == meaning)
    }
  }

  @Test("is locked by another program: waited for, then 503, and reading goes on")
  func locked() async throws {
    try await ServerDatabaseFile.use { file in
      var limits = ServerLimits.patient
      limits.busy = .milliseconds(10)
      try await TestServer.run(databasePath: file.path, limits: limits) { server async throws in
        try await server.insert("a")
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let other = try DatabaseQueue(path: file.path, configuration: configuration)
        try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
        let refused = try await server.send(.post, "/tables/TodoItem", .v3, body: "{}")
        #expect(refused.status == 503 && refused.header("Retry-After") != nil)
        #expect(try await server.send(.get, "/tables/TodoItem").list.items.count == 1)
        try await other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
        try other.close()
        #expect(try await server.send(.post, "/tables/TodoItem", .v3, body: "{}").status == 201)
      }
    }
  }

  @Test("of addresses that are refused the log has each, however often another one is")
  func refusals() {
    let lines = LogLines()
    let hand = ClockHand(0)
    let log = ServerLog(lines.logger, clock: hand.clock)
    for number in 0..<1_000 { log.error("line \(number)") }
    for _ in 0..<1_000 { log.refusal("Wrong token", from: "203.0.113.5") }
    log.refusal("Wrong token", from: "203.0.113.6")
    #expect(lines.all.count { $0 == "Wrong token from 203.0.113.5" } == ServerLog.mostOfAnAddress)
    #expect(lines.all.last == "Wrong token from 203.0.113.6")
    for number in 0..<10_000 { log.refusal("Wrong token", from: "address \(number)") }
    #expect(lines.all.count < 200, "nor do many addresses fill it")
    hand.set(60_000)
    log.refusal("Wrong token", from: "203.0.113.5", because: "it is late")
    #expect(lines.all.last == "Wrong token from 203.0.113.5", "fail2ban looks for the end")
    #expect(lines.withDetails.last?.contains("it is late") == true)
  }

  @Test("fills no log, and puts no SQL and no text into it")
  func log() async throws {
    let lines = LogLines()
    let hand = ClockHand(0)
    let log = ServerLog(lines.logger, clock: hand.clock)
    for number in 0..<1_000 { log.error("line \(number)") }
    #expect(lines.all.count == ServerLog.mostInAMinute)
    hand.set(60_000)
    log.error("next")
    #expect(lines.all.suffix(2).first?.contains("980") == true && lines.all.last == "next")
    let error = DatabaseError(
      resultCode: .SQLITE_ERROR, message: "parser stack overflow", sql: "SELECT secret", arguments: ["words"])
    let failure = try #require(SQLiteFailure(error).error as? StorageError)
    let line = try #require(failure.logLine(of: "/a"))
    #expect(StorageError.full.logLine(of: "/a/server.sqlite")?.contains("/a/server.sqlite") == true)
    #expect(line.contains("parser stack overflow") && !line.contains("secret") && !line.contains("words"))
  }
}

/// A storage that does nothing but fail.
private struct FailingStorage: TableStorage {
  let identity = DatabaseIdentity(UUID())
  let error: StorageError

  func lists() throws -> [ListID] { throw error }
  func lists(of owner: UserName?) throws -> [ListID] { throw error }

  func read<Value: Sendable>(
    _ list: ListID, mayBeLong: Bool, _ body: @escaping @Sendable (any StoredList) throws -> Value
  ) async throws -> Value { throw error }

  func write<Value: Sendable>(
    _ lists: [ListID], _ body: @escaping @Sendable ([any EditableList]) throws -> Value
  ) async throws -> Value { throw error }

  func lists() async throws -> [ListID] { throw error }
  func lists(of owner: UserName?) async throws -> [ListID] { throw error }
  var moves: AsyncStream<ListNotice> { AsyncStream { $0.finish() } }
  func raiseEpoch(now: Timestamp, nonce: String) throws -> DatabaseEpoch { throw error }
  func close() {}
}
