import TableProtocol

/// Compares all rows with the server's, whatever the delta token says: finds rows that were removed there
/// without a tombstone, and rows without a time of change, of which an incremental pull never hears
/// (offline-sync P8, P10).
///
/// It walks by id, which no row changes, so that it can't miss one that moves meanwhile (P14).
struct FullPull {
  let query: PullQuery
  let pageSize: Int
  let storing: PullStoring
  let remote: any RemoteTable
  let cancellation: Cancellation

  /// Returns how many rows changed, and the moment from which an incremental pull must go on.
  func run(progress: (Int) -> Void) throws -> (changed: Int, newest: Timestamp?) {
    let newest = try remote.page(newestFirst).records.first?.system.updatedAt
    var seen: Set<String> = []
    var changed = 0
    var last = ""
    while true {
      try cancellation.check()
      let page = try remote.page(rows(after: last))
      guard let next = page.records.map(\.id).max(by: Self.precedes), Self.precedes(last, next) else { break }
      seen.formUnion(page.records.map(\.id))
      changed += try storing.store(page.records, in: query, token: nil)
      progress(seen.count)
      last = next
      if page.records.count < pageSize && !page.hasMore { break }
    }
    return (changed + (try storing.removeRows(of: query, notIn: seen)), newest)
  }

  private var newestFirst: TableQuery {
    TableQuery(table: query.table, order: [SortKey(SystemColumn.updatedAt, ascending: false)], limit: 1)
  }

  private func rows(after id: String) -> TableQuery {
    TableQuery(
      table: query.table, filter: .compare(SystemColumn.id, .greater, .text(id)), order: [SortKey(SystemColumn.id)],
      limit: pageSize)
  }

  /// The order of ids on the wire: by code point.
  private static func precedes(_ left: String, _ right: String) -> Bool {
    left.utf8.lexicographicallyPrecedes(right.utf8)
  }
}
