import TableProtocol

/// The walk over the pages of one query.
struct OnlineQuery {
  private let query: TableQuery
  private(set) var records: [Record] = []
  private(set) var totalCount: Int?
  /// Rows that the server gave, those included that could not be read.
  private var rowCount = 0
  private(set) var next: (query: TableQuery, link: PageLink?)?

  init(_ query: TableQuery) {
    self.query = query
    next = (query, nil)
  }

  /// Takes in the page that `next` asked for. Throws `RemoteFailure` for a link that leads to itself.
  ///
  /// An old server of protocol 2.0.0 cuts a page at 50 rows and says so by nothing (table-protocol 6.4).
  mutating func take(_ page: RemotePage, from version: ProtocolVersion?) throws(RemoteFailure) {
    records += page.records
    rowCount += page.rowCount
    totalCount = totalCount ?? page.totalCount
    let left = query.limit.map { $0 - records.count }
    if let left, left <= 0 { records.removeLast(-left) }
    let mayBeCut = version == .v2 && page.next == nil && page.rowCount == 50
    guard page.hasMore || mayBeCut, page.rowCount > 0, left ?? 1 > 0 else {
      next = nil
      return
    }
    if let link = page.next, link == next?.link {
      throw RemoteFailure(.badAnswer("it gives the same page again and again"), mayHaveActed: false)
    }
    var rest = query
    rest.skip = (query.skip ?? 0) + rowCount
    rest.limit = left
    next = (rest, page.next)
  }
}
