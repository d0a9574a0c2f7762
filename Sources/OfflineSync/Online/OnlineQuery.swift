import TableProtocol

/// The walk over the pages of one query.
struct OnlineQuery {
  private let query: TableQuery
  private(set) var records: [Record] = []
  private(set) var totalCount: Int?
  private(set) var next: (query: TableQuery, link: PageLink?)?

  init(_ query: TableQuery) {
    self.query = query
    next = (query, nil)
  }

  /// Takes in the page that `next` asked for. Throws `RemoteFailure` for a link that leads to itself.
  mutating func take(_ page: RemotePage) throws(RemoteFailure) {
    records += page.records
    totalCount = totalCount ?? page.totalCount
    let left = query.limit.map { $0 - records.count }
    if let left, left <= 0 { records.removeLast(-left) }
    guard page.hasMore, !page.records.isEmpty, left ?? 1 > 0 else {
      next = nil
      return
    }
    if let link = page.next, link == next?.link {
      throw RemoteFailure(.badAnswer("it gives the same page again and again"), mayHaveActed: false)
    }
    var rest = query
    rest.skip = (query.skip ?? 0) + records.count
    rest.limit = left
    next = (rest, page.next)
  }
}
