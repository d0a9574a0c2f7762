import TableProtocol

/// The walk over all rows of a query by id. An id never changes, so no row is missed if it moves (offline-sync P14).
///
/// The next page begins after the last row in the server's order, whatever its collation. Rows that the walk did not
/// find may be removed here. So it ends only if the server says so, and a page that does not move on is a failure.
struct IDWalk {
  private(set) var seen: Set<RecordID> = []
  private(set) var isOver = false
  private var last: RecordID?

  /// The condition of the next page; nil for the first page.
  var condition: Filter? { last.map { .compare(SystemColumn.id, .greater, .text($0.text)) } }

  /// Moves past a page of at most `limit` rows. A page that is not full is the last one only if the server always says
  /// when it cuts a page short, or counted no more rows. Otherwise only an empty page is (offline-sync P4). Throws
  /// `RemoteFailure`.
  mutating func advance(past page: RemotePage, limit: Int, saysWhenCut: Bool) throws(RemoteFailure) {
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

extension RemoteTable {
  /// Returns true if the server always says when it cuts a page short. An old server of 2.0.0, or a proxy before it,
  /// may cut at any size and not say so (table-protocol 6.4). An answer of 3.0.0 says so.
  func saysWhenCut(_ page: RemotePage) -> Bool { page.isOrdered || protocolVersion != .v2 }

  /// True if requests should ask how many rows match: the count shows that a page was cut.
  var mayCutSilently: Bool { protocolVersion == .v2 }
}
