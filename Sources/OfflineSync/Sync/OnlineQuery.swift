import TableProtocol

/// The walk over the pages of one query.
struct OnlineQuery {
  private let query: TableQuery
  private(set) var records: [Record] = []
  private(set) var totalCount: Int?
  /// The number of rows that the server sent, including unreadable ones.
  private var rowCount = 0
  private(set) var next: (query: TableQuery, link: PageLink?)?
  private var seen: Set<RecordID> = []

  init(_ query: TableQuery) {
    self.query = query
    next = (query, nil)
  }

  /// Adds the page that `next` asked for. Throws `RemoteFailure` if the walk does not move on.
  ///
  /// An old server of 2.0.0 may cut a page at any size and not say so (table-protocol 6.4). With such a server only an
  /// empty page is the end.
  mutating func take(_ page: RemotePage, from version: ProtocolVersion?) throws(RemoteFailure) {
    records += page.records
    rowCount += page.rowCount
    totalCount = totalCount ?? page.totalCount
    let left = query.limit.map { $0 - records.count }
    if let left, left <= 0 { records.removeLast(-left) }
    let mayBeCut = version == .v2 && page.next == nil && !page.isOrdered
    guard page.hasMore || mayBeCut, page.rowCount > 0, left ?? 1 > 0 else {
      next = nil
      return
    }
    if let link = page.next, link == next?.link { throw .samePage }
    let ids = page.ids
    if page.next == nil, ids.isSubset(of: seen) { throw .samePage }
    seen.formUnion(ids)
    var rest = query
    rest.skip = (query.skip ?? 0) + rowCount
    rest.limit = left
    next = (rest, page.next)
  }
}
