import GRDB
import TableSQL

/// The triggers, views and indexes of a database that comes from elsewhere. They would run with each write of the server:
/// a trigger could give a user the list of another, and an index refuse rows that are alike.
enum ForeignCode {
  /// Removes them, and makes the server's own indexes and triggers again: another may have the name of one. Those of a
  /// version without lists are left to the update, but for foreign triggers and views. No other connection may be open.
  static func remove(fromDatabaseAt path: String) throws {
    let database = try DatabaseCopy.open(path)
    try database.writeWithoutTransaction { database in
      // Before any statement that could make them run.
      try database.inTransaction {
        let version = try DatabaseInspection.version(of: database)
        let hasLists = version >= DatabaseInspection.firstVersionWithLists
        for (type, name) in try all(in: database) {
          if !hasLists, type == "INDEX" || name == ListPlace.first.trigger { continue }
          try database.execute(sql: "DROP \(type) \(SQLiteDialect.sqlite.quoted(name))")
        }
        for place in hasLists ? try ListPlace.all(in: database) : [] {
          try place.makeIndex(in: database)
          try place.makeTrigger(in: database)
        }
        if version >= KeptAnswerTable.firstVersion { try database.execute(sql: KeptAnswerTable.index) }
        return .commit
      }
    }
    try database.close()
  }

  private static func all(in database: Database) throws -> [(type: String, name: String)] {
    var found: [(String, String)] = []
    // The indexes of keys have no text.
    let sql = "SELECT upper(type), name FROM sqlite_schema WHERE type IN ('trigger', 'view', 'index') AND sql NOT NULL"
    try database.forEach(sql, isKept: false) { row in
      found.append((row.text(0) ?? "", row.text(1) ?? ""))
      return true
    }
    return found
  }
}
