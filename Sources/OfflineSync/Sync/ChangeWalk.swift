import TableProtocol

/// The incremental part of a pull: brings what changed since a token, each page with the token it leads to.
struct ChangeWalk {
  let query: PullQuery
  let store: any LocalStore
  let remote: any RemoteTable
  let settings: PullSettings
  let storing: PullStoring
  let cancellation: Cancellation
  let clock: PullClock

  /// Rows that are stored in one transaction.
  private static let part = 2_000

  struct Outcome {
    var changed = 0
    /// The digest of the server's whole table, if it gave one in the state that this device has now.
    var digest: TableDigest?
    /// The server does not have a row any more that it had, and no digest says what it has: its database may be
    /// another one.
    var lostWitness = false
  }

  /// What is assumed of the server while it walks. It only gets more careful.
  private struct Assumptions {
    var token: DeltaToken?
    var isOrdered: Bool
    var witness: String?
    var memory: PullMemory?
    var pageSize: Int
    /// The server's clock stepped back behind the token.
    var from: Timestamp?
  }

  /// `seeksWitness` is false right after all rows were compared. `progress` gets the rows received so far.
  func run(since token: DeltaToken?, seeksWitness: Bool, progress: (Int) -> Void) throws -> Outcome {
    var order = try ServerOrder(of: remote.server, store)
    var assumed = Assumptions(
      token: token, isOrdered: order.isOrdered, witness: seeksWitness ? try witness(since: token) : nil,
      memory: try store.read { try PullMemory(of: query, at: remote.server, in: $0) }, pageSize: pageSize)
    var cursor = cursor(assumed)
    var seen = Seen()
    var outcome = Outcome()
    while let next = cursor.next {
      try cancellation.check()
      guard let page = try page(next, &cursor) else {
        assumed.witness = nil
        continue
      }
      storing.isOrdered = page.isOrdered
      if !page.isOrdered { order = try order.learned(false, store) }
      if try correct(&assumed, by: page) {
        cursor = self.cursor(assumed)
        continue
      }
      let high = cursor.high
      try cursor.advance(past: page, saysWhenCut: remote.saysWhenCut(page), clock: clock.limit(page))
      outcome.changed += try self.store(page.records, from: high, to: cursor.high) {
        seen.rows += $0
        progress(seen.rows)
      }
      outcome.digest = page.digest
      seen.note(page, witness: assumed.witness)
    }
    if seen.isOrdered { _ = try order.learned(true, store) } else { try remember(cursor, seen) }
    outcome.lostWitness =
      assumed.witness != nil && !seen.witness && !seen.isOrdered && outcome.digest == nil
    return outcome
  }

  /// What the pages of a walk showed.
  private struct Seen {
    var rows = 0
    var witness = false
    /// Every page promised order.
    var isOrdered = true
    /// The server's clock with the first page.
    var began: Timestamp??

    mutating func note(_ page: RemotePage, witness id: String?) {
      if let id { witness = witness || page.ids.contains(RecordID(id)) }
      isOrdered = isOrdered && page.isOrdered
      if began == nil { began = .some(page.serverTime) }
    }
  }

  /// Nil if the server can't be asked so: then the cursor asks in a plainer way.
  private func page(_ next: TableQuery, _ cursor: inout PullCursor) throws -> RemotePage? {
    do {
      return try remote.page(next)
    } catch {
      guard !cursor.isSimple, case .serverError(status: 400, _) = error.reason else { throw error }
      cursor.simplify()
      return nil
    }
  }

  /// True if the walk must begin again, since something that was assumed does not hold. Each can happen once: of two
  /// backends behind one address the careful one is believed for the whole walk.
  private func correct(_ assumed: inout Assumptions, by page: RemotePage) throws -> Bool {
    // Only with the first answer is it known how large a page may be.
    let size = min(pageSize, assumed.pageSize)
    if size != assumed.pageSize {
      assumed.pageSize = size
      return true
    }
    guard !page.isOrdered else { return false }
    var isWrong = stepBack(&assumed, with: page)
    if assumed.isOrdered {
      assumed.isOrdered = false
      isWrong = true
    }
    return isWrong
  }

  /// True if the server's clock stepped back, so that what it stamps now lies before the place where the walk began.
  private func stepBack(_ assumed: inout Assumptions, with page: RemotePage) -> Bool {
    guard assumed.from == nil, let token = assumed.token, let limit = clock.limit(page) else { return false }
    let time = page.serverTime ?? clock.now()
    let from = time.advanced(byMilliseconds: -settings.overlapMilliseconds)
    let isBeforeToken = token.timestamp > limit
    // Between two whole seconds it need not have stepped at all, and less than the overlap does no harm.
    let slack = min(PullClock.resolution, settings.overlapMilliseconds)
    let last = assumed.memory.flatMap { $0.token == token.timestamp ? $0.serverTime : nil }
    let hasStepped = page.serverTime != nil && last.map { $0 > time.advanced(byMilliseconds: slack) } ?? false
    guard isBeforeToken || (hasStepped && start(assumed) > from) else { return false }
    if isBeforeToken { assumed.token = DeltaToken(time) }
    assumed.from = from
    return true
  }

  private func start(_ assumed: Assumptions) -> Timestamp {
    PullMemory.start(token: assumed.token, overlap: settings.overlapMilliseconds, memory: assumed.memory)
  }

  private func cursor(_ assumed: Assumptions) -> PullCursor {
    let token = assumed.token?.timestamp ?? .epoch
    return PullCursor(
      query, from: assumed.isOrdered ? token : assumed.from ?? start(assumed), high: token, pageSize: assumed.pageSize,
      witness: assumed.isOrdered ? nil : assumed.witness, counts: remote.mayCutSilently && !assumed.isOrdered)
  }

  private var pageSize: Int { settings.pageSize(for: remote.protocolVersion) }

  /// A row that the server had when it was asked last, to be asked for with what is new: if it does not come, the server
  /// has lost it, or has another database. Nil if a part of the rows is kept, of which one may leave the filter.
  private func witness(since token: DeltaToken?) throws -> String? {
    guard let token, token.timestamp > .epoch, query.scope.isEmpty else { return nil }
    let isOld = Filter.compare(SystemColumn.updatedAt, .lessOrEqual, .timestamp(token.timestamp))
    let known = TableQuery(
      table: query.table, filter: .all([.accepted, isOld]), order: [SortKey(SystemColumn.id)], limit: 1)
    return try store.read { try $0.records(known).records.first?.id }
  }

  /// Where the server did not say its time, nothing is remembered, and the next pull looks back as far as this one.
  private func remember(_ cursor: PullCursor, _ seen: Seen) throws {
    guard let time = seen.began ?? nil else { return }
    let memory = PullMemory(token: cursor.high, serverTime: time)
    let known = try store.read { try PullMemory(of: query, at: remote.server, in: $0) }
    if let known, known.token == memory.token, known.isSettled(overlap: settings.overlapMilliseconds) { return }
    try store.write { try $0.setFact(SyncFact.memory(of: query, at: remote.server), memory.text) }
  }

  /// Stores a page in parts, each with the token of its last row: a change that is made here meanwhile must not
  /// wait for thousands of rows.
  private func store(
    _ records: [Record], from high: Timestamp, to end: Timestamp, progress: (Int) -> Void
  ) throws -> Int {
    let times = records.map { $0.system.updatedAt ?? .epoch }
    let isInOrder = zip(times, times.dropFirst()).allSatisfy { $0 <= $1 }
    var changed = 0
    for start in stride(from: 0, to: max(1, records.count), by: Self.part) {
      try cancellation.check()
      let part = Array(records[start..<min(start + Self.part, records.count)])
      let isLast = start + Self.part >= records.count
      // If rows are in no order, an earlier part says nothing of what the later ones hold.
      let reached = isInOrder ? min(end, max(high, part.last?.system.updatedAt ?? high)) : high
      changed += try storing.store(part, in: query, token: DeltaToken(isLast ? end : reached))
      progress(part.count)
    }
    return changed
  }
}

extension Filter {
  /// Rows that a server accepted once.
  static let accepted = Filter.compare(SystemColumn.version, .notEqual, .null)
}
