import FoundationEssentials
import GRDB
import GRDBSQLite
import TableProtocol
import TableSQL

/// The current row of a statement. Reads each column directly from SQLite when asked. Valid until the next step.
struct StatementRow {
  private let statement: OpaquePointer

  fileprivate init(_ statement: OpaquePointer) { self.statement = statement }

  func isNull(_ column: Int) -> Bool { sqlite3_column_type(statement, Int32(column)) == SQLITE_NULL }
  func integer(_ column: Int) -> Int64 { sqlite3_column_int64(statement, Int32(column)) }
  func bool(_ column: Int) -> Bool { integer(column) != 0 }

  /// Returns nil for NULL. Bytes that are not UTF-8 become replacement characters.
  func text(_ column: Int) -> String? {
    // The text before its length: asking for it is what makes the length that of UTF-8.
    guard let start = sqlite3_column_text(statement, Int32(column)) else { return nil }
    return String(decoding: UnsafeBufferPointer(start: start, count: length(column)), as: UTF8.self)
  }

  /// The bytes of a blob, or of a text; empty for NULL.
  func data(_ column: Int) -> Data {
    guard let start = sqlite3_column_blob(statement, Int32(column)) else { return Data() }
    return Data(bytes: start, count: length(column))
  }

  func id(_ column: Int) -> RecordID { RecordID(text(column) ?? "") }
  func timestamp(_ column: Int) -> Timestamp? { text(column).flatMap { Timestamp($0) } }

  /// Returns the value of a user's column. A column of truth values holds numbers. A blob, which no program of ours
  /// writes there, is returned as Base64.
  func value(_ column: Int, isBoolean: Bool) -> FieldValue {
    switch sqlite3_column_type(statement, Int32(column)) {
    case SQLITE_INTEGER: isBoolean ? .bool(bool(column)) : .integer(integer(column))
    case SQLITE_FLOAT: .real(sqlite3_column_double(statement, Int32(column)))
    case SQLITE_TEXT: .text(text(column) ?? "")
    case SQLITE_BLOB: .text(data(column).base64EncodedString())
    default: .null
    }
  }

  /// The UTF-8 of a column, until the next row.
  func utf8(_ column: Int) -> UnsafeBufferPointer<UInt8> {
    let start = sqlite3_column_text(statement, Int32(column))
    return UnsafeBufferPointer(start: start, count: length(column))
  }

  private func length(_ column: Int) -> Int { Int(sqlite3_column_bytes(statement, Int32(column))) }
}

extension SQLiteTransaction {
  /// The number in the first column of the only row; nil without a row, and for NULL.
  func number(_ sql: String, _ arguments: StatementArguments = []) throws -> Int64? {
    var number: Int64?
    try forEachRow(sql, arguments) { number = $0.isNull(0) ? nil : $0.integer(0) }
    return number
  }

  /// The text in the first column of the only row; nil without a row, and for NULL.
  func text(_ sql: String, _ arguments: StatementArguments = []) throws -> String? {
    var text: String?
    try forEachRow(sql, arguments) { text = $0.text(0) }
    return text
  }

  /// Calls `body` at each row of the query; `more` are arguments after its own.
  func forEachRow(
    _ query: SQLFragment, _ more: StatementArguments = [], _ body: (StatementRow) throws -> Void
  ) throws {
    try forEachRow(SQLiteDialect.sqlite.statement(query), query.statementArguments + more, body)
  }

  /// Calls `body` at each row of the statement. An error that `body` throws ends the walk.
  func forEachRow(
    _ sql: String, _ arguments: StatementArguments = [], _ body: (StatementRow) throws -> Void
  ) throws {
    let statement = try database.cachedStatement(sql: sql)
    try statement.setArguments(arguments)
    let rows = statement.sqliteStatement
    defer { sqlite3_reset(rows) }
    while true {
      switch sqlite3_step(rows) {
      case SQLITE_ROW: try body(StatementRow(rows))
      case SQLITE_DONE: return
      case let code: throw failure(code)
      }
    }
  }

  /// Runs a statement that writes, with a value for each of its parameters in their order.
  ///
  /// It binds them directly: a page of a pull has a thousand rows, and for each of them the arguments of GRDB take
  /// about as long as the write. So GRDB does not see the write. Tell it once with `notifyChanges`, or by another write
  /// to the same table.
  func run(_ statement: Statement, _ values: some Sequence<DatabaseValue>) throws {
    let statement = statement.sqliteStatement
    defer { sqlite3_reset(statement) }
    var index: Int32 = 0
    for value in values {
      index += 1
      let code = value.bind(to: statement, at: index)
      guard code == SQLITE_OK else { throw failure(code) }
    }
    let code = sqlite3_step(statement)
    guard code == SQLITE_DONE else { throw failure(code) }
  }

  private func failure(_ code: Int32) -> DatabaseError {
    DatabaseError(
      resultCode: ResultCode(rawValue: sqlite3_extended_errcode(database.sqliteConnection)),
      message: database.lastErrorMessage ?? String(cString: sqlite3_errstr(code)))
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
