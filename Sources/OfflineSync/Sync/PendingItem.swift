package import TableProtocol

/// The pending changes of one record.
package struct PendingItem: Sendable, Hashable {
  package let itemID: RecordID
  /// One or two, oldest first.
  package let operations: [TableOperation]
  /// Why the server did not accept the change; nil if it has not answered.
  package let error: TableOperationError?
  /// The row on this device; nil if it was deleted here.
  package let mine: Record?
  /// The server's row, as far as this device knows; nil if it has no live row.
  package let theirs: Record?
}

extension SyncTable {
  /// Returns the pending changes of at most `limit` records, in the order in which they are sent.
  package func pending(limit: Int) throws -> [PendingItem] {
    try store.read { store in
      let ids = try pendingIDs(limit, store)
      let operations = Dictionary(
        grouping: try store.operations(ofItems: ids, in: name), by: \.itemID)
      let errors = Dictionary(
        try store.operationErrors(ofItems: ids, in: name).map { ($0.itemID, $0) }, uniquingKeysWith: { $1 })
      return try store.trackedRows(ids, in: name).map { row in
        PendingItem(
          itemID: row.id, operations: operations[row.id] ?? [], error: errors[row.id], mine: row.shown,
          theirs: row.server.isLive ? row.server.record : nil)
      }
    }
  }

  package func pendingItemCount() throws -> Int {
    try store.read { try $0.changedItemCount(in: name) }
  }

  private func pendingIDs(_ limit: Int, _ store: any StoreReader) throws -> [RecordID] {
    var ids: [RecordID] = []
    var seen: Set<RecordID> = []
    var last: Int64 = 0
    while ids.count < limit {
      let run = try store.operations(after: last, limit: max(limit, 100))
      guard let end = run.last else { break }
      for operation in run where operation.table == name && seen.insert(operation.itemID).inserted {
        ids.append(operation.itemID)
      }
      last = end.id
    }
    return Array(ids.prefix(limit))
  }
}
