import GRDBSQLite
import TableProtocol

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
