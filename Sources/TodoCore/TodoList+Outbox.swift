import OfflineSync
package import TableProtocol

/// What this device has for the server, before it goes out.
extension TodoList {
  /// The changes that wait, in the order in which they are sent, of at most so many items.
  package func outbox(limit: Int) throws -> [WaitingChange] {
    try items.pending(limit: limit).compactMap(WaitingChange.init)
  }

  /// How many items have a change that waits.
  package func outboxCount() throws -> Int {
    try items.pendingItemCount()
  }

  /// Gives up the change of an item: it becomes what the server has, as far as is known here; an item the server never
  /// had disappears, and one that was deleted comes back. Can be undone. False when nothing waits, or no longer.
  ///
  /// A change that was sent and got no answer may have been taken. It is not forgotten, but taken back by
  /// another change that is sent after it.
  @discardableResult
  package func drop(_ id: RecordID) throws -> Bool {
    try items.drop(id)
  }
}

extension WaitingChange {
  /// Nil where nothing waits.
  init?(_ item: PendingItem) {
    guard let kind = PendingChange(item.operations) else { return nil }
    self.init(
      id: item.itemID, kind: kind, before: item.theirs.map(TodoCopy.init), after: item.mine.map(TodoCopy.init),
      reason: Reason(item))
  }
}

extension WaitingChange.Reason {
  init(_ item: PendingItem) {
    if let error = item.error {
      switch error.kind {
      case .conflict: self = .conflict
      case .held: self = .held
      case .refused: self = .refused(status: error.status, reason: error.message)
      }
    } else {
      self = item.operations.contains(where: \.isMarked) ? .noAnswer : .nextRefresh
    }
  }
}

/// A change of one item that no server has accepted yet, as the outbox shows it.
package struct WaitingChange: Identifiable, Sendable, Hashable {
  /// The item's id. All the changes of one item are one change here.
  package let id: RecordID
  package let kind: PendingChange
  /// What the server has, as far as it is known; nil when it has no such item.
  package let before: TodoCopy?
  /// What it is to have; nil when the item is to be deleted.
  package let after: TodoCopy?
  package let reason: Reason

  /// Why it is still here.
  package enum Reason: Sendable, Hashable {
    /// For the next refresh.
    case nextRefresh
    /// It was sent, and no answer came; it is sent again.
    case noAnswer
    /// The item changed on the server too; a person has to choose.
    case conflict
    /// The server went back to an older state; a person has to say which side is right.
    case held
    /// HTTP status and the server's own words, which may be none. It is sent again when it is edited or decided.
    case refused(status: Int, reason: String)
  }

  package init(id: RecordID, kind: PendingChange, before: TodoCopy?, after: TodoCopy?, reason: Reason = .nextRefresh) {
    self.id = id
    self.kind = kind
    self.before = before
    self.after = after
    self.reason = reason
  }
}
