import TableProtocol

/// Which rows are kept on this device, and under which name the progress of pulling them is remembered.
package struct PullQuery: Sendable, Hashable {
  package let table: String
  /// Names the delta token of this query in its table.
  package let queryID: String

  package init(table: String, queryID: String) {
    self.table = table
    self.queryID = queryID
  }
}

/// How a pull is made.
package struct PullSettings: Sendable, Hashable {
  /// Rows asked for at a time. A server may send fewer.
  package var pageSize: Int
  /// Milliseconds before the delta token from which rows are looked at again.
  package var overlapMilliseconds: Int64

  package init(pageSize: Int = 1_000, overlapMilliseconds: Int64 = 30_000) {
    self.pageSize = pageSize
    self.overlapMilliseconds = overlapMilliseconds
  }
}

/// Brings what changed on the server into the store, page by page: rows and delta token of a page
/// in one transaction, so that it can be cut anywhere and goes on from there.
struct Pull {
  let store: any LocalStore
  let remote: any RemoteTable
  let settings: PullSettings

  /// Returns the number of rows that changed here. `progress` gets the rows received so far.
  /// Throws `RemoteFailure` or `StoreError`; the pages stored before it remain.
  func run(_ query: PullQuery, progress: (Int) -> Void) throws -> Int {
    let token = try store.read { try $0.deltaToken(table: query.table, queryID: query.queryID) }
    // A server of protocol 2.0.0 cuts a page at 50 rows whatever it is asked, and one old kind says
    // so by nothing but the count: asking for 50 makes a short page mean the end (table-protocol 6.4).
    let pageSize = remote.protocolVersion == .v2 ? min(50, settings.pageSize) : settings.pageSize
    var cursor = PullCursor(
      table: query.table, token: token, overlapMilliseconds: settings.overlapMilliseconds, pageSize: pageSize)
    var received = 0
    var changed = 0
    while let next = cursor.next {
      let page = try remote.page(next)
      received += page.records.count
      cursor.advance(past: page)
      changed += try apply(page, of: query, upTo: cursor.high, from: token)
      progress(received)
    }
    return changed
  }

  private func apply(
    _ page: RemotePage, of query: PullQuery, upTo high: Timestamp, from token: DeltaToken?
  ) throws -> Int {
    let isNews = try store.read { store in
      try PulledPage(page.records, in: query.table, store).hasNews
    }
    let reached = DeltaToken(high)
    // Nothing is written, and nobody is woken, for a page of rows that are here already.
    guard isNews || reached != token else { return 0 }
    return try store.write { store in
      let changed = try PulledPage(page.records, in: query.table, store).store(store)
      if reached != (try store.deltaToken(table: query.table, queryID: query.queryID)) {
        try store.setDeltaToken(reached, table: query.table, queryID: query.queryID)
      }
      return changed
    }
  }
}
