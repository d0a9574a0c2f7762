import TableProtocol

/// One sync from its beginning to its end, on the calling thread. `SyncContext` runs it on its queue; the simulated
/// worlds run it step by step.
package struct SyncRun {
  private let ports: SyncPorts
  private let request: SyncRequest
  private let cancellation: Cancellation
  private let retrying: RetryingRemoteTable
  private let remote: EpochWatch

  /// The report so far, and what one step leaves for the next.
  private struct State {
    var report = SyncReport()
    /// The server's digests of whole tables, by table name.
    var digests: [String: TableDigest] = [:]
    /// The server's digests after the last push, by the queries that this device has read up to that moment.
    var pushed: [PullQuery: TableDigest] = [:]
    /// The digests of the rows here, of those tables that were counted already as they are after the pull.
    var counted: [String: TableDigest] = [:]
    /// The first changes to send, if they are read while the server is asked who it is.
    var early: EarlyBatch?
    /// The last push left nothing that it could send.
    var isSent = false
  }

  private var store: any LocalStore { ports.store }
  private var environment: Environment { ports.environment }

  package init(_ ports: SyncPorts, _ request: SyncRequest, cancellation: Cancellation = Cancellation()) {
    self.ports = ports
    self.request = request
    self.cancellation = cancellation
    retrying = RetryingRemoteTable(ports.remote, environment: ports.environment, cancellation: cancellation)
    // The watch is outermost, so that a restoration can read through the tables inside it.
    remote = EpochWatch(retrying, ports.store)
  }

  /// Runs the sync and returns its report. Never throws: the report holds the failure and what was done before it.
  ///
  /// `.finished` carries the same report. If the server sent its digest, `.compared` follows. Both happen under one
  /// lock, so no other sync comes between them.
  package func run(report: @escaping (SyncEvent) -> Void) -> SyncReport {
    var state = State()
    let start = environment.now()
    let before = remote.traffic
    func finish(_ error: (any Error)?) {
      state.report.failure = error.map { cancellation.isCancelled ? .cancelled : SyncFailure($0) }
      state.report.traffic = remote.traffic - before
      state.report.milliseconds = max(0, environment.now().milliseconds - start.milliseconds)
      report(.finished(state.report))
    }
    do {
      let reporter = ProgressReporter(remote: remote, since: before, now: environment.now, report: report)
      try ports.lock.withLock(
        waiting: cancellation.waiting(
          report: { report(.waitingForOtherProgram) }, isOver: { isPatienceOver(since: start) }),
        run: {
          finish(failure { try perform(&state, reporter) })
          compare(state, report)
        })
    } catch {
      finish(error)
    }
    return state.report
  }

  /// True if the request has waited for another program as long as it may.
  private func isPatienceOver(since start: Timestamp) -> Bool {
    guard let patience = request.patience else { return false }
    return environment.now().milliseconds - start.milliseconds >= Int64(patience) * 1_000
  }

  private func failure(of body: () throws -> Void) -> (any Error)? {
    // The sync does not fail if the log can't be saved.
    defer { try? ports.log.save(in: store) }
    do {
      try cancellation.interrupting(with: remote.interrupt, body)
      return nil
    } catch {
      return error
    }
  }

  /// Compares the digests of the server with this device. The sync is over, so a failure of the store is ignored.
  ///
  /// If the sync changed rows here, of whichever table, the saved agreement on each table of which the server sent no
  /// digest is removed. A push removes all of them before it sends.
  private func compare(_ state: State, _ report: (SyncEvent) -> Void) {
    let silent = ports.tables.filter { state.digests[$0] == nil || cancellation.isCancelled }
    if state.report.pulled > 0 { try? DigestComparison.forgetAgreement(on: silent, in: store) }
    for (table, there) in state.digests.sorted(by: { $0.key < $1.key }) where !cancellation.isCancelled {
      let comparison = DigestComparison(table: table, there: there, counted: state.counted[table], store: store)
      if let compared = try? comparison.run() { report(.compared(compared)) }
    }
  }

  private func perform(_ state: inout State, _ reporter: ProgressReporter) throws {
    if remote.server.isEmpty { throw RemoteFailure(.noServer, mayHaveActed: false) }
    for query in request.pulls { try query.validate() }
    // An answer to the question about another account holds only for the account that was named in it.
    _ = try remote.renewSignIn(of: request.accountChange == nil ? .anybody : .sameUser)
    reporter.report()
    let account = AccountCheck(
      store: store, remote: remote, environment: environment, tables: ports.tables, settings: ports.settings)
    do {
      state.early = try earlyBatch()
      if let change = try account.pass(request.accountChange) {
        state.report.answered.insert(.account)
        state.report.droppedDeletions = change.droppedDeletions
      }
      try account.forgetOldMove()
      try convertFormerRequirement()
      let isAnswered = try answersStoppedPull()
      if isAnswered { state.report.answered.insert(.removal) }
      let removals = removalRule(isAnswered: isAnswered)
      if let answer = request.afterRestore { try answerRestore(answer, &state) }
      do {
        try pushAndPull(&state, reporter, removals)
      } catch let failure as RemoteFailure where failure.reason == .otherEpoch {
        try meetRestoredServer(&state)
        try pushAndPull(&state, reporter, removals, isCompared: true)
      }
    } catch let failure as RemoteFailure where failure.reason == .otherDatabase {
      // Two databases behind one address: to one of them something was sent, so no answer about the list fits.
      if state.report.push.accepted > 0 { throw failure }
      throw try account.other()
    }
  }

  /// Throws a failure that concerns only some of the changes after the pull.
  private func pushAndPull(
    _ state: inout State, _ reporter: ProgressReporter, _ removals: RemovalRule, isCompared: Bool = false
  ) throws {
    try remote.begin(request.pulls, of: ports.tables, isCompared: isCompared, early: state.early)
    var unsent = request.pushes ? try push(&state, reporter) : nil
    if try pull(&state, reporter, removals) > 0, request.pushes {
      // From here on the server has more than it said.
      state.digests = [:]
      unsent = try push(&state, reporter)
      _ = try pull(&state, reporter, removals)
    }
    if let unsent { throw unsent }
    let items = try store.read { try HeldRows(tables: ports.tables).count(in: $0) }
    guard items > 0 else { return }
    // Held rows: both sides may have the same versions and still differ.
    state.digests = [:]
    throw ServerWentBack(items: items)
  }

  /// True if the request answers a pull that was stopped: the answer holds only for the stop that the user knows of.
  /// Held rows are asked about first: an answer about them says nothing about what others have deleted.
  private func answersStoppedPull() throws -> Bool {
    guard request.allowsMassRemoval || request.sendsRemovalsBack, !request.pulls.isEmpty else { return false }
    return try store.read { store in
      try ports.tables.contains { try MassRemoval(of: $0, in: store) != nil }
        && HeldRows(tables: ports.tables).count(in: store) == 0
    }
  }

  /// `isAnswered` says that the request answers a pull that was stopped: only then removals are sent back.
  private func removalRule(isAnswered: Bool) -> RemovalRule {
    if request.allowsMassRemoval { return .allowed }
    return isAnswered ? .sentBack : .guarded
  }

  /// Applies the answer to the rows that were held before this sync: the user knew only their number.
  private func answerRestore(_ answer: RestoreAnswer, _ state: inout State) throws {
    let answered = try store.write { try HeldRows(tables: ports.tables).answer(answer, in: $0, environment) }
    if answered.rows > 0 { state.report.answered.insert(.restore) }
    // The server's copies came with the sync that held the rows.
    if answer == .keepServers { state.report.pulled += answered.changed }
  }

  private func meetRestoredServer(_ state: inout State) throws {
    // If the comparison ends early, the saved agreement would be wrong.
    try DigestComparison.forgetAgreement(on: ports.tables, in: store)
    let restoration = ServerRestoration(
      store: store, remote: retrying, watch: remote, settings: ports.settings, environment: environment,
      cancellation: cancellation, tables: ports.tables)
    try restoration.run()
    // Sending back loses nothing, so the answer holds for rows that were found just now too.
    if request.afterRestore == .sendBack { try answerRestore(.sendBack, &state) }
  }

  /// Begins to read the changes of a list that no server knows: the server is asked who it is before the first of them
  /// is sent. For a list that it knows nothing is asked.
  private func earlyBatch() throws -> EarlyBatch? {
    guard request.pushes else { return nil }
    let isAsked = try store.read { try Account.owner(of: $0) == nil && $0.operationCount() > 0 }
    return isAsked ? try EarlyBatch(in: store, environment) : nil
  }

  /// Pushes. Returns a failure that stops neither the other changes nor the pull (sync-rules Q2).
  private func push(_ state: inout State, _ reporter: ProgressReporter) throws -> RemoteFailure? {
    let requests = remote.traffic.requests
    // Removed before the first byte leaves: if the sync ends now, the saved agreement would be wrong.
    if try store.read({ try $0.operationCount() }) > 0 {
      try DigestComparison.forgetAgreement(on: ports.tables, in: store)
    }
    let push = try Push(
      store: store, remote: remote, environment: environment, cancellation: cancellation, delegate: ports.delegate,
      pulls: request.pulls, lateness: ports.settings.overlapMilliseconds, early: state.early)
    (state.early, state.isSent) = (nil, false)
    let earlier = state.report.push
    state.pushed = [:]
    defer {
      state.report.push = earlier + push.report
      state.report.leavesChanges = !push.isComplete
    }
    do {
      try push.run { sent, toSend in reporter.sent(sent, of: toSend) }
    } catch let failure as RemoteFailure where failure.reason == .notAllowed {
      return failure
    }
    if let lingering = push.lingering { return lingering }
    guard push.isComplete else { return nil }
    state.isSent = true
    for query in request.pulls { state.pushed[query] = try push.digest(of: query) }
    if remote.traffic.requests > requests { try store.write { try saveProgress(isSent: true, [], in: $0) } }
    return nil
  }

  /// Returns how many rows wait to be sent because of the pull.
  ///
  /// Asks nothing about a table if the answers to the push say it all: the rows here are those that the server had
  /// after its last write (sync-rules 8.7).
  private func pull(
    _ state: inout State, _ reporter: ProgressReporter, _ removals: RemovalRule
  ) throws -> Int {
    guard !request.pulls.isEmpty else { return 0 }
    var toSend = 0
    var completed: [CompletedPull] = []
    try voidVersionsForNewColumns()
    state.counted = [:]
    let early = try earlyCount()
    for query in request.pulls {
      // Asked for each: the pull before it may have required a comparison.
      let isFull = try comparesAll(of: query)
      if !isFull, let there = state.pushed[query],
        (try? early?.digest(of: query.table, in: store)) == there
      {
        state.digests[query.table] = there
        completed.append(CompletedPull(query: query))
        continue
      }
      let outcome = try pull(query, isFull: isFull, &state, reporter, removals)
      toSend += outcome.toSend
      state.digests[query.table] = outcome.digest
      // Read now: what a later pull requires is not made yet.
      let made: RequiredComparison? = outcome.isCompared ? try store.read { try $0.requiredComparison() } : nil
      completed.append(CompletedPull(query: query, made: made))
    }
    early?.finish()
    state.counted = try store.write { store in
      // Taken before anything is written, which would void them. If rows could not be counted, they are counted later.
      let counted = (try? early?.value(in: store)) ?? [:]
      try saveProgress(isSent: state.isSent, completed, in: store)
      return counted
    }
    return toSend
  }

  private func pull(
    _ query: PullQuery, isFull: Bool, _ state: inout State, _ reporter: ProgressReporter, _ removals: RemovalRule
  ) throws -> Pull.Outcome {
    let pull = Pull(
      store: store, remote: remote, settings: ports.settings, environment: environment, cancellation: cancellation,
      isFull: isFull, removals: removals)
    var outcome = Pull.Outcome()
    // Also of a pull that fails: what came before is stored.
    defer {
      let known = Set(state.report.leftOut)
      state.report.leftOut += outcome.leftOut.filter { !known.contains($0) }
      state.report.pulled += outcome.changed
    }
    try pull.run(query, into: &outcome) { reporter.received($0) }
    return outcome
  }

  /// Begins to count the rows here, if a pull may bring nothing. It only saves time, so that a failure of it is none of
  /// the sync.
  private func earlyCount() throws -> EarlyCount? {
    let tellsDigest = remote.knowledge.database != nil
    guard tellsDigest, try !request.pulls.allSatisfy({ try comparesAll(of: $0) }) else { return nil }
    return try? EarlyCount(of: ports.tables, in: store, environment)
  }

  /// Gives a required comparison of an earlier version, or of an older program that used the store meanwhile, a text of
  /// its own. Otherwise no query could be known to have made it.
  private func convertFormerRequirement() throws {
    guard try store.read({ try $0.requiredComparison()?.isFormer ?? false }) else { return }
    try store.write { try $0.requireComparison(now: environment.now()) }
  }

  /// The server's rows may hold something in columns that are new here. So no copy is known any more. This comes after
  /// the push, which needs the versions: a server that never had the column would show a copy that agrees with the
  /// edit.
  private func voidVersionsForNewColumns() throws {
    let facts = request.pulls.map { ($0.table, SyncFact.newColumns(of: $0.table)) }
    let due = try store.read { store in try facts.filter { try store.fact($0.1) != nil } }
    guard !due.isEmpty else { return }
    try store.write { store in
      for (table, fact) in due {
        try store.voidVersions(of: table, environment)
        try store.removeFact(fact)
      }
    }
  }

  /// True if the person wants it, or if the query must: see ``StoreReader/mustCompareAll(of:_:now:)``.
  private func comparesAll(of query: PullQuery) throws -> Bool {
    if request.isFull { return true }
    return try store.read { try $0.mustCompareAll(of: query, ports.settings, now: environment.now()) }
  }

  /// Saves how far the sync has come: that a push sent all, if `isSent`, which pulls are complete, what was learned of
  /// the server, and the requests.
  private func saveProgress(isSent: Bool, _ completed: [CompletedPull], in store: any StoreWriter) throws {
    let now = environment.now()
    try saveOwner(in: store, now: now)
    if isSent { try store.setFact(SyncFact.lastPush, now.text) }
    try store.save(completed, now: now)
    try endMoves(in: store, now: now)
    try remote.knowledge.remember(of: remote.server, in: store, now: now)
    let requests = ports.log.drain()
    if !requests.isEmpty { try store.appendRequests(requests, keeping: SyncLog.longest) }
  }

  /// The server has answered: a list without an owner belongs to its account, under the name that it gave the user.
  private func saveOwner(in store: any StoreWriter, now: Timestamp) throws {
    try Account.setFirstOwner(of: store, for: remote, now: now)
    try Account.addName(to: store, for: remote)
  }

  /// Ends the move to another database of each table that was compared. After a pull alone, changes of rows that this
  /// database lacks must still be sent.
  private func endMoves(in store: any StoreWriter, now: Timestamp) throws {
    guard request.pushes else { return }
    let compared = try request.pulls.filter { query in
      try query.scope.isEmpty && !PullHistory(of: query.table, in: store).requiresComparison(of: query)
    }
    for query in compared { try store.endMove(of: query.table, now: now) }
  }
}

/// Reports the progress of a sync, at most 20 times a second.
final class ProgressReporter {
  /// Milliseconds between two reports.
  private static let interval: Int64 = 50

  private let remote: any RemoteTable
  private let start: Traffic
  private let now: () -> Timestamp
  private let handler: (SyncEvent) -> Void
  private var progress = SyncProgress()
  private var last: Timestamp?

  init(
    remote: any RemoteTable, since start: Traffic, now: @escaping () -> Timestamp,
    report: @escaping (SyncEvent) -> Void
  ) {
    self.remote = remote
    self.start = start
    self.now = now
    handler = report
  }

  func sent(_ sent: Int, of toSend: Int) {
    progress.sent = sent
    progress.toSend = toSend
    report()
  }

  func received(_ received: Int) {
    progress.received = received
    report()
  }

  func report() {
    let moment = now()
    // A clock that was set back must not silence it.
    if let last, (0..<Self.interval).contains(moment.milliseconds - last.milliseconds) { return }
    last = moment
    progress.traffic = remote.traffic - start
    handler(.progress(progress))
  }
}
