package import TableProtocol

/// Walks over everything that changed since a moment, page by page, and misses no row although rows
/// move while it walks: the loop of offline-sync 13.1.1. It never uses `$skip`.
///
/// A page ends where the server says it ends: at its last row as given (offline-sync P14). Ids are never compared
/// here, since a server may order them by a collation.
package struct PullCursor: Sendable, Hashable {
  /// The rows that are asked for next.
  private enum Window: Sendable, Hashable {
    /// Rows from this moment on, by time.
    case since(Timestamp)
    /// A page was full of rows of one and the same millisecond: the rows of that millisecond, by id,
    /// after the last one seen. `seen` are the ids it brought so far.
    case within(Timestamp, after: String, seen: Set<ExactText>)
  }

  private let query: PullQuery
  private let pageSize: Int
  private var window: Window?
  /// An old row that is asked for with the first page, as a proof that the server still has what it had.
  private var witness: String?
  /// The newest change that is stored so far, and that a later pull need not ask for again.
  package private(set) var high: Timestamp
  /// The most rows that a page of this server was seen to have.
  package private(set) var largestPage: Int

  /// Begins with rows changed at `low` or later. `largestPage` is what earlier pulls saw.
  init(
    _ query: PullQuery, from low: Timestamp, high: Timestamp, pageSize: Int, largestPage: Int = 0,
    witness: String? = nil
  ) {
    self.query = query
    self.pageSize = max(1, pageSize)
    self.largestPage = largestPage
    self.witness = witness
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
    case nil:
      nil
    case .since(let low):
      query.page(
        where: .any([since(low)] + [witness.map { .compare(SystemColumn.id, .equal, .text($0)) }].compactMap(\.self)),
        order: [SortKey(SystemColumn.updatedAt), SortKey(SystemColumn.id)], limit: pageSize)
    case .within(let moment, let id, _):
      query.page(
        where: .all([
          since(moment),
          .compare(SystemColumn.updatedAt, .less, .timestamp(moment.advanced(byMilliseconds: 1))),
          .compare(SystemColumn.id, .greater, .text(id)),
        ]),
        order: [SortKey(SystemColumn.id)], limit: pageSize)
    }
  }

  private func since(_ moment: Timestamp) -> Filter {
    .compare(SystemColumn.updatedAt, .greaterOrEqual, .timestamp(moment))
  }

  /// Notes the page that answered `next`, and which must have been stored.
  ///
  /// A page without a single row is the last one. A page that is not full is the last one if `saysWhenCut`, which
  /// means that the server always says when it cut a page short. Otherwise (offline-sync P4) it is the last one if
  /// an earlier page of this server had more rows: servers cut at a fixed size, so this one was not cut.
  ///
  /// Rows dated later than `clock`, the server's own, are stored but do not move ``high``: nothing may hide behind a
  /// date in the future. Throws `RemoteFailure` if a page brings nothing but rows that were there before.
  package mutating func advance(
    past page: RemotePage, saysWhenCut: Bool = true, clock: Timestamp? = nil
  ) throws(RemoteFailure) {
    let isLast = isLast(page, saysWhenCut)
    largestPage = max(largestPage, page.rowCount)
    raise(to: page, isLast: isLast, clock)
    let asked = witness
    witness = nil
    switch window {
    case nil:
      break
    case .since(let low):
      window = isLast ? nil : Self.window(after: page, since: low, witness: asked)
    case .within(let moment, _, let seen):
      window =
        isLast ? .since(moment.advanced(byMilliseconds: 1)) : try Self.window(after: page, within: moment, seen: seen)
    }
  }

  /// Asks without the witness from now on.
  mutating func dropWitness() { witness = nil }
  var asksForWitness: Bool { witness != nil }

  private func isLast(_ page: RemotePage, _ saysWhenCut: Bool) -> Bool {
    if page.rowCount == 0 { return true }
    if page.hasMore || page.rowCount >= pageSize { return false }
    return saysWhenCut || page.rowCount < largestPage
  }

  private mutating func raise(to page: RemotePage, isLast: Bool, _ clock: Timestamp?) {
    let times = page.records.compactMap(\.system.updatedAt).filter { time in clock.map { time <= $0 } ?? true }
    guard var newest = times.max() else { return }
    // Rows that come in another order than asked for say nothing of those on the next page.
    if !isLast, let end = page.last?.updatedAt { newest = min(newest, end) }
    high = max(high, newest)
  }

  private static func window(after page: RemotePage, since low: Timestamp, witness: String?) -> Window {
    let end = page.last?.updatedAt
    if let end, end > low { return .since(end) }
    let isWitness = page.last.map { ExactText($0.id) } == witness.map { ExactText($0) }
    if let end, end < low, isWitness { return .since(low) }
    return .within(low, after: "", seen: [])
  }

  private static func window(
    after page: RemotePage, within moment: Timestamp, seen: Set<ExactText>
  ) throws(RemoteFailure) -> Window {
    let ids = page.ids
    guard let last = page.last, !ids.isSubset(of: seen) else { throw .samePage }
    return .within(moment, after: last.id, seen: seen.union(ids))
  }
}

extension RemotePage {
  /// The ids of all its rows, those that can't be stored included.
  var ids: Set<ExactText> {
    var ids = Set(records.map { ExactText($0.id) })
    ids.formUnion(unreadable.compactMap { $0.id.map { ExactText($0) } })
    if let last { ids.insert(ExactText(last.id)) }
    return ids
  }
}

extension RemoteFailure {
  /// A walk that does not move on. It never counts as the end.
  static let samePage = RemoteFailure(.badAnswer("it gives the same page again and again"), mayHaveActed: false)
}
