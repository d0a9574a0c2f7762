package import TableProtocol

/// A query of a list on a screen to its store: which rows of a local table, in which order, and from which place.
///
/// It never goes to a server, so it can express more than `TableQuery`: how a word matches a text, a value inside a
/// text, and a place in the order to continue from.
package struct RowQuery: Sendable, Hashable {
  package var table: String
  /// Nil for all rows.
  package var condition: RowCondition?
  /// The sort keys, first key first. The last key must be unique, as `id` is.
  package var order: [RowKey]
  package var start: Start
  /// The largest number of rows; nil for no limit.
  package var limit: Int?

  /// The place where reading starts. A row is named, not numbered, so that a place deep in a table costs no more than
  /// its beginning. Only the sort keys of that row matter: it need not be in the table.
  package enum Start: Sendable, Hashable {
    case first
    /// The last rows, backward from the last one.
    case last
    case after(Record)
    /// The rows before this row, backward from the nearest one.
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

  /// True if rows come in the reverse order.
  package var isBackward: Bool {
    switch start {
    case .first, .after: false
    case .last, .before: true
    }
  }

  /// The row that reading starts from; nil for either end.
  package var anchor: Record? {
    switch start {
    case .first, .last: nil
    case .after(let record), .before(let record): record
    }
  }
}

/// One sort key of an order.
package struct RowKey: Sendable, Hashable {
  package var value: RowValue
  package var ascending: Bool

  package init(_ value: RowValue, ascending: Bool = true) {
    self.value = value
    self.ascending = ascending
  }
}

/// An order that a store can prepare an index for.
package struct RowIndex: Sendable, Hashable {
  /// A boolean column, and its value in the rows that the index is for.
  package struct Flag: Sendable, Hashable {
    package var column: String
    package var isSet: Bool

    package init(_ column: String, is isSet: Bool) {
      self.column = column
      self.isSet = isSet
    }
  }

  /// Unique in the store.
  package var name: String
  package var table: String
  /// Only the rows with this flag are in the index; nil for all rows. Other rows then cost nothing when they change,
  /// and only queries with this very condition are served.
  package var flag: Flag?
  package var order: [RowKey]

  package init(name: String, table: String, flag: Flag? = nil, order: [RowKey]) {
    self.name = name
    self.table = table
    self.flag = flag
    self.order = order
  }
}

/// A condition on a row.
package indirect enum RowCondition: Sendable, Hashable {
  /// A filter that a server can evaluate too.
  case matches(Filter)
  /// The text of a column matches the pattern.
  case fits(column: String, TextPattern)
  /// The value sorts before, equals or sorts after a text. A row without such a value never matches.
  case compare(RowValue, Relation, String)
  /// The row has such a value.
  case has(RowValue)
  /// A sync made or changed the row, and the user has not seen that yet.
  case arrived
  /// A change of it waits to be sent.
  case isPending
  case not(RowCondition)
  case all([RowCondition])
  case any([RowCondition])

  package enum Relation: String, Sendable, Hashable {
    case less = "<"
    case equal = "="
    case greater = ">"
  }

  /// True if texts must be read word by word, so that no index can answer the condition.
  package var readsTexts: Bool {
    switch self {
    case .fits: true
    case .matches, .compare, .has, .arrived, .isPending: false
    case .not(let condition): condition.readsTexts
    case .all(let conditions), .any(let conditions): conditions.contains(where: \.readsTexts)
    }
  }
}
