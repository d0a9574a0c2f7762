package import TableProtocol

/// Which rows of a local table, in which order, and from where: what a list on a screen asks its store.
///
/// It never goes to a server, so it can say more than `TableQuery`: how a word fits a text, what stands inside a text,
/// and a place in the order to read on from.
package struct RowQuery: Sendable, Hashable {
  package var table: String
  /// Nil is all rows.
  package var condition: RowCondition?
  /// Applied in order. The last one tells any two rows apart, as `id` does.
  package var order: [RowKey]
  package var start: Start
  /// At most so many rows. Nil is no limit.
  package var limit: Int?

  /// From where rows are read. A row is named, not numbered, so that a place deep in a table costs no more than its
  /// beginning. Only the values the row is sorted by count: it need not be in the table.
  package enum Start: Sendable, Hashable {
    case first
    /// The last rows, from the last one up.
    case last
    case after(Record)
    /// The rows before this one, from the nearest one up.
    case before(Record)
  }

  package init(
    table: String, condition: RowCondition? = nil, order: [RowKey] = [RowKey(.column(SystemColumn.id))],
    start: Start = .first, limit: Int? = nil
  ) {
    self.table = table
    self.condition = condition
    self.order = order
    self.start = start
    self.limit = limit
  }

  /// True when rows come in the opposite of the order.
  package var isBackward: Bool {
    switch start {
    case .first, .after: false
    case .last, .before: true
    }
  }

  /// The row that is read on from.
  package var anchor: Record? {
    switch start {
    case .first, .last: nil
    case .after(let record), .before(let record): record
    }
  }
}

/// One step of an order.
package struct RowKey: Sendable, Hashable {
  package var value: RowValue
  package var ascending: Bool

  package init(_ value: RowValue, ascending: Bool = true) {
    self.value = value
    self.ascending = ascending
  }
}

/// An order that a store can be asked to hold ready, among the rows that are alike in some columns.
package struct RowIndex: Sendable, Hashable {
  /// Unique in the store.
  package var name: String
  package var table: String
  /// Conditions on these columns come first: `=`, nothing else.
  package var alike: [String]
  package var order: [RowKey]

  package init(name: String, table: String, alike: [String] = [], order: [RowKey]) {
    self.name = name
    self.table = table
    self.alike = alike
    self.order = order
  }
}
