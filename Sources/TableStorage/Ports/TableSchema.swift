package import TableProtocol

/// A column that clients read and write.
package struct TableColumn: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case text, bool, number
  }

  package let name: String
  package let kind: Kind

  package init(name: String, kind: Kind) {
    self.name = name
    self.kind = kind
  }

  /// The meaning of a whole item without the column: some clients leave out `false` (wire 5).
  package var absentValue: FieldValue { kind == .bool ? .bool(false) : .null }
}

/// The columns of a table as they are now: clients may add some (wire 1, policy "store").
package struct TableSchema: Hashable, Sendable {
  /// More than any to-do list has; a limit because anybody may add one.
  package static let mostColumns = 100

  /// The clients' columns in the order they came to be.
  package var columns: [TableColumn]

  package init(columns: [TableColumn]) { self.columns = columns }

  /// The place of the column of that name, exactly or else without regard to the case of ASCII letters, as the servers
  /// of protocol 3.0.0 see names.
  package func index(of name: String) -> Int? {
    columns.firstIndex { $0.name == name } ?? columns.firstIndex { $0.name.lowercased() == name.lowercased() }
  }

  /// The name of a property as the table writes it; nil for one that it does not have.
  package func propertyName(_ name: String) -> String? {
    switch name.lowercased() {
    case "id": SystemColumn.id
    case "createdat": SystemColumn.createdAt
    case "updatedat": SystemColumn.updatedAt
    case "version": SystemColumn.version
    case "deleted": SystemColumn.deleted
    default: index(of: name).map { columns[$0].name }
    }
  }
}

/// A column that cannot be seen under its name, because that name is an alias of another (wire 1.1), and has values.
package struct HiddenColumn: Hashable, Sendable {
  /// The column that goes under the name.
  package let column: String
  package let name: String
  /// How many items have a value in the hidden one, in all lists together.
  package var items: Int

  package init(column: String, name: String, items: Int) {
    self.column = column
    self.name = name
    self.items = items
  }

  /// As `--alias` has it.
  package var alias: String { "\(column)=\(name)" }
}
