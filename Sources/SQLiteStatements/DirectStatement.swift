import FoundationEssentials
package import GRDB
import GRDBSQLite

/// Statements that run for thousands of rows or many times a second, past the values that GRDB makes of each row, and
/// past its arguments, which take longer than to find a row.
extension Statement {
  /// Calls `body` at each row until it returns false or throws. It gets SQLite's own statement, which stands at the row
  /// until `body` returns. `values` are those of the parameters in their order.
  package func walk(
    _ values: [any DatabaseValueConvertible] = [], _ body: (OpaquePointer) throws -> Bool
  ) throws {
    let rows = sqliteStatement
    defer { sqlite3_reset(rows) }
    try bind(values.count) { values[$0].databaseValue }
    while true {
      switch sqlite3_step(rows) {
      case SQLITE_ROW:
        if try !body(rows) { return }
      case SQLITE_DONE:
        return
      case let code:
        throw DatabaseError(code, of: rows)
      }
    }
  }

  /// Runs a statement that writes, with a value for each of its parameters in their order.
  ///
  /// GRDB does not see the write. If something observes the database, tell GRDB once with `notifyChanges`, or by another
  /// write to the same table.
  package func run(_ values: [DatabaseValue] = []) throws {
    let statement = sqliteStatement
    defer { sqlite3_reset(statement) }
    try bind(values.count) { values[$0] }
    let code = sqlite3_step(statement)
    guard code == SQLITE_DONE else { throw DatabaseError(code, of: statement) }
  }

  /// Every parameter gets a value: a statement that is used again keeps those of the last time.
  private func bind(_ count: Int, _ value: (Int) -> DatabaseValue) throws {
    let statement = sqliteStatement
    guard count == Int(sqlite3_bind_parameter_count(statement)) else {
      throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "values for a statement: \(count)", sql: sql)
    }
    for place in 0..<count {
      let code = value(place).bind(to: statement, at: Int32(place + 1))
      guard code == SQLITE_OK else { throw DatabaseError(code, of: statement) }
    }
  }
}

extension DatabaseValue {
  /// SQLite makes copies of texts and blobs, in memory that it keeps for the next ones.
  private static var copies: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

  /// Returns SQLite's result code.
  fileprivate func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    switch storage {
    case .null: sqlite3_bind_null(statement, index)
    case .int64(let number): sqlite3_bind_int64(statement, index, number)
    case .double(let number): sqlite3_bind_double(statement, index, number)
    // Without bytes there may be no address, and that would stand for NULL.
    case .string(""): sqlite3_bind_text(statement, index, "", 0, Self.copies)
    case .string(var text):
      text.withUTF8 { bytes in
        bytes.withMemoryRebound(to: CChar.self) { bytes in
          sqlite3_bind_text(statement, index, bytes.baseAddress, Int32(clamping: bytes.count), Self.copies)
        }
      }
    case .blob(let data) where data.isEmpty: sqlite3_bind_zeroblob(statement, index, 0)
    case .blob(let data):
      data.withUnsafeBytes { bytes in
        sqlite3_bind_blob(statement, index, bytes.baseAddress, Int32(clamping: bytes.count), Self.copies)
      }
    }
  }
}

extension DatabaseError {
  /// With SQLite's own words. `code` is used if SQLite does not say more.
  fileprivate init(_ code: Int32, of statement: OpaquePointer) {
    let connection = sqlite3_db_handle(statement)
    let extended = sqlite3_extended_errcode(connection)
    self.init(
      resultCode: ResultCode(rawValue: extended & 0xFF == code & 0xFF ? extended : code),
      message: String(cString: sqlite3_errmsg(connection)))
  }
}
