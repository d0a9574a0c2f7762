/// Which items a list shows.
package struct TodoQuery: Sendable, Hashable {
  package var view: TodoView
  /// What was typed into the filter. Words are looked for in the text without regard to case, and
  /// all of them must be there; an empty filter shows everything.
  package var filter: String
  package var order = TodoOrder.created

  package init(view: TodoView = .open, filter: String = "") {
    self.view = view
    self.filter = filter
  }
}

package enum TodoView: Sendable, Hashable, CaseIterable {
  case open, all, done
}

/// From where in the order of the list a run of rows is read. Rows are named, not numbered, so that
/// reading near the end of a long list costs the same as at its start.
package enum TodoAnchor: Sendable, Hashable {
  /// The first rows, downwards.
  case first
  /// The last rows; still given in the order of the list.
  case last
  /// The rows that come after this item.
  case after(TodoItem)
  /// The rows just before this item, in the order of the list.
  case before(TodoItem)
}
