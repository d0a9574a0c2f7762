import GRDB
import OfflineSync
import TableProtocol

extension SQLiteStore {
  /// Makes the tables, and the columns of them, that are missing. Tables that are there keep their columns and rows.
  func define(_ tables: [SyncTableDefinition]) throws {
    try writeSchema { database in
      for table in tables {
        let exists = try database.tableExists(table.name)
        if !exists { try database.execute(sql: table.creation) }
        let known = Set(try database.columns(in: table.name).map { $0.name.lowercased() })
        for (name, value) in table.columns.sorted(by: { $0.key < $1.key }) where !known.contains(name.lowercased()) {
          try database.execute(
            sql: "ALTER TABLE \(table.name.quotedDatabaseIdentifier) ADD COLUMN \(value.column(named: name))")
        }
      }
    }
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
