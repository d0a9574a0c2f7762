import FoundationEssentials
import GRDB
import OfflineSync
import TableProtocol

/// Which tables a store has, and whose file it is.
enum StoreSchema {
  /// `ebb1` in the header of the file says that it is a store of ours.
  static let applicationID: Int32 = 0x6562_6231
  /// The version that this program writes. A file with a larger number is from a newer program.
  static let version: Int32 = 5

  /// Throws `StoreError.newerVersion` or `.notAStore`; an empty database passes.
  static func check(_ database: Database, path: String) throws {
    let application = try Int32.fetchOne(database, sql: "PRAGMA application_id") ?? 0
    let stored = try Int32.fetchOne(database, sql: "PRAGMA user_version") ?? 0
    let tables = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_schema") ?? 0
    guard application == applicationID || (application == 0 && stored == 0 && tables == 0) else {
      throw StoreError.notAStore(path: path)
    }
    guard stored <= version else { throw StoreError.newerVersion(path: path) }
  }

  /// Version 1 noted from which server a query had been pulled, and not yet whose list that made it.
  private static let ownerOfVersion1 = """
    INSERT OR IGNORE INTO Ebb_Facts (name, value)
    SELECT 'account', json_object('server', value) FROM Ebb_Facts WHERE name = 'source TodoItem all'
    """

  /// Before version 3 each change was a step of its own.
  private static let stepsOfVersion2 = """
    ALTER TABLE Ebb_History ADD COLUMN step INTEGER NOT NULL DEFAULT 0;
    UPDATE Ebb_History SET step = id
    """

  /// Before version 4 the server's copy of a row with a pending change was set aside. Now it is judged at once, and so
  /// are the copies that are still there.
  private static func judgeCopiesOfVersion3(_ database: Database) throws {
    guard try database.tableExists("Ebb_Shadows") else { return }
    let rows = try Row.fetchAll(database, sql: #"SELECT "table", record FROM Ebb_Shadows"#)
    let copies = rows.compactMap { row in
      (try? Record(json: Array(row[1] as Data))).map { (table: row[0] as String, copy: $0) }
    }
    let environment = Environment.system
    let transaction = SQLiteTransaction(database: database)
    for (table, copies) in Dictionary(grouping: copies, by: \.table) where try database.tableExists(table) {
      try PulledPage(setAside: copies.map(\.copy), of: table, in: transaction).save(
        in: transaction, .sync(environment.now()), environment)
    }
    try database.execute(sql: "DROP TABLE Ebb_Shadows")
  }

  /// Makes the tables that are missing, in one transaction.
  static func bringUpToDate(_ database: Database, path: String) throws {
    guard try Int32.fetchOne(database, sql: "PRAGMA user_version") != version else { return }
    try database.inTransaction(.immediate) {
      try check(database, path: path)
      // Another program may have made them while this one waited.
      let stored = try Int32.fetchOne(database, sql: "PRAGMA user_version") ?? 0
      if stored < version {
        if (1...2).contains(stored) { try database.execute(sql: stepsOfVersion2) }
        try database.execute(sql: String(decoding: PackageResources.store_sql, as: UTF8.self))
        if stored == 1 { try database.execute(sql: ownerOfVersion1) }
        try judgeCopiesOfVersion3(database)
        try database.execute(sql: "PRAGMA application_id = \(applicationID)")
        try database.execute(sql: "PRAGMA user_version = \(version)")
      }
      return .commit
    }
  }

  /// Removes the statistics that another tool has left (`ANALYZE`), in an open transaction. They may be from a moment
  /// at which the journal was small: SQLite would read all of it for each row of a large change. And it would take an
  /// index that is made later, without statistics, for better than all others. The indexes are chosen well without any.
  ///
  /// Called by each transaction that writes, since the other tool may run at any time. The question takes some
  /// microseconds.
  static func removeStatistics(_ database: Database) throws {
    let transaction = SQLiteTransaction(database: database)
    let found = "SELECT 1 FROM sqlite_schema WHERE name IN ('sqlite_stat1', 'sqlite_stat4') LIMIT 1"
    guard try transaction.number(found) != nil else { return }
    // Other connections see that a table is gone. This one keeps what it has read of them until it reads the schema
    // again.
    try database.execute(
      sql: """
        DROP TABLE IF EXISTS sqlite_stat1; DROP TABLE IF EXISTS sqlite_stat4; PRAGMA writable_schema = RESET
        """)
  }
}

extension SQLiteStore {
  /// Adds the tables and columns that are missing. Tables keep their columns and rows. A store that lacks nothing is
  /// only read.
  func define(_ tables: [SyncTableDefinition]) throws {
    guard try !readSchema({ try tables.allSatisfy(SQLiteTransaction(database: $0).has) }) else { return }
    try writeSchema { database in for table in tables { try SQLiteTransaction(database: database).add(table) } }
  }
}

extension SQLiteTransaction {
  func has(_ table: SyncTableDefinition) throws -> Bool {
    let known = try columns(of: table.name)
    return !known.isEmpty && known.isSuperset(of: table.columns.keys.map { $0.lowercased() })
  }

  /// Adds a table, or the columns that an earlier definition of it did not have. The server's rows may hold something
  /// in such a column: the next pull compares them all.
  fileprivate func add(_ table: SyncTableDefinition) throws {
    let known = try columns(of: table.name)
    if known.isEmpty { try database.execute(sql: table.creation) }
    let missing = table.columns.filter { !known.contains($0.key.lowercased()) }.sorted { $0.key < $1.key }
    for (name, value) in missing {
      try database.execute(
        sql: "ALTER TABLE \(table.name.quotedDatabaseIdentifier) ADD COLUMN \(value.column(named: name))")
    }
    if !known.isEmpty, !missing.isEmpty { try setFact(SyncFact.newColumns(of: table.name), "1") }
  }

  /// Returns the names in small letters, as SQLite compares them; none if there is no such table.
  private func columns(of table: String) throws -> Set<String> {
    var names: Set<String> = []
    try forEachRow("PRAGMA table_info(\(table.quotedDatabaseIdentifier))") { row in
      if let name = row.text(1) { names.insert(name.lowercased()) }
    }
    return names
  }
}

extension SyncTableDefinition {
  /// Without the application's columns.
  fileprivate var creation: String {
    """
    CREATE TABLE \(name.quotedDatabaseIdentifier) (id TEXT NOT NULL PRIMARY KEY, createdAt TEXT, updatedAt TEXT, \
    version TEXT, deleted BOOLEAN NOT NULL DEFAULT 0)
    """
  }
}

extension FieldValue {
  /// The declaration of a column that holds values like this one, which is its default.
  fileprivate func column(named name: String) -> String {
    let name = name.quotedDatabaseIdentifier
    return switch self {
    case .null: "\(name) TEXT"
    case .bool(let bool): "\(name) BOOLEAN NOT NULL DEFAULT \(bool ? 1 : 0)"
    case .integer(let integer): "\(name) INTEGER DEFAULT \(integer)"
    case .real(let real): "\(name) REAL DEFAULT \(real)"
    case .text(let text): "\(name) TEXT NOT NULL DEFAULT '\(text.replacing("'", with: "''"))'"
    }
  }
}
