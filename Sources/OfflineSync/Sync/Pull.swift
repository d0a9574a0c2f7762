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
  /// True if the pull may remove more than half of the rows.
  let allowsMassRemoval: Bool

  struct Outcome {
    /// The number of rows that changed here.
    var changed = 0
    /// The digest of the server's whole table, in the state that this device has now; nil if the server gave none.
    var digest: TableDigest?
  }

  /// Runs the pull. Calls `progress` with the number of rows received so far.
  ///
  /// Throws `RemoteFailure`, `StoreError`, `MassRemoval` or `SyncCancelled`; the pages stored before it remain.
  func run(_ query: PullQuery, progress: (Int) -> Void) throws -> Outcome {
    try cancellation.check()
    var storing = try storing(query.table)
    do {
      let outcome = try run(query, &storing, progress)
      try remember(storing.deletionGuard?.passed, of: query.table)
      return outcome
    } catch let removal as MassRemoval {
      try remember(storing.deletionGuard?.stopped, of: query.table)
      throw removal
    } catch {
      // Rows that were removed before the failure count. If saving fails too, the first failure is reported.
      try? remember(storing.deletionGuard, of: query.table)
      throw error
    }
  }

  private func storing(_ table: String) throws -> PullStoring {
    let earlier = try store.read { store in
      try store.fact(SyncFact.deletions(in: table)) == nil ? nil : deletionGuard(of: table, store)
    }
    return PullStoring(store: store, remote: remote, environment: environment, deletionGuard: earlier) {
      try deletionGuard(of: table, $0)
    }
  }

  private func deletionGuard(of table: String, _ store: any StoreReader) throws -> MassDeletionGuard {
    if allowsMassRemoval { return .none }
    // A pull never removes rows that no server has. In a short list they would hide that all others are removed.
    let all = try store.count(TableQuery(table: table))
    let isShort = all < MassDeletionGuard.smallestWatchedForHalf
    return MassDeletionGuard(
      count: isShort ? try store.count(TableQuery(table: table, filter: .accepted)) : all,
      earlier: try store.fact(SyncFact.deletions(in: table)), now: environment.now(),
      watchesAll: try store.fact(SyncFact.mustCompare) != nil)
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

  private func run(_ query: PullQuery, _ storing: inout PullStoring, _ progress: (Int) -> Void) throws -> Outcome {
    var token = try token(of: query)
    var outcome = Outcome()
    var isCompared = isFull || query.queryID == nil
    var isVoid = false
    while true {
      if isCompared {
        let result = try compareAll(query, storing, progress)
        outcome.changed += result.changed
        guard query.queryID != nil else { return outcome }
        token = result.newest.map(DeltaToken.init) ?? token
      }
      let walk = ChangeWalk(
        query: query, store: store, remote: remote, settings: settings, storing: storing, cancellation: cancellation,
        clock: clock)
      let news = try walk.run(since: token, seeksWitness: !isCompared, progress: progress)
      outcome.changed += news.changed
      // The digest is one of all rows. It says nothing about a pull with a filter.
      outcome.digest = query.scope.isEmpty ? news.digest : nil
      guard news.lostWitness else {
        if isVoid { try store.write { try $0.removeFact(SyncFact.mustCompare) } }
        return outcome
      }
      // The server's database may have been emptied or replaced. If this comparison is stopped, the next pull must make
      // it: the rows that are stored by then would pass as a proof that nothing happened.
      isCompared = true
      isVoid = true
      try store.write { try $0.setFact(SyncFact.mustCompare, remote.server) }
      try remember(storing.deletionGuard, of: query.table)
      // From now on the guard watches short lists too.
      storing = try self.storing(query.table)
    }
  }

  private func compareAll(
    _ query: PullQuery, _ storing: PullStoring, _ progress: (Int) -> Void
  ) throws -> (changed: Int, newest: Timestamp?) {
    let full = FullPull(
      query: query, settings: settings, storing: storing, remote: remote, cancellation: cancellation, clock: clock,
      hasAllTombstones: try hasAllTombstones())
    return try full.run(progress: progress)
  }

  private func hasAllTombstones() throws -> Bool {
    guard let last = try store.read({ try $0.fact(SyncFact.lastPull) }).flatMap({ Timestamp($0) }) else { return false }
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
