package import OfflineSync
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
  /// The change that the server has not accepted yet; nil if there is none.
  package var pending: ChangeKind?
  /// A sync made or changed it, and nobody here has seen that yet.
  package var hasArrived: Bool
  /// When it was completed, if it is complete and that is known. Read only where it is asked for.
  package var completedAt: Timestamp?

  package init(
    id: RecordID, text: String, complete: Bool = false, createdAt: Timestamp? = nil, updatedAt: Timestamp? = nil,
    version: RecordVersion? = nil, state: ItemState = .synced, pending: ChangeKind? = nil, hasArrived: Bool = false
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

  /// When it was made. Nil for an item that another program's file brought along without a date: its `createdAt` is
  /// then a place beside its neighbours.
  package var knownCreation: Timestamp? { createdAt.flatMap { CreationDay.isKnown($0) ? $0 : nil } }
}

extension TodoItem {
  /// True if a change of this item ended its conflict for the other side; `now` is the item after it, nil if it is gone.
  package func hasGivenWay(to now: TodoItem?) -> Bool {
    state == .conflict && (now.map { $0.state == .synced } ?? true)
  }
}

/// The properties of an item that one line of a list shows.
package struct TodoLine: Sendable, Hashable {
  package let id: RecordID
  package let text: String
  package let complete: Bool
  /// A change that was sent without an answer waits like the rest.
  package let state: ItemState

  package init(id: RecordID, text: String, complete: Bool, state: ItemState) {
    self.id = id
    self.text = text
    self.complete = complete
    self.state = state
  }
}

/// Where one item stands with the server.
package enum ItemState: Sendable, Hashable {
  /// The server has what is shown.
  case synced
  /// A change waits to be sent.
  case waiting
  /// A change is being sent or may have been sent, and its outcome is not known yet.
  case inFlight
  /// The server's copy changed too; a person has to choose.
  case conflict
  /// The server refused the change: the HTTP status and its own words, which may be none.
  case refused(status: Int, reason: String)
}

extension TodoItem {
  /// The item in a row; columns of a wrong type count as unset.
  init(_ record: Record, _ status: RowStatus = .synced) {
    let copy = TodoCopy(record)
    self.init(
      id: record.id, text: copy.text, complete: copy.complete, createdAt: record.system.createdAt,
      updatedAt: record.system.updatedAt, version: record.system.version, state: ItemState(status),
      pending: status.change)
  }
}

extension ItemState {
  init(_ status: RowStatus) {
    switch status {
    case .synced: self = .synced
    case .waiting: self = .waiting
    case .underWay: self = .inFlight
    case .conflict, .held: self = .conflict
    case .refused(_, let status, let message): self = .refused(status: status, reason: message)
    }
  }
}

extension String {
  var trimmingWhiteSpace: String { String(trimming(while: \.isWhitespace)) }
}
