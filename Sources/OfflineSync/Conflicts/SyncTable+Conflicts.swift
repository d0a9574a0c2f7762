import TableProtocol

extension SyncTable {
  /// The changes of this table that wait for a decision, oldest first.
  package func conflicts() throws -> [Conflict] {
    try store.read { store in
      try store.operationErrors().filter { $0.table == name }
        .compactMap { try Conflict(of: $0.operationID, in: store) }
    }
  }

  /// Settles the conflict of one record. Works after any restart; the decision goes out with the next push.
  /// Returns the id of the row that mine became, when both were kept. What it changes here can be undone. `also` is done in the same
  /// transaction.
  /// Throws `SyncTableError.notFound` when the record has none.
  @discardableResult
  package func resolve(
    _ itemID: String, _ resolution: ConflictResolution, also: (any StoreWriter) throws -> Void = { _ in }
  ) throws -> String? {
    try store.write { store in
      guard let error = try store.operationErrors(ofItems: [itemID], in: name).first else {
        throw SyncTableError.notFound
      }
      try also(store)
      return try settle(error, resolution, isOwn: true, in: store)
    }
  }

  /// Settles a conflict as somebody other than the user decided. False, and nothing was done, when it is not
  /// the one that was decided about any more.
  func resolve(_ conflict: Conflict, _ resolution: ConflictResolution) throws -> Bool {
    try store.write { store in
      guard try Conflict(of: conflict.error.operationID, in: store) == conflict else { return false }
      _ = try settle(conflict.error, resolution, isOwn: false, in: store)
      return true
    }
  }

  /// Returns the id of the row that mine became, when both were kept. What the user decided can be undone.
  private func settle(
    _ error: TableOperationError, _ resolution: ConflictResolution, isOwn: Bool, in store: any StoreWriter
  ) throws -> String? {
    let operations = try store.operations(ofItem: error.itemID, in: name)
    guard let operation = operations.first(where: { $0.id == error.operationID }) else {
      throw SyncTableError.notFound
    }
    let settlement = ConflictSettlement(
      operation: operation, isRefusal: error.kind == .refused, server: error.serverItem, store: store,
      occasion: isOwn ? .own(environment.now()) : .sync(environment.now(), .merge))
    let before = try store.record(error.itemID, in: name)
    var copy: Record?
    switch resolution {
    case .mine: try settlement.keepMine()
    case .theirs: try settlement.takeTheirs()
    case .merged(let values): try settlement.keep(values)
    case .both: copy = try keepBoth(settlement, in: store)
    }
    if isOwn { try remember(before, copy, of: settlement, in: store) }
    return copy?.id
  }

  /// Remembers what was decided as a change of the row, and as the making of the copy.
  private func remember(
    _ before: Record?, _ copy: Record?, of settlement: ConflictSettlement, in store: any StoreWriter
  ) throws {
    let id = settlement.operation.itemID
    let after = try store.record(id, in: name)
    let tombstone = settlement.server?.system.deleted == true ? settlement.server : nil
    if before?.values != after?.values {
      try store.remember(RowChange(table: name, itemID: id, before: before, after: after ?? tombstone))
    }
    if let copy { try store.remember(RowChange(table: name, itemID: copy.id, before: nil, after: copy)) }
  }

  private func keepBoth(_ settlement: ConflictSettlement, in store: any StoreWriter) throws -> Record? {
    let mine = settlement.operation.kind == .delete ? nil : try store.record(settlement.operation.itemID, in: name)
    try settlement.takeTheirs()
    guard let mine else { return nil }
    let copy = Record(
      id: environment.newID(), values: mine.values, system: SystemProperties(createdAt: environment.now()))
    try store.put([copy], in: name, on: .own(environment.now()), knowing: [:])
    try TableOperationQueue(store, now: environment.now()).enter(
      .insert, table: name, itemID: copy.id, before: nil, after: copy)
    return copy
  }
}
