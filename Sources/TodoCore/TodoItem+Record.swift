import OfflineSync
import TableProtocol

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
  /// What the journal and its errors say of one record.
  init(operations: [TableOperation], error: TableOperationError?) {
    if let error {
      switch error.kind {
      case .conflict, .held: self = .conflict
      case .refused: self = .refused(reason: error.message)
      }
    } else if operations.contains(where: \.isFrozen) {
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
