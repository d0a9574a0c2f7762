import TableProtocol

/// The incremental part of a pull: loads the rows that changed since a token, and saves each page with its new token.
struct ChangeWalk {
  let query: PullQuery
  let store: any LocalStore
  let remote: any RemoteTable
  let settings: PullSettings
  let storing: PullStoring
  let cancellation: Cancellation
  let clock: PullClock

  struct Outcome {
    /// The digest of the server's whole table, in the state that this device has now; nil if the server gave none.
    var digest: TableDigest?
    /// True if the server no longer has a row that it had, and gave no digest: its database may be another one.
    var lostWitness = false
    /// True if only a comparison of all rows finds what this walk would pass by. Nothing was stored then.
    var needsComparison = false
  }

  /// A row that the server had at the last pull.
  private struct Witness {
    let id: RecordID
    let updatedAt: Timestamp

    /// True if the page has the row, and not in a state that is older by more than `overlap`, in milliseconds.
    func isConfirmed(by page: RemotePage, overlap: Int64) -> Bool {
      guard page.ids.contains(id) else { return false }
      let copy = page.records.last { $0.id == id }
      return copy?.system.updatedAt.map { $0.advanced(byMilliseconds: overlap) >= updatedAt } ?? true
    }

    /// The rows of the page to store. An older copy of the witness is left to the comparison of all rows: to take it
    /// would remove the sign that the server went back.
    func rows(of page: RemotePage, overlap: Int64) -> [Record] {
      let isTold = page.isOrdered || page.epoch != nil || page.digest != nil
      guard !isTold, page.ids.contains(id), !isConfirmed(by: page, overlap: overlap) else { return page.records }
      return page.records.filter { $0.id != id }
    }
  }

  /// The assumptions about the server. During a walk they only get more careful.
  private struct Assumptions {
    var token: DeltaToken?
    var isOrdered: Bool
    /// True if the server is known to promise no order, whichever it is.
    var isUnordered: Bool
    var witness: Witness?
    var tokenTime: TokenTime?
    var pageSize: Int
    /// The start of the walk if the server's clock stepped back behind the token.
    var from: Timestamp?
  }

  /// Runs the walk. Right after a comparison of all rows it asks for no witness, and for no other comparison. Calls
  /// `progress` with the number of rows received so far.
  func run(since token: DeltaToken?, isAfterComparison: Bool, progress: (Int) -> Void) throws -> Outcome {
    try forgetTime(unless: token)
    var order = try ServerOrder(of: remote.server, store)
    var assumed = Assumptions(
      token: token, isOrdered: order.isOrdered, isUnordered: order.isUnordered,
      witness: isAfterComparison || order.isOrdered ? nil : try witness(since: token),
      tokenTime: try store.read { try TokenTime(of: query, at: remote.server, in: $0) }, pageSize: pageSize)
    var cursor = cursor(assumed)
    var seen = Seen()
    var outcome = Outcome()
    while let next = cursor.next {
      try cancellation.check()
      guard let page = try page(next, &cursor) else {
        assumed.witness = nil
        continue
      }
      if !isAfterComparison, hidesRows(page, from: token, assumed.tokenTime) {
        outcome.needsComparison = true
        return outcome
      }
      storing.note(page)
      if !page.isOrdered { order = try order.learned(false, store) }
      let wasOrdered = assumed.isOrdered
      if try correct(&assumed, by: page) {
        if wasOrdered, !assumed.isOrdered, !isAfterComparison { assumed.witness = try witness(since: token) }
        cursor = self.cursor(assumed)
        continue
      }
      storing.trust.token = assumed.token?.timestamp
      try store(page, assumed.witness, &cursor, &seen, progress: progress)
      outcome.digest = page.digest
    }
    if seen.isOrdered { _ = try order.learned(true, store) } else { try remember(cursor, seen) }
    outcome.lostWitness =
      assumed.witness != nil && !seen.witness && !seen.isOrdered && outcome.digest == nil
    return outcome
  }

  /// Stores a page, and moves past it.
  private func store(
    _ page: RemotePage, _ witness: Witness?, _ cursor: inout PullCursor, _ seen: inout Seen, progress: (Int) -> Void
  ) throws {
    let high = cursor.high
    try cursor.advance(past: page, saysWhenCut: remote.saysWhenCut(page), clock: clock.limit(page))
    let rows = witness?.rows(of: page, overlap: settings.overlapMilliseconds) ?? page.records
    if !seen.isForeseen { seen.isForeseen = try foresee(rows, before: cursor) }
    try store(rows, from: high, to: cursor.high) {
      seen.rows += $0
      progress(seen.rows)
    }
    seen.note(page, witness, overlap: settings.overlapMilliseconds)
  }

  /// Looks ahead if the rows of a page remove much here: a question about that must come before anything is gone, and
  /// name all that would go. Throws `MassRemoval`. Returns true if the rest of the walk was looked at; it may still
  /// grow.
  private func foresee(_ rows: [Record], before cursor: PullCursor) throws -> Bool {
    var removals = try storing.removals(by: rows, in: query.table)
    guard !removals.isEmpty else { return false }
    let removed = try storing.guardOfRemovals()
    let looksAhead = cursor.next != nil && removed.mayGoOn(removing: removals.count, of: rows.count)
    var ahead = cursor
    while looksAhead, let next = ahead.next {
      try cancellation.check()
      guard let page = try page(next, &ahead) else { continue }
      try ahead.advance(past: page, saysWhenCut: remote.saysWhenCut(page), clock: clock.limit(page))
      removals.formUnion(try storing.removals(by: page.records, in: query.table))
    }
    try removed.require(removals)
    return looksAhead
  }

  /// The observations on the pages of a walk.
  private struct Seen {
    var rows = 0
    /// True if the walk was looked at to its end before rows were removed.
    var isForeseen = false
    var witness = false
    /// True if every page promised order.
    var isOrdered = true
    /// The server's time with the first page.
    var began: Timestamp??

    mutating func note(_ page: RemotePage, _ asked: Witness?, overlap: Int64) {
      if let asked { witness = witness || asked.isConfirmed(by: page, overlap: overlap) }
      isOrdered = isOrdered && page.isOrdered
      if began == nil { began = .some(page.serverTime) }
    }
  }

  /// Loads a page. Returns nil if the server refuses the request with 400: the cursor then uses a simpler one.
  private func page(_ next: TableQuery, _ cursor: inout PullCursor) throws -> RemotePage? {
    do {
      return try remote.page(next)
    } catch {
      guard !cursor.isSimple, case .serverError(status: 400, _) = error.reason else { throw error }
      cursor.simplify()
      return nil
    }
  }

  /// Returns true if the server has removed tombstones that are later than the token (P10), or if its clock stepped
  /// back by more than the overlap: what was written since then may be dated before anything that this device would ask
  /// for (P6).
  private func hidesRows(_ page: RemotePage, from token: DeltaToken?, _ tokenTime: TokenTime?) -> Bool {
    guard let token = token?.timestamp, token > .epoch else { return false }
    if page.tombstones?.reaches(back: token) == false { return true }
    guard !page.isOrdered, let time = page.serverTime else { return false }
    let known = max(token, TokenTime.serverTime(at: token, tokenTime) ?? token)
    return known > time.advanced(byMilliseconds: max(PullClock.resolution, settings.overlapMilliseconds))
  }

  /// Corrects the assumptions. Returns true if one did not hold and the walk must start again. Each can fail only once:
  /// if two backends share an address, the more careful assumption stays for the whole walk.
  private func correct(_ assumed: inout Assumptions, by page: RemotePage) throws -> Bool {
    // The largest page size is known only after the first answer.
    let size = min(pageSize, assumed.pageSize)
    if size != assumed.pageSize {
      assumed.pageSize = size
      return true
    }
    guard !page.isOrdered else { return false }
    var isWrong = stepBack(&assumed, with: page)
    if assumed.isOrdered {
      assumed.isOrdered = false
      assumed.isUnordered = true
      isWrong = true
    }
    return isWrong
  }

  /// Returns true if the server's clock stepped back, so that rows written now have times before the start of the walk.
  private func stepBack(_ assumed: inout Assumptions, with page: RemotePage) -> Bool {
    guard assumed.from == nil, let token = assumed.token, let limit = clock.limit(page) else { return false }
    let time = page.serverTime ?? clock.now()
    let from = time.advanced(byMilliseconds: -settings.overlapMilliseconds)
    let isBeforeToken = token.timestamp > limit
    let last = TokenTime.serverTime(at: token.timestamp, assumed.tokenTime)
    let hasStepped = page.serverTime != nil && last.map { isStep(from: $0, to: time) } ?? false
    guard isBeforeToken || (hasStepped && start(assumed) > from) else { return false }
    if isBeforeToken { assumed.token = DeltaToken(time) }
    assumed.from = from
    return true
  }

  /// The server's time has whole seconds, so a small difference proves nothing. Less than the overlap does no harm.
  private func isStep(from earlier: Timestamp, to time: Timestamp) -> Bool {
    earlier > time.advanced(byMilliseconds: min(PullClock.resolution, settings.overlapMilliseconds))
  }

  private func start(_ assumed: Assumptions) -> Timestamp {
    TokenTime.start(token: assumed.token, overlap: settings.overlapMilliseconds, time: assumed.tokenTime)
  }

  private func cursor(_ assumed: Assumptions) -> PullCursor {
    let token = assumed.token?.timestamp ?? .epoch
    return PullCursor(
      query, from: assumed.isOrdered ? token : assumed.from ?? start(assumed), high: token, pageSize: assumed.pageSize,
      witness: assumed.isOrdered ? nil : assumed.witness?.id,
      counts: !assumed.isOrdered && (assumed.isUnordered || remote.mayCutSilently), limit: settings.limit)
  }

  private var pageSize: Int { settings.pageSize(for: remote.protocolVersion) }

  /// Returns the newest row that the server had at the last pull: the one that a server that goes back loses first. The
  /// first page asks for it too: if it does not come, or is older, the server went back, lost it, or has another
  /// database. Nil for a pull with a filter, because a row may leave the filter. A row that is held is known to be gone
  /// there already.
  private func witness(since token: DeltaToken?) throws -> Witness? {
    guard let token, token.timestamp > .epoch, query.scope.isEmpty else { return nil }
    let isOld = Filter.compare(SystemColumn.updatedAt, .lessOrEqual, .timestamp(token.timestamp))
    let row = try store.read { store in
      let held = Set(try HeldRows(tables: [query.table]).ids(in: store))
      let known = TableQuery(
        table: query.table, filter: .all([.accepted, isOld]),
        order: [SortKey(SystemColumn.updatedAt, ascending: false)], limit: held.count + 1)
      return try store.records(known).records.first { !held.contains($0.id) }
    }
    return row.flatMap { row in row.system.updatedAt.map { Witness(id: row.id, updatedAt: $0) } }
  }

  /// Removes the time of another token than the one this walk begins with. After a purge a walk comes past the old
  /// token again. If it is interrupted there, the time must not say that it was complete.
  private func forgetTime(unless token: DeltaToken?) throws {
    let saved = try store.read { try TokenTime(of: query, at: remote.server, in: $0) }
    guard let saved, saved.token != token?.timestamp else { return }
    try store.write { try $0.removeFact(SyncFact.tokenTime(of: query, at: remote.server)) }
  }

  /// Saves the server's time beside the token. If the server gave no time, the next pull starts as early as this one.
  private func remember(_ cursor: PullCursor, _ seen: Seen) throws {
    guard let time = seen.began ?? nil else { return }
    let token = min(cursor.high, storing.tokenLimit ?? cursor.high)
    let tokenTime = TokenTime(token: token, serverTime: time)
    let known = try store.read { try TokenTime(of: query, at: remote.server, in: $0) }
    // A time that the clock has stepped back from would make every later pull start again.
    if let known, known.token == tokenTime.token, known.isOlderThanOverlap(settings.overlapMilliseconds),
      !isStep(from: known.serverTime, to: time)
    {
      return
    }
    try store.write { try $0.setFact(SyncFact.tokenTime(of: query, at: remote.server), tokenTime.text) }
  }

  /// Stores a page in parts, each with the token of its last row.
  private func store(
    _ records: [Record], from high: Timestamp, to end: Timestamp, progress: (Int) -> Void
  ) throws {
    let times = records.map { $0.system.updatedAt ?? .epoch }
    let isInOrder = zip(times, times.dropFirst()).allSatisfy { $0 <= $1 }
    for start in stride(from: 0, to: max(1, records.count), by: PullStoring.part) {
      try cancellation.check()
      let part = Array(records[start..<min(start + PullStoring.part, records.count)])
      let isLast = start + PullStoring.part >= records.count
      // If rows are in no order, an earlier part says nothing of what the later ones hold.
      let reached = isInOrder ? min(end, max(high, part.last?.system.updatedAt ?? high)) : high
      try storing.store(part, in: query, token: DeltaToken(isLast ? end : reached))
      progress(part.count)
    }
  }
}

extension Filter {
  /// The rows that a server has accepted.
  static let accepted = Filter.compare(SystemColumn.version, .notEqual, .null)
}
