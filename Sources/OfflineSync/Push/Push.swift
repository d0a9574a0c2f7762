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

/// Sends the journal, oldest change first, many changes in one go.
///
/// A change that meets a conflict or is refused is recorded and passed over; it holds up nothing
/// but the later changes of its own record (offline-sync Q2, Q14). A failure to reach the server
/// ends the push and keeps the queue.
struct Push {
  /// How many changes are marked as attempted at once, and go to the remote table together: one batch of
  /// our own server, which acts on them in order. Items made in a row here are in that order everywhere.
  private static let run = 1_000
  /// How often changes that were merged with the server's copy are sent again (table-protocol 10.2).
  private static let longestChase = 5

  let store: any LocalStore
  let remote: any RemoteTable
  let environment: Environment
  let cancellation: Cancellation

  /// `progress` gets the number of changes sent, and of those there are to send.
  /// Throws `RemoteFailure`, `StoreError` or `SyncCancelled`; what was accepted before it stays accepted.
  func run(_ report: inout PushReport, progress: (_ sent: Int, _ toSend: Int) -> Void) throws {
    var sent = 0
    var settled: Set<Int64> = []
    for _ in 0..<Self.longestChase {
      guard try pass(&report, &sent, &settled, progress) else { return }
    }
  }

  /// Goes over the journal once. True when changes were merged and are to be sent again.
  private func pass(
    _ report: inout PushReport, _ sent: inout Int, _ settled: inout Set<Int64>,
    _ progress: (_ sent: Int, _ toSend: Int) -> Void
  ) throws -> Bool {
    var again = false
    var last: Int64 = 0
    while true {
      try cancellation.check()
      let shipment = try freeze(after: &last, passingOver: settled)
      guard !shipment.isEmpty else { return again }
      progress(sent, sent + (try store.read { try $0.operationCount() }))
      let outcomes = confirmed(shipment, remote.send(shipment.map(\.change)))
      let isSettled = try store.write { store in
        try zip(shipment, outcomes).map { sending, outcome in
          try settle(sending, outcome, in: store, &report)
        }
      }
      settled.formUnion(zip(shipment, isSettled).filter(\.1).map(\.0.operation.id))
      sent += isSettled.count { $0 }
      again = again || isSettled.contains(false)
      progress(sent, sent)
      if let failure = Self.worst(of: outcomes) { throw failure }
    }
  }

  private static func worst(of outcomes: [Result<RemoteAnswer, RemoteFailure>]) -> RemoteFailure? {
    let failures = outcomes.compactMap { outcome in
      if case .failure(let failure) = outcome { failure } else { nil }
    }
    return failures.first(where: \.concernsAll) ?? failures.first
  }

  /// True when the operation is settled, false when it is to be sent again.
  private func settle(
    _ sending: Sending, _ outcome: Result<RemoteAnswer, RemoteFailure>, in store: any StoreWriter,
    _ report: inout PushReport
  ) throws -> Bool {
    switch outcome {
    case .success(let answer):
      return try PushSettlement(sending: sending, environment: environment, store: store).settle(answer, &report)
    case .failure(let failure):
      // An earlier attempt may still have reached the server, whatever is known of this one.
      if !failure.mayHaveActed && !sending.wasAttempted { try TableOperationQueue(store).thaw(sending.operation) }
      return false
    }
  }

  /// Marks the next operations as attempted, durably, before their requests leave (offline-sync Q10),
  /// and makes the requests. One that was attempted before is sent again as it was.
  private func freeze(after last: inout Int64, passingOver settled: Set<Int64>) throws -> [Sending] {
    let from = last
    let (shipment, reached) = try store.write { store in
      var shipment: [Sending] = []
      var items: Set<RecordKey> = []
      var reached = from
      for operation in try store.operations(after: from, limit: Self.run) {
        // The second change of a record waits for the outcome of the first.
        guard items.insert(RecordKey(operation)).inserted else { break }
        reached = operation.id
        if settled.contains(operation.id) { continue }
        if try store.operationError(of: operation.id)?.kind == .conflict { continue }
        if let sending = try Sending(operation, store) { shipment.append(sending) }
      }
      return (shipment, reached)
    }
    last = reached
    guard shipment.isEmpty, reached > from else { return shipment }
    return try freeze(after: &last, passingOver: settled)
  }

  /// Asks for the server's copy where the answer did not bring it. A record that is said to be gone
  /// is asked for too: a server under a wrong address says so of everything.
  private func confirmed(
    _ shipment: [Sending], _ outcomes: [Result<RemoteAnswer, RemoteFailure>]
  ) -> [Result<RemoteAnswer, RemoteFailure>] {
    zip(shipment, outcomes).map { sending, outcome in
      outcome.flatMap { answer in Result { () throws(RemoteFailure) in try confirmed(answer, of: sending.operation) } }
    }
  }

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

private struct RecordKey: Hashable {
  let table: String
  let itemID: String

  init(_ operation: TableOperation) {
    table = operation.table
    itemID = operation.itemID
  }
}
