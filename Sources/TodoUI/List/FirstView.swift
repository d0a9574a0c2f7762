import TodoCore

/// Whether the view that the list opened with may still become the agenda.
///
/// The list opens with the agenda if an open item has a date. So it becomes the agenda once the first dates have come:
/// when the typing of new items ends, or with the first rows of a list that was empty. It never does while a key may be
/// meant for a row under the cursor, and not after a view or an order was chosen.
struct FirstView: Equatable, Sendable {
  private var isChosen = false
  private var hasNewDate = false

  /// A view or an order was chosen: it stays.
  mutating func choose() { isChosen = true }

  /// Notes whether items that were added here have a date.
  mutating func note(added items: [TodoItem]) {
    if items.contains(where: { TodoNotation($0.line).due != nil }) { hasNewDate = true }
  }

  /// True if the view is the one for a list without dates, and nobody chose it.
  func isOpen(_ view: TodoView) -> Bool { !isChosen && view == .open }

  /// True if items with a date were added here meanwhile.
  func becomesAgenda(from view: TodoView) -> Bool { isOpen(view) && hasNewDate }
}
