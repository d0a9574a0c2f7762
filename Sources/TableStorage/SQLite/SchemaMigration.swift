import GRDB
import TableProtocol

/// Brings a database of an earlier version to the tables of `server.sql`. These steps must never change:
/// databases that they have changed are in use.
enum SchemaMigration {
  /// Belongs into a transaction, so that a database is of one version or of the other. Throws
  /// `ServerDatabaseError.newerVersion` if a newer program wrote the database.
  static func run(in database: Database, path: String) throws {
    let version = try DatabaseInspection.version(of: database)
    guard version <= DatabaseHeader.schemaVersion else { throw ServerDatabaseError.newerVersion(path: path) }
    guard version < DatabaseHeader.schemaVersion else { return }
    if version < 2 { try addIdentity(database) }
    if version < 3 { try addDigest(database) }
    if version < 4 { try addEpochAndRowDigests(database) }
    if version < 5 { try addEpochNonce(database) }
    if version < 6 { try addNewestRemoved(database) }
    if version < 7 { try addLists(database) }
    if version < 8 { try addAddress(database) }
    if version < 9 { try addAnswers(database) }
    if version < 10 { try database.execute(sql: "ALTER TABLE StoredList ADD COLUMN tombstonesAfter INTEGER") }
    if version < 11 { try database.execute(sql: "ALTER TABLE ServerIdentity ADD COLUMN aliases TEXT") }
    try database.execute(sql: "PRAGMA user_version = \(DatabaseHeader.schemaVersion)")
  }

  private static func addIdentity(_ database: Database) throws {
    try database.execute(
      sql: "CREATE TABLE ServerIdentity (id INTEGER PRIMARY KEY CHECK (id = 1), uuid TEXT NOT NULL)")
  }

  private static func addDigest(_ database: Database) throws {
    try database.execute(
      sql: """
        CREATE TABLE TableDigest (name TEXT NOT NULL PRIMARY KEY, live INTEGER NOT NULL, checksum INTEGER NOT NULL)
        """)
    var digest = TableDigest()
    try database.forEach("SELECT id, version FROM TodoItem WHERE NOT deleted", isKept: false) { row in
      digest.add(hash: TableDigest.hash(row.utf8(0), row.utf8(1)))
      return true
    }
    try database.execute(
      sql: "INSERT INTO TableDigest (name, live, checksum) VALUES ('TodoItem', ?, ?)",
      arguments: [digest.count, Int64(bitPattern: digest.checksum)])
  }

  /// The digests of the rows are made by the check that follows each opening.
  private static func addEpochAndRowDigests(_ database: Database) throws {
    try database.execute(
      sql: """
        ALTER TABLE ServerIdentity ADD COLUMN epoch INTEGER NOT NULL DEFAULT 1;
        ALTER TABLE ServerIdentity ADD COLUMN epochFrom INTEGER;
        ALTER TABLE TodoItem ADD COLUMN "row-digest" INTEGER;
        """)
  }

  private static func addEpochNonce(_ database: Database) throws {
    try database.execute(sql: "ALTER TABLE ServerIdentity ADD COLUMN epochNonce TEXT")
  }

  private static func addNewestRemoved(_ database: Database) throws {
    try database.execute(
      sql: """
        ALTER TABLE TableDigest ADD COLUMN newestRemoved INTEGER;
        CREATE TRIGGER TodoItem_removed AFTER DELETE ON TodoItem BEGIN
          UPDATE TableDigest SET newestRemoved = max(coalesce(newestRemoved, OLD.updatedAt), OLD.updatedAt)
          WHERE name = 'TodoItem';
        END;
        """)
  }

  /// The clock, the digest and the beginning of the epoch become those of a list; there was one, and nobody signed in.
  private static func addLists(_ database: Database) throws {
    try database.execute(
      sql: """
        CREATE TABLE StoredList (
          number INTEGER PRIMARY KEY, owner TEXT NOT NULL, name TEXT NOT NULL,
          lastUpdatedAt INTEGER NOT NULL DEFAULT 0, live INTEGER NOT NULL DEFAULT 0,
          checksum INTEGER NOT NULL DEFAULT 0, newestRemoved INTEGER, epochFrom INTEGER, UNIQUE (owner, name)
        );
        INSERT INTO StoredList (number, owner, name, lastUpdatedAt, live, checksum, newestRemoved, epochFrom)
        SELECT 1, '', name, lastUpdatedAt, live, checksum, newestRemoved,
          (SELECT epochFrom FROM ServerIdentity)
        FROM TableDigest, ServerClock WHERE name = 'TodoItem';
        DROP TRIGGER TodoItem_removed;
        DROP TABLE TableDigest;
        DROP TABLE ServerClock;
        ALTER TABLE ServerIdentity DROP COLUMN epochFrom;
        """)
    try ListPlace.first.makeTrigger(in: database)
    try database.execute(
      sql: """
        CREATE TABLE AccessToken (
          digest BLOB NOT NULL PRIMARY KEY, id TEXT NOT NULL UNIQUE, user TEXT NOT NULL, label TEXT NOT NULL,
          scope TEXT NOT NULL, createdAt INTEGER NOT NULL, expiresAt INTEGER, lastUsedAt INTEGER,
          revoked BOOLEAN NOT NULL DEFAULT 0
        )
        """)
  }

  private static func addAddress(_ database: Database) throws {
    try database.execute(sql: "ALTER TABLE ServerIdentity ADD COLUMN address TEXT")
  }

  private static func addAnswers(_ database: Database) throws {
    try database.execute(
      sql: """
        ALTER TABLE StoredList ADD COLUMN answersKeptAfter INTEGER;
        CREATE TABLE KeptAnswer (
          list INTEGER NOT NULL, id TEXT NOT NULL, firstSent INTEGER NOT NULL, fingerprint BLOB NOT NULL,
          status INTEGER NOT NULL, eTag TEXT, location TEXT, changedAt INTEGER, body BLOB NOT NULL,
          PRIMARY KEY (list, id)
        );
        \(KeptAnswerTable.index)
        """)
  }
}
