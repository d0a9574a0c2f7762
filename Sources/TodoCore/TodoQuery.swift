/// Which items a list shows, and in which order.
package struct TodoQuery: Sendable, Hashable {
  package var view: TodoView
  /// What was typed into the filter: words that must all hold. An empty filter shows everything, and every beginning of
  /// a filter is one.
  ///
  /// - `milk` stands in the text, or its letters do, in their order within one word (from three letters on)
  /// - `'milk` stands in the text
  /// - `+sho`, `@ho` begin a word; `'+shop` is a whole word
  /// - `due:` has a date; `due:today`, `due:fri`, `due:2026-12-24` is that day, `due:2026-12` that month
  /// - `due:<fri`, `due:>2026-12-24` before, after
  /// - `due:overdue` before today; `due:week` from today on for seven days; `due:none` without a date
  /// - `(A)` has this priority
  /// - `!` before any of them turns it round
  package var filter: String
  package var order: TodoOrder

  package init(view: TodoView = .open, filter: String = "", order: TodoOrder = .created) {
    self.view = view
    self.filter = filter
    self.order = order
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
