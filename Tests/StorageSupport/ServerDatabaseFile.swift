package import FoundationEssentials
import GRDB
package import TableProtocol
import TableStorage

/// A server's database in a folder of its own, for tests that stop the server or write behind its back.
package struct ServerDatabaseFile: Sendable {
  package let folder: URL
  /// Of the files in the folder, but for the mark of what was written, which is no part of the database.
  package var names: Set<String> {
    get throws {
      Set(try FileManager.default.contentsOfDirectory(atPath: folder.path)).subtracting(["server.sqlite-mark"])
    }
  }

  package var path: String { folder.appending(path: "server.sqlite").path }

  package init(folder: URL) { self.folder = folder }

  package static func use<Value>(_ body: (ServerDatabaseFile) async throws -> Value) async throws -> Value {
    let folder = FileManager.default.temporaryDirectory.appending(path: "ebb-database-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(ServerDatabaseFile(folder: folder))
  }

  /// Opens it, or makes it, and writes these rows.
  package func write(_ ids: RecordID...) async throws {
    let storage = try DatabaseLocation(path).open(makesDatabase: true, update: nil)
    defer { try? storage.close() }
    try await storage.write(.first) { list in for id in ids { try list.put(id) } }
  }

  /// Runs SQL as another program would.
  package func run(_ sql: String) async throws {
    let queue = try DatabaseQueue(path: path)
    try await queue.writeWithoutTransaction { try $0.execute(sql: sql) }
    try queue.close()
  }

  /// Makes it what an earlier version of the program wrote.
  package func becomeVersion(_ version: Int) async throws {
    var sql = ""
    if version < 11 { sql += "ALTER TABLE ServerIdentity DROP COLUMN aliases;" }
    if version < 10 { sql += "ALTER TABLE StoredList DROP COLUMN tombstonesAfter;" }
    if version < 9 { sql += "DROP TABLE KeptAnswer; ALTER TABLE StoredList DROP COLUMN answersKeptAfter;" }
    if version < 8 { sql += "ALTER TABLE ServerIdentity DROP COLUMN address;" }
    if version < 7 {
      sql += """
        CREATE TABLE ServerClock (id INTEGER PRIMARY KEY CHECK (id = 1), lastUpdatedAt INTEGER NOT NULL);
        INSERT INTO ServerClock SELECT 1, lastUpdatedAt FROM StoredList WHERE number = 1;
        CREATE TABLE TableDigest (
          name TEXT NOT NULL PRIMARY KEY, live INTEGER NOT NULL, checksum INTEGER NOT NULL, newestRemoved INTEGER
        );
        INSERT INTO TableDigest SELECT name, live, checksum, newestRemoved FROM StoredList WHERE number = 1;
        ALTER TABLE ServerIdentity ADD COLUMN epochFrom INTEGER;
        UPDATE ServerIdentity SET epochFrom = (SELECT epochFrom FROM StoredList WHERE number = 1);
        DROP TRIGGER TodoItem_removed;
        DROP TABLE StoredList;
        DROP TABLE AccessToken;
        CREATE TRIGGER TodoItem_removed AFTER DELETE ON TodoItem BEGIN
          UPDATE TableDigest SET newestRemoved = max(coalesce(newestRemoved, OLD.updatedAt), OLD.updatedAt)
          WHERE name = 'TodoItem';
        END;
        """
    }
    if version < 6 { sql += "DROP TRIGGER TodoItem_removed; ALTER TABLE TableDigest DROP COLUMN newestRemoved;" }
    if version < 5 { sql += "ALTER TABLE ServerIdentity DROP COLUMN epochNonce;" }
    if version < 4 {
      sql += """
        ALTER TABLE TodoItem DROP COLUMN "row-digest"; ALTER TABLE ServerIdentity DROP COLUMN epoch;
        ALTER TABLE ServerIdentity DROP COLUMN epochFrom;
        """
    }
    if version < 3 { sql += "DROP TABLE TableDigest;" }
    if version < 2 { sql += "DROP TABLE ServerIdentity;" }
    try await run(sql + "PRAGMA user_version = \(version); PRAGMA wal_checkpoint(TRUNCATE)")
  }
}
