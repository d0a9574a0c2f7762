import TableProtocol

/// What came of sending one operation, with all that had to be asked.
struct PushOutcome: Sendable, Hashable {
  /// The answer; a conflict in it holds the server's copy, or nil when the server has none.
  let answer: RemoteAnswer
}

/// Brings the outcome of one request into the store, in the transaction it is given: the row, the
/// operation, what waits behind it, and the error if there is one.
struct PushSettlement {
  /// As it was sent.
  let operation: TableOperation
  let environment: Environment

  func settle(_ outcome: PushOutcome, in store: any StoreWriter, _ report: inout PushReport) throws {
    switch outcome.answer {
    case .accepted(let record):
      try accept(record, in: store, &report)
    case .gone(let status):
      if operation.kind == .delete {
        try accept(nil, in: store, &report)
      } else {
        try conflict(status: status, server: nil, in: store, &report)
      }
    case .conflict(let status, let server):
      if isAlreadyThere(server) {
        try accept(server, in: store, &report)
      } else {
        try conflict(status: status, server: server, in: store, &report)
      }
    case .refused(let status, let message):
      report.refused += 1
      try fail(.refused, status: status, message: message, server: nil, in: store)
    }
  }

  /// True when the server's copy is what this operation wanted: its answer was lost the first time
  /// (offline-sync Q5, Q6, Q7).
  private func isAlreadyThere(_ server: Record?) -> Bool {
    guard operation.kind != .delete else { return server?.system.deleted ?? true }
    guard let server, !server.system.deleted, let sent = operation.sent else { return false }
    return sent.values.allSatisfy { name, value in server.values[name] == value }
  }

  /// The server has it. A newer change of the row keeps its columns and starts from the server's new
  /// version (offline-sync Q3, Q4); otherwise the row becomes what the server stored.
  private func accept(_ record: Record?, in store: any StoreWriter, _ report: inout PushReport) throws {
    report.accepted += 1
    let queue = TableOperationQueue(store)
    try queue.remove(operation)
    try store.removeShadow(of: operation.itemID, in: operation.table)
    let followers = try store.operations(ofItem: operation.itemID, in: operation.table)
    if let record, operation.kind != .delete {
      if followers.isEmpty {
        try store.upsert([record], in: operation.table)
      } else if let row = try store.record(operation.itemID, in: operation.table) {
        try store.upsert([Record(id: row.id, system: record.system)], in: operation.table)
      }
    }
    for var follower in followers {
      follower.base = follower.kind == .insert ? nil : record
      try store.replace(follower)
    }
  }

  private func conflict(
    status: Int, server: Record?, in store: any StoreWriter, _ report: inout PushReport
  ) throws {
    report.conflicts += 1
    try fail(.conflict, status: status, message: "", server: server, in: store)
  }

  /// The server did not act: the operation may change again, and what waited behind it joins it.
  private func fail(
    _ kind: TableOperationError.Kind, status: Int, message: String, server: Record?, in store: any StoreWriter
  ) throws {
    guard let thawed = try TableOperationQueue(store).thaw(operation) else { return }
    try store.save(
      TableOperationError(
        id: environment.newID(), operationID: thawed.id, table: thawed.table, itemID: thawed.itemID, kind: kind,
        status: status, message: message, item: operation.sent, serverItem: server))
  }
}
