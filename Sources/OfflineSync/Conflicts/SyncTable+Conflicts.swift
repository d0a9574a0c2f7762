import TableProtocol

extension SyncTable {
  /// The changes of this table that wait for a decision, oldest first.
  package func conflicts() throws -> [Conflict] {
    try store.read { store in
      try store.operationErrors().filter { $0.table == name }.compactMap { error in
        let operations = try store.operations(ofItem: error.itemID, in: name)
        guard let operation = operations.first(where: { $0.id == error.operationID }) else { return nil }
        return Conflict(error, operation, mine: try store.record(error.itemID, in: name))
      }
    }
  }

  /// Settles the conflict of one record. Works after any restart; the decision goes out with the next push.
  /// Throws `SyncTableError.notFound` when the record has none.
  package func resolve(_ itemID: String, _ resolution: ConflictResolution) throws {
    try store.write { store in
      let operations = try store.operations(ofItem: itemID, in: name)
      guard let error = try store.operationErrors(ofItems: [itemID], in: name).first,
        let operation = operations.first(where: { $0.id == error.operationID })
      else { throw SyncTableError.notFound }
      let settlement = ConflictSettlement(operation: operation, server: error.serverItem, store: store)
      switch resolution {
      case .mine: try settlement.keepMine()
      case .theirs: try settlement.takeTheirs(isRefusal: error.kind == .refused)
      case .merged(let values): try settlement.keep(values)
      case .both: try keepBoth(settlement, isRefusal: error.kind == .refused, in: store)
      }
    }
  }

  private func keepBoth(_ settlement: ConflictSettlement, isRefusal: Bool, in store: any StoreWriter) throws {
    let mine = settlement.operation.kind == .delete ? nil : try store.record(settlement.operation.itemID, in: name)
    try settlement.takeTheirs(isRefusal: isRefusal)
    guard let mine else { return }
    let copy = Record(
      id: environment.newID(), values: mine.values, system: SystemProperties(createdAt: environment.now()))
    try store.upsert([copy], in: name)
    try TableOperationQueue(store).enter(.insert, table: name, itemID: copy.id, before: nil, after: copy)
  }
}
