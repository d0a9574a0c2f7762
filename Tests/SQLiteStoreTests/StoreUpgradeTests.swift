import FoundationEssentials
import GRDB
import OfflineSync
import Support
import TableProtocol
import Testing

@testable import SQLiteStore

@Suite("A store that an older version of the program wrote")
struct StoreUpgradeTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("ebb.sqlite")
  }

  /// The tables of version 1, which differ from those of now in what is missing.
  private static let version1 = """
    CREATE TABLE TodoItem (
      id TEXT NOT NULL PRIMARY KEY, text TEXT NOT NULL DEFAULT '', complete BOOLEAN NOT NULL DEFAULT 0,
      createdAt TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')), updatedAt TEXT, version TEXT,
      deleted BOOLEAN NOT NULL DEFAULT 0
    );
    CREATE INDEX TodoItem_inOrder ON TodoItem (createdAt, id);
    CREATE INDEX TodoItem_inOrderByState ON TodoItem (complete, createdAt, id);
    CREATE TABLE MS_TableOperations (
      id INTEGER PRIMARY KEY AUTOINCREMENT, "table" TEXT NOT NULL, tableKind INTEGER NOT NULL DEFAULT 0,
      itemId TEXT NOT NULL, properties BLOB NOT NULL
    );
    CREATE INDEX MS_TableOperations_ofItem ON MS_TableOperations (itemId, "table");
    CREATE TABLE MS_TableOperationErrors (
      id TEXT NOT NULL PRIMARY KEY, operationId INTEGER NOT NULL UNIQUE, tableKind INTEGER NOT NULL DEFAULT 0,
      properties BLOB NOT NULL
    );
    CREATE TABLE MS_TableConfig (
      id TEXT NOT NULL PRIMARY KEY, "table" TEXT NOT NULL, "key" TEXT NOT NULL, keyType INTEGER NOT NULL, value TEXT,
      UNIQUE ("table", "key", keyType)
    );
    CREATE TABLE Ebb_Shadows (
      "table" TEXT NOT NULL, itemId TEXT NOT NULL, record BLOB NOT NULL, PRIMARY KEY ("table", itemId)
    ) WITHOUT ROWID;
    CREATE TABLE Ebb_Facts (name TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE Ebb_History (
      id INTEGER PRIMARY KEY, "table" TEXT NOT NULL, itemId TEXT NOT NULL, undone BOOLEAN NOT NULL DEFAULT 0,
      properties BLOB NOT NULL
    );
    CREATE INDEX Ebb_History_undone ON Ebb_History (id) WHERE undone;
    PRAGMA application_id = 0x65626231;
    PRAGMA user_version = 1;
    """

  /// One synced item with an edit that waits, an error, a token, and a change that can be undone.
  private static let content = """
    INSERT INTO TodoItem VALUES
      ('a', 'oat milk', 1, '2026-11-01T10:00:00.000Z', '2026-11-02T10:00:00.000Z', 'v1', 0);
    INSERT INTO MS_TableOperations (id, "table", itemId, properties) VALUES
      (7, 'TodoItem', 'a', '{"base":{"complete":true,"id":"a","text":"milk","version":"v1"},"type":1}');
    INSERT INTO MS_TableOperationErrors (id, operationId, properties) VALUES
      ('e', 7, '{"description":"too long","itemId":"a","kind":"refused","statusCode":400,"table":"TodoItem"}');
    INSERT INTO MS_TableConfig VALUES ('c', 'TodoItem', 'all', 0, '2026-11-02T10:00:00.000Z');
    INSERT INTO Ebb_History (id, "table", itemId, properties) VALUES
      (3, 'TodoItem', 'a', '{"before":{"id":"a","text":"milk"},"after":{"id":"a","text":"oat milk"}}');
    """

  private func write(_ sql: String...) throws {
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { database in
      for sql in sql { try database.execute(sql: sql) }
    }
    try queue.close()
  }

  @Test("keeps its rows, journal, errors, progress and history, and is of the new version")
  func kept() throws {
    try write(Self.version1, Self.content)
    let store: any LocalStore = try SQLiteStore(path: path)
    try store.read { store throws in
      let row = try #require(try store.record("a", in: "TodoItem"))
      #expect(row.values == ["text": .text("oat milk"), "complete": .bool(true)])
      #expect(row.system.version == RecordVersion("v1"))
      let operation = try #require(try store.operations(after: 0, limit: 10).first)
      #expect(operation.id == 7 && operation.kind == .update && !operation.isMarked)
      #expect(operation.base?.values["text"] == .text("milk"))
      #expect(try store.operationErrors().first(where: { $0.operationID == 7 })?.message == "too long")
      #expect(try store.deltaToken(table: "TodoItem", queryID: "all") != nil)
      #expect(try store.history(undone: false, in: "TodoItem")?.change.before?.values["text"] == .text("milk"))
      #expect(try store.requests(limit: 10).isEmpty)
    }
    let version = try DatabaseQueue(path: path).read { try Int32.fetchOne($0, sql: "PRAGMA user_version") }
    #expect(version == StoreSchema.version)
  }

  @Test("the indexes that only older programs used are gone, and cost no change any more")
  func formerIndexes() throws {
    try SQLiteStore(path: path).write { try $0.setFact("a", "b") }
    try write(
      """
      CREATE INDEX Ebb_History_ofItem ON Ebb_History (itemId, "table");
      CREATE INDEX TodoItem_by_due_inState ON TodoItem (complete, text);
      CREATE INDEX TodoItem_by_text_inState ON TodoItem (complete, text);
      PRAGMA user_version = 4;
      """)
    try SQLiteStore(path: path).write { try $0.setFact("a", "c") }
    let former = try DatabaseQueue(path: path).read {
      try String.fetchAll(
        $0, sql: "SELECT name FROM sqlite_schema WHERE name LIKE '%inState' OR name = 'Ebb_History_ofItem'")
    }
    #expect(former == [])
  }

  @Test("copies that a pull had set aside are judged, those of rows without a change are dropped")
  func copiesSetAside() throws {
    try write(
      Self.version1, Self.content,
      """
      INSERT INTO Ebb_Shadows VALUES
        ('TodoItem', 'a', '{"complete":false,"deleted":false,"id":"a","text":"milk","version":"v2"}'),
        ('TodoItem', 'b', '{"complete":false,"deleted":false,"id":"b","text":"bread","version":"v2"}'),
        ('TodoItem', 'c', 'no copy'), ('Gone', 'd', '{"id":"d"}');
      DELETE FROM MS_TableOperationErrors;
      """)
    let store: any LocalStore = try SQLiteStore(path: path)
    try store.read { store throws in
      let row = try store.trackedRow("a", in: "TodoItem")
      #expect(row.local == ["text": .text("oat milk"), "complete": .bool(false)])
      #expect(row.base.version == RecordVersion("v2"))
      #expect(row.waits)
      #expect(try store.record("b", in: "TodoItem") == nil)
    }
    let tables = try DatabaseQueue(path: path).read { try String.fetchAll($0, sql: "SELECT name FROM sqlite_schema") }
    #expect(!tables.contains("Ebb_Shadows"))
  }

  @Test("belongs to the server it was pulled from, and to no user in particular")
  func account() throws {
    try write(
      Self.version1, Self.content,
      "INSERT INTO Ebb_Facts VALUES ('source TodoItem all', 'http://127.0.0.1:8080/a \"b\"')")
    let owner = try SQLiteStore(path: path).read(Account.owner)
    #expect(owner == Account(server: "http://127.0.0.1:8080/a \"b\"", user: nil))
  }

  @Test("belongs to nobody when it was never pulled")
  func noAccount() throws {
    try write(Self.version1)
    #expect(try SQLiteStore(path: path).read(Account.owner) == nil)
  }

  @Test("takes on what was new since, and is brought up to date only once")
  func used() throws {
    try write(Self.version1, "INSERT INTO Ebb_Facts VALUES ('source TodoItem all', 'http://old.example')")
    let request = RequestRecord(
      startedAt: .epoch, verb: "GET", path: "/", outcome: .status(200), milliseconds: 0, bytesSent: 0, bytesReceived: 0)
    let store: any LocalStore = try SQLiteStore(path: path)
    try store.write { store in
      try store.appendRequests([request], keeping: 10)
      try store.removeFact(SyncFact.account)
    }
    let again: any LocalStore = try SQLiteStore(path: path)
    #expect(try again.read { try $0.requests(limit: 10) } == [request])
    #expect(try again.read(Account.owner) == nil)
  }
}
