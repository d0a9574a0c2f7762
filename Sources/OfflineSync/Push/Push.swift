import TableProtocol

/// What one push did.
package struct PushReport: Sendable, Hashable {
  /// Changes the server accepted.
  package var accepted = 0
  /// Changes that newly ended in a conflict, or were refused.
  package var conflicts = 0
  package var refused = 0

  package init() {}
}

/// Sends the journal, oldest change first, one request at a time.
///
/// A change that meets a conflict or is refused is recorded and passed over; it holds up nothing
/// but the later changes of its own record (offline-sync Q2, Q14). A failure to reach the server
/// ends the push and keeps the queue.
struct Push {
  let store: any LocalStore
  let remote: any RemoteTable
  let environment: Environment

  /// `progress` gets the number of changes sent, and of those there are to send.
  /// Throws `RemoteFailure` or `StoreError`; what was accepted before it stays accepted.
  func run(progress: (_ sent: Int, _ toSend: Int) -> Void) throws -> PushReport {
    var report = PushReport()
    var last: Int64 = 0
    var sent = 0
    while let operation = try nextOperation(after: last) {
      last = operation.id
      let waiting = try store.read { try $0.operationCount() }
      progress(sent, sent + waiting)
      guard let (frozen, change) = try freeze(operation) else { continue }
      let outcome = try send(change, of: frozen)
      try store.write { store in
        try PushSettlement(operation: frozen, environment: environment).settle(outcome, in: store, &report)
      }
      sent += 1
    }
    return report
  }

  /// The oldest operation after this one that is not waiting for a decision.
  private func nextOperation(after id: Int64) throws -> TableOperation? {
    try store.read { store in
      var last = id
      while let operation = try store.operations(after: last, limit: 1).first {
        if try store.operationError(of: operation.id)?.kind != .conflict { return operation }
        last = operation.id
      }
      return nil
    }
  }

  /// Marks an operation as attempted, durably, before its request leaves (offline-sync Q10), and makes
  /// the request. One that was attempted before is sent again as it was. Nil when it is gone meanwhile.
  private func freeze(_ operation: TableOperation) throws -> (TableOperation, RemoteChange)? {
    try store.write { store in
      let current = try store.operations(ofItem: operation.itemID, in: operation.table)
      guard var frozen = current.first(where: { $0.id == operation.id }) else { return nil }
      if !frozen.isFrozen {
        let row = frozen.kind == .delete ? frozen.base : try store.record(frozen.itemID, in: frozen.table)
        frozen.sent = row ?? Record(id: frozen.itemID)
        try store.replace(frozen)
      }
      return (frozen, frozen.change)
    }
  }

  /// Sends a change and, when the answer does not say enough, asks what the server has.
  private func send(_ change: RemoteChange, of operation: TableOperation) throws -> PushOutcome {
    do {
      return PushOutcome(answer: try confirmed(remote.send(change), of: operation))
    } catch {
      if !error.mayHaveActed {
        try store.write { _ = try TableOperationQueue($0).thaw(operation) }
      }
      throw error
    }
  }

  /// Asks for the server's copy where the answer did not bring it. A record that is said to be gone
  /// is asked for too: a server under a wrong address says so of everything.
  private func confirmed(_ answer: RemoteAnswer, of operation: TableOperation) throws(RemoteFailure) -> RemoteAnswer {
    switch answer {
    case .conflict(let status, nil):
      return .conflict(status: status, try remote.read(operation.itemID, in: operation.table))
    case .gone(let status):
      let server = try remote.read(operation.itemID, in: operation.table)
      return server.map { .conflict(status: status, $0) } ?? answer
    case .accepted, .conflict, .refused:
      return answer
    }
  }
}

extension TableOperation {
  /// The request for an operation that is frozen.
  var change: RemoteChange {
    let record = sent ?? Record(id: itemID)
    switch kind {
    case .insert:
      return .insert(table: table, record)
    case .update:
      let changed = record.values.filter { name, value in base?.values[name] != value }
      return .update(table: table, whole: record, changed: changed, base: base?.system.version)
    case .delete:
      return .delete(table: table, id: itemID, base: base?.system.version)
    }
  }
}
