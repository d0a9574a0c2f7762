import GRDB
import TableSQL

/// A copy of a database that comes from elsewhere, of which only the rows are wanted.
///
/// Its triggers, constraints and computed columns would run with each write of the server: they could give a user the
/// list of another, or let no token be taken back.
struct ForeignDatabase {
  let path: String

  /// As the connection that copies the rows names it.
  private static let schema = "foreign_database"

  /// Brings it up to date, without its triggers, views and indexes. No other connection may be open. Returns how many
  /// rows the first list had before the update, tombstones included: before there were lists, that is all rows.
  func update() throws -> Int {
    let queue = try DatabaseCopy.open(path)
    let rows = try queue.write { database -> Int in
      // Before any statement that could make them run.
      try Self.removeCode(from: database)
      let rows = try ListPlace.first.countRows(in: database)
      try SchemaMigration.run(in: database, path: path)
      return rows
    }
    try queue.close()
    return rows
  }

  /// Makes a database of the empty file at `place`, with the rows of this one in tables that the server itself makes.
  /// The columns that clients have added come along, unless they are computed. Tables of no list do not. This one must
  /// be up to date. Throws `DatabaseError` for a table that is none of a server's, and rows that do not belong in one.
  func copyRows(to place: String) throws {
    let queue = try DatabaseCopy.open(place)
    try queue.writeWithoutTransaction { database in
      try database.execute(sql: "ATTACH DATABASE ? AS \(Self.schema)", arguments: [path])
      try database.inTransaction {
        try SQLiteStorage.makeTables(in: database)
        try database.execute(sql: "DELETE FROM StoredList")
        // In the order of the rows, which is that of the tokens.
        for table in DatabaseInspection.ownTables {
          try Self.copy(table, order: " ORDER BY rowid", in: database)
        }
        // An invitation must not lead to where a file says: the server notes its address at its next start.
        try database.execute(sql: "UPDATE ServerIdentity SET address = NULL")
        try Self.copyLists(in: database)
        return .commit
      }
    }
    try queue.close()
  }

  private static func removeCode(from database: Database) throws {
    let hasLists = try DatabaseInspection.version(of: database) >= DatabaseInspection.firstVersionWithLists
    var found: [(type: String, name: String)] = []
    // The indexes of keys have no text.
    let sql = "SELECT upper(type), name FROM sqlite_schema WHERE type IN ('trigger', 'view', 'index') AND sql NOT NULL"
    try database.forEach(sql, isKept: false) { row in
      found.append((row.text(0) ?? "", row.text(1) ?? ""))
      return true
    }
    for (type, name) in found {
      // The update removes this one.
      if !hasLists, name == ListPlace.first.trigger { continue }
      // A trigger goes with its view.
      try database.execute(sql: "DROP \(type) IF EXISTS \(SQLiteDialect.sqlite.quoted(name))")
    }
  }

  private static func copyLists(in database: Database) throws {
    let places = try ListPlace.all(in: database)
    guard places.contains(where: { $0.number == ListPlace.first.number }) else {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the first list is missing")
    }
    for place in places {
      if place.number != ListPlace.first.number { try place.makeTable(in: database) }
      let table = SQLiteDialect.sqlite.quoted(place.table)
      let own = Set(try columns(of: place.table, in: "main", database).map(\.name))
      for column in try columns(of: place.table, in: schema, database) where !own.contains(column.name) {
        let name = SQLiteDialect.sqlite.quoted(column.name)
        try database.execute(sql: "ALTER TABLE \(table) ADD COLUMN \(name) \(column.kind.type)")
      }
      try copy(place.table, in: database)
    }
  }

  /// Copies the columns that the new table has.
  private static func copy(_ table: String, order: String = "", in database: Database) throws {
    let columns = try columns(of: table, in: "main", database).map(\.name)
    let there = Set(try Self.columns(of: table, in: schema, database).map(\.name))
    if let missing = columns.first(where: { !there.contains($0) }) {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "\(table) has no column \(missing) of its own")
    }
    let names = columns.map(SQLiteDialect.sqlite.quoted).joined(separator: ", ")
    let name = SQLiteDialect.sqlite.quoted(table)
    try database.execute(
      sql: "INSERT INTO main.\(name) (\(names)) SELECT \(names) FROM \(schema).\(name)\(order)")
  }

  /// Without those that are computed or hidden.
  private static func columns(
    of table: String, in schema: String, _ database: Database
  ) throws -> [TableColumn] {
    var columns: [TableColumn] = []
    let sql = "SELECT name, type FROM pragma_table_xinfo(?, ?) WHERE hidden = 0"
    try database.forEach(sql, [table, schema], isKept: false) { row in
      columns.append(TableColumn(name: row.text(0) ?? "", kind: TableColumn.Kind(type: row.text(1) ?? "")))
      return true
    }
    return columns
  }
}
