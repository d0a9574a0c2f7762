import GRDB
import TableProtocol

/// Reads rows of `SELECT columnList(schema) FROM …`: the id, the clients' columns, then the
/// server's own.
struct RowReader {
  private let columns: [TableColumn]

  init(_ schema: TableSchema) {
    columns = schema.columns
  }

  static func columnList(_ schema: TableSchema) -> String {
    let names =
      [SystemColumn.id] + schema.columns.map(\.name)
      + [SystemColumn.createdAt, SystemColumn.updatedAt, SystemColumn.version, SystemColumn.deleted]
    return names.map { "\"\($0)\"" }.joined(separator: ", ")
  }

  func record(_ row: Row) -> Record {
    var record = Record(id: RecordID(row[0]))
    for (index, column) in columns.enumerated() {
      record.values[column.name] = value(of: column, in: row, at: index + 1)
    }
    let system = columns.count + 1
    record.system = SystemProperties(
      createdAt: Timestamp(milliseconds: row[system]), updatedAt: Timestamp(milliseconds: row[system + 1]),
      version: RecordVersion(row[system + 2]), deleted: row[system + 3])
    return record
  }

  private func value(of column: TableColumn, in row: Row, at index: Int) -> FieldValue {
    if row.hasNull(atIndex: index) { return .null }
    switch column.kind {
    case .text: return .text(row[index])
    case .bool: return .bool(row[index])
    case .number:
      if case .int64(let integer) = (row[index] as DatabaseValue).storage { return .integer(integer) }
      return .real(row[index])
    }
  }

  /// Writes the row as JSON with no record in between: a page holds thousands.
  ///
  /// Items of protocol 3.0.0 carry `createdAt` too, although that version has none: its clients pass
  /// over what they do not know, and a device can then order its list by it, whichever version it
  /// speaks.
  func write(_ row: Row, select: Set<String>?, to writer: inout JSONWriter) {
    var isFirst = true
    func member(_ name: String, _ write: () -> Void) {
      guard select?.contains(name) != false else { return }
      writer.member(name, isFirst: isFirst)
      isFirst = false
      write()
    }
    let system = columns.count + 1
    writer.raw("{")
    member(SystemColumn.id) { writer.string(row[0]) }
    for (index, column) in columns.enumerated() {
      member(column.name) { writer.value(value(of: column, in: row, at: index + 1)) }
    }
    member(SystemColumn.createdAt) { writer.timestamp(Timestamp(milliseconds: row[system])) }
    member(SystemColumn.updatedAt) { writer.timestamp(Timestamp(milliseconds: row[system + 1])) }
    member(SystemColumn.version) { writer.string(row[system + 2]) }
    member(SystemColumn.deleted) { writer.raw(row[system + 3] ? "true" : "false") }
    writer.raw("}")
  }
}
