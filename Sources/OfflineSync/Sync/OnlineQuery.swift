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
  private var limit: WalkLimit

  init(_ query: TableQuery, limit: WalkLimit = WalkLimit()) {
    self.query = query
    self.limit = limit
    next = (query, nil)
  }

  /// Adds the page that `next` asked for. Throws `RemoteFailure` if the walk does not move on.
  ///
  /// A server that is none of ours may cut a page at any size and not say so (wire 6.4). With such a server
  /// the end is an empty page, or all rows that it counted.
  mutating func append(_ page: RemotePage, saysWhenCut: Bool) throws(RemoteFailure) {
    try limit.count(page)
    records += page.records
    rowCount += page.rowCount
    totalCount = totalCount ?? page.totalCount
    let left = query.limit.map { $0 - records.count }
    if let left, left <= 0 { records.removeLast(-left) }
    let hasAll = totalCount.map { (query.skip ?? 0) + rowCount >= $0 } ?? false
    let mayBeCut = page.next == nil && !saysWhenCut && !hasAll
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
