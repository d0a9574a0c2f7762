import FoundationEssentials
import GRDB
import GRDBSQLite
import SQLiteStatements
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
  func bytes(_ column: Int) -> [UInt8] {
    guard let start = sqlite3_column_blob(statement, Int32(column)) else { return [] }
    return Array(UnsafeRawBufferPointer(start: start, count: length(column)))
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
    case SQLITE_BLOB: .text(Data(bytes(column)).base64EncodedString())
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
  func number(_ sql: String, _ values: [any DatabaseValueConvertible] = []) throws -> Int64? {
    var number: Int64?
    try forEachRow(sql, values) { number = $0.isNull(0) ? nil : $0.integer(0) }
    return number
  }

  /// The text in the first column of the only row; nil without a row, and for NULL.
  func text(_ sql: String, _ values: [any DatabaseValueConvertible] = []) throws -> String? {
    var text: String?
    try forEachRow(sql, values) { text = $0.text(0) }
    return text
  }

  /// Calls `body` at each row of the query; `more` are values after its own.
  func forEachRow(
    _ query: SQLFragment, _ more: [any DatabaseValueConvertible] = [], _ body: (StatementRow) throws -> Void
  ) throws {
    try forEachRow(SQLiteDialect.sqlite.statement(query), query.databaseValues + more, body)
  }

  /// Calls `body` at each row of the statement. An error that `body` throws ends the walk.
  func forEachRow(
    _ sql: String, _ values: [any DatabaseValueConvertible] = [], _ body: (StatementRow) throws -> Void
  ) throws {
    try database.cachedStatement(sql: sql).walk(values) { rows in
      try body(StatementRow(rows))
      return true
    }
  }
}
