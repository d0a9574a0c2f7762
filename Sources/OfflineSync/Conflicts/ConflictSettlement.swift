import TableProtocol

/// Carries out what was decided about an operation the server did not take, inside one transaction.
struct ConflictSettlement {
  let operation: TableOperation
  /// The server would not have it, and has nothing else instead. The operation may be under way again meanwhile.
  let isRefusal: Bool
  /// The server's copy, a tombstone included; nil when it has none.
  let server: Record?
  let store: any StoreWriter
  /// Who decided.
  let occasion: Occasion

  private var queue: TableOperationQueue { TableOperationQueue(store, now: occasion.now) }

  /// The operation is sent again, from the copy of the server's that was decided about as its base. A newer
  /// one, of which nobody has decided, is met by the push as any other.
  func keepMine() throws {
    if isRefusal { return try store.removeError(of: operation.id) }
    try takeUntouchedColumns()
    try sendAgain()
  }

  /// Columns I did not change are the server's, whoever wins the others.
  private func takeUntouchedColumns() throws {
    guard operation.kind != .delete, let server, var row = try store.record(operation.itemID, in: operation.table)
    else { return }
    row.values = RecordMerge.keepingMine(base: operation.base?.values, mine: row.values, theirs: server.values)
    try put(row)
  }

  /// The row as it was decided to be, and the server's copy as somebody saw it.
  private func put(_ row: Record) throws {
    let seen = server?.system.deleted == false ? server : nil
    try store.put([row], in: operation.table, on: occasion.from(seen == nil ? .here : .merge), over: seen)
  }

  private func sendAgain() throws {
    try store.removeError(of: operation.id)
    var kept = operation
    if let server { kept.base = server.system.deleted ? server.withoutValues : server }
    let isLive = server.map { !$0.system.deleted }
    if operation.kind == .delete {
      if isLive == false || (server == nil && operation.base == nil) { return try queue.drop(operation) }
    } else if isLive != true {
      // A tombstone is made live again; where nothing is left, the row is new.
      kept.kind = .insert
      if server == nil { kept.base = operation.kind == .insert ? operation.base : nil }
    } else {
      kept.kind = .update
    }
    try store.replace(kept)
    // One that came after the decision was looked at stays: a pull does not bring it again.
    let shadow = try store.shadow(of: operation.itemID, in: operation.table)
    if shadow?.system.version == server?.system.version {
      try store.removeShadow(of: operation.itemID, in: operation.table)
    }
  }

  /// The changes of the row are dropped, and it becomes what the server has. After a refusal that is what they
  /// started from.
  func takeTheirs() throws {
    let copy = isRefusal ? operation.base : server
    for dropped in try store.operations(ofItem: operation.itemID, in: operation.table) { try queue.remove(dropped) }
    let shadow = try store.shadow(of: operation.itemID, in: operation.table)
    try store.removeShadow(of: operation.itemID, in: operation.table)
    if let row = shadow ?? copy, !row.system.deleted {
      try store.put([row], in: operation.table, on: occasion.from(.server))
    } else {
      try store.take(
        [operation.itemID], from: operation.table, on: occasion.from(.server),
        at: (shadow ?? copy)?.timeOfDeletion ?? [:])
    }
  }

  /// The row gets these values, and they are sent.
  func keep(_ values: [String: FieldValue]) throws {
    if isRefusal { return try change(to: values) }
    let known = (server ?? operation.base)?.values ?? [:]
    var row = try store.record(operation.itemID, in: operation.table) ?? Record(id: operation.itemID, values: known)
    if operation.kind != .delete, let server {
      row.values = RecordMerge.keepingMine(base: operation.base?.values, mine: row.values, theirs: server.values)
    }
    row.values.merge(values) { _, new in new }
    if let server { row.system.createdAt = row.system.createdAt ?? server.system.createdAt }
    try put(row)
    var edit = operation
    if edit.kind == .delete { edit.kind = .update }
    try ConflictSettlement(operation: edit, isRefusal: false, server: server, store: store, occasion: occasion)
      .sendAgain()
  }

  /// What was refused becomes another change, by the ordinary rules.
  private func change(to values: [String: FieldValue]) throws {
    try store.removeError(of: operation.id)
    let before = try store.record(operation.itemID, in: operation.table)
    var after = before ?? operation.base ?? Record(id: operation.itemID)
    after.values.merge(values) { _, new in new }
    try store.put([after], in: operation.table, on: occasion)
    try queue.enter(
      before == nil ? .insert : .update, table: operation.table, itemID: operation.itemID, before: before, after: after)
  }
}
