package import TableProtocol

/// The journal inside one open transaction: the changes not yet accepted by the server, oldest first.
///
/// A record has at most two operations: a frozen one whose outcome is unknown, and one that waits.
package struct TableOperationQueue {
  let store: any StoreWriter
  /// This device's clock.
  let now: Timestamp

  init(_ store: any StoreWriter, now: Timestamp) {
    self.store = store
    self.now = now
  }

  /// Enters a local change. `before` is the row as it was, `after` as it is now; nil where there is none.
  ///
  /// Throws `SyncTableError.refused` when the change makes no sense after what is pending; then the
  /// caller must let the transaction fail, so that the row stays as it was.
  package func enter(
    _ kind: TableOperation.Kind, table: String, itemID: String, before: Record?, after: Record?
  ) throws {
    let pending = try store.operations(ofItem: itemID, in: table).last
    switch Condense.action(pending: pending?.kind, frozen: pending?.isFrozen ?? false, new: kind) {
    case .append:
      let earlier = try pending.map { try keepSent($0, before) } ?? before
      let base = kind == .insert ? after?.tombstoneOfItself : earlier
      try store.append(TableOperation(id: 0, table: table, itemID: itemID, kind: kind, base: base))
    case .keep:
      guard let pending else { break }
      try settle(pending, row: after)
    case .become(let kind):
      guard var pending else { break }
      pending.kind = kind
      try store.replace(pending)
      try settle(pending, row: after)
    case .dropBoth:
      guard let pending else { break }
      try drop(pending)
    case .refuse:
      throw SyncTableError.refused(pending: pending?.kind)
    }
  }

  /// Where the id of an added row comes from.
  enum IDOrigin {
    /// Made just now: nobody has seen it before.
    case new
    /// The caller's own; this device may have sent it before, as far as is remembered.
    case chosen
    /// A row that was here before.
    case known
  }

  /// Enters a row that was added under an id. Where this device may have sent the row before and deleted it, the
  /// server's tombstone is to be made live again.
  func enterInsert(of row: Record, under origin: IDOrigin, in table: String) throws {
    let mayBeKnown =
      switch origin {
      case .new: false
      case .chosen: try store.hasHistory(ofItem: row.id, in: table)
      case .known: true
      }
    if mayBeKnown, try store.operations(ofItem: row.id, in: table).isEmpty {
      try store.append(
        TableOperation(id: 0, table: table, itemID: row.id, kind: .insert, base: .unseenTombstone(row.id)))
    } else {
      try enter(.insert, table: table, itemID: row.id, before: nil, after: row)
    }
  }

  /// A row as it is added again. The server's version of it is known where a delete that was not sent is taken
  /// back; otherwise an older one would pass for what the server has.
  func asAdded(_ row: Record, in table: String) throws -> Record {
    let pending = try store.operations(ofItem: row.id, in: table).last
    let known = pending?.isFrozen == false ? pending?.base?.system : nil
    var added = row
    added.system = SystemProperties(
      createdAt: row.system.createdAt ?? known?.createdAt, updatedAt: known?.updatedAt, version: known?.version)
    return added
  }

  /// Keeps what was sent by a frozen operation whose row is about to become another. Returns the copy the
  /// next change starts from: what was sent, of which the server's version is not known yet.
  private func keepSent(_ operation: TableOperation, _ row: Record?) throws -> Record? {
    guard operation.kind != .delete else { return nil }
    if operation.sent == nil, let row {
      var kept = operation
      kept.sent = row
      try store.replace(kept)
      return row.withoutVersion
    }
    return operation.sent?.withoutVersion
  }

  /// Drops an operation when the row is again what the server has. A refusal of the earlier content
  /// no longer speaks of this one, so it goes; a conflict stays.
  private func settle(_ operation: TableOperation, row: Record?) throws {
    guard !operation.isFrozen else { return }
    let error = try store.operationError(of: operation.id)
    if operation.kind == .update, error == nil, let base = operation.base, let row, row.values == base.values {
      // The row may have been made from an older copy than the one it equals now.
      if base.system.version != nil {
        try store.upsert([Record(id: row.id, values: [:], system: base.system)], in: operation.table)
      }
      try drop(operation)
    } else if error?.kind == .refused {
      try store.removeError(of: operation.id)
    }
  }

  /// Takes an operation out unsent. What the server sent for the row meanwhile and was kept aside
  /// is applied now (offline-sync P13).
  package func drop(_ operation: TableOperation) throws {
    try remove(operation)
    guard try store.operations(ofItem: operation.itemID, in: operation.table).isEmpty,
      let shadow = try store.shadow(of: operation.itemID, in: operation.table)
    else { return }
    try store.removeShadow(of: operation.itemID, in: operation.table)
    if shadow.system.deleted {
      try store.take(
        [shadow.id], from: operation.table, on: .sync(now), at: shadow.timeOfDeletion)
    } else {
      try store.put([shadow], in: operation.table, on: .sync(now))
    }
  }

  /// Takes out an operation that is done, with what was recorded about it.
  package func remove(_ operation: TableOperation) throws {
    try store.removeOperation(operation.id)
    try store.removeError(of: operation.id)
  }

  /// Ends the freeze of an operation that the server is known not to have acted on, and lets a
  /// change that waited behind it become one with it (offline-sync Q13).
  ///
  /// Returns the operation that stands for the record now; nil when nothing is left to send.
  @discardableResult
  package func thaw(_ operation: TableOperation) throws -> TableOperation? {
    let operations = try store.operations(ofItem: operation.itemID, in: operation.table)
    // One that was dropped while it was under way is no more, and what came after it stands for itself.
    guard operations.contains(where: { $0.id == operation.id }) else { return nil }
    var thawed = operation
    thawed.isFrozen = false
    thawed.sent = nil
    let follower = operations.last { $0.id > operation.id }
    guard let follower else {
      try store.replace(thawed)
      return thawed
    }
    try store.removeOperation(follower.id)
    switch Condense.action(pending: operation.kind, frozen: false, new: follower.kind) {
    case .dropBoth:
      try drop(thawed)
      return nil
    case .become(let kind):
      thawed.kind = kind
    case .append, .keep, .refuse:
      break
    }
    try store.replace(thawed)
    return thawed
  }
}

extension Record {
  /// Of a tombstone, when the row was deleted, by its id.
  var timeOfDeletion: [String: Timestamp] {
    system.updatedAt.map { [id: $0] } ?? [:]
  }

  /// What the server has of a row that was there before and is added again; nil for a row that is new.
  /// Neither the version of the tombstone nor its columns are known: a copy that somebody made live again
  /// meanwhile is met without a common ancestor.
  var tombstoneOfItself: Record? {
    system.version == nil ? nil : .unseenTombstone(id)
  }

  /// The tombstone that a server may have of a row, of which nothing else is known.
  static func unseenTombstone(_ id: String) -> Record {
    Record(id: id, system: SystemProperties(deleted: true))
  }

  /// A tombstone without the columns it still has: nobody here has seen those, so nothing may be merged on them.
  var withoutValues: Record { Record(id: id, system: system) }

  /// The record without the server's tag: what another operation will have made of it is not known yet.
  var withoutVersion: Record {
    var copy = self
    copy.system.version = nil
    return copy
  }
}
