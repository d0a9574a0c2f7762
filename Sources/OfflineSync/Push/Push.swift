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
final class Push {
  /// How many changes are marked as attempted at once, and go to the remote table together. What comes back
  /// of them is settled while others are on their way.
  private static let window = 5_000
  /// How often changes that were merged with the server's copy are sent again (table-protocol 10.2), and how
  /// often the delegate is asked about one operation.
  private static let longestChase = 5

  private let store: any LocalStore
  private let remote: any RemoteTable
  private let environment: Environment
  private let cancellation: Cancellation
  private let delegate: (any SyncDelegate)?
  private let confirmation: Confirmation

  private(set) var report = PushReport()
  /// Why some changes could not be sent, where that says nothing of the others.
  private(set) var lingering: RemoteFailure?
  private var sent = 0
  /// Operations that need no more sending in this push.
  private var settled: Set<Int64> = []
  private var hasComeBack = false
  /// Operations that were not settled by an answer.
  private var repeated: Set<Int64> = []
  /// How often the delegate was asked, by operation.
  private var asked: [Int64: Int] = [:]

  init(
    store: any LocalStore, remote: any RemoteTable, environment: Environment, cancellation: Cancellation,
    delegate: (any SyncDelegate)?
  ) {
    self.store = store
    self.remote = remote
    self.environment = environment
    self.cancellation = cancellation
    self.delegate = delegate
    confirmation = Confirmation(remote: remote, cancellation: cancellation)
  }

  /// `progress` gets the number of changes sent, and of those there are to send.
  /// Throws `RemoteFailure`, `StoreError` or `SyncCancelled`; what was accepted before it stays accepted.
  func run(progress: (_ sent: Int, _ toSend: Int) -> Void) throws {
    do {
      for _ in 0..<Self.longestChase {
        guard try pass(progress) || comesBackToRefused() else { break }
      }
    } catch {
      complete(cancellation.isCancelled ? .cancelled : SyncFailure(error))
      throw error
    }
    complete(lingering.map(SyncFailure.remote))
  }

  private func complete(_ failure: SyncFailure?) {
    guard let delegate else { return }
    let waiting = (try? store.read { try $0.operationErrors() }) ?? []
    delegate.pushCompleted(report, waiting: waiting, failure: failure)
  }

  /// A change may be refused for the want of another that was to come after it: once the others have been accepted
  /// it is sent again, once (offline-sync Q15). True when there is such a one.
  private func comesBackToRefused() throws -> Bool {
    guard report.accepted > 0, !hasComeBack else { return false }
    hasComeBack = true
    let refused = try store.read { store in
      Set(try store.operationErrors().filter { $0.kind == .refused }.map(\.operationID)).intersection(settled)
    }
    settled.subtract(refused)
    report.refused -= refused.count
    return !refused.isEmpty
  }

  /// Goes over the journal once. True when changes were merged or decided and are to be sent again.
  private func pass(_ progress: (_ sent: Int, _ toSend: Int) -> Void) throws -> Bool {
    var again = false
    var last: Int64 = 0
    while true {
      try cancellation.check()
      let shipment = try freeze(after: &last)
      guard !shipment.isEmpty else { return again }
      let total = sent + (try store.read { try $0.operationCount() })
      progress(sent, total)
      again = try send(shipment) { progress(sent, max(total, sent)) } || again
    }
  }

  /// Sends the shipment and settles what comes back, each part in one transaction. True when some of it is to
  /// be sent again.
  private func send(_ shipment: [Sending], progress: () -> Void) throws -> Bool {
    var again = false
    var failures: [RemoteFailure] = []
    var trouble: (any Error)?
    var unsent = Set(shipment.indices)
    remote.send(shipment.map(\.change)) { part in
      do {
        unsent.subtract(part.map(\.index))
        let (isOver, failed) = try settle(part.map { (shipment[$0.index], $0.outcome) })
        again = again || !isOver
        failures += failed
        progress()
      } catch {
        trouble = error
      }
      return trouble == nil && !cancellation.isCancelled
    }
    if !unsent.isEmpty {
      do { try thaw(unsent.map { shipment[$0] }) } catch { trouble = trouble ?? error }
    }
    if let trouble { throw trouble }
    if let failure = failures.first(where: \.concernsAll) { throw failure }
    lingering = lingering ?? failures.first
    return again
  }

  /// True when all of these operations are settled; and the failures among their outcomes.
  private func settle(_ part: [PartSettlement.Outcome]) throws -> (isOver: Bool, failures: [RemoteFailure]) {
    let answers = part.map { ($0.sending, confirmation.confirmed($0.outcome, of: $0.sending)) }
    var counted = report
    let open = try store.write { store in
      try PartSettlement(environment: environment, repeated: repeated, store: store).settle(answers, &counted)
    }
    // What a transaction did that failed is not done, and not counted.
    report = counted
    let done = Set(part.map(\.sending.operation.id)).subtracting(open)
    var failures: [RemoteFailure] = []
    for case (let sending, .failure(let failure)) in answers {
      failures.append(failure)
      // Not again in this push.
      settled.insert(sending.operation.id)
    }
    settled.formUnion(done)
    repeated.formUnion(open)
    sent += done.count
    let decided = try decide(done)
    return (settled.isSuperset(of: open) && !decided, failures)
  }

  /// What was marked and then not sent after all may change again.
  private func thaw(_ shipment: [Sending]) throws {
    try store.write { store in
      let queue = TableOperationQueue(store, now: environment.now())
      for sending in shipment where !sending.wasAttempted { try queue.thaw(sending.operation) }
    }
  }

  /// Puts new conflicts among these operations to the delegate. True when one was decided.
  private func decide(_ operations: Set<Int64>) throws -> Bool {
    guard let delegate else { return false }
    var decided = false
    let conflicts = try store.read { store in
      try operations.compactMap { try Conflict(of: $0, in: store) }.filter { $0.error.kind == .conflict }
    }
    for conflict in conflicts.sorted(by: { $0.error.operationID < $1.error.operationID }) {
      let id = conflict.error.operationID
      guard asked[id, default: 0] < Self.longestChase else { continue }
      asked[id, default: 0] += 1
      guard let resolution = delegate.resolution(of: conflict) else { continue }
      let table = SyncTable(conflict.table, store: store, environment: environment)
      guard try table.resolve(conflict, resolution) else { continue }
      settled.remove(id)
      report.conflicts -= 1
      decided = true
    }
    return decided
  }

  /// The next operations that can be sent, marked durably; none at the end of the journal.
  private func freeze(after last: inout Int64) throws -> [Sending] {
    while true {
      let from = last
      guard try store.read({ try !$0.operations(after: from, limit: 1).isEmpty }) else { return [] }
      let shipment = try store.write { store in
        try Account(remote).claim(store)
        return try Shipment(after: from, atMost: Self.window, passingOver: settled, in: store)
      }
      last = shipment.reached
      if !shipment.sendings.isEmpty || last == from { return shipment.sendings }
    }
  }
}
