import TableProtocol

extension SyncTable {
  /// Gives up what waits of one record; the row becomes what the server has, as far as is known here. Can be undone.
  /// False when nothing waits, or no longer.
  ///
  /// A change that was never sent, or that the server did not take, is forgotten. One that was sent and of which
  /// nothing is known may have been taken (offline-sync Q10): it stays, and what takes it back waits behind it as a
  /// change of its own, so that an insert is followed by a delete, a delete by a revival, and an update by one that
  /// restores the columns. Therefore it may be done at any time, also while the change is on its way.
  @discardableResult
  package func drop(_ itemID: String) throws -> Bool {
    try store.write { store in
      let operations = try store.operations(ofItem: itemID, in: name)
      guard let first = operations.first else { return false }
      let before = try store.record(itemID, in: name)
      let trace = first.isFrozen ? try takeBack(first, before, in: store) : try forget(first, in: store)
      let after = try store.record(itemID, in: name)
      if before?.values != after?.values {
        try store.remember(RowChange(table: name, itemID: itemID, before: before, after: after ?? trace))
      }
      return true
    }
  }

  /// Returns what the server may have of a row that is gone now.
  private func forget(_ operation: TableOperation, in store: any StoreWriter) throws -> Record? {
    let error = try store.operationError(of: operation.id)
    let shadow = try store.shadow(of: operation.itemID, in: name)
    let isConflict = error?.kind == .conflict
    let copy = shadow ?? (isConflict ? error?.serverItem : operation.base)
    if copy == nil, operation.kind == .update, !isConflict {
      // Nothing is known of the server's copy: the row stays until a pull brings it.
      try TableOperationQueue(store, now: environment.now()).remove(operation)
      return nil
    }
    try ConflictSettlement(
      operation: operation, isRefusal: !isConflict, server: error?.serverItem, store: store,
      occasion: .own(environment.now())
    ).takeTheirs()
    return copy?.system.deleted == true ? copy : nil
  }

  private func takeBack(
    _ sent: TableOperation, _ row: Record?, in store: any StoreWriter
  ) throws -> Record? {
    let known = sent.base?.system.deleted == true ? nil : sent.base
    // Where the row is gone already, giving that up brings back what was sent.
    guard let target = row == nil ? known ?? sent.sent : known else {
      return row == nil ? nil : try transition(sent.itemID, from: row, to: nil, in: store)
    }
    return try transition(sent.itemID, from: row, to: target, in: store)
  }

  private func transition(
    _ itemID: String, from: Record?, to: Record?, in store: any StoreWriter
  ) throws -> Record? {
    try RowTransition(from: from, to: to, itemID: itemID, table: name, store: store, now: environment.now())
      .carryOut().trace
  }
}
