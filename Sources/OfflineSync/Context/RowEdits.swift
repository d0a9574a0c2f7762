import TableProtocol

/// The user's changes of the rows of one table, inside one open transaction: row and journal, and what there is to
/// remember of it.
struct RowEdits {
  let table: String
  let store: any StoreWriter

  private var queue: TableOperationQueue { TableOperationQueue(store) }

  /// Throws `SyncTableError.exists`.
  func insert(_ record: Record, under origin: TableOperationQueue.IDOrigin) throws -> RowChange {
    guard try store.record(record.id, in: table) == nil else { throw SyncTableError.exists }
    try store.upsert([try queue.asAdded(record, in: table)], in: table)
    try queue.enterInsert(of: record, under: origin, in: table)
    return RowChange(table: table, itemID: record.id, before: nil, after: record)
  }

  /// Nil when it changes nothing: that is no change, and is not journalled.
  func update(_ before: Record, _ values: [String: FieldValue]) throws -> RowChange? {
    var after = before
    after.values.merge(values) { _, new in new }
    guard after.values != before.values else { return nil }
    try store.upsert([after], in: table)
    try queue.enter(.update, table: table, itemID: before.id, before: before, after: after)
    return RowChange(table: table, itemID: before.id, before: before, after: after)
  }

  func delete(_ before: Record) throws -> RowChange {
    try store.remove([before.id], from: table)
    let trace = try queue.enterDelete(of: before, in: table)
    return RowChange(table: table, itemID: before.id, before: before, after: trace)
  }
}
