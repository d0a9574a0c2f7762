import TableProtocol

/// The walk over all rows that changed since a moment, page by page: the loop of sync-rules 13.1.1.
///
/// It misses no row, although rows move while it walks, and never uses `$skip`. A page ends at its last row in the
/// server's order (sync-rules P14). Ids are never compared here, because a server may order them by a collation.
struct PullCursor: Sendable, Hashable {
  /// The rows that the next request asks for.
  private enum Window: Sendable, Hashable {
    /// Rows from this moment on, by time, without some rows that are here already.
    case since(Timestamp, without: Set<RecordID> = [])
    /// The rows of one millisecond, by id, after the last id seen: a page was full of rows of that millisecond. `seen`
    /// are the ids read so far.
    case within(Timestamp, after: RecordID, seen: Set<RecordID>)
  }

  /// The largest number of ids that a request excludes.
  private static let mostLeftOut = 8

  private let query: PullQuery
  private let pageSize: Int
  private var window: Window?
  /// The id of an old row that the first page asks for too. It proves that the server still has its rows.
  private var witness: RecordID?
  /// True if requests ask how many rows match, because the server does not say that it cut a page.
  private var counts: Bool
  /// True once the server refused a request with 400.
  private var isSimplified = false
  private var limit: WalkLimit
  /// The newest change that is stored so far. A later pull need not ask for it again.
  private(set) var high: Timestamp

  /// Starts with rows changed at `low` or later.
  init(
    _ query: PullQuery, from low: Timestamp, high: Timestamp, pageSize: Int, witness: RecordID? = nil,
    counts: Bool = false, limit: WalkLimit = WalkLimit()
  ) {
    self.query = query
    self.pageSize = max(1, pageSize)
    self.witness = witness
    self.counts = counts
    self.limit = limit
    self.high = high
    window = .since(max(low, .epoch))
  }

  /// The next page to ask for; nil at the end of the walk.
  var next: TableQuery? {
    switch window {
    case nil: nil
    case .since(let low, let known): page(since(low, without: known), [SystemColumn.updatedAt, SystemColumn.id])
    case .within(let moment, let id, _): page(within(moment, after: id), [SystemColumn.id])
    }
  }

  private func page(_ condition: Filter?, _ order: [String]) -> TableQuery {
    var page = query.page(where: condition, order: order.map { SortKey($0) }, limit: pageSize)
    page.includesTotalCount = counts
    return page
  }

  /// A row that is here already is left out in this state only: if it was changed since, it comes again with a later
  /// time.
  private func since(_ low: Timestamp, without known: Set<RecordID>) -> Filter? {
    let ids = known.sorted()
    let news = Filter.all([since(low)] + ids.map { .compare(SystemColumn.id, .notEqual, .text($0.text)) })
    let later = ids.isEmpty || isSimplified ? nil : since(low.advanced(byMilliseconds: 1))
    let old = witness.map { Filter.compare(SystemColumn.id, .equal, .text($0.text)) }
    return .any([news, later, old].compactMap(\.self))
  }

  private func within(_ moment: Timestamp, after id: RecordID) -> Filter? {
    .all([
      since(moment),
      .compare(SystemColumn.updatedAt, .less, .timestamp(moment.advanced(byMilliseconds: 1))),
      .compare(SystemColumn.id, .greater, .text(id.text)),
    ])
  }

  private func since(_ moment: Timestamp) -> Filter {
    .compare(SystemColumn.updatedAt, .greaterOrEqual, .timestamp(moment))
  }

  /// Moves past the page that answered `next`. Store the page first.
  ///
  /// A page is the last one if it is empty, if it is not full and the server always says when it cut a page short
  /// (`saysWhenCut`), or if the server counted the matching rows and the page has them all. Otherwise the walk goes on
  /// (sync-rules P4).
  ///
  /// Rows dated later than `clock`, the server's time, do not move ``high``: no row may hide behind a date in the
  /// future. Throws `RemoteFailure` if the page has no new row, or none of those that were asked for.
  mutating func advance(
    past page: RemotePage, saysWhenCut: Bool = true, clock: Timestamp? = nil
  ) throws(RemoteFailure) {
    try limit.count(page)
    let isLast = isLast(page, saysWhenCut)
    raise(to: page, isLast: isLast, clock)
    let asked = witness
    witness = nil
    switch window {
    case nil:
      break
    case .since(let low, let known):
      window = isLast ? nil : try window(after: page, since: low, without: known, witness: asked)
    case .within(let moment, _, let seen):
      window =
        isLast ? .since(moment.advanced(byMilliseconds: 1)) : try Self.window(after: page, within: moment, seen: seen)
    }
  }

  /// Uses the simplest request from now on. Call it if the server refused a request.
  mutating func simplify() {
    witness = nil
    counts = false
    isSimplified = true
  }

  /// True if the next request can't be made simpler.
  var isSimple: Bool {
    if case .since(_, let known) = window, !known.isEmpty, !isSimplified { return false }
    return witness == nil && !counts
  }

  private func isLast(_ page: RemotePage, _ saysWhenCut: Bool) -> Bool {
    if page.rowCount == 0 { return true }
    if page.hasMore { return false }
    if counts, let total = page.totalCount { return page.rowCount >= total }
    return saysWhenCut && page.rowCount < pageSize
  }

  private mutating func raise(to page: RemotePage, isLast: Bool, _ clock: Timestamp?) {
    let times = page.records.compactMap(\.system.updatedAt).filter { time in clock.map { time <= $0 } ?? true }
    guard var newest = times.max() else { return }
    // If the rows come in another order than requested, the next page may have earlier ones.
    if !isLast, let end = page.last?.updatedAt { newest = min(newest, end) }
    high = max(high, newest)
  }

  private func window(
    after page: RemotePage, since low: Timestamp, without known: Set<RecordID>, witness: RecordID?
  ) throws(RemoteFailure) -> Window {
    let end = page.end
    if end < low {
      // A walk over milliseconds that has none of these rows would never end.
      guard page.last.map(\.id) == witness else { throw .otherRows }
      return .since(low)
    }
    // A page that is short for no known reason is most likely the last one. The next request then excludes its last
    // rows, so that the answer is empty.
    if page.rowCount < pageSize, !page.hasMore {
      let ids = page.ids(changedAt: end).union(end > low ? [] : known)
      if ids.count <= Self.mostLeftOut, end > low || ids != known { return .since(end, without: ids) }
    }
    return end > low ? .since(end) : .within(low, after: "", seen: [])
  }

  private static func window(
    after page: RemotePage, within moment: Timestamp, seen: Set<RecordID>
  ) throws(RemoteFailure) -> Window {
    let ids = page.ids
    guard let last = page.last, !ids.isSubset(of: seen) else { throw .samePage }
    return .within(moment, after: last.id, seen: seen.union(ids))
  }
}

extension RemotePage {
  /// The ids of all rows of the page, including those that can't be stored.
  var ids: Set<RecordID> {
    var ids = Set(records.map(\.id))
    ids.formUnion(unreadable.compactMap(\.id))
    if let last { ids.insert(last.id) }
    return ids
  }

  /// The time of the last row. If that can't be read: the newest time of the page.
  fileprivate var end: Timestamp {
    let times = records.lazy.compactMap(\.system.updatedAt) + unreadable.lazy.compactMap(\.updatedAt)
    return last?.updatedAt ?? times.max() ?? .epoch
  }

  /// Returns the ids of the rows of one millisecond.
  fileprivate func ids(changedAt moment: Timestamp) -> Set<RecordID> {
    Set(records.filter { $0.system.updatedAt == moment }.map(\.id))
      .union(unreadable.filter { $0.updatedAt == moment }.compactMap(\.id))
  }
}
