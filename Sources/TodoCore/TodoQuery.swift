import OfflineSync
import TableProtocol

/// Which items a list shows, and in which order.
package struct TodoQuery: Sendable, Hashable {
  package var view: TodoView
  /// The typed filter. An empty filter shows everything; a filter that is not understood is an error.
  ///
  /// - `milk` stands in the text, or its letters do, in their order within one word (from three letters on), without
  ///   regard to case and accents
  /// - `'milk` stands in the text
  /// - `+sho`, `@ho` begin a word; `'+shop` is a whole word
  /// - `a b` both, `a | b` either, `(a | b) c` in this order, `!` before any of them turns it round
  /// - `due:` has a date; `due:today`, `due:fri`, `due:2026-12-24` is that day, `due:2026-12` that month
  /// - `due:<fri`, `due:<=fri`, `due:>fri`, `due:>=fri`, `due:mon..fri` before, until, after, from, between
  /// - `due:overdue` before today; `due:week` from today on for seven days; `due:none` without a date
  /// - `created:`, `done:` the same for when it was made or completed; `week` is then the last seven days
  /// - `done:none` was completed on a day that is not known, which no other `done:` with a day finds
  /// - `note:` has a note, `note:oat` has that in it
  /// - `(A)` has this priority
  package var filter: String
  package var order: TodoOrder

  package init(view: TodoView = .open, filter: String = "", order: TodoOrder = .created) {
    self.view = view
    self.filter = filter
    self.order = order
  }
}

package enum TodoView: Sendable, Hashable, CaseIterable {
  /// The open items by their dates, in groups.
  case agenda
  case open, all, done
}

/// Where in the order of the list a run of rows is read. It names a row and no number, so that reading costs the same
/// near the end of a long list as at its start.
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

/// The orders a list can be shown in. Items that are alike in it stand in the order they were created in.
package enum TodoOrder: String, Sendable, Hashable, CaseIterable {
  /// Those a person chooses among. Done items have one more.
  package static let allCases: [TodoOrder] = [.created, .text, .due, .priority, .project, .updated]

  /// Oldest first.
  case created
  /// By the alphabet, capital or not.
  case text
  /// Earliest date first, then by priority; without a date last.
  case due
  /// (A) first, then by date; without a priority last.
  case priority
  /// By the first project, then by date; without a project last.
  case project
  /// Items that the server never stored first, the newest of them first; then newest `updatedAt` first.
  case updated
  /// Those that were completed last first; then those of which it is not known when, or that are open. Of those that
  /// are alike in this, items that the server never stored first, then newest `updatedAt` first.
  case finished
}

extension TodoQuery {
  /// The rows next to an anchor, for the store.
  func rows(
    _ anchor: TodoAnchor = .first, limit: Int? = nil, today: CalendarDay
  ) throws(FilterProblem) -> RowQuery {
    RowQuery(
      table: TodoList.table, condition: try condition(today: today), order: order.keys, start: anchor.start,
      limit: limit)
  }

  private func condition(today: CalendarDay) throws(FilterProblem) -> RowCondition? {
    let filter = try TodoFilter(filter, today: today)
    let conditions = viewConditions(filter) + [filter.condition].compactMap(\.self)
    return conditions.isEmpty ? nil : .all(conditions)
  }

  /// A filter by done items searches all items, also in the view of open ones.
  private func viewConditions(_ filter: TodoFilter) -> [RowCondition] {
    switch view {
    case .agenda where filter.namesDone, .open where filter.namesDone: []
    case .agenda, .open: [.matches(.compare(TodoColumn.complete, .equal, .bool(false)))]
    case .done: [.matches(.compare(TodoColumn.complete, .equal, .bool(true)))]
    case .all: []
    }
  }
}

extension TodoOrder {
  /// The keys of the order. The moment of creation and the id are the last ones.
  var keys: [RowKey] {
    let first: [RowKey] =
      switch self {
      case .created: []
      case .text: [RowKey(.caseless(TodoColumn.text))]
      case .due: [RowKey(.due), RowKey(.priority)]
      case .priority: [RowKey(.priority), RowKey(.due)]
      case .project: [RowKey(.project), RowKey(.due)]
      case .updated: [RowKey(.optional(SystemColumn.updatedAt), ascending: false)]
      case .finished:
        [RowKey(.completion, ascending: false), RowKey(.optional(SystemColumn.updatedAt), ascending: false)]
      }
    return first + [
      RowKey(.column(SystemColumn.createdAt), ascending: self != .updated), RowKey(.column(SystemColumn.id)),
    ]
  }

  /// The index for this order; nil if the schema has it, or if there can be none: when an item was finished is in no
  /// column.
  func index(for view: TodoView) -> RowIndex? {
    guard self != .created, self != .finished else { return nil }
    let name = "\(TodoList.table)_by_\(rawValue)"
    return switch view {
    case .all: RowIndex(name: name, table: TodoList.table, order: keys)
    case .agenda, .open: inState(name, suffix: "_open", isDone: false)
    case .done: inState(name, suffix: "_done", isDone: true)
    }
  }

  /// Of the items in one state: an item that is done leaves the index, and need not be sorted into another.
  private func inState(_ name: String, suffix: String, isDone: Bool) -> RowIndex {
    let flag = RowIndex.Flag(TodoColumn.complete, is: isDone)
    return RowIndex(name: name + suffix, table: TodoList.table, flag: flag, order: keys)
  }
}

extension RowValue {
  static let completion = RowValue.turnedTrue(TodoColumn.complete)
  static let due = RowValue.date(TodoColumn.text, after: DueWord.mark)
  static let project = RowValue.word(TodoColumn.text, beginning: "+")
  static let priority = RowValue.capital(
    TodoColumn.text, between: PriorityLetter.opening, and: PriorityLetter.closing)
}

extension TodoAnchor {
  var start: RowQuery.Start {
    switch self {
    case .first: .first
    case .last: .last
    case .after(let item): .after(Record(item))
    case .before(let item): .before(Record(item))
    }
  }
}

extension Record {
  /// The properties of an item that decide its place in an order.
  init(_ item: TodoItem) {
    var values = [TodoColumn.text: FieldValue.text(item.text)]
    if let moment = item.completedAt { values[TodoColumn.complete] = .text(moment.text) }
    self.init(
      id: item.id, values: values,
      system: SystemProperties(createdAt: item.createdAt ?? .epoch, updatedAt: item.updatedAt))
  }
}
