import TableProtocol
import TableStorage

/// The values of an item that a client sends, each as its column holds it.
struct FittedValues {
  /// By the place of the column in the table's; nil where the client says nothing. Those of the new columns come last.
  private var values: [FieldValue?]
  private var columns: [TableColumn]
  /// Columns that the table has not yet.
  private(set) var newColumns: [TableColumn] = []

  /// A property that has no column yet gets one of its type, except that null says nothing of a type and
  /// is passed over. Throws before anything is changed.
  init(_ sent: [String: FieldValue], _ schema: TableSchema) throws(RequestError) {
    columns = schema.columns
    values = []
    values.reserveCapacity(schema.columns.count)
    var found = 0
    for column in schema.columns {
      let value = sent[column.name]
      if value != nil { found += 1 }
      values.append(try value.map { value throws(RequestError) in try column.fit(value) })
    }
    if found < sent.count { try place(sent, schema) }
  }

  /// Gives `body` each column, the new ones too, and its value; nil where the client says nothing. Of a whole item a
  /// column that is left out gets what its absence means (wire 5).
  func forEach(isWhole: Bool, _ body: (TableColumn, FieldValue?) -> Void) {
    for (column, value) in zip(columns, values) {
      body(column, value ?? (isWhole ? column.absentValue : nil))
    }
  }

  /// Finds a place for names that are written in another way than the column's, or are new.
  private mutating func place(_ sent: [String: FieldValue], _ schema: TableSchema) throws(RequestError) {
    for (name, value) in sent.sorted(by: { $0.key < $1.key }) {
      if let index = schema.index(of: name) {
        values[index] = try schema.columns[index].fit(value)
      } else if let kind = TableColumn.Kind(of: value) {
        let column = TableColumn(name: name, kind: kind)
        columns.append(column)
        newColumns.append(column)
        values.append(value)
      }
    }
    guard columns.count <= TableSchema.mostColumns else {
      throw .property(.tooMany(TableSchema.mostColumns))
    }
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
  fileprivate func fit(_ value: FieldValue) throws(RequestError) -> FieldValue {
    switch (kind, value) {
    case (_, .null), (.text, .text), (.bool, .bool), (.number, .integer), (.number, .real): return value
    case (.bool, .integer(0)): return .bool(false)
    case (.bool, .integer(1)): return .bool(true)
    case (.number, .text(let text)):
      guard let number = FieldValue(numberText: text) else {
        throw .property(.wrongValue(name, expected: "a number or null"))
      }
      return number
    case (.text, _): throw .property(.wrongValue(name, expected: "text or null"))
    case (.bool, _): throw .property(.wrongValue(name, expected: "true, false or null"))
    case (.number, .bool): throw .property(.wrongValue(name, expected: "a number or null"))
    }
  }
}

extension FieldValue {
  /// A number that was sent as a text, written as JSON writes numbers: clients do so with those that JavaScript can't
  /// hold, as 64 bits (wire 5). Nil for any other text.
  fileprivate init?(numberText text: String) {
    let (digits, bytes) = (UInt8(ascii: "0")...UInt8(ascii: "9"), Array(text.utf8))
    guard let first = bytes.first, first == UInt8(ascii: "-") || digits.contains(first),
      bytes.last.map(digits.contains) == true, var reader = try? JSONReader(bytes),
      let value = try? reader.value(), (try? reader.end()) != nil
    else { return nil }
    self = value
  }
}
