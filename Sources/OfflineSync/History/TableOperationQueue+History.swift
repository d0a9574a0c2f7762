import TableProtocol

extension TableOperationQueue {
  /// Enters the delete of a row that was just removed. Returns what a server may have of it: a tombstone,
  /// or nil when the row was never sent.
  func enterDelete(of row: Record, in table: String) throws -> Record? {
    let revived = try store.operations(ofItem: row.id, in: table).compactMap(\.base).first(where: \.system.deleted)
    try enter(.delete, table: table, itemID: row.id, before: row, after: nil)
    if let revived { return revived }
    guard let pending = try store.operations(ofItem: row.id, in: table).last else { return nil }
    // Not what the row held here, which may never have been sent; and the tombstone gets a version of its own.
    return Record(
      id: row.id, values: pending.base?.values ?? [:],
      system: SystemProperties(createdAt: row.system.createdAt, deleted: true))
  }

  /// Enters that a deleted row is here again. A delete that was not sent is taken back; one that was sent is
  /// followed by an insert whose base is the tombstone, which makes the server's row live again.
  func enterRevival(of row: Record, tombstone: Record?, in table: String) throws {
    if let pending = try store.operations(ofItem: row.id, in: table).last {
      if try store.operationError(of: pending.id)?.kind == .refused { try store.removeError(of: pending.id) }
      try enter(.insert, table: table, itemID: row.id, before: nil, after: row)
      try settleConflict(of: row, in: table)
    } else if let tombstone {
      try store.append(TableOperation(id: 0, table: table, itemID: row.id, kind: .insert, base: tombstone))
    } else {
      try enter(.insert, table: table, itemID: row.id, before: nil, after: row)
    }
  }

  /// A conflict whose local change was taken back is none any more: the row becomes what the server has.
  func settleConflict(of row: Record, in table: String) throws {
    guard let operation = try store.operations(ofItem: row.id, in: table).last, operation.kind == .update,
      operation.base?.values == row.values, let error = try store.operationError(of: operation.id),
      error.kind == .conflict, let server = error.serverItem, !server.system.deleted
    else { return }
    try ConflictSettlement(operation: operation, isRefusal: false, server: server, store: store, occasion: .own(now))
      .takeTheirs()
  }
}
