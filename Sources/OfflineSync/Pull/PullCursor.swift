package import TableProtocol

/// Walks over everything that changed since a moment, page by page, and loses no row although rows
/// move while it walks: the loop of offline-sync 13.1.1. It never uses `$skip`.
package struct PullCursor: Sendable, Hashable {
  /// What is asked for next.
  private enum Window: Sendable, Hashable {
    /// Rows from this moment on, by time.
    case since(Timestamp)
    /// A page was full of rows of one and the same millisecond: the rows of that millisecond, by id,
    /// after the last one seen.
    case within(Timestamp, after: String)
  }

  private let query: PullQuery
  private let pageSize: Int
  private var window: Window?
  /// The newest change stored so far.
  package private(set) var high: Timestamp

  /// Begins so many milliseconds before the token, for rows that were committed late under an
  /// earlier time (offline-sync P6); at the beginning of time when there is no token.
  package init(_ query: PullQuery, token: DeltaToken?, overlapMilliseconds: Int64, pageSize: Int) {
    self.query = query
    self.pageSize = max(1, pageSize)
    let low = token?.timestamp.advanced(byMilliseconds: -overlapMilliseconds) ?? .epoch
    window = .since(max(low, .epoch))
    high = token?.timestamp ?? .epoch
  }

  /// The next page to ask for; nil when everything has been seen.
  package var next: TableQuery? {
    switch window {
    case nil:
      nil
    case .since(let low):
      query.page(
        where: .compare(SystemColumn.updatedAt, .greaterOrEqual, .timestamp(low)),
        order: [SortKey(SystemColumn.updatedAt), SortKey(SystemColumn.id)], limit: pageSize)
    case .within(let moment, let id):
      query.page(
        where: .all([
          .compare(SystemColumn.updatedAt, .greaterOrEqual, .timestamp(moment)),
          .compare(SystemColumn.updatedAt, .less, .timestamp(moment.advanced(byMilliseconds: 1))),
          .compare(SystemColumn.id, .greater, .text(id)),
        ]),
        order: [SortKey(SystemColumn.id)], limit: pageSize)
    }
  }

  /// Takes note of the page that answered `next`, which must have been stored.
  ///
  /// A page is the last one when it is not full and the server did not say that there is more
  /// (offline-sync P4). A page without a single row is the last one whatever the server says. Throws
  /// `RemoteFailure` when the server gives the same rows again, and would for ever.
  package mutating func advance(past page: RemotePage) throws(RemoteFailure) {
    let newest = page.records.compactMap(\.system.updatedAt).max()
    high = max(high, newest ?? high)
    let isLast = page.records.isEmpty || (page.records.count < pageSize && !page.hasMore)
    switch window {
    case nil:
      break
    case .since(let low):
      if isLast {
        window = nil
      } else if let newest, newest > low {
        window = .since(newest)
      } else {
        window = .within(low, after: "")
      }
    case .within(let moment, let before):
      let last = page.records.map(\.id).max { $0.utf8.lexicographicallyPrecedes($1.utf8) } ?? ""
      guard isLast || before.utf8.lexicographicallyPrecedes(last.utf8) else {
        throw RemoteFailure(.badAnswer("it gives the same page again and again"), mayHaveActed: false)
      }
      window = isLast ? .since(moment.advanced(byMilliseconds: 1)) : .within(moment, after: last)
    }
  }
}
