import TableProtocol

/// Compares all rows of a query with the server's, whatever a delta token says: finds rows that were removed
/// there without a tombstone, and rows without a time of change, of which an incremental pull never hears
/// (offline-sync P8, P10).
struct FullPull {
  let query: PullQuery
  let pageSize: Int
  let storing: PullStoring
  let remote: any RemoteTable
  let cancellation: Cancellation

  /// Returns how many rows changed, and the moment from which an incremental pull must go on.
  func run(progress: (Int) -> Void) throws -> (changed: Int, newest: Timestamp?) {
    let isPartial = query.query.limit != nil || query.query.skip != nil
    let newest = isPartial ? nil : try remote.page(newestFirst).records.first?.system.updatedAt
    var (changed, seen) = try query.query.order.isEmpty ? walkByID(progress) : walkInOrder(progress)
    guard !isPartial else { return (changed, newest) }
    let missing = try storing.unconfirmed(of: query, notIn: seen)
    if query.scope.isEmpty {
      changed += try storing.remove(missing, of: query)
      try storing.judgeAbsence(from: seen, in: query.table)
    } else {
      changed += try recheck(missing)
    }
    return (changed, newest)
  }

  /// Walks by id, which no row changes, so that it can't miss one that moves meanwhile (P14).
  private func walkByID(_ progress: (Int) -> Void) throws -> (changed: Int, seen: Set<String>) {
    var seen: Set<String> = []
    var changed = 0
    var last = ""
    var left = query.query.limit ?? .max
    while left > 0 {
      try cancellation.check()
      let wanted = min(pageSize, left)
      var next = query.page(
        where: last.isEmpty ? nil : .compare(SystemColumn.id, .greater, .text(last)), order: [SortKey(SystemColumn.id)],
        limit: wanted)
      next.skip = last.isEmpty ? query.query.skip : nil
      let page = try remote.page(next)
      guard let end = page.records.map(\.id).max(by: Self.precedes), Self.precedes(last, end) else { break }
      seen.formUnion(page.records.map(\.id))
      changed += try storing.store(page.records, in: query, token: nil)
      progress(seen.count)
      last = end
      left -= page.records.count
      if page.records.count < wanted && !page.hasMore { break }
    }
    return (changed, seen)
  }

  /// Walks in the caller's order, by the server's own links: which rows come first is what the caller wants.
  private func walkInOrder(_ progress: (Int) -> Void) throws -> (changed: Int, seen: Set<String>) {
    var walk = OnlineQuery(query.withTombstones)
    var seen: Set<String> = []
    var changed = 0
    while let next = walk.next {
      try cancellation.check()
      let before = walk.records.count
      try walk.take(remote.page(next.query, at: next.link), from: remote.protocolVersion)
      let records = Array(walk.records[min(before, walk.records.count)...])
      seen.formUnion(records.map(\.id))
      changed += try storing.store(records, in: query, token: nil)
      progress(seen.count)
    }
    return (changed, seen)
  }

  /// Asks for rows that match the filter here but were not among those that match there: they were removed, or
  /// became others (P9).
  private func recheck(_ ids: [String]) throws -> Int {
    var changed = 0
    for id in ids {
      try cancellation.check()
      if let row = try remote.read(id, in: query.table) {
        changed += try storing.store([row], in: query, token: nil)
      } else {
        changed += try storing.remove([id], of: query)
      }
    }
    return changed
  }

  private var newestFirst: TableQuery {
    query.page(where: nil, order: [SortKey(SystemColumn.updatedAt, ascending: false)], limit: 1)
  }

  /// The order of ids on the wire: by code point.
  private static func precedes(_ left: String, _ right: String) -> Bool {
    left.utf8.lexicographicallyPrecedes(right.utf8)
  }
}

extension PullQuery {
  /// The caller's own order and extent, tombstones included.
  fileprivate var withTombstones: TableQuery {
    var own = query
    own.includesDeleted = true
    return own
  }
}
