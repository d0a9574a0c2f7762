import TableProtocol

/// The next operations of the journal that can be sent together: changes of different records.
struct Shipment {
  var sendings: [Sending] = []
  /// The last operation that was looked at.
  var reached: Int64

  /// Marks the operations as attempted, in the transaction it is given, before their requests leave
  /// (offline-sync Q10). One that was attempted before is sent again as it was. Those `settled` are passed over,
  /// and those in conflict; a change of a row that is gone is dropped.
  init(after id: Int64, atMost limit: Int, passingOver settled: Set<Int64>, in store: any StoreWriter) throws {
    reached = id
    let errors = try store.operationErrors()
    let waiting = settled.union(errors.filter { $0.kind == .conflict }.map(\.operationID))
    var operations: [TableOperation] = []
    var items: Set<RecordKey> = []
    for operation in try store.operations(after: id, limit: limit) {
      // The second change of a record waits for the outcome of the first.
      guard items.insert(RecordKey(operation)).inserted else { break }
      reached = operation.id
      if !waiting.contains(operation.id) { operations.append(operation) }
    }
    operations = try operations.filter(Self.isFirst(in: store, operations))
    // What was refused before goes last: many refusals in a row must not keep the rest from being sent.
    let refused = Set(errors.map(\.operationID))
    operations = operations.filter { !refused.contains($0.id) } + operations.filter { refused.contains($0.id) }
    try store.freeze(operations.filter { !$0.isFrozen })
    let rows = try Self.rows(of: operations, in: store)
    for operation in operations {
      if let sending = Sending(operation, row: rows[RecordKey(operation)]) {
        sendings.append(sending)
      } else {
        try store.removeOperation(operation.id)
        try store.removeError(of: operation.id)
      }
    }
  }

  /// Tells operations of records that have an earlier one, which failed in this push: its chain stops there
  /// (offline-sync Q14).
  private static func isFirst(
    in store: any StoreReader, _ operations: [TableOperation]
  ) throws -> (TableOperation) throws -> Bool {
    var sole: [String: [String: Int64]] = [:]
    for (table, operations) in Dictionary(grouping: operations, by: \.table) {
      sole[table] = try store.soleOperations(ofItems: operations.map(\.itemID), in: table)
    }
    return { operation in
      if sole[operation.table]?[operation.itemID] == operation.id { return true }
      return try store.operations(ofItem: operation.itemID, in: operation.table).first?.id == operation.id
    }
  }

  private static func rows(
    of operations: [TableOperation], in store: any StoreReader
  ) throws -> [RecordKey: Record] {
    var rows: [RecordKey: Record] = [:]
    rows.reserveCapacity(operations.count)
    for (table, operations) in Dictionary(grouping: operations.filter { $0.kind != .delete }, by: \.table) {
      for row in try store.records(operations.map(\.itemID), in: table) {
        rows[RecordKey(table: table, itemID: row.id)] = row
      }
    }
    return rows
  }
}

private struct RecordKey: Hashable {
  let table: String
  let itemID: String

  init(table: String, itemID: String) {
    self.table = table
    self.itemID = itemID
  }

  init(_ operation: TableOperation) {
    self.init(table: operation.table, itemID: operation.itemID)
  }
}
