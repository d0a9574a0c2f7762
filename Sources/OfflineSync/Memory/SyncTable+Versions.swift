import TableProtocol

extension SyncTable {
  /// Makes a row again what it was in one of its versions, also when it was deleted since. Can be undone. Throws
  /// `SyncTableError.notFound` when the version is not remembered, or there was no row then.
  package func restore(_ itemID: String, toVersion number: Int64) throws {
    try store.write { store in
      let row = try store.record(itemID, in: name)
      let changes = try store.versions(ofItem: itemID, in: name)
      let next = changes.first { $0.number == number + 1 }
      let present = (changes.last?.number ?? 0) == number ? row : nil
      guard let wanted = next?.before ?? present else { throw SyncTableError.notFound }
      if let row {
        guard let change = try edits(in: store).update(row, wanted.values) else { return }
        try TableOperationQueue(store, now: environment.now()).settleConflict(
          of: try store.record(itemID, in: name) ?? row, in: name)
        try store.remember(change)
      } else {
        try store.remember(try revive(wanted, in: store))
      }
    }
  }

  /// The server may have a tombstone of the row, of which nothing else needs to be known: the revival meets it.
  private func revive(_ record: Record, in store: any StoreWriter) throws -> RowChange {
    let tombstone = Record.unseenTombstone(record.id)
    let transition = RowTransition(
      from: tombstone, to: record, itemID: record.id, table: name, store: store, now: environment.now())
    _ = try transition.carryOut()
    return RowChange(
      table: name, itemID: record.id, before: tombstone, after: try store.record(record.id, in: name))
  }
}
