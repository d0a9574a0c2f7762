package import TableProtocol

/// Walks over everything that changed since a moment, page by page, and misses no row although rows
/// move while it walks: the loop of offline-sync 13.1.1. It never uses `$skip`.
///
/// A page ends where the server says it ends: at its last row as given (offline-sync P14). Ids are never compared
/// here, since a server may order them by a collation.
package struct PullCursor: Sendable, Hashable {
  /// The rows that are asked for next.
  private enum Window: Sendable, Hashable {
    /// Rows from this moment on, by time, without some that are known.
    case since(Timestamp, without: Set<RecordID> = [])
    /// A page was full of rows of one and the same millisecond: the rows of that millisecond, by id,
    /// after the last one seen. `seen` are the ids it brought so far.
    case within(Timestamp, after: String, seen: Set<RecordID>)
  }

  /// More ids are not left out of a question.
  private static let mostLeftOut = 8

  private let query: PullQuery
  private let pageSize: Int
  private var window: Window?
  /// An old row that is asked for with the first page, as a proof that the server still has what it had.
  private var witness: String?
  /// Asks how many rows match, where a server does not say that it cut a page.
  private var counts: Bool
  /// The newest change that is stored so far, and that a later pull need not ask for again.
  package private(set) var high: Timestamp

  /// Begins with rows changed at `low` or later.
  init(
    _ query: PullQuery, from low: Timestamp, high: Timestamp, pageSize: Int, witness: String? = nil,
    counts: Bool = false
  ) {
    self.query = query
    self.pageSize = max(1, pageSize)
    self.witness = witness
    self.counts = counts
    self.high = high
    window = .since(max(low, .epoch))
  }

  /// Begins this many milliseconds before the token, because rows may be committed late under an
  /// earlier time (offline-sync P6); at the beginning of time if there is no token.
  package init(_ query: PullQuery, token: DeltaToken?, overlapMilliseconds: Int64, pageSize: Int) {
    self.init(
      query, from: token?.timestamp.advanced(byMilliseconds: -overlapMilliseconds) ?? .epoch,
      high: token?.timestamp ?? .epoch, pageSize: pageSize)
  }

  /// The next page to ask for; nil when everything has been seen.
  package var next: TableQuery? {
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

  private func since(_ low: Timestamp, without known: Set<RecordID>) -> Filter? {
    let ids = known.map(\.text).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    let news = Filter.all([since(low)] + ids.map { .compare(SystemColumn.id, .notEqual, .text($0)) })
    return .any([news, witness.map { .compare(SystemColumn.id, .equal, .text($0)) }].compactMap(\.self))
  }

  private func within(_ moment: Timestamp, after id: String) -> Filter? {
    .all([
      since(moment),
      .compare(SystemColumn.updatedAt, .less, .timestamp(moment.advanced(byMilliseconds: 1))),
      .compare(SystemColumn.id, .greater, .text(id)),
    ])
  }

  private func since(_ moment: Timestamp) -> Filter {
    .compare(SystemColumn.updatedAt, .greaterOrEqual, .timestamp(moment))
  }

  /// Notes the page that answered `next`, and which must have been stored.
  ///
  /// A page without a single row is the last one. So is one that is not full if `saysWhenCut`, which means that the
  /// server always says when it cut a page short, and one with all rows that match, if the server counted them.
  /// Otherwise what follows is asked for, until there is nothing (offline-sync P4).
  ///
  /// Rows dated later than `clock`, the server's own, are stored but do not move ``high``: nothing may hide behind a
  /// date in the future. Throws `RemoteFailure` if a page brings nothing but rows that were there before.
  package mutating func advance(
    past page: RemotePage, saysWhenCut: Bool = true, clock: Timestamp? = nil
  ) throws(RemoteFailure) {
    let isLast = isLast(page, saysWhenCut)
    raise(to: page, isLast: isLast, clock)
    let asked = witness
    witness = nil
    switch window {
    case nil:
      break
    case .since(let low, let known):
      window = isLast ? nil : window(after: page, since: low, without: known, witness: asked)
    case .within(let moment, _, let seen):
      window =
        isLast ? .since(moment.advanced(byMilliseconds: 1)) : try Self.window(after: page, within: moment, seen: seen)
    }
  }

  /// Asks in the plainest way from now on, after a server refused the other.
  mutating func simplify() {
    witness = nil
    counts = false
  }

  var isSimple: Bool { witness == nil && !counts }

  private func isLast(_ page: RemotePage, _ saysWhenCut: Bool) -> Bool {
    if page.rowCount == 0 { return true }
    if page.hasMore { return false }
    if counts, let total = page.totalCount { return page.rowCount >= total }
    return saysWhenCut && page.rowCount < pageSize
  }

  private mutating func raise(to page: RemotePage, isLast: Bool, _ clock: Timestamp?) {
    let times = page.records.compactMap(\.system.updatedAt).filter { time in clock.map { time <= $0 } ?? true }
    guard var newest = times.max() else { return }
    // Rows that come in another order than asked for say nothing of those on the next page.
    if !isLast, let end = page.last?.updatedAt { newest = min(newest, end) }
    high = max(high, newest)
  }

  private func window(
    after page: RemotePage, since low: Timestamp, without known: Set<RecordID>, witness: String?
  ) -> Window {
    let end = page.last?.updatedAt ?? .epoch
    if end < low, page.last.map({ RecordID($0.id) }) == witness.map({ RecordID($0) }) { return .since(low) }
    // A page that is short for no known reason is most likely the last: what is asked next brings nothing, then.
    if page.rowCount < pageSize, !page.hasMore, end >= low {
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
  /// The ids of all its rows, those that can't be stored included.
  var ids: Set<RecordID> {
    var ids = Set(records.map { RecordID($0.id) })
    ids.formUnion(unreadable.compactMap { $0.id.map { RecordID($0) } })
    if let last { ids.insert(RecordID(last.id)) }
    return ids
  }

  /// The ids of its rows of one millisecond.
  fileprivate func ids(changedAt moment: Timestamp) -> Set<RecordID> {
    Set(records.filter { $0.system.updatedAt == moment }.map { RecordID($0.id) })
      .union(unreadable.filter { $0.updatedAt == moment }.compactMap { $0.id.map { RecordID($0) } })
  }
}

extension RemoteFailure {
  /// A walk that does not move on. It never counts as the end.
  static let samePage = RemoteFailure(.badAnswer("it gives the same page again and again"), mayHaveActed: false)
}
