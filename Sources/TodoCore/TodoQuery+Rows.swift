import OfflineSync
import TableProtocol

extension TodoQuery {
  /// The rows next to an anchor, for the store.
  func rows(_ anchor: TodoAnchor = .first, limit: Int? = nil, today: CalendarDay) -> RowQuery {
    RowQuery(
      table: TodoList.table, condition: condition(today: today), order: order.keys, start: anchor.start, limit: limit)
  }

  private func condition(today: CalendarDay) -> RowCondition? {
    let conditions = viewConditions + TodoFilter(filter, today: today).conditions
    return conditions.isEmpty ? nil : .all(conditions)
  }

  private var viewConditions: [RowCondition] {
    switch view {
    case .open: [.matches(.compare(TodoColumn.complete, .equal, .bool(false)))]
    case .done: [.matches(.compare(TodoColumn.complete, .equal, .bool(true)))]
    case .all: []
    }
  }
}

extension TodoOrder {
  /// What items are sorted by. The moment of creation and the id come last in each.
  var keys: [RowKey] {
    let first: [RowKey] =
      switch self {
      case .created: []
      case .text: [RowKey(.caseless(TodoColumn.text))]
      case .due: [RowKey(.due)]
      case .priority: [RowKey(.priority)]
      case .updated: [RowKey(.optional(SystemColumn.updatedAt), ascending: false)]
      }
    return first + [RowKey(.column(SystemColumn.createdAt)), RowKey(.column(SystemColumn.id))]
  }

  /// What the store holds ready for this order; nil where its schema has it from the beginning.
  func index(for view: TodoView) -> RowIndex? {
    guard self != .created else { return nil }
    let name = "\(TodoList.table)_by_\(rawValue)"
    return view == .all
      ? RowIndex(name: name, table: TodoList.table, order: keys)
      : RowIndex(name: name + "_inState", table: TodoList.table, alike: [TodoColumn.complete], order: keys)
  }
}

extension RowValue {
  static let due = RowValue.date(TodoColumn.text, after: DueWord.mark)
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
  /// As much of an item as its place in an order depends on.
  fileprivate init(_ item: TodoItem) {
    self.init(
      id: item.id, values: [TodoColumn.text: .text(item.text)],
      system: SystemProperties(createdAt: item.createdAt ?? .epoch, updatedAt: item.updatedAt))
  }
}
