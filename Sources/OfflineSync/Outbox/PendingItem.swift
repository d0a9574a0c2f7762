package import TableProtocol

/// All that waits to be sent of one record.
package struct PendingItem: Sendable, Hashable {
  package let itemID: String
  /// One or two, oldest first.
  package let operations: [TableOperation]
  /// Why the server did not take it, where it said so.
  package let error: TableOperationError?
  /// The row as it is here; nil when it was deleted here.
  package let mine: Record?
  /// What the server has, as far as is known here: what a conflict brought, what a pull passed over, or else the copy
  /// the change started from. Nil when the server has none.
  package let theirs: Record?
}

extension SyncTable {
  /// What waits, in the order in which it is sent, of at most so many records.
  package func pending(limit: Int) throws -> [PendingItem] {
    try store.read { store in
      let ids = try pendingIDs(limit, store)
      let operations = Dictionary(grouping: try store.operations(ofItems: ids, in: name), by: \.itemID)
      let errors = Dictionary(
        try store.operationErrors(ofItems: ids, in: name).map { ($0.itemID, $0) }, uniquingKeysWith: { $1 })
      let rows = Dictionary(try store.records(ids, in: name).map { ($0.id, $0) }, uniquingKeysWith: { $1 })
      let hasShadows = try store.hasShadows(in: name)
      return try ids.map { id in
        let known = ServerCopy(
          operations: operations[id] ?? [], error: errors[id],
          shadow: hasShadows ? try store.shadow(of: id, in: name) : nil)
        return PendingItem(
          itemID: id, operations: operations[id] ?? [], error: errors[id], mine: rows[id], theirs: known.live)
      }
    }
  }

  package func pendingItemCount() throws -> Int {
    try store.read { try $0.changedItemCount(in: name) }
  }

  private func pendingIDs(_ limit: Int, _ store: any StoreReader) throws -> [String] {
    var ids: [String] = []
    var seen: Set<ExactText> = []
    var last: Int64 = 0
    while ids.count < limit {
      let run = try store.operations(after: last, limit: max(limit, 100))
      guard let end = run.last else { break }
      for operation in run where operation.table == name && seen.insert(ExactText(operation.itemID)).inserted {
        ids.append(operation.itemID)
      }
      last = end.id
    }
    return Array(ids.prefix(limit))
  }
}

/// What is known here of the server's copy of a record with a pending change.
struct ServerCopy {
  private let record: Record?

  /// `shadow` is what a pull kept aside: a conflict that met a newer copy has removed it.
  init(operations: [TableOperation], error: TableOperationError?, shadow: Record?) {
    record = shadow ?? (error?.kind == .conflict ? error?.serverItem : operations.first?.base)
  }

  /// Nil for a tombstone, and where there is none.
  var live: Record? { record?.system.deleted == true ? nil : record }
}
