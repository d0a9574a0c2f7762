import TableProtocol

/// Walks over all rows of a query by id, which no row changes, so that it can't miss one that moves meanwhile
/// (offline-sync P14).
///
/// The next page begins behind the last row as given, in the order of the server, whatever its collation. What the walk
/// did not bring may be removed here: so it ends only where the server says so, and a page that does not move on is a
/// failure.
struct IDWalk {
  private(set) var seen: Set<RecordID> = []
  private(set) var isOver = false
  private var last: String?

  /// What the next page must fulfil; nil for the first.
  var condition: Filter? { last.map { .compare(SystemColumn.id, .greater, .text($0)) } }

  /// Notes a page of at most `limit` rows. A page that is not full is the last one only if the server always says
  /// when it cuts one short, or counted no more rows; otherwise an empty page is (offline-sync P4). Throws
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
  /// True if the server says whenever it cuts a page short of what was asked for. An old server of 2.0.0, or what
  /// stands before it, may cut at any size and say nothing (table-protocol 6.4); 3.0.0 has a member for it.
  func saysWhenCut(_ page: RemotePage) -> Bool { page.isOrdered || protocolVersion != .v2 }

  /// True if it is worth to ask how many rows match: then a page that was cut silently shows by its count.
  var mayCutSilently: Bool { protocolVersion == .v2 }
}
