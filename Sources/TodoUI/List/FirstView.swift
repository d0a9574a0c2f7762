import TableProtocol
import TodoCore

/// Whether the view that the list opened with may still become the agenda.
///
/// The list opens with the agenda if an open item has a date. So it becomes the agenda once the first dates have been
/// added: when the typing of new items ends, or with the first rows of a list that was empty. It never does while a key
/// may be meant for a row under the cursor, and not after a view or an order was chosen. A list in which others set the
/// first dates, or a key did, stays as it is: who works in it has seen them.
struct FirstView: Equatable, Sendable {
  private var isChosen = false
  /// The items with a date that were added here.
  private var dated: Set<RecordID> = []

  /// A view or an order was chosen: it stays.
  mutating func choose() { isChosen = true }

  mutating func note(added items: [TodoItem]) { dated.formUnion(items.filter(\.isDated).map(\.id)) }

  /// True if the view is the one for a list without dates, and nobody chose it.
  func isOpen(_ view: TodoView) -> Bool { !isChosen && view == .open }

  /// True if the list, which shows `view`, may have got its first dates here: it is read how it would open now.
  func mayBecomeAgenda(from view: TodoView) -> Bool { isOpen(view) && !dated.isEmpty }

  /// Returns true if the list becomes the agenda. It would open with `opening` now, which begins with these rows. If
  /// one of them had its date before, or got it elsewhere, the list stays as it is, from now on.
  mutating func becomesAgenda(from view: TodoView, opening: TodoView, with rows: [TodoItem]) -> Bool {
    guard mayBecomeAgenda(from: view), opening == .agenda else { return false }
    if rows.contains(where: { $0.isDated && !dated.contains($0.id) }) { choose() }
    return !isChosen
  }
}

extension TodoItem {
  fileprivate var isDated: Bool { TodoNotation(line).due != nil }
}
