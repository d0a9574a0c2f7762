package import TableProtocol

/// The four ways of the original to go on after an error, by the operation's own id, so that they work on
/// errors that went through a real push and a restart (offline-sync 6, Q1). Each throws
/// `SyncTableError.notFound` when the operation is gone, and `.wrongItem` for an item of another id (Q27).
extension SyncTable {
  /// Drops the operation; the row becomes `item`, or what the server sent for it since (offline-sync P13).
  package func cancelAndUpdate(_ error: TableOperationError, _ item: Record) throws {
    try with(error, item) { operation, store in
      try store.put([item], in: name, on: .own(environment.now()))
      try TableOperationQueue(store, now: environment.now()).drop(operation)
    }
  }

  /// Drops the operation and the row.
  package func cancelAndDiscard(_ error: TableOperationError) throws {
    try with(error, nil) { operation, store in
      try TableOperationQueue(store, now: environment.now()).remove(operation)
      try store.removeShadow(of: operation.itemID, in: name)
      try store.take([operation.itemID], from: name, on: .own(environment.now()))
    }
  }

  /// Keeps the operation, which is sent again with `item` as the row. The version of `item` is the one
  /// the server is expected to have.
  package func keepAndUpdate(_ error: TableOperationError, _ item: Record) throws {
    try with(error, item) { operation, store in
      try change(operation, to: operation.kind, item, in: store)
    }
  }

  /// Makes the operation one of another kind; without an item the row stays as it is.
  package func changeKind(_ error: TableOperationError, _ kind: TableOperation.Kind, _ item: Record? = nil) throws {
    try with(error, item) { operation, store in
      let row = try item ?? store.record(operation.itemID, in: name) ?? operation.base
      guard let row else { throw SyncTableError.notFound }
      try change(operation, to: kind, row, in: store)
    }
  }

  private func change(
    _ operation: TableOperation, to kind: TableOperation.Kind, _ item: Record, in store: any StoreWriter
  ) throws {
    // One that is under way again can't be made another any more.
    if operation.isFrozen { throw SyncTableError.refused(pending: operation.kind) }
    var changed = operation
    changed.kind = kind
    changed.isFrozen = false
    changed.sent = nil
    switch kind {
    case .insert: changed.base = nil
    case .delete: changed.base = item
    case .update:
      changed.base = changed.base ?? Record(id: item.id)
      if let version = item.system.version { changed.base?.system.version = version }
    }
    try store.replace(changed)
    try store.removeError(of: operation.id)
    if kind == .delete {
      try store.take([item.id], from: name, on: .own(environment.now()))
    } else {
      try store.put([item], in: name, on: .own(environment.now()))
    }
  }

  private func with(
    _ error: TableOperationError, _ item: Record?, _ act: (TableOperation, any StoreWriter) throws -> Void
  ) throws {
    if let item, item.id != error.itemID { throw SyncTableError.wrongItem }
    try store.write { store in
      let operations = try store.operations(ofItem: error.itemID, in: name)
      guard let operation = operations.first(where: { $0.id == error.operationID }) else {
        throw SyncTableError.notFound
      }
      try act(operation, store)
    }
  }
}
