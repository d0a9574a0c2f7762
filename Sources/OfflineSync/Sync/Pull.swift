import TableProtocol

/// Loads the rows that changed on the server into the store, page by page. An interrupted pull continues with the page
/// after the last one stored.
struct Pull {
  let store: any LocalStore
  let remote: any RemoteTable
  let settings: PullSettings
  let environment: Environment
  let cancellation: Cancellation
  /// True if all rows are compared, not only those that changed.
  let isFull: Bool
  /// The treatment of rows that the server would remove.
  let removals: RemovalRule

  struct Outcome {
    /// The number of rows that changed here.
    var changed = 0
    /// The number of rows that wait to be sent because of the pull: those that the server would have taken away, and
    /// those that waited for a decision which the pull made needless.
    var toSend = 0
    /// The rows of the server that can't be stored here.
    var leftOut: [UnreadableRow] = []
    /// The digest of the server's whole table, in the state that this device has now; nil if the server gave none.
    var digest: TableDigest?
    /// True if all rows were compared.
    var isCompared = false
  }

  /// Runs the pull. Calls `progress` with the number of rows received so far.
  ///
  /// Throws `RemoteFailure`, `StoreError`, `MassRemoval` or `SyncCancelled`. The pages stored before it remain, and
  /// `outcome` says what they changed.
  func run(_ query: PullQuery, into outcome: inout Outcome, progress: (Int) -> Void) throws {
    try cancellation.check()
    var storing = try storing(query)
    defer {
      outcome.changed = storing.changed
      outcome.toSend = storing.toSend
      outcome.leftOut = storing.leftOut
    }
    do {
      (outcome.digest, outcome.isCompared) = try run(query, storing: &storing, progress: progress)
      try remember(storing.deletionGuard?.passed, of: query.table)
    } catch let removal as MassRemoval {
      try remember(storing.deletionGuard?.stopped(by: removal), of: query.table)
      throw removal
    } catch {
      // The rows of the later pages are still to be sent back.
      if removals == .sentBack { throw error }
      // Rows that were removed before the failure count. If saving fails too, the first failure is reported.
      try? remember(storing.deletionGuard, of: query.table)
      throw error
    }
  }

  private func storing(_ query: PullQuery) throws -> PullStoring {
    let fact = SyncFact.deletions(in: query.table)
    let earlier = try store.read { store in
      try store.fact(fact).map { try deletionGuard(of: query, earlier: $0, store) }
    }
    return PullStoring(
      store: store, remote: remote, environment: environment, deletionGuard: earlier, sendsBack: removals == .sentBack
    ) { store in
      try deletionGuard(of: query, earlier: store.fact(fact), store)
    }
  }

  private func deletionGuard(
    of query: PullQuery, earlier: String?, _ store: any StoreReader
  ) throws -> MassDeletionGuard {
    if removals != .guarded { return .none }
    // A pull never removes rows that no server has. In a short list they would hide that all others are removed.
    let all = try store.count(TableQuery(table: query.table))
    let isShort = all < MassDeletionGuard.smallestWatchedForHalf
    return MassDeletionGuard(
      count: isShort ? try store.count(TableQuery(table: query.table, filter: .accepted)) : all,
      earlier: earlier, now: environment.now(),
      watchesAll: try PullHistory(of: query.table, in: store).requiresComparison(of: query))
  }

  /// Saves what the guard counted, if there is one. A pull that may remove anything ends the counting: the user agreed
  /// to it.
  private func remember(_ deletions: MassDeletionGuard?, of table: String) throws {
    let fact = SyncFact.deletions(in: table)
    let text = deletions?.text
    guard try store.read({ try $0.fact(fact) }) != text else { return }
    try store.write { store in
      if let text { try store.setFact(fact, text) } else { try store.removeFact(fact) }
    }
  }

  /// Returns the digest of the server's whole table, and whether all rows were compared. The digest is nil if the
  /// server gave none, and for a pull with a filter: it is one of all rows.
  private func run(
    _ query: PullQuery, storing: inout PullStoring, progress: (Int) -> Void
  ) throws -> (digest: TableDigest?, isCompared: Bool) {
    var token = try token(of: query)
    var isCompared = isFull || query.queryID == nil
    while true {
      if isCompared {
        let newest = try compareAll(query, since: token, storing: storing, progress: progress)
        guard query.queryID != nil else { return (nil, true) }
        token = newest.map(DeltaToken.init) ?? token
      }
      let walk = ChangeWalk(
        query: query, store: store, remote: remote, settings: settings, storing: storing, cancellation: cancellation,
        clock: clock)
      let news = try walk.run(since: token, isAfterComparison: isCompared, progress: progress)
      if news.needsComparison {
        isCompared = true
        continue
      }
      guard news.lostWitness else { return (query.scope.isEmpty ? news.digest : nil, isCompared) }
      // The server's database may have been emptied or replaced, which concerns all queries. If this comparison is
      // stopped, the next pull must make it: the rows that are stored by then would pass as a proof that nothing
      // happened.
      isCompared = true
      try store.write { try $0.requireComparison(now: environment.now()) }
      // A stop whose rows are being sent back stays until they wait for it.
      if removals != .sentBack { try remember(storing.deletionGuard, of: query.table) }
      // From now on the guard watches short lists too.
      let earlier = storing
      storing = try self.storing(query)
      storing.goOn(from: earlier)
    }
  }

  private func compareAll(
    _ query: PullQuery, since token: DeltaToken?, storing: PullStoring, progress: (Int) -> Void
  ) throws -> Timestamp? {
    let full = FullPull(
      query: query, settings: settings, storing: storing, remote: remote, cancellation: cancellation, clock: clock,
      hasAllTombstones: try hasAllTombstones(query), token: token?.timestamp)
    do {
      return try full.run(progress: progress)
    } catch let removal as MassRemoval {
      // The comparison is still due: the next pull must not store the rest as if there had been none.
      try store.write { try $0.keepRequiringComparison(of: query, now: environment.now()) }
      throw removal
    }
  }

  private func hasAllTombstones(_ query: PullQuery) throws -> Bool {
    let (isPulled, history) = try store.read { store in
      (try store.fact(SyncFact.lastPull) != nil, try PullHistory(of: query.table, in: store))
    }
    guard isPulled, let last = history.lastPull(of: query) else { return false }
    return !settings.mayMissTombstones(since: last, now: environment.now())
  }

  private var clock: PullClock { PullClock(now: environment.now) }

  /// Returns how far the query was pulled; nil if it was not, or if the name was used for another query.
  private func token(of query: PullQuery) throws -> DeltaToken? {
    guard let queryID = query.queryID else { return nil }
    let fact = SyncFact.filter(of: query)
    let (token, scope) = try store.read { store in
      (try store.deltaToken(table: query.table, queryID: queryID), try store.fact(fact) ?? "")
    }
    guard scope != query.scope else { return token }
    // In one transaction: if this pull fails, the next one must not use the other query's token.
    try store.write { store in
      try store.setFact(fact, query.scope)
      if token != nil { try store.setDeltaToken(DeltaToken(.epoch), table: query.table, queryID: queryID) }
    }
    return nil
  }
}

/// The limit of a delta token: the server's clock. A row dated in the future must not hide rows that are written before
/// that date.
struct PullClock {
  /// This device's time, in UTC.
  let now: () -> Timestamp

  /// Milliseconds by which `updatedAt` may be ahead of the server's time. A server gives its time in whole seconds, and
  /// a server whose `updatedAt` always rises runs a little ahead of its clock.
  static let resolution: Int64 = 2_000
  /// Milliseconds by which this device's clock may differ from the server's. Used if the server does not give its time.
  private static let tolerance: Int64 = 60_000

  /// Returns the latest time that a token may have after this page. Nil if the server promises order: then no later
  /// write gets an earlier time.
  func limit(_ page: RemotePage) -> Timestamp? {
    if page.isOrdered { return nil }
    return page.serverTime?.advanced(byMilliseconds: Self.resolution)
      ?? now().advanced(byMilliseconds: Self.tolerance)
  }
}
