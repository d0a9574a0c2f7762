package import TableProtocol
package import TableSQL

/// A data table of the in-memory store: its name, and what its columns hold. Every table has the
/// columns `id`, `createdAt`, `updatedAt`, `version` and `deleted` beside those.
package struct InMemoryTable: Sendable, Hashable {
  package struct Column: Sendable, Hashable {
    package let name: String
    package let kind: SQLColumn.Kind
    /// What a new row holds when nothing is given, and what stands for null; nil in a column that
    /// may be null.
    package let fallback: FieldValue?

    package init(_ name: String, _ kind: SQLColumn.Kind, fallback: FieldValue? = nil) {
      self.name = name
      self.kind = kind
      self.fallback = fallback
    }
  }

  package let name: String
  package let columns: [Column]

  package init(_ name: String, columns: [Column]) {
    self.name = name
    self.columns = columns
  }

  /// What a column of a query holds; nil for a name the table has not.
  func kind(of name: String) -> SQLColumn.Kind? {
    switch name {
    case SystemColumn.id, SystemColumn.version: .text
    case SystemColumn.createdAt, SystemColumn.updatedAt: .timestampText
    case SystemColumn.deleted: .bool
    default: columns.first { $0.name == name }?.kind
    }
  }

  /// The row with what a record has merged into it, as the table stores it.
  func merged(_ record: Record, into stored: Record?) -> Record {
    var row = stored ?? Record(id: record.id)
    row.system.createdAt = record.system.createdAt ?? row.system.createdAt
    row.system.updatedAt = record.system.updatedAt ?? row.system.updatedAt
    row.system.version = record.system.version ?? row.system.version
    row.system.deleted = record.system.deleted
    for column in columns {
      if let value = record.values[column.name] {
        row.values[column.name] = column.stored(value)
      } else if stored == nil {
        row.values[column.name] = column.fallback ?? .null
      }
    }
    return row
  }
}

extension InMemoryTable.Column {
  /// The value as its column holds it: types follow the column (sync-rules Q24).
  func stored(_ value: FieldValue) -> FieldValue {
    switch (kind, value) {
    case (_, .null): fallback ?? .null
    case (.bool, .integer(let integer)): .bool(integer != 0)
    case (.number, .bool(let bool)), (.milliseconds, .bool(let bool)): .integer(bool ? 1 : 0)
    case (.text, .bool(let bool)), (.timestampText, .bool(let bool)): .text(bool ? "1" : "0")
    case (.text, .integer(let integer)), (.timestampText, .integer(let integer)): .text(String(integer))
    case (.text, .real(let real)), (.timestampText, .real(let real)): .text(String(real))
    default: value
    }
  }
}
