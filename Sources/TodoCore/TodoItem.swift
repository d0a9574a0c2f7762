import OfflineSync
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
  /// When it was changed last, as far as it is known. Read only where items stand in the order of it.
  package var changedAt: Timestamp?

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

/// What a line of a list shows of an item.
package struct TodoLine: Sendable, Hashable {
  package let id: RecordID
  package let text: String
  package let complete: Bool
  /// A change that was sent without an answer waits like the rest.
  package let state: ItemState
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

extension TodoItem {
  /// An item as its row says; columns of a wrong type count as unset.
  init(_ record: Record, state: ItemState, pending: PendingChange? = nil) {
    self.init(
      id: record.id, text: record.values[TodoColumn.text]?.text ?? "",
      complete: record.values[TodoColumn.complete]?.bool ?? false, createdAt: record.system.createdAt,
      updatedAt: record.system.updatedAt, version: record.system.version, state: state,
      pending: pending)
  }
}

extension ItemState {
  init(_ error: TableOperationError) {
    switch error.kind {
    case .conflict, .held: self = .conflict
    case .refused: self = .refused(reason: error.message)
    }
  }

  /// What the journal and its errors say of one record.
  init(operations: [TableOperation], error: TableOperationError?) {
    if let error {
      self.init(error)
    } else if operations.contains(where: \.isMarked) {
      self = .inFlight
    } else {
      self = operations.isEmpty ? .synced : .waiting
    }
  }
}

extension PendingChange {
  /// What all the operations of one record amount to: an insert that was sent and is followed by an
  /// update is still an insert to whoever looks at the list.
  init?(_ operations: [TableOperation]) {
    guard let first = operations.first, let last = operations.last else { return nil }
    switch (first.kind, last.kind) {
    case (_, .delete): self = .delete
    case (.insert, _): self = .insert
    case (.update, _), (.delete, _): self = .update
    }
  }
}

extension String {
  var trimmingSpaces: String {
    var text = Substring(self)
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
