package import TableProtocol

/// One to-do as the list shows it: the row of the local table and where it stands with the server.
package struct TodoItem: Identifiable, Sendable, Hashable {
  package let id: RecordID
  package var text: String
  package var complete: Bool
  /// UTC. This device's clock until a server has answered with its own.
  package var createdAt: Timestamp?
  /// UTC, the server's. Nil until it has stored the item.
  package var updatedAt: Timestamp?
  package var version: RecordVersion?
  package var state: ItemState
  /// The change that waits to be sent; nil when there is none.
  package var pending: PendingChange?
  /// A sync made or changed it, and nobody here has seen that yet.
  package var hasArrived: Bool

  package init(
    id: RecordID, text: String, complete: Bool = false, createdAt: Timestamp? = nil, updatedAt: Timestamp? = nil,
    version: RecordVersion? = nil, state: ItemState = .synced, pending: PendingChange? = nil, hasArrived: Bool = false
  ) {
    self.id = id
    self.text = text
    self.complete = complete
    self.createdAt = createdAt
    self.updatedAt = updatedAt
    self.version = version
    self.state = state
    self.pending = pending
    self.hasArrived = hasArrived
  }
}

/// The kinds of change that can wait for one item.
package enum PendingChange: String, Sendable, Hashable {
  case insert, update, delete
}

/// Where one item stands with the server.
package enum ItemState: Sendable, Hashable {
  /// The server has what is shown.
  case synced
  /// A change waits to be sent.
  case waiting
  /// A change was sent and its outcome is not known yet.
  case inFlight
  /// The server's copy changed too; a person has to choose.
  case conflict
  /// The server refused the change; its reason in its own words.
  case refused(reason: String)
}
