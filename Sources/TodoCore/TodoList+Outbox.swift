import OfflineSync
package import TableProtocol

/// The changes that wait to be sent.
extension TodoList {
  /// The waiting changes of at most `limit` items, in the order in which they are sent.
  package func outbox(limit: Int) throws -> [WaitingChange] {
    try items.pending(limit: limit).compactMap(WaitingChange.init)
  }

  /// The waiting change of one item; nil if it has none.
  package func waitingChange(of id: RecordID) throws -> WaitingChange? {
    try items.pending([id]).first.flatMap(WaitingChange.init)
  }

  /// The number of items with a change that waits.
  package func outboxCount() throws -> Int {
    try items.pendingItemCount()
  }

  /// Drops the change of an item: the item becomes the server's copy, as far as it is known here. An item that the
  /// server never had disappears, and a deleted one comes back. Can be undone. Returns false if nothing waits any more.
  ///
  /// If the change was sent without an answer, the server may have it: then another change that undoes it is sent.
  @discardableResult
  package func drop(_ id: RecordID) throws -> Bool {
    try items.drop(id)
  }
}

/// A change of one item that the server has not accepted yet, as the outbox shows it.
package struct WaitingChange: Identifiable, Sendable, Hashable {
  /// The item's id. All changes of one item are one change here.
  package let id: RecordID
  /// The server's copy that the change was made from; nil if there was none. In a conflict the server has another by
  /// now.
  package let before: TodoCopy?
  /// The copy that is sent; nil if the item is deleted.
  package let after: TodoCopy?
  package let reason: Reason

  /// Why it waits.
  package enum Reason: Sendable, Hashable {
    /// It goes out with the next refresh.
    case nextRefresh
    /// It was sent, and no answer came; it is sent again.
    case noAnswer
    /// The item changed on the server too; a person has to choose.
    case conflict
    /// The server went back to an older state; a person has to say which side is right.
    case held
    /// HTTP status and the server's own words, which may be none. It goes out again with the next sync, after all
    /// others.
    case refused(status: Int, reason: String)
  }

  package init(id: RecordID, before: TodoCopy?, after: TodoCopy?, reason: Reason = .nextRefresh) {
    self.id = id
    self.before = before
    self.after = after
    self.reason = reason
  }
}

extension WaitingChange {
  /// Returns nil if nothing waits.
  init?(_ item: PendingItem) {
    guard let reason = Reason(item.status) else { return nil }
    self.init(
      id: item.itemID, before: item.base.map(TodoCopy.init), after: item.mine.map(TodoCopy.init), reason: reason)
  }
}

extension WaitingChange.Reason {
  init?(_ status: RowStatus) {
    switch status {
    case .synced: return nil
    case .waiting: self = .nextRefresh
    case .underWay: self = .noAnswer
    case .conflict: self = .conflict
    case .held: self = .held
    case .refused(_, let status, let message): self = .refused(status: status, reason: message)
    }
  }
}
