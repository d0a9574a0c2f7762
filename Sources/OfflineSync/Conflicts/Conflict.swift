package import TableProtocol

/// One change the server did not take, with all that is needed to decide what becomes of it.
package struct Conflict: Sendable, Hashable {
  package let table: String
  package let itemID: String
  /// A conflict, or a refusal with the server's reason.
  package let error: TableOperationError
  /// The copy the change here started from; nil for a row that was new here.
  package let base: Record?
  /// The row as it is here; nil when it was deleted here.
  package let mine: Record?
  /// The server's copy; nil when it was deleted there, or was never there.
  package let theirs: Record?

  init(_ error: TableOperationError, _ operation: TableOperation, mine: Record?) {
    table = error.table
    itemID = error.itemID
    self.error = error
    base = operation.base?.system.deleted == true ? nil : operation.base
    self.mine = operation.kind == .delete ? nil : mine
    theirs = error.serverItem?.system.deleted == true ? nil : error.serverItem
  }

  /// The conflict or refusal of one operation; nil when there is none.
  init?(of operationID: Int64, in store: any StoreReader) throws {
    guard let error = try store.operationError(of: operationID),
      let operation = try store.operations(ofItem: error.itemID, in: error.table).first(where: { $0.id == operationID })
    else { return nil }
    self.init(error, operation, mine: try store.record(error.itemID, in: error.table))
  }
}

/// What a person decided.
package enum ConflictResolution: Sendable, Hashable {
  /// What is here goes to the server, whatever it has.
  case mine
  /// What the server has comes here, and the change made here is dropped.
  case theirs
  /// The server's copy stays, and mine becomes an item of its own. Of a deletion nothing is left to keep.
  case both
  /// These columns, here and there.
  case merged([String: FieldValue])
}
