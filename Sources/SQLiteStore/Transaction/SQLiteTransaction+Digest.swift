import GRDB
import GRDBSQLite
import TableProtocol

extension SQLiteTransaction {
  /// Looks at every row, without making a value of anything: a hundred thousand are to be no more than a blink.
  func digest(of table: String) throws -> TableDigest {
    let statement = try database.cachedStatement(
      sql: """
        SELECT id, version FROM \(table.quotedDatabaseIdentifier) WHERE version IS NOT NULL AND NOT deleted
        """)
    let rows = statement.sqliteStatement
    defer { sqlite3_reset(rows) }
    var digest = TableDigest()
    while true {
      switch sqlite3_step(rows) {
      case SQLITE_ROW: digest.add(hash: TableDigest.hash(Self.text(rows, 0), Self.text(rows, 1)))
      case SQLITE_DONE: return digest
      case let code:
        throw DatabaseError(resultCode: ResultCode(rawValue: code), message: database.lastErrorMessage)
      }
    }
  }

  /// The UTF-8 of a column, until the next row.
  private static func text(_ row: OpaquePointer, _ column: Int32) -> UnsafeBufferPointer<UInt8> {
    // The text before its length: asking for it is what makes the length that of UTF-8.
    let start = sqlite3_column_text(row, column)
    return UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(row, column)))
  }
}
