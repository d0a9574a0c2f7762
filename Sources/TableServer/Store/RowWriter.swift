import TableProtocol

/// Writes what clients send into the columns of a table, adding a column where one is missing.
struct RowWriter {
  private(set) var schema: TableSchema
  let transaction: WriteTransaction

  func record(_ id: String) throws -> Record? {
    try StoredTable(schema).record(id, in: transaction.database)
  }

  mutating func insert(_ id: String, _ values: [String: FieldValue]) throws -> Record {
    let fitted = try completed(fit(values))
    return try StoredTable(schema).insert(id, fitted, in: transaction)
  }

  mutating func replace(_ id: String, _ values: [String: FieldValue]) throws -> Record {
    let fitted = try completed(fit(values))
    return try StoredTable(schema).update(id, fitted, deleted: false, in: transaction)
  }

  mutating func update(_ id: String, _ values: [String: FieldValue], deleted: Bool = false) throws -> Record {
    let fitted = try fit(values)
    return try StoredTable(schema).update(id, fitted, deleted: deleted, in: transaction)
  }

  /// The values by the names of their columns. A property that has no column yet gets one of its
  /// type, except that null says nothing of a type and is passed over.
  private mutating func fit(_ values: [String: FieldValue]) throws -> [String: FieldValue] {
    var fitted: [String: FieldValue] = [:]
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      if let column = schema.column(name) {
        fitted[column.name] = try column.fit(value)
      } else if let kind = TableColumn.Kind(of: value) {
        try schema.add(TableColumn(name: name, kind: kind), in: transaction.database)
        fitted[name] = value
      }
    }
    return fitted
  }

  private func completed(_ values: [String: FieldValue]) -> [String: FieldValue] {
    var complete = values
    for column in schema.columns where complete[column.name] == nil { complete[column.name] = column.absentValue }
    return complete
  }
}

extension TableColumn.Kind {
  init?(of value: FieldValue) {
    switch value {
    case .null: return nil
    case .bool: self = .bool
    case .integer, .real: self = .number
    case .text: self = .text
    }
  }
}

extension TableColumn {
  /// The value as the column holds it. Clients that keep booleans in SQLite send 0 and 1.
  func fit(_ value: FieldValue) throws(RequestError) -> FieldValue {
    switch (kind, value) {
    case (_, .null), (.text, .text), (.bool, .bool), (.number, .integer), (.number, .real): return value
    case (.bool, .integer(0)): return .bool(false)
    case (.bool, .integer(1)): return .bool(true)
    case (.text, _): throw .wrongValue(property: name, expected: "text or null")
    case (.bool, _): throw .wrongValue(property: name, expected: "true, false or null")
    case (.number, _): throw .wrongValue(property: name, expected: "a number or null")
    }
  }
}
