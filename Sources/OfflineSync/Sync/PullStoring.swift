import TableProtocol

/// Stores pulled rows: the rows of a page and the delta token in one transaction.
final class PullStoring {
  /// The largest number of rows that one transaction stores: a change that is made here meanwhile must not wait for
  /// thousands of rows.
  static let part = 2_000

  private let store: any LocalStore
  private let remote: any RemoteTable
  private let environment: Environment
  /// Counts the removed rows. Nil until the first change, because counting the rows of a list takes time.
  private(set) var deletionGuard: MassDeletionGuard?
  private let makeDeletionGuard: (any StoreReader) throws -> MassDeletionGuard
  /// True if rows that would be removed wait to be sent to the server again.
  private let sendsBack: Bool
  /// How many rows wait to be sent because of this pull.
  private(set) var toSend = 0
  /// How many rows changed here so far.
  private(set) var changed = 0
  /// The rows of the pages that can't be stored here, each once.
  private(set) var leftOut: [UnreadableRow] = []
  private var idsLeftOut: Set<RecordID> = []
  /// True if a page of a comparison had an older copy of a row that is at rest here. Other pages move the token and do
  /// not set it.
  private(set) var metOlder = false
  /// How far the pages that follow are believed.
  var trust = PageTrust()
  /// The last moment that the token may reach. Nil if nothing speaks against any: see ``PulledPage/earliestUncertain``.
  private(set) var tokenLimit: Timestamp?
  /// The older copies of a comparison that were not taken: see ``PageTrust/setsOlderAside``.
  private(set) var older: [OlderCopy] = []

  /// `remote` is where the rows come from. `deletionGuard` is the guard of an earlier pull that goes on; otherwise
  /// `makeDeletionGuard` makes one before the first change.
  init(
    store: any LocalStore, remote: any RemoteTable, environment: Environment, deletionGuard: MassDeletionGuard? = nil,
    sendsBack: Bool = false, makeDeletionGuard: @escaping (any StoreReader) throws -> MassDeletionGuard
  ) {
    self.store = store
    self.remote = remote
    self.environment = environment
    self.deletionGuard = deletionGuard
    self.sendsBack = sendsBack
    self.makeDeletionGuard = makeDeletionGuard
  }

  /// Notes what a page says beside its rows. Call it before ``store(_:in:token:)``.
  func note(_ page: RemotePage) {
    trust.isOrdered = page.isOrdered
    trust.announcesEpoch = page.epoch != nil
    note(page.unreadable)
  }

  private func note(_ rows: [UnreadableRow]) {
    for row in rows where row.id.map({ idsLeftOut.insert($0).inserted }) ?? true { leftOut.append(row) }
  }

  /// Goes on with the counts of an earlier part of the pull, after which the server may be another one.
  func goOn(from earlier: PullStoring) {
    deletionGuard = earlier.deletionGuard?.watchingAll ?? deletionGuard
    toSend += earlier.toSend
    changed += earlier.changed
    note(earlier.leftOut)
  }

  /// Stores the rows of a comparison, which has no token to move.
  func store(_ records: [Record], in query: PullQuery) throws {
    for part in records.chunked(by: Self.part) { try store(Array(part), in: query, token: nil) }
  }

  /// Stores a page in one transaction. Throws `MassRemoval` or `StoreError`, and then stores nothing of it.
  ///
  /// If all rows of the page are here already, nothing is written, and no other program is notified.
  func store(_ records: [Record], in query: PullQuery, token: DeltaToken?) throws {
    let isNews = try store.read { store in
      if try isProgress(limited(token), of: query, store) { return true }
      let judged = try judge(records, in: query.table, store)
      tokenLimit = judged.tokenLimit
      metOlder = metOlder || judged.page.hasOlder
      older += judged.page.older
      return try judged.page.hasNews || isProgress(limited(token), of: query, store)
    }
    guard isNews else { return }
    var deletionGuard = deletionGuard
    let (changed, toSend) = try store.write { store in
      try Account.setFirstOwner(of: store, for: remote, now: environment.now())
      let (page, limit) = try judge(records, in: query.table, store)
      tokenLimit = limit
      deletionGuard = try allowed(page.removals, by: deletionGuard, store)
      if !page.removals.isEmpty { try keep(deletionGuard, of: query.table, store) }
      let changed = try page.save(in: store, cause(store), environment)
      if let token = limited(token), let queryID = query.queryID, try isProgress(token, of: query, store) {
        try store.setDeltaToken(token, table: query.table, queryID: queryID)
      }
      return (changed, page.toSend)
    }
    self.deletionGuard = deletionGuard
    self.toSend += toSend
    self.changed += changed
  }

  /// Returns the rows that these would remove. Stores nothing.
  func removals(by records: [Record], in table: String) throws -> Set<RecordID> {
    let tombstones = records.filter(\.system.deleted)
    guard !sendsBack, !tombstones.isEmpty else { return [] }
    return Set(try store.read { try PulledPage(tombstones, of: table, trust: trust, in: $0) }.removals)
  }

  /// The guard, made if there was no change yet.
  func guardOfRemovals() throws -> MassDeletionGuard {
    let made = try deletionGuard ?? store.read { try makeDeletionGuard($0) }
    deletionGuard = made
    return made
  }

  /// Returns the changes that these rows make here, and the last moment that the token may reach with them.
  private func judge(
    _ records: [Record], in table: String, _ store: any StoreReader
  ) throws -> (page: PulledPage, tokenLimit: Timestamp?) {
    let page = try PulledPage(records, of: table, trust: trust, in: store)
    let limit = [tokenLimit, page.earliestUncertain?.advanced(byMilliseconds: -1)].compactMap(\.self).min()
    return (sendsBack ? page.sendingRemovalsBack() : page, limit)
  }

  private func limited(_ token: DeltaToken?) -> DeltaToken? {
    token.map { DeltaToken(min($0.timestamp, tokenLimit ?? $0.timestamp)) }
  }

  /// Counts rows that are about to be removed. Throws `MassRemoval` if none of them may be removed.
  private func allowed(
    _ ids: [RecordID], by deletionGuard: MassDeletionGuard?, _ store: any StoreReader
  ) throws -> MassDeletionGuard {
    var deletionGuard = try deletionGuard ?? makeDeletionGuard(store)
    self.deletionGuard = deletionGuard
    try deletionGuard.allow(ids)
    return deletionGuard
  }

  /// Saves the count with the rows that it counts: after a crash the next pull goes on from it.
  private func keep(_ deletionGuard: MassDeletionGuard?, of table: String, _ store: any StoreWriter) throws {
    if let text = deletionGuard?.text { try store.setFact(SyncFact.deletions(in: table), text) }
  }

  /// Returns the ids of the rows that match a query here and were not seen on the server. Rows with a pending change
  /// are left out.
  func unconfirmed(of query: PullQuery, notIn seen: Set<RecordID>) throws -> [RecordID] {
    try store.read { store in
      let matching =
        query.query.filter == nil
        ? try store.ids(beginning: "", in: query.table)
        : try store.records(TableQuery(table: query.table, filter: query.query.filter)).records.map(\.id)
      return try Self.unchanged(matching.filter { !seen.contains($0) }, in: query.table, store)
    }
  }

  /// Returns true if this server gave one of the rows here. The versions of another server prove nothing.
  func acknowledges(_ ids: [RecordID], of query: PullQuery) throws -> Bool {
    try store.read { store in
      try store.versions(of: ids, in: query.table).values.contains { $0 != nil && $0 != TrackedRow.voidVersion }
    }
  }

  /// Removes rows that the server no longer has. Rows with a pending change stay, and those that this database never
  /// had wait to be sent to it. Throws `MassRemoval`.
  func remove(_ ids: [RecordID], of query: PullQuery) throws {
    guard !ids.isEmpty else { return }
    let elsewhere = try store.read { try $0.idsFromElsewhere(among: ids, in: query.table) }
    let gone = ids.filter { !elsewhere.contains($0) }
    if !gone.isEmpty { deletionGuard = try store.read { try allowed(gone, by: deletionGuard, $0) } }
    let (removed, toSend) = try store.write { store in
      if !gone.isEmpty { try keep(deletionGuard, of: query.table, store) }
      var page = try PulledPage(
        absent: Self.unchanged(ids, in: query.table, store), elsewhere: elsewhere, of: query.table, in: store)
      if sendsBack { page = page.sendingRemovalsBack() }
      return (try page.save(in: store, cause(store), environment), page.toSend)
    }
    self.toSend += toSend
    changed += removed
  }

  /// Judges the rows with a pending change that the server has no trace of.
  func judgeAbsence(from seen: Set<RecordID>, in table: String) throws {
    let absent = try store.read { try Self.pending(notIn: seen, in: table, $0) }
    guard !absent.isEmpty else { return }
    try store.write { store in
      // Read again: a change may have been dropped meanwhile.
      let absent = try Self.pending(notIn: seen, in: table, store)
      let elsewhere = try store.idsFromElsewhere(among: absent, in: table)
      let page = try PulledPage(absent: absent, elsewhere: elsewhere, of: table, in: store)
      _ = try page.save(in: store, cause(store), environment)
    }
  }

  private static func pending(
    notIn seen: Set<RecordID>, in table: String, _ store: any StoreReader
  ) throws -> [RecordID] {
    Set(try store.operations(in: table).map(\.itemID)).subtracting(seen).sorted()
  }

  /// Returns the cause of the changes. Until the first pull is complete, its rows are the list and not news.
  private func cause(_ store: any StoreReader) throws -> ChangeCause {
    let isNews = try store.fact(SyncFact.lastPull) != nil || store.fact(SyncFact.requiredComparison) != nil
    return .sync(environment.now(), isNews: isNews)
  }

  private static func unchanged(_ ids: [RecordID], in table: String, _ store: any StoreReader) throws -> [RecordID] {
    let pending = try store.pendingIDs(among: ids, in: table)
    return ids.filter { !pending.contains($0) }
  }

  private func isProgress(_ token: DeltaToken?, of query: PullQuery, _ store: any StoreReader) throws -> Bool {
    guard let token, let queryID = query.queryID else { return false }
    return try store.deltaToken(table: query.table, queryID: queryID) != token
  }
}
