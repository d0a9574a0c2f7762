import TableProtocol

/// Brings what changed on the server into the store, page by page, so that it can be cut anywhere and goes
/// on from there.
struct Pull {
  let store: any LocalStore
  let remote: any RemoteTable
  let settings: PullSettings
  let environment: Environment
  let cancellation: Cancellation
  /// True when everything is to be compared.
  let isFull: Bool
  /// True when it may remove more than half of the rows.
  let allowsMassRemoval: Bool

  /// Rows that are stored in one transaction.
  private static let part = 2_000

  struct Outcome {
    /// Rows that changed here.
    var changed = 0
    /// What the server's whole table comes to, where it told so in the state that this device has now.
    var digest: TableDigest?
  }

  /// `progress` gets the rows received so far.
  /// Throws `RemoteFailure`, `StoreError`, `MassRemoval` or `SyncCancelled`; the pages stored before it remain.
  func run(_ query: PullQuery, progress: (Int) -> Void) throws -> Outcome {
    try cancellation.check()
    let storing = PullStoring(
      store: store, account: Account(remote), environment: environment, brake: try brake(of: query.table),
      isOrdered: try ServerOrder(of: remote.server, store).isOrdered)
    do {
      let outcome = try run(query, storing, progress)
      try release(query.table)
      return outcome
    } catch let removal as MassRemoval {
      try store.write { try $0.setFact(SyncFact.braked(query.table), String(removal.total)) }
      throw removal
    }
  }

  private func brake(of table: String) throws -> RemovalBrake {
    if allowsMassRemoval { return .none }
    return try store.read { store in
      RemovalBrake(
        count: try store.count(TableQuery(table: table)),
        earlier: try store.fact(SyncFact.braked(table)).flatMap { Int($0) },
        watchesAll: try store.fact(SyncFact.mustCompare) != nil)
    }
  }

  /// What was asked about is decided.
  private func release(_ table: String) throws {
    guard try store.read({ try $0.fact(SyncFact.braked(table)) }) != nil else { return }
    try store.write { try $0.removeFact(SyncFact.braked(table)) }
  }

  private func run(_ query: PullQuery, _ storing: PullStoring, _ progress: (Int) -> Void) throws -> Outcome {
    var token = try token(of: query)
    var outcome = Outcome()
    if isFull || query.queryID == nil {
      let full = FullPull(
        query: query, pageSize: pageSize, storing: storing, remote: remote, cancellation: cancellation)
      let result = try full.run(progress: progress)
      outcome.changed = result.changed
      guard query.queryID != nil else { return outcome }
      token = result.newest.map(DeltaToken.init) ?? token
    }
    let news = try changes(of: query, since: token, storing, progress)
    outcome.changed += news.changed
    // A part of the rows can't be compared with all of them.
    outcome.digest = query.scope.isEmpty ? news.digest : nil
    return outcome
  }

  /// How far the query was pulled; nil when it was not, or was another query under the same name.
  private func token(of query: PullQuery) throws -> DeltaToken? {
    guard let queryID = query.queryID else { return nil }
    let fact = SyncFact.filter(of: query)
    let (token, scope) = try store.read { store in
      (try store.deltaToken(table: query.table, queryID: queryID), try store.fact(fact) ?? "")
    }
    guard scope != query.scope else { return token }
    // In one transaction: a pull that fails now must not leave the other query's progress to the next one.
    try store.write { store in
      try store.setFact(fact, query.scope)
      if token != nil { try store.setDeltaToken(DeltaToken(.epoch), table: query.table, queryID: queryID) }
    }
    return nil
  }

  private func changes(
    of query: PullQuery, since token: DeltaToken?, _ storing: PullStoring, _ progress: (Int) -> Void
  ) throws -> Outcome {
    var order = try ServerOrder(of: remote.server, store)
    var cursor = self.cursor(query, token, order)
    var received = 0
    var outcome = Outcome()
    let size = pageSize
    while let next = cursor.next {
      try cancellation.check()
      let page = try remote.page(next)
      // Only now is it known how large a page may be.
      if size != pageSize { return try changes(of: query, since: token, storing, progress) }
      if order.isOrdered != page.isOrdered {
        order = try order.learned(page.isOrdered, store)
        if !page.isOrdered {
          cursor = self.cursor(query, token, order)
          continue
        }
      }
      let high = cursor.high
      try cursor.advance(past: page)
      outcome.changed += try self.store(page.records, of: query, from: high, to: cursor.high, storing) {
        received += $0
        progress(received)
      }
      outcome.digest = page.digest
    }
    return outcome
  }

  /// Stores a page in parts, each with the token of its last row: a change that is made here meanwhile must not
  /// wait for thousands of rows.
  private func store(
    _ records: [Record], of query: PullQuery, from high: Timestamp, to end: Timestamp, _ storing: PullStoring,
    progress: (Int) -> Void
  ) throws -> Int {
    let times = records.map { $0.system.updatedAt ?? .epoch }
    let isInOrder = zip(times, times.dropFirst()).allSatisfy { $0 <= $1 }
    var changed = 0
    for start in stride(from: 0, to: max(1, records.count), by: Self.part) {
      try cancellation.check()
      let part = Array(records[start..<min(start + Self.part, records.count)])
      let isLast = start + Self.part >= records.count
      // Where rows are in no order, an earlier part says nothing of what the later ones hold.
      let reached = isLast ? end : isInOrder ? max(high, part.last?.system.updatedAt ?? high) : high
      changed += try storing.store(part, in: query, token: DeltaToken(reached))
      progress(part.count)
    }
    return changed
  }

  private func cursor(_ query: PullQuery, _ token: DeltaToken?, _ order: ServerOrder) -> PullCursor {
    PullCursor(
      query, token: token, overlapMilliseconds: order.isOrdered ? 0 : settings.overlapMilliseconds,
      pageSize: pageSize)
  }

  private var pageSize: Int { settings.pageSize(for: remote.protocolVersion) }
}
