import GRDB
import GRDBSQLite
import SQLiteStatements
import TableProtocol
import TableSQL

/// The row that a statement stands at, until it steps on.
///
/// A file may be damaged, or another program may have written it: nothing here relies on a value being of the type of
/// its column.
struct SQLiteRow {
  let statement: OpaquePointer

  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }

  /// Nil unless the value is a whole number.
  func integer(_ column: Int32) -> Int64? {
    sqlite3_column_type(statement, column) == SQLITE_INTEGER ? sqlite3_column_int64(statement, column) : nil
  }

  /// Nil unless the value is a text.
  func text(_ column: Int32) -> String? {
    sqlite3_column_type(statement, column) == SQLITE_TEXT ? String(decoding: utf8(column), as: UTF8.self) : nil
  }

  /// Nil unless the value is a whole number, of milliseconds since 1970.
  func moment(_ column: Int32) -> Timestamp? { integer(column).map(Timestamp.init(milliseconds:)) }

  /// The bytes of a text or a blob.
  func utf8(_ column: Int32) -> UnsafeBufferPointer<UInt8> {
    // The text before its length: asking for it is what makes the length that of UTF-8.
    let start = sqlite3_column_text(statement, column)
    return UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
  }

  /// As SQLite names it, such as `SQLITE_TEXT`.
  func type(_ column: Int32) -> Int32 { sqlite3_column_type(statement, column) }

  /// Whether ``value(_:_:)`` can read the value, which is not looked at.
  func fits(_ kind: TableColumn.Kind, _ column: Int32) -> Bool {
    switch (kind, type(column)) {
    case (_, SQLITE_NULL), (.text, SQLITE_TEXT), (.bool, SQLITE_INTEGER), (.number, SQLITE_INTEGER),
      (.number, SQLITE_FLOAT):
      true
    case (.text, _), (.bool, _), (.number, _): false
    }
  }

  /// Nil for a value that does not fit the column.
  func value(_ kind: TableColumn.Kind, _ column: Int32) -> FieldValue? {
    switch (kind, sqlite3_column_type(statement, column)) {
    case (_, SQLITE_NULL): .null
    case (.text, SQLITE_TEXT): text(column).map(FieldValue.text)
    case (.bool, SQLITE_INTEGER): .bool(sqlite3_column_int64(statement, column) != 0)
    case (.number, SQLITE_INTEGER): .integer(sqlite3_column_int64(statement, column))
    case (.number, SQLITE_FLOAT): .real(sqlite3_column_double(statement, column))
    case (.text, _), (.bool, _), (.number, _): nil
    }
  }
}

/// The hash of a row that SQLite stands at.
extension RowDigest {
  /// Of a stored row. `first` is the place of the id; version, createdAt, updatedAt, deleted and the columns follow.
  init(row: OpaquePointer, first: Int32, _ columns: [TableColumn]) {
    self.init()
    for place in first..<first + 5 { add(row, place) }
    for (column, place) in zip(columns, (first + 5)...) where sqlite3_column_type(row, place) != SQLITE_NULL {
      add(column.name)
      add(row, place)
    }
  }

  private mutating func add(_ row: OpaquePointer, _ place: Int32) {
    switch sqlite3_column_type(row, place) {
    case SQLITE_INTEGER: add(sqlite3_column_int64(row, place))
    case SQLITE_FLOAT: add(sqlite3_column_double(row, place))
    case SQLITE_NULL: addNull()
    default: add(SQLiteRow(statement: row).utf8(place))
    }
  }
}

extension Database {
  /// Gives `body` the rows of a query until it returns false. A statement that comes often may be kept; how many
  /// different ones are kept is the caller's care.
  func forEach(
    _ sql: String, _ values: [any DatabaseValueConvertible] = [], isKept: Bool = true,
    _ body: (SQLiteRow) throws -> Bool
  ) throws {
    try (isKept ? cachedStatement(sql: sql) : makeStatement(sql: sql)).forEach(values, body)
  }

  /// The whole number in the first column of a query's first row; nil for any other value, and without a row.
  func integer(_ sql: String, _ values: [any DatabaseValueConvertible] = [], isKept: Bool = true) throws -> Int64? {
    var number: Int64?
    try forEach(sql, values, isKept: isKept) { row in
      number = row.integer(0)
      return false
    }
    return number
  }

  /// True if a query has a row.
  func hasRow(_ sql: String, _ values: [any DatabaseValueConvertible] = [], isKept: Bool = true) throws -> Bool {
    var hasRow = false
    try forEach(sql, values, isKept: isKept) { _ in
      hasRow = true
      return false
    }
    return hasRow
  }
}

extension Statement {
  func forEach(_ values: [any DatabaseValueConvertible], _ body: (SQLiteRow) throws -> Bool) throws {
    try walk(values) { try body(SQLiteRow(statement: $0)) }
  }
}
