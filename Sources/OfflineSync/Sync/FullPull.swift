import TableProtocol

/// A comparison of all rows of a query with the server's, without a delta token.
///
/// It finds rows that were removed without a tombstone, and rows without `updatedAt`. An incremental pull finds neither
/// (sync-rules P8, P10).
struct FullPull {
  let query: PullQuery
  let settings: PullSettings
  let storing: PullStoring
  let remote: any RemoteTable
  let cancellation: Cancellation
  let clock: PullClock
  /// True if the last pull is so recent that the server still has the tombstones of all deletions since.
  let hasAllTombstones: Bool
  /// Up to here the query was read before; nil if it was not.
  let token: Timestamp?

  private struct Walked {
    var seen: Set<RecordID> = []
    /// True if every page promised order.
    var isOrdered = true
    /// The newest time of a row that is not later than `limit`.
    var newest: Timestamp?
    var limit: Timestamp?
    /// The live rows of the pages. Nil if one of them can't be counted.
    var counted: TableDigest? = TableDigest()
    /// The digest that the server announced with the last page.
    var announced: TableDigest?
    /// The newest time that the server announced with each page: one, if nothing was written meanwhile.
    var moments: Set<Timestamp?> = []

    mutating func note(_ page: RemotePage) {
      isOrdered = isOrdered && page.isOrdered
      moments.insert(page.newest)
      announced = page.digest
      if !page.unreadable.isEmpty { counted = nil }
      for row in page.records where !row.system.deleted {
        if let version = row.system.version { counted?.add(row.id, version) } else { counted = nil }
      }
      guard let limit else { return }
      newest = ([newest] + page.records.map(\.system.updatedAt)).compactMap(\.self).filter { $0 <= limit }.max()
    }
  }

  /// Returns the moment from which an incremental pull must continue.
  func run(progress: (Int) -> Void) throws -> Timestamp? {
    let isPartial = query.query.limit != nil || query.query.skip != nil
    let first = isPartial ? nil : try remote.page(newestFirst, at: nil, verifying: true)
    // The server itself says that some of its rows are not what it stored: no reason to take them for those here.
    storing.trust.comparesColumns = (first?.damaged ?? 0) == 0
    let limit = future(first)
    if !isPartial { storing.trust.seesAll = true }
    storing.trust.isUnfiltered = query.scope.isEmpty
    let walked = try query.query.order.isEmpty ? walkByID(limit, progress) : walkInOrder(limit, progress)
    storing.trust.seesAll = false
    guard !isPartial else { return nil }
    try judgeOlder(since: first)
    // A row dated in the future must not become the token. Then the newest earlier row of the walk does.
    let end = walked.limit == nil ? first?.records.first?.system.updatedAt : walked.newest
    let newest = [end, first.flatMap(lastForgotten)].compactMap(\.self).max()
    let missing = try storing.unconfirmed(of: query, notIn: walked.seen)
    let keepsTombstones = first?.epoch != nil && first?.tombstones?.reaches(back: token) != false
    if first?.epoch != nil, storing.metOlder { throw RemoteFailure.otherEpoch }
    guard query.scope.isEmpty else {
      try recheck(missing, keepsTombstones: keepsTombstones)
      return newest
    }
    try requireAgreement(of: walked, since: first)
    if keepsTombstones, hasAllTombstones { try requireNoLoss(of: missing) }
    if !walked.isOrdered { try requireAbsence(of: missing) }
    try storing.remove(missing, of: query)
    try storing.judgeAbsence(from: walked.seen, in: query.table)
    return newest
  }

  /// Returns the server's time at the start of the walk if the newest row is dated later; otherwise nil.
  private func future(_ page: RemotePage?) -> Timestamp? {
    guard let page, let time = page.records.first?.system.updatedAt, let limit = clock.limit(page), time > limit
    else { return nil }
    return page.serverTime ?? clock.now()
  }

  /// Returns the moment of the last tombstone that the server has removed. It may be all that says how far the list has
  /// come (P10). As with rows, one in the future says nothing if the server promises no order.
  private func lastForgotten(_ page: RemotePage) -> Timestamp? {
    guard let after = page.tombstones?.after else { return nil }
    if let limit = clock.limit(page), after > limit { return nil }
    // The newest row counts removed ones too (wire 11.6): a token behind it would look like one of a lost state.
    return page.newest.map { min(after, $0) } ?? after
  }

  private func walkByID(_ limit: Timestamp?, _ progress: (Int) -> Void) throws -> Walked {
    var walk = IDWalk(settings.limit)
    var walked = Walked(limit: limit)
    var left = query.query.limit ?? .max
    while left > 0, !walk.isOver {
      try cancellation.check()
      let wanted = min(settings.pageSize(for: remote.protocolVersion), left)
      let page = try remote.page(walk.page(of: query.withTombstones, limit: wanted, from: remote))
      try walk.advance(past: page, limit: wanted, saysWhenCut: remote.saysWhenCut(page))
      storing.note(page)
      try storing.store(page.records, in: query)
      walked.note(page)
      progress(walk.seen.count)
      left -= page.rowCount
    }
    walked.seen = walk.seen
    return walked
  }

  /// Walks in the order of the query, by the server's own links.
  private func walkInOrder(_ limit: Timestamp?, _ progress: (Int) -> Void) throws -> Walked {
    var walk = OnlineQuery(query.withTombstones, limit: settings.limit)
    var walked = Walked(limit: limit)
    while let next = walk.next {
      try cancellation.check()
      let before = walk.records.count
      let page = try remote.page(next.query, at: next.link)
      try walk.append(page, saysWhenCut: remote.saysWhenCut(page))
      let records = Array(walk.records[min(before, walk.records.count)...])
      walked.seen.formUnion(page.ids)
      walked.note(page)
      storing.note(page)
      try storing.store(records, in: query)
      progress(walked.seen.count)
    }
    return walked
  }

  /// Throws `RemoteFailure` if the rows of the walk are not those that the server counted: something on the way leaves
  /// some out, or gives one page for another. Checked only if nothing was written since `first`.
  private func requireAgreement(of walked: Walked, since first: RemotePage?) throws {
    guard let first, let newest = first.newest, walked.moments == [newest], let counted = walked.counted,
      let announced = walked.announced, counted != announced
    else { return }
    throw RemoteFailure(.badAnswer("its list is not the one that it counted"), mayHaveActed: false)
  }

  /// A server without order and epochs has older copies than it gave before. Each of some is read again, since a list
  /// may come from a cache or a copy that lags: then nothing of it is taken. A difference within the overlap is no
  /// sign, nor is a copy that is older because the server's clock stepped back: what it replaces is dated after that
  /// clock. If there is no sign, all are taken. Otherwise the server went back: throws `RemoteFailure`.
  private func judgeOlder(since first: RemotePage?) throws {
    let limit = first.flatMap(clock.limit)
    let telling = storing.older.filter { copy in
      copy.isOlder(byMoreThan: settings.overlapMilliseconds) && limit.map { copy.known <= $0 } ?? true
    }
    guard !telling.isEmpty else { return try storing.store(storing.older.map(\.record), in: query) }
    for place in Set([0, telling.count / 2, telling.count - 1]).sorted() {
      try cancellation.check()
      let copy = telling[place].record
      let read = try remote.read(copy.id, in: query.table)
      if ServerSide(read).isSameCopy(as: ServerSide(copy)) { throw RemoteFailure.otherEpoch }
    }
  }

  /// A server with epochs keeps its tombstones for longer than the retention (wire 11.6). A row that it gave
  /// within that time, and that it has no trace of, was not deleted there: its database went back, whatever epoch it
  /// announces. Throws `RemoteFailure` then.
  private func requireNoLoss(of ids: [RecordID]) throws {
    if try storing.acknowledges(ids, of: query) { throw RemoteFailure.otherEpoch }
  }

  /// Reads three of the rows that the walk did not find, before anything is removed. A server that sorts ids in one way
  /// and compares them in another leaves rows out. Throws `RemoteFailure` if the server has one of the three.
  private func requireAbsence(of ids: [RecordID]) throws {
    let places: Set<Int> = ids.isEmpty ? [] : [0, ids.count / 2, ids.count - 1]
    for place in places.sorted() {
      try cancellation.check()
      guard let row = try remote.read(ids[place], in: query.table), !row.system.deleted else { continue }
      throw RemoteFailure(.badAnswer("its list leaves out items that it has"), mayHaveActed: false)
    }
  }

  /// Reads each row that matches the filter here and was not found on the server. The row was removed there, or no
  /// longer matches (P9).
  private func recheck(_ ids: [RecordID], keepsTombstones: Bool) throws {
    for id in ids {
      try cancellation.check()
      if let row = try remote.read(id, in: query.table) {
        try storing.store([row], in: query)
      } else {
        if keepsTombstones, hasAllTombstones { try requireNoLoss(of: [id]) }
        try storing.remove([id], of: query)
      }
    }
  }

  private var newestFirst: TableQuery {
    query.page(where: nil, order: [SortKey(SystemColumn.updatedAt, ascending: false)], limit: 1)
  }
}

extension PullQuery {
  /// The query with its own order and limits, and with tombstones.
  fileprivate var withTombstones: TableQuery {
    var own = query
    own.includesDeleted = true
    return own
  }
}
