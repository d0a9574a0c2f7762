import TableProtocol

/// The walk over all rows of a query by id. An id never changes, so no row is missed if it moves (sync-rules P14).
///
/// The next page begins after the last row in the server's order, whatever its collation. Rows that the walk did not
/// find may be removed here. So it ends only if the server says so, and a page that does not move on is a failure.
struct IDWalk {
  private(set) var seen: Set<RecordID> = []
  private(set) var isOver = false
  private var last: RecordID?
  private var limit: WalkLimit

  init(_ limit: WalkLimit) { self.limit = limit }

  /// Returns the query of the next page of at most `limit` rows of `query`. It asks how many rows match if the server
  /// may cut a page and not say so.
  func page(of query: TableQuery, limit: Int, from remote: any RemoteTable) -> TableQuery {
    let isBeyond = last.map { Filter.compare(SystemColumn.id, .greater, .text($0.text)) }
    var page = query
    page.filter = .all([query.filter, isBeyond].compactMap(\.self))
    page.order = [SortKey(SystemColumn.id)]
    page.skip = last == nil ? query.skip : nil
    page.limit = limit
    page.includesTotalCount = remote.protocolVersion == .v2 && page.skip == nil
    return page
  }

  /// Moves past a page of at most `limit` rows. A page that is not full is the last one only if the server always says
  /// when it cuts a page short, or counted no more rows. Otherwise only an empty page is (sync-rules P4). Throws
  /// `RemoteFailure`.
  mutating func advance(past page: RemotePage, limit: Int, saysWhenCut: Bool) throws(RemoteFailure) {
    try self.limit.count(page)
    guard let end = page.last, page.rowCount > 0 else {
      isOver = true
      return
    }
    let ids = page.ids
    guard !ids.isSubset(of: seen) else { throw .samePage }
    seen.formUnion(ids)
    last = end.id
    let isWhole = page.totalCount.map { page.rowCount >= $0 } ?? (page.rowCount < limit && saysWhenCut)
    isOver = isWhole && !page.hasMore
  }
}
