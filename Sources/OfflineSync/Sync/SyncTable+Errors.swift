public import TableProtocol

/// The four ways of the original SDK to resolve an error (offline-sync 6).
///
/// They find the operation by its id, so they work on errors of a real push and after a restart (Q1). Each throws
/// `SyncTableError.notFound` if the operation no longer exists, and `.wrongItem` for an item with another id (Q27).
extension SyncTable {
  /// Drops the operation. The row becomes `item`, or the copy that the server has sent since (offline-sync P13).
  public func cancelAndUpdate(_ error: TableOperationError, _ item: Record) throws {
    try change(error, item) { row in
      if row.underWay != nil { return row.edit(to: item.values) }
      let isNewest = !row.isConflict || row.server.isSameCopy(as: ServerSide(error.serverItem))
      if isNewest { row.server = .known(item) }
      row.rest()
    }
  }

  /// Drops the operation and the row.
  public func cancelAndDiscard(_ error: TableOperationError) throws {
    try change(error, nil) { row in
      if row.underWay != nil { return row.edit(to: nil) }
      row.server = .never
      row.rest()
    }
  }

  /// Keeps the operation and makes `item` the row. The next push sends it and expects the server to have the version of
  /// `item`.
  public func keepAndUpdate(_ error: TableOperationError, _ item: Record) throws {
    try change(error, item) { row in
      try row.become(row.local == nil ? .delete : row.base.isLive ? .update : .insert, item, item.system.version)
    }
  }

  /// Changes the kind of the operation. Without an item the row stays unchanged.
  public func changeKind(_ error: TableOperationError, _ kind: TableOperation.Kind, _ item: Record? = nil) throws {
    try change(error, item) { row in
      guard let wanted = item ?? row.shown ?? row.base.record else { throw SyncTableError.notFound }
      // A deleted row without an item: the change is one of the server's current version.
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
  /// Makes the pending change one of this kind that leads to this row. `version` is the version that the server should
  /// have. Throws `SyncTableError.refused` if the change is under way again.
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
