import TableProtocol

/// An operation that is frozen, and what is put to the server for it.
struct Sending: Sendable, Hashable {
  private(set) var operation: TableOperation
  /// The record as it is sent; for a delete, as it was.
  let record: Record
  /// True when an earlier attempt may have reached the server, whose answer was lost.
  let wasAttempted: Bool

  /// `row` is the row as it is here. Nil for a change of a row that is not there any more.
  init?(_ operation: TableOperation, row: Record?) {
    let record =
      operation.kind == .delete ? operation.base ?? Record(id: operation.itemID) : operation.sent ?? row
    guard let record else { return nil }
    self.record = record
    self.operation = operation
    self.operation.isFrozen = true
    wasAttempted = operation.isFrozen
  }

  /// A row that is to live again is first sent as a new one: the answer brings the version of its tombstone,
  /// without which the revival could overwrite what others made of the row.
  var change: RemoteChange {
    let base = operation.base
    let changed = record.values.filter { name, value in base?.values[name] != value }
    switch operation.kind {
    case .insert where base?.system.deleted == true && base?.system.version != nil:
      return .undelete(table: operation.table, whole: record, changed: changed, base: base?.system.version)
    case .insert:
      return .insert(table: operation.table, record)
    case .update:
      return .update(table: operation.table, whole: record, changed: changed, base: base?.system.version)
    case .delete:
      return .delete(table: operation.table, id: operation.itemID, base: base?.system.version)
    }
  }
}
