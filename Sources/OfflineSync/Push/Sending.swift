import TableProtocol

/// An operation that is frozen, and what is put to the server for it.
struct Sending: Sendable, Hashable {
  let operation: TableOperation
  /// The record as it is sent; for a delete, as it was.
  let record: Record
  /// True when an earlier attempt may have reached the server, whose answer was lost.
  let wasAttempted: Bool

  /// Freezes the operation in this transaction. Nil, and the operation is gone, when it is a change of a
  /// row that is not there any more.
  init?(_ operation: TableOperation, _ store: any StoreWriter) throws {
    var frozen = operation
    let row = operation.kind == .delete ? operation.base : try store.record(operation.itemID, in: operation.table)
    guard let record = operation.sent ?? row ?? (operation.kind == .delete ? Record(id: operation.itemID) : nil) else {
      try TableOperationQueue(store).remove(operation)
      return nil
    }
    frozen.isFrozen = true
    if !operation.isFrozen { try store.replace(frozen) }
    self.operation = frozen
    self.record = record
    wasAttempted = operation.isFrozen
  }

  /// A row that is to live again is first sent as a new one: the answer brings the version of its tombstone,
  /// without which the revival could overwrite what others made of the row.
  var change: RemoteChange {
    let base = operation.base
    let changed = record.values.filter { name, value in base?.values[name] != value }
    switch operation.kind {
    case .insert where base?.system.deleted == true && base?.system.version != nil:
      return .undelete(table: operation.table, whole: record, changed: changed, base: base?.system.version)
    case .insert:
      return .insert(table: operation.table, record)
    case .update:
      return .update(table: operation.table, whole: record, changed: changed, base: base?.system.version)
    case .delete:
      return .delete(table: operation.table, id: operation.itemID, base: base?.system.version)
    }
  }
}
