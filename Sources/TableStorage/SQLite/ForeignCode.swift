import GRDB
import TableSQL

/// The triggers and views of a database that comes from elsewhere: they would run with each write of the server, and
/// could give a user the list of another.
enum ForeignCode {
  /// Removes all but the server's own triggers, which are made again. No other connection may be open.
  static func remove(fromDatabaseAt path: String) throws {
    let database = try DatabaseCopy.open(path)
    try database.writeWithoutTransaction { database in
      // Before any statement that could make them run.
      try database.inTransaction {
        let hasLists = try DatabaseInspection.version(of: database) >= DatabaseInspection.firstVersionWithLists
        for (type, name) in try all(in: database) where hasLists || name != ListPlace.first.trigger {
          try database.execute(sql: "DROP \(type) \(SQLiteDialect.sqlite.quoted(name))")
        }
        if hasLists { for place in try ListPlace.all(in: database) { try place.makeTrigger(in: database) } }
        return .commit
      }
    }
    try database.close()
  }

  private static func all(in database: Database) throws -> [(type: String, name: String)] {
    var found: [(String, String)] = []
    let sql = "SELECT type, name FROM sqlite_schema WHERE type IN ('trigger', 'view')"
    try database.forEach(sql, isKept: false) { row in
      found.append((row.text(0) == "view" ? "VIEW" : "TRIGGER", row.text(1) ?? ""))
      return true
    }
    return found
  }
}
