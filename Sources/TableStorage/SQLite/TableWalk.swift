import GRDB
import GRDBSQLite
import TableSQL

/// Every row of a list's table, also in a file that another program has written: a value that is larger than any of the
/// server's is not loaded, and ends no walk.
struct TableWalk {
  /// A row that the walk comes to.
  enum Row {
    /// It stands at these columns until the walk goes on; the number of the row follows them, if it has a name.
    case read(SQLiteRow)
    /// One of the columns has a value that is too large. The number is that of the row.
    case tooLarge(Int64)
  }

  private let database: Database
  /// As SQL has them.
  private let table: String
  private let columns: String
  /// The number of a row, under a name that no client has given to a column; nil if clients have taken all of them.
  private let number: String?

  init(_ place: ListPlace, _ columns: [String], _ schema: TableSchema, in database: Database) {
    self.database = database
    table = SQLiteDialect.sqlite.quoted(place.table)
    self.columns = columns.map(SQLiteDialect.sqlite.quoted).joined(separator: ", ")
    let taken = Set(schema.columns.map { $0.name.lowercased() })
    number = ["rowid", "oid", "_rowid_"].first { !taken.contains($0) }
  }

  /// In the order of their numbers. Within `body` the connection reads no value that is too large.
  func visit(_ body: (Row) throws -> Void) throws {
    let connection = database.sqliteConnection
    let limit = sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, Int32(StatementWatch.largestValue))
    defer { sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, limit) }
    guard let number else {
      return try database.forEach("SELECT \(columns) FROM \(table)", isKept: false) { row in
        try body(.read(row))
        return true
      }
    }
    var start: Int64? = .min
    while let from = start { start = try walk(from: from, number, body) }
  }

  /// Returns where to go on: after a row that is too large. Nil if that was the last.
  private func walk(from start: Int64, _ number: String, _ body: (Row) throws -> Void) throws -> Int64? {
    let rest = "FROM \(table) WHERE \(number) >= ? ORDER BY \(number)"
    var next = start
    do {
      try database.forEach("SELECT \(columns), \(number) \(rest)", [start], isKept: false) { row in
        next = sqlite3_column_int64(row.statement, sqlite3_column_count(row.statement) - 1) &+ 1
        try body(.read(row))
        return true
      }
      return nil
    } catch let error as DatabaseError where error.resultCode == .SQLITE_TOOBIG {
      guard let large = try Int64.fetchOne(database, sql: "SELECT \(number) \(rest) LIMIT 1", arguments: [next]) else {
        throw error
      }
      try body(.tooLarge(large))
      return large == .max ? nil : large + 1
    }
  }

  /// Gives `body` these columns of a row that is too large, if none of them is.
  func read(_ columns: [String], ofRow row: Int64, _ body: (SQLiteRow) -> Void) throws {
    guard let number else { return }
    let names = columns.map(SQLiteDialect.sqlite.quoted).joined(separator: ", ")
    do {
      try database.forEach("SELECT \(names) FROM \(table) WHERE \(number) = ?", [row], isKept: false) {
        body($0)
        return false
      }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_TOOBIG {}
  }
}
