import TableProtocol

/// The user's changes of the rows of one table, inside one open transaction: row and journal, and what there is to
/// remember of it.
struct RowEdits {
  let table: String
  let store: any StoreWriter
  /// This device's clock.
  let now: Timestamp

  private var queue: TableOperationQueue { TableOperationQueue(store, now: now) }

  /// Throws `SyncTableError.exists`. That a row was made here is remembered, where it is not `oneOfMany`: an import of
  /// a long list must not push out what other rows were.
  func insert(
    _ record: Record, under origin: TableOperationQueue.IDOrigin, oneOfMany: Bool = false
  ) throws -> RowChange {
    guard try store.record(record.id, in: table) == nil else { throw SyncTableError.exists }
    let added = try queue.asAdded(record, in: table)
    if oneOfMany {
      try store.upsert([added], in: table)
    } else {
      try store.put([added], in: table, on: .own(now), knowing: [:])
    }
    try queue.enterInsert(of: record, under: origin, in: table)
    return RowChange(table: table, itemID: record.id, before: nil, after: record)
  }

  /// Nil when it changes nothing: that is no change, and is not journalled.
  func update(_ before: Record, _ values: [String: FieldValue]) throws -> RowChange? {
    var after = before
    after.values.merge(values) { _, new in new }
    guard after.values != before.values else { return nil }
    try store.put([after], in: table, on: .own(now), knowing: [before.id: before])
    try queue.enter(.update, table: table, itemID: before.id, before: before, after: after)
    return RowChange(table: table, itemID: before.id, before: before, after: after)
  }

  func delete(_ before: Record) throws -> RowChange {
    try store.take([before.id], from: table, on: .own(now))
    let trace = try queue.enterDelete(of: before, in: table)
    return RowChange(table: table, itemID: before.id, before: before, after: trace)
  }
}
