package import TodoCore

/// A run of rows to be read from the list.
package enum RowRequest: Equatable, Sendable {
  case first(count: Int)
  case last(count: Int)
  case below(TodoItem, count: Int)
  case above(TodoItem, count: Int)
  /// The rows on both sides of an item and the item itself, as it is now. Where it is no longer in the
  /// list: the rows round the place of `orElse`, or round where it was.
  case around(TodoItem, orElse: TodoItem?, count: Int)
}

/// A run of rows that is looked for while the keys go on: a filter that fits few items looks at all of them.
package struct RowSearch: Equatable, Sendable {
  /// Tells it apart from those before it.
  var number: Int
  var query: TodoQuery
  var request: RowRequest
}

/// The rows that were read, in the order of the list.
package struct RowPage: Equatable, Sendable {
  package var rows: [TodoItem]
  package var startsAtFirst: Bool
  package var endsAtLast: Bool
  /// The place in `rows` of the item that was asked for, or of the one that took its place.
  package var focus = 0

  package init(rows: [TodoItem], startsAtFirst: Bool, endsAtLast: Bool, focus: Int = 0) {
    self.rows = rows
    self.startsAtFirst = startsAtFirst
    self.endsAtLast = endsAtLast
    self.focus = focus
  }
}
