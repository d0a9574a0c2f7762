package import TableProtocol

/// The four ways of the original SDK to go on after an error, by the operation's own id, so that they work on errors
/// that went through a real push and a restart (offline-sync 6, Q1). Each throws `SyncTableError.notFound` if the
/// operation is gone, and `.wrongItem` for an item of another id (Q27).
extension SyncTable {
  /// Drops the operation; the row becomes `item`, or what the server sent for it since (offline-sync P13).
  package func cancelAndUpdate(_ error: TableOperationError, _ item: Record) throws {
    try change(error, item) { row in
      if row.underWay != nil { return row.edit(to: item.values) }
      let isNewest = !row.isConflict || row.server.isSameCopy(as: ServerSide(error.serverItem))
      if isNewest { row.server = .known(item) }
      row.rest()
    }
  }

  /// Drops the operation and the row.
  package func cancelAndDiscard(_ error: TableOperationError) throws {
    try change(error, nil) { row in
      if row.underWay != nil { return row.edit(to: nil) }
      row.server = .never
      row.rest()
    }
  }

  /// Keeps the operation, which is sent again with `item` as the row. The version of `item` is the one the server is
  /// expected to have.
  package func keepAndUpdate(_ error: TableOperationError, _ item: Record) throws {
    try change(error, item) { row in
      try row.become(row.local == nil ? .delete : row.base.isLive ? .update : .insert, item, item.system.version)
    }
  }

  /// Makes the operation one of another kind; without an item the row stays unchanged.
  package func changeKind(_ error: TableOperationError, _ kind: TableOperation.Kind, _ item: Record? = nil) throws {
    try change(error, item) { row in
      guard let wanted = item ?? row.shown ?? row.base.record else { throw SyncTableError.notFound }
      // A deleted row that is to stay as it was is a change of what the server has now.
      let version = item == nil && row.local == nil ? row.server.version : wanted.system.version
      try row.become(kind, wanted, version)
    }
  }

  private func change(
    _ error: TableOperationError, _ item: Record?, _ change: (inout TrackedRow) throws -> Void
  ) throws {
    if let item, item.id != error.itemID { throw SyncTableError.wrongItem }
    try store.write { store in
      let row = try store.trackedRow(error.itemID, in: name)
      guard [row.places.underWay, row.places.waiting].contains(error.operationID) else {
        throw SyncTableError.notFound
      }
      var changed = row
      try change(&changed)
      try editor(in: store).save([RowUpdate(row, changed)], .decision(environment.now()))
    }
  }
}

extension TrackedRow {
  /// What waits becomes a change of this kind that leads to this row. `version` is the one the server is expected to
  /// have. What is under way again can't be changed any more: throws `SyncTableError.refused`.
  fileprivate mutating func become(
    _ kind: TableOperation.Kind, _ item: Record, _ version: RecordVersion?
  ) throws {
    if let underWay { throw SyncTableError.refused(pending: underWay.want == nil ? .delete : .update) }
    attention = nil
    switch kind {
    case .insert:
      local = item.values
      base = .never
    case .delete:
      local = nil
      base = .known(item)
    case .update:
      local = item.values
      let expected = version == server.version ? server : base
      var copy = expected.isLive ? expected.record ?? Record(id: item.id) : Record(id: item.id)
      if let version { copy.system.version = version }
      base = .known(copy)
    }
    server = base
  }
}
