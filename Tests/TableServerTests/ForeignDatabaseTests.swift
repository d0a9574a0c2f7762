import FoundationEssentials
import GRDB
import StorageSupport
import TableProtocol
import Testing

@testable import TableServer
@testable import TableStorage

@Suite("Of a backup that another program has changed, the rows come along and nothing that runs")
struct ForeignDatabaseTests {
  /// A file beside the database, with a name of its own.
  private func beside(_ file: ServerDatabaseFile) throws -> ServerDatabaseFile {
    let other = ServerDatabaseFile(folder: file.folder.appending(path: "copies"))
    try FileManager.default.createDirectory(at: other.folder, withIntermediateDirectories: true)
    return other
  }

  private func withTokens<Value>(_ path: String, _ body: (ServerTokens) throws -> Value) throws -> Value {
    let tokens = try ServerTokens(database: path, makesDatabase: false, clock: TestServer.systemClock)
    defer { tokens.close() }
    return try body(tokens)
  }

  /// A table of tokens that ignores each change by which a token would be taken back.
  private static let tokensForEver = """
    CREATE TABLE Other (
      digest BLOB NOT NULL PRIMARY KEY, id TEXT NOT NULL UNIQUE, user TEXT NOT NULL, label TEXT NOT NULL,
      scope TEXT NOT NULL, createdAt INTEGER NOT NULL, expiresAt INTEGER, lastUsedAt INTEGER,
      revoked BOOLEAN NOT NULL ON CONFLICT IGNORE DEFAULT 0, k AS (CASE WHEN revoked THEN 1 ELSE id END),
      UNIQUE (k) ON CONFLICT IGNORE
    );
    INSERT INTO Other (digest, id, user, label, scope, createdAt, revoked)
    SELECT digest, id, user, label, scope, createdAt, revoked FROM AccessToken;
    DROP TABLE AccessToken; ALTER TABLE Other RENAME TO AccessToken;
    """

  @Test("a token can be taken back after it, and until then no command says that it was")
  func revocation() async throws {
    try await ServerDatabaseFile.use { file in
      let anna = try #require(UserName("anna"))
      try await TestServer.run(databasePath: file.path) { try await $0.insert("a") }
      let ids = try withTokens(file.path) { tokens in
        let ids = try (0..<2).map { _ in try tokens.add(anna, label: "", scope: .sync, days: nil).grant.id }
        _ = try tokens.revoke(.id(ids[0]))
        return ids
      }
      let backup = try beside(file)
      _ = try ServerDatabase(path: file.path).backUp(to: backup.path)
      try await backup.run(Self.tokensForEver)
      #expect(
        try ServerDatabase(path: backup.path).check().findings == [
          .alteredColumn("k", table: "AccessToken"), .alteredColumn("revoked", table: "AccessToken"),
          .alteredTable("AccessToken"),
        ])
      let problem = ServerDatabaseError.damaged(path: backup.path, reason: "a token can't be taken back")
      for choice in [GrantChoice.id(ids[1]), .user(anna)] {
        #expect(throws: ServerError.database(problem)) { try withTokens(backup.path) { try $0.revoke(choice) } }
      }
      let storage = try SQLiteStorage(path: backup.path, makeUUID: { UUID() })
      #expect(throws: problem) { try storage.remove([anna], now: Timestamp(milliseconds: 1), nonce: "n") }
      try storage.close()

      _ = try ServerDatabase(path: file.path).restore(from: backup.path, clock: TestServer.systemClock)
      #expect(try ServerDatabase(path: file.path).check() == DatabaseReport(lists: 1, items: 1))
      #expect(try withTokens(file.path) { try $0.revoke(.id(ids[1])).map(\.id) } == [ids[1]])
      #expect(try withTokens(file.path) { try $0.all() } == [])
    }
  }

  @Test("a list that a foreign trigger keeps is not said to be removed")
  func keptList() async throws {
    try await ServerDatabaseFile.use { file in
      let movies = try #require(ServedTable(named: "movies"))
      let storage = try SQLiteStorage(path: file.path, makeUUID: { UUID() })
      try await storage.write(ListID(movies)) { try $0.put("a") }
      try storage.blocking {
        try $0.execute(sql: "CREATE TRIGGER keep BEFORE DELETE ON StoredList BEGIN SELECT RAISE(IGNORE); END")
      }
      #expect(throws: StorageError.self) {
        try storage.remove([movies], now: Timestamp(milliseconds: 1), nonce: "n")
      }
      try storage.close()
      #expect(try ServerDatabase(path: file.path).check().items == 1)
    }
  }

  @Test("columns that compute stay behind, and those that clients have added come along")
  func columns() async throws {
    try await ServerDatabaseFile.use { file in
      try await TestServer.run(databasePath: file.path) { server async throws in
        try await server.insert("a", #""text":"x","rank":1.5,"flag":true,"note":"n""#)
        try await server.insert("b")
        _ = try await server.send(.delete, "/tables/TodoItem/b")
      }
      let backup = try beside(file)
      let database = ServerDatabase(path: file.path)
      _ = try database.backUp(to: backup.path)
      try await backup.run(
        """
        ALTER TABLE TodoItem ADD COLUMN large TEXT AS (hex(zeroblob(4000)));
        ALTER TABLE TodoItem ADD COLUMN gen TEXT AS (text || 'x');
        ALTER TABLE TodoItem ADD COLUMN even TEXT CHECK (even IS NULL)
        """)
      let altered = ["even", "gen", "large"].map { DatabaseFinding.alteredColumn($0, table: "TodoItem") }
      #expect(try ServerDatabase(path: backup.path).check().findings == altered)
      let restored = try database.restore(from: backup.path, clock: TestServer.systemClock)
      #expect(
        restored.report.findings == [
          .changedColumn("large", table: "TodoItem", .computed), .changedColumn("gen", table: "TodoItem", .computed),
          .changedColumn("even", table: "TodoItem", .relaxed(rules: ["CHECK"])),
        ])
      #expect(try database.check() == DatabaseReport(lists: 1, items: 1))
      try await TestServer.run(databasePath: file.path) { server async throws in
        let item = try await server.send(.get, "/tables/TodoItem/a", .v3).text
        for part in [#""rank":1.5"#, #""flag":true"#, #""note":"n""#] { #expect(item.contains(part), "\(item)") }
        let changed = try await server.send(.patch, "/tables/TodoItem/a", .v3, body: #"{"gen":"q","even":"e"}"#)
        #expect(changed.status == 200 && changed.text.contains(#""gen":"q""#), "\(changed.text)")
      }
    }
  }

  @Test("a column that was added by hand keeps its numbers if its type is SQLite's for them; of others it is said")
  func types() async throws {
    try await ServerDatabaseFile.use { file in
      try await TestServer.run(databasePath: file.path) { try await $0.insert("a", #""note":"n""#) }
      let backup = try beside(file)
      let database = ServerDatabase(path: file.path)
      _ = try database.backUp(to: backup.path)
      try await backup.run(
        """
        ALTER TABLE TodoItem ADD COLUMN rank INTEGER; ALTER TABLE TodoItem ADD COLUMN size real;
        ALTER TABLE TodoItem ADD COLUMN day DATE; ALTER TABLE TodoItem ADD COLUMN odd;
        ALTER TABLE TodoItem ADD COLUMN many BIGINT; ALTER TABLE TodoItem ADD COLUMN price DECIMAL(10,2);
        ALTER TABLE TodoItem DROP COLUMN complete; ALTER TABLE TodoItem ADD COLUMN complete VARCHAR;
        UPDATE TodoItem SET rank = 7, size = 1.5, day = 20261224, odd = 'x', many = 9000000000, price = 1.25
        """)
      let altered = ["complete", "day", "many", "odd", "price", "rank", "size"]
        .map { DatabaseFinding.alteredColumn($0, table: "TodoItem") }
      let found = try ServerDatabase(path: backup.path).check().findings
      #expect(altered.allSatisfy { found.contains($0) }, "\(found)")
      let restored = try database.restore(from: backup.path, clock: TestServer.systemClock)
      let damaged = DatabaseFinding.damagedRows(table: "TodoItem", ids: ["a"], count: 1)
      #expect(
        restored.report.findings == [
          damaged, .changedColumn("day", table: "TodoItem", .retyped(from: "DATE", blobs: 0)),
          .changedColumn("odd", table: "TodoItem", .retyped(from: "BLOB", blobs: 0)),
        ])
      #expect(try database.check().findings == [damaged])
      try await TestServer.run(databasePath: file.path) { server async throws in
        let item = try await server.send(.get, "/tables/TodoItem/a", .v3).text
        for part in [
          #""rank":7"#, #""size":1.5"#, #""day":"20261224""#, #""odd":"x""#, #""note":"n""#, #""many":9000000000"#,
          #""price":1.25"#,
        ] {
          #expect(item.contains(part), "\(item)")
        }
      }
    }
  }

  @Test("of each column that was added by hand it is said once which rules it has lost, or that it was left out")
  func rules() async throws {
    try await ServerDatabaseFile.use { file in
      try await TestServer.run(databasePath: file.path) { server async throws in
        for id: RecordID in ["a", "b"] { try await server.insert(id) }
      }
      let backup = try beside(file)
      let database = ServerDatabase(path: file.path)
      _ = try database.backUp(to: backup.path)
      try await backup.run(
        """
        ALTER TABLE TodoItem ADD COLUMN must TEXT NOT NULL DEFAULT 'x';
        ALTER TABLE TodoItem ADD COLUMN rank NUMERIC DEFAULT 2;
        ALTER TABLE TodoItem ADD COLUMN day VARCHAR(9) COLLATE NOCASE REFERENCES TodoItem (id) CHECK (must > 'a');
        ALTER TABLE AccessToken ADD COLUMN mail TEXT DEFAULT 'm'
        """)
      let restored = try database.restore(from: backup.path, clock: TestServer.systemClock)
      #expect(
        restored.report.findings == [
          .damagedRows(table: "TodoItem", ids: ["a", "b"], count: 2),
          .changedColumn("mail", table: "AccessToken", .foreign),
          .changedColumn("must", table: "TodoItem", .relaxed(rules: ["NOT NULL", "DEFAULT"])),
          .changedColumn("rank", table: "TodoItem", .relaxed(rules: ["DEFAULT"])),
          .changedColumn("day", table: "TodoItem", .retyped(from: "VARCHAR(9)", blobs: 0)),
          .changedColumn("day", table: "TodoItem", .relaxed(rules: ["CHECK", "COLLATE", "REFERENCES"])),
        ])
      try await TestServer.run(databasePath: file.path) { server async throws in
        let item = try await server.send(.get, "/tables/TodoItem/b", .v3).text
        #expect(item.contains(#""must":"x""#) && item.contains(#""rank":2"#), "\(item)")
      }
    }
  }

  @Test("a blob is not said to be a text: it stays one, and the check has one line for all of a column")
  func blobs() async throws {
    try await ServerDatabaseFile.use { file in
      try await TestServer.run(databasePath: file.path) { server async throws in
        for id: RecordID in ["a", "b", "c"] { try await server.insert(id) }
      }
      let backup = try beside(file)
      let database = ServerDatabase(path: file.path)
      _ = try database.backUp(to: backup.path)
      try await backup.run(
        "ALTER TABLE TodoItem ADD COLUMN photo BLOB; UPDATE TodoItem SET photo = iif(id = 'c', 'text', x'00ff')")
      let damaged = DatabaseFinding.damagedRows(table: "TodoItem", ids: ["a", "b", "c"], count: 3)
      let restored = try database.restore(from: backup.path, clock: TestServer.systemClock)
      let change = ColumnChange.retyped(from: "BLOB", blobs: 2)
      #expect(restored.report.findings == [damaged, .changedColumn("photo", table: "TodoItem", change)])
      let wrong = DatabaseFinding.wrongType("BLOB", column: "photo", table: "TodoItem", ids: ["a", "b"], count: 2)
      #expect(try database.check().findings == [damaged, wrong])
    }
  }

  @Test("a column is one of numbers if its type has a word of SQLite's for them, and one of texts otherwise")
  func kinds() {
    for type in [
      "INT", "bigint", "UNSIGNED BIG INT", "double precision", "Float", "REAL", "DECIMAL(10,2)", "numeric(5)",
    ] {
      #expect(TableColumn.Kind(type: type) == .number, "\(type)")
    }
    for type in ["TEXT", "text", "VARCHAR(20)", "CLOB", "BLOB", "", "DATE", "REAL TEXT"] {
      #expect(TableColumn.Kind(type: type) == .text, "\(type)")
    }
    #expect(TableColumn.Kind(type: "boolean") == .bool)
  }

  @Test("a column may have the name of a constraint: its rules are its own, and not those of the table")
  func namesOfConstraints() throws {
    let parts = try #require(
      TableParts(
        """
        CREATE TABLE t (id TEXT, "constraint" TEXT COLLATE NOCASE, [primary] TEXT COLLATE NOCASE,
          `unique` TEXT COLLATE NOCASE, 'check' TEXT COLLATE NOCASE, "foreign" TEXT COLLATE NOCASE,
          CONSTRAINT named CHECK (id <> ''), PRIMARY KEY (id), UNIQUE (id), CHECK (id <> 'x'),
          FOREIGN KEY (id) REFERENCES u (id))
        """))
    for name in ["constraint", "primary", "unique", "check", "foreign"] {
      #expect(parts.rules(ofColumn: name) == ["COLLATE"], "\(name)")
    }
    #expect(parts.rules(ofColumn: "id") == [])
  }

  /// Adds answers and tokens, and the moments that new lists lack: of a database with two lists.
  private static let filling = """
    UPDATE StoredList SET newestRemoved = 10 + number, answersKeptAfter = 20 + number, tombstonesAfter = 30 + number;
    INSERT INTO KeptAnswer (list, id, firstSent, fingerprint, status, eTag, location, changedAt, body) VALUES
      (2, 'c 1', 5, x'0102', 201, '"v"', 'http://localhost/tables/movies/a', 6, x'7b7d'),
      (1, 'c 2', 7, x'03', 204, NULL, NULL, NULL, x'');
    INSERT INTO AccessToken (digest, id, user, label, scope, createdAt, expiresAt, lastUsedAt, revoked) VALUES
      (randomblob(32), 'a1', 'anna', 'phone', 'sync', 1, 9000000000000, 3, 0),
      (randomblob(32), 'b2', 'ben', '', 'read', 2, NULL, NULL, 1);
    UPDATE ServerIdentity SET address = 'http://localhost';
    """

  /// Those that begin again with a restore.
  private static let changedColumns: Set = ["address", "epoch", "epochNonce", "lastUpdatedAt", "epochFrom"]

  /// The rows of the server's own tables, without the columns that a restore changes.
  private func ownRows(_ path: String) throws -> [String: [[String: DatabaseValue]]] {
    let queue = try DatabaseQueue(path: path)
    defer { try? queue.close() }
    var tables: [String: [[String: DatabaseValue]]] = [:]
    for table in DatabaseInspection.ownTables {
      let rows = try queue.read { try Row.fetchAll($0, sql: "SELECT * FROM \(table) ORDER BY rowid") }
      tables[table] = rows.map(kept)
    }
    return tables
  }

  private func kept(_ row: Row) -> [String: DatabaseValue] {
    var values: [String: DatabaseValue] = [:]
    for (column, value) in row where !Self.changedColumns.contains(column) { values[column] = value }
    return values
  }

  @Test("lists of others, the aliases, tokens, kept answers and moments come along, and tables of no list do not")
  func everything() async throws {
    try await ServerDatabaseFile.use { file in
      let movies = ListID(try #require(ServedTable(named: "movies")), owner: UserName("anna"))
      let storage = try DatabaseLocation(file.path).open(makesDatabase: true, update: nil)
      for list in [.first, movies] { try await storage.write(list) { try $0.put("a") } }
      try storage.keep(try #require(ColumnNames(words: ["text=title"])))
      let last = try await storage.read(movies) { try $0.state().lastMoment }
      try storage.close()
      try await file.run(Self.filling)
      let before = try ownRows(file.path)
      #expect(before.count == 4 && before.values.allSatisfy { !$0.isEmpty })
      let backup = try beside(file)
      let database = ServerDatabase(path: file.path)
      _ = try database.backUp(to: backup.path)
      try await backup.run("CREATE TABLE TodoItem_3 (id TEXT); CREATE TABLE notes (a)")
      let old = try #require(Timestamp("2001-11-22T20:30:00.000Z"))
      _ = try database.restore(from: backup.path, clock: { old })
      #expect(try ownRows(file.path) == before)
      #expect(try database.check() == DatabaseReport(lists: 2, items: 2))
      let restored = try DatabaseLocation(file.path).open(update: nil)
      defer { try? restored.close() }
      #expect(restored.identity == storage.identity)
      #expect(try restored.aliases().words == ["text=title"])
      let moment = try await restored.read(movies) { try $0.state().lastMoment }
      #expect(moment >= last)
    }
  }

  @Test("invitations lead nowhere until the server has run again: the file does not say where it is")
  func address() async throws {
    try await ServerDatabaseFile.use { file in
      let anna = try #require(UserName("anna"))
      try await TestServer.run(databasePath: file.path) { try await $0.insert("a") }
      let backup = try beside(file)
      _ = try ServerDatabase(path: file.path).backUp(to: backup.path)
      try await backup.run("UPDATE ServerIdentity SET address = 'https://evil.example'")
      _ = try ServerDatabase(path: file.path).restore(from: backup.path, clock: TestServer.systemClock)
      #expect(throws: ServerError.addressUnknown) {
        try withTokens(file.path) { try $0.invite(anna, server: nil).link.server }
      }
    }
  }

  @Test("a backup with a log beside it stays unchanged, and what is in the log is put back")
  func log() async throws {
    try await ServerDatabaseFile.use { file in
      let backup = try beside(file)
      func bytes() throws -> [Data] { try ["", "-wal"].map { try Data(contentsOf: URL(filePath: backup.path + $0)) } }
      try await TestServer.run(databasePath: file.path) { server async throws in
        try await server.insert("a")
        // As of a server that was killed.
        for ending in ["", "-wal"] {
          try FileManager.default.copyItem(atPath: file.path + ending, toPath: backup.path + ending)
        }
      }
      let before = try bytes()
      #expect(!before[1].isEmpty)
      let restored = try ServerDatabase(path: file.path).restore(from: backup.path, clock: TestServer.systemClock)
      #expect(restored.report.items == 1)
      #expect(try bytes() == before)
    }
  }

  @Test("a table has the same parts with other comments, spaces and columns of clients, and with nothing else")
  func parts() throws {
    let own = try #require(TableParts("CREATE TABLE T (id TEXT NOT NULL, \"row-digest\" INTEGER, UNIQUE (id, x))"))
    func isOwn(_ sql: String, isWhole: Bool = true, isList: Bool = true) -> Bool {
      guard let parts = TableParts(sql) else { return false }
      let difference = parts.difference(from: own, isWhole: isWhole, isList: isList)
      return difference.columns.isEmpty && !difference.hasConstraints
    }
    let start = "CREATE TABLE \"T_2\" (id TEXT NOT NULL, -- a, b\n/* c, ) */ \"row-digest\" INTEGER, UNIQUE(id,x)"
    #expect(isOwn(start + ")", isList: false) && isOwn(start.lowercased() + ")"))
    #expect(isOwn(start + ", \"title\" TEXT, done BOOLEAN, \"a,b\" NUMERIC)"))
    #expect(!isOwn(start + ", title TEXT)", isList: false))
    let ruled = ", \"a,b\" TEXT DEFAULT (references(1)) COLLATE NOCASE UNIQUE CHECK (id), title TEXT)"
    let rules = try #require(TableParts(start + ruled))
    #expect(rules.rules(ofColumn: "A,B") == ["CHECK", "COLLATE", "UNIQUE"] && rules.rules(ofColumn: "title") == [])
    let missing = "CREATE TABLE T (id TEXT NOT NULL)"
    #expect(isOwn(missing, isWhole: false) && !isOwn(missing))
    for added in [
      ", x TEXT AS (id))", ", x TEXT UNIQUE)", ", x TEXT DEFAULT 1)", ", CHECK (id))", ", x)", ", x INTEGER)",
      ", UNIQUE (x) ON CONFLICT IGNORE)", ") WITHOUT ROWID", ") STRICT",
    ] {
      #expect(!isOwn(start + added), "\(added)")
    }
    let mixed = start + ", \"a b\" TEXT AS (id), x INTEGER, CHECK (id))"
    let difference = try #require(TableParts(mixed)).difference(from: own, isWhole: true, isList: true)
    #expect(difference.columns == ["a b", "x"] && difference.hasConstraints)
    for sql in ["CREATE VIRTUAL TABLE T USING fts5(id)", "CREATE TABLE T AS SELECT 1", "", "(", "CREATE TABLE T ("] {
      #expect(TableParts(sql) == nil, "\(sql)")
    }
  }
}
