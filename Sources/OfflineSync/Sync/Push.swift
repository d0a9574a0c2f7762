import TableProtocol

/// Sends the journal, oldest change first, many changes in one go.
///
/// A change that meets a conflict or is refused is recorded and passed over; it holds up nothing but the later changes
/// of its own row (Q2, Q14). A failure to reach the server ends the push and keeps the journal.
final class Push {
  /// The largest number of passes over the journal, so that a change that is merged each time is sent at most five
  /// times in one push (wire 10.2); and the largest number of questions to the delegate about one row.
  private static let longestChase = 5

  private let store: any LocalStore
  private let remote: any RemoteTable
  private let environment: Environment
  private let cancellation: Cancellation
  private let delegate: (any SyncDelegate)?
  private let check: OutcomeCheck
  /// By how many milliseconds a row may be dated before one that came earlier (P6).
  private let lateness: Int64

  private(set) var report = PushReport()
  /// Why some changes could not be sent, if that says nothing about the others.
  private(set) var lingering: RemoteFailure?
  /// False if changes are left that met newer copies in each pass.
  private(set) var isComplete = true
  private var sent = 0
  /// Places of changes that are not sent again in this push.
  private var passedOver: Set<Int64> = []
  /// Places of changes that were refused in this push, and not accepted since.
  private var refused: Set<Int64> = []
  private var hasComeBack = false
  /// Rows whose last answer in this pass was a refusal for another copy, without such a copy. They are sent again.
  private var contradicted: Set<PushedRow> = []
  /// The revision of the store that holds what this push knows of its rows; nil if somebody else wrote since.
  private var known: StoreRevision?
  /// How often the delegate was asked, by row.
  private var asked: [PushedRow: Int] = [:]
  private var tokens: PushedTokens
  /// The first changes, if somebody began to read them before; nil once they were taken.
  private var early: EarlyBatch?

  /// `pulls` are the queries whose tokens this push may move. A server may date a row up to
  /// `lateness` milliseconds before a row that it wrote earlier. `early` reads the first changes, if that has begun.
  init(
    store: any LocalStore, remote: any RemoteTable, environment: Environment, cancellation: Cancellation,
    delegate: (any SyncDelegate)?, pulls: [PullQuery], lateness: Int64, early: EarlyBatch? = nil
  ) throws {
    self.store = store
    self.remote = remote
    self.environment = environment
    self.cancellation = cancellation
    self.delegate = delegate
    self.lateness = lateness
    self.early = early
    check = OutcomeCheck(remote: remote, cancellation: cancellation)
    tokens = try PushedTokens(pulls, at: remote.server, store)
  }

  /// Runs the push. Calls `progress` with the number of changes sent and of all changes to send.
  ///
  /// Throws `RemoteFailure`, `StoreError` or `SyncCancelled`; what was accepted before it stays accepted.
  func run(progress: (_ sent: Int, _ toSend: Int) -> Void) throws {
    do {
      for round in 1...Self.longestChase {
        contradicted = []
        guard try pass(progress) || comesBackToRefused() else { break }
        // Changes that met a newer copy in each pass go out with the next sync. Those that the server contradicts would
        // wait for ever: the user is told.
        guard round == Self.longestChase else { continue }
        isComplete = false
        if !contradicted.isEmpty { lingering = lingering ?? .contradictory }
      }
    } catch {
      complete(cancellation.isCancelled ? .cancelled : SyncFailure(error))
      throw error
    }
    complete(lingering.map(SyncFailure.remote))
  }

  /// The server's digest of the query's table after this push, if the device has read up to that moment.
  func digest(of query: PullQuery) throws -> TableDigest? {
    try store.read { try tokens.digest(of: query, in: $0) }
  }

  private func complete(_ failure: SyncFailure?) {
    guard let delegate else { return }
    let waiting = (try? store.read { try $0.operationErrors() }) ?? []
    delegate.pushCompleted(report, waiting: waiting, failure: failure)
  }

  /// Lets refused changes be sent once more if others were accepted: one of those may have been missing (Q15). Returns
  /// true if there is such a change.
  private func comesBackToRefused() throws -> Bool {
    guard report.accepted > 0, !hasComeBack else { return false }
    hasComeBack = true
    let refused = try store.read { store in
      Set(try store.operationErrors().filter { $0.kind == .refused }.map(\.operationID)).intersection(passedOver)
    }
    passedOver.subtract(refused)
    return !refused.isEmpty
  }

  /// Goes over the journal once. Returns true if changes were merged or decided and have to be sent again.
  private func pass(_ progress: (_ sent: Int, _ toSend: Int) -> Void) throws -> Bool {
    var again = false
    var last: Int64 = 0
    while true {
      try cancellation.check()
      let batch = try next(after: &last)
      guard !batch.items.isEmpty else { return again }
      let total = sent + (try store.read { try $0.operationCount() })
      progress(sent, total)
      again = try send(batch) { progress(sent, max(total, sent)) } || again
    }
  }

  /// Returns the next changes that can be sent; an empty batch at the end of the journal.
  private func next(after last: inout Int64) throws -> PushBatch {
    while true {
      let from = last
      let ready = try begin()
      let batch =
        try ready
        ?? store.read { store in try PushBatch(after: from, passingOver: passedOver, in: store, environment) }
      try batch.dropIdle(in: store, environment)
      last = batch.reached
      if !batch.items.isEmpty || last == from { return batch }
    }
  }

  /// Notes the revision that the next batch is made at. Returns the batch if it was made early, and at this revision.
  private func begin() throws -> PushBatch? {
    early?.finish()
    defer { early = nil }
    return try store.write { store in
      known = try store.revision()
      return try early?.value(in: store)
    }
  }

  /// Sends the changes and applies the answers, each part in one transaction. Returns true if some rows have to be sent
  /// again.
  private func send(_ batch: PushBatch, progress: () -> Void) throws -> Bool {
    var sending = Sending(batch: batch)
    remote.send(batch.items.map(\.change)) { indices in
      guard sending.trouble == nil, !cancellation.isCancelled else { return [] }
      return sending.attempt { try mark(indices, &$0) } ?? []
    } settle: { part in
      sending.attempt {
        try receive(part, &$0)
        progress()
      }
      return sending.trouble == nil && !cancellation.isCancelled
    }
    let unsent = sending.underWay.sorted { $0.key < $1.key }.map(\.value)
    if !unsent.isEmpty {
      sending.attempt { _ in _ = try settle(unsent.map { AnsweredItem(item: $0, answer: .notActedOn) }) }
    }
    if let trouble = sending.trouble { throw trouble }
    if let failure = sending.failures.first(where: \.concernsAll) { throw failure }
    lingering = lingering ?? sending.failures.first
    return sending.again
  }

  /// Runs a transaction of this push. `isUnchanged` is true if only this push wrote to the store since the batch was
  /// made.
  private func write<Value>(_ body: (_ store: any StoreWriter, _ isUnchanged: Bool) throws -> Value) throws -> Value {
    var reached: StoreRevision?
    let value = try store.write { store in
      let isUnchanged = try known != nil && store.revision() == known
      let value = try body(store, isUnchanged)
      reached = isUnchanged ? try store.revision() : nil
      return value
    }
    known = reached
    return value
  }

  /// Marks changes as sent, in a transaction before their request (Q10). Returns those that may be sent. The others
  /// have changed meanwhile and are sent in the next pass.
  private func mark(_ indices: [Int], _ sending: inout Sending) throws -> [Int] {
    let batch = sending.batch
    let going = try write { store, isUnchanged in
      try Account.setFirstOwner(of: store, for: remote, now: environment.now())
      return try batch.mark(indices, in: store, isUnchanged: isUnchanged, environment)
    }
    sending.again = sending.again || going.count < indices.count
    sending.underWay.merge(going) { $1 }
    return indices.filter { going[$0] != nil }
  }

  private func receive(_ part: [SettledChange], _ sending: inout Sending) throws {
    // A change that was not sent now is not sent again in this push.
    for change in part where sending.underWay[change.index] == nil {
      passedOver.insert(sending.batch.items[change.index].place)
      if case .failure(let failure) = change.outcome { sending.failures.append(failure) }
    }
    var answers: [AnsweredItem] = []
    for change in part {
      guard let item = sending.underWay.removeValue(forKey: change.index) else { continue }
      let (answer, failure) = check.answer(to: item, change.outcome)
      if let failure { sending.failures.append(failure) }
      answers.append(AnsweredItem(item: item, answer: answer, move: change.move))
    }
    guard !answers.isEmpty else { return }
    sending.again = try settle(answers) || sending.again
  }

  /// Settles answers in one transaction. Returns true if some of the rows have to be sent again in this push.
  private func settle(_ answers: [AnsweredItem]) throws -> Bool {
    let (settlement, moved) = try write { store, isUnchanged in
      var settlement = Settlement(announcesEpoch: remote.knowledge.epoch != nil, lateness: lateness)
      for (table, answers) in Dictionary(grouping: answers, by: \.item.table) {
        try settlement.settle(
          answers, of: table, in: store, isUnchanged: isUnchanged, environment: environment)
      }
      return (settlement, try tokens.moved(by: settlement, in: store))
    }
    tokens = moved
    // Nothing of a transaction that failed is done, or counted.
    report.accepted += settlement.report.accepted
    report.conflicts += settlement.report.conflicts
    refused = refused.subtracting(settlement.answered).union(settlement.refused)
    report.refused = refused.count
    passedOver.formUnion(settlement.passedOver)
    sent += answers.count - settlement.open
    if !contradicted.isEmpty { contradicted.subtract(answers.map { PushedRow($0.item) }) }
    contradicted.formUnion(settlement.contradicted)
    return try decide(settlement.conflicts) || settlement.again
  }

  /// Puts new conflicts to the delegate. Returns true if one was decided.
  private func decide(_ conflicts: [Conflict]) throws -> Bool {
    guard let delegate else { return false }
    var decided = false
    for conflict in conflicts.sorted(by: { $0.error.operationID < $1.error.operationID }) {
      let row = PushedRow(table: conflict.table, id: conflict.itemID)
      guard asked[row, default: 0] < Self.longestChase else { continue }
      asked[row, default: 0] += 1
      guard let resolution = delegate.resolution(of: conflict) else { continue }
      let table = SyncTable(conflict.table, store: store, environment: environment)
      guard try table.apply(resolution, to: conflict) else { continue }
      passedOver.remove(conflict.error.operationID)
      report.conflicts -= 1
      decided = true
    }
    return decided
  }
}

extension RemoteFailure {
  /// The failure of changes that are refused for another copy each time, without such a copy.
  fileprivate static let contradictory = RemoteFailure(
    .alteredAnswer(.contradictory), mayHaveActed: false, concernsAll: false)
}

/// The state of the changes of one batch.
private struct Sending {
  let batch: PushBatch
  /// Marked as sent, without an outcome.
  var underWay: [Int: PushItem] = [:]
  var failures: [RemoteFailure] = []
  /// True if some rows have to be sent again.
  var again = false
  /// The error after which nothing more is sent.
  private(set) var trouble: (any Error)?

  @discardableResult
  mutating func attempt<Value>(_ body: (inout Sending) throws -> Value) -> Value? {
    do {
      return try body(&self)
    } catch {
      trouble = trouble ?? error
      return nil
    }
  }

  init(batch: PushBatch) { self.batch = batch }
}

/// The counts of one push.
public struct PushReport: Sendable, Hashable {
  /// Changes that the server accepted.
  public var accepted = 0
  /// Changes that are newly in conflict.
  public var conflicts = 0
  /// Changes that the server refused.
  public var refused = 0

  package init() {}

  static func + (earlier: PushReport, later: PushReport) -> PushReport {
    var sum = earlier
    sum.accepted += later.accepted
    sum.conflicts += later.conflicts
    sum.refused += later.refused
    return sum
  }
}
