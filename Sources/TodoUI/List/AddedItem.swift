import TableProtocol
import TodoCore

/// The item that was added last, until it was looked for in the list: the view or the filter may hide it.
struct AddedItem: Equatable, Sendable {
  private var id: RecordID?

  mutating func note(_ id: RecordID) { self.id = id }

  /// Returns true if these rows were read to show the item, and it is not among them. It is looked for once.
  mutating func isHidden(in page: RowPage, for request: RowRequest) -> Bool {
    guard case .around(let item, _, _) = request, item.id == id else { return false }
    id = nil
    return !page.rows.contains { $0.id == item.id }
  }
}

extension ChangeNotice.Hider {
  /// Why an open item does not show in the list of this query; nil if all of them do.
  init?(_ query: TodoQuery) {
    if query.view == .done {
      self = .view
    } else if !query.filter.isEmpty {
      self = .filter
    } else {
      return nil
    }
  }
}
