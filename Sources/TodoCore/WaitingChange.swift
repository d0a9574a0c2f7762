package import TableProtocol

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
