package import TableProtocol

/// When a pull must compare all rows of its query (sync-rules 8.3). A sync asks before it pulls, and a notice must not
/// be passed over while the answer is yes.
extension StoreReader {
  /// Returns true if the next pull of a query must compare all rows, whether or not a person wants it: the store
  /// requires it, the table has new columns, or the last pull of the query is so long ago that the server may have
  /// forgotten what was deleted since. `now` is UTC.
  func mustCompareAll(of query: PullQuery, _ settings: PullSettings, now: Timestamp) throws -> Bool {
    if try fact(SyncFact.newColumns(of: query.table)) != nil { return true }
    let history = try PullHistory(of: query.table, in: self)
    return history.requiresComparison(of: query)
      || settings.requiresComparison(since: history.lastPull(of: query), now: now)
  }
}

extension ListPosition {
  /// How far this device has read a query of the server at this address. Without a token if the next pull compares all
  /// rows. `now` is UTC. Throws `StoreError`.
  package init(
    of query: PullQuery, at server: String, in store: any StoreReader, _ settings: PullSettings, now: Timestamp
  ) throws {
    let token = try query.queryID.flatMap { try store.deltaToken(table: query.table, queryID: $0)?.timestamp }
    self.init(
      token: try store.mustCompareAll(of: query, settings, now: now) ? nil : token,
      database: try store.fact(SyncFact.database(of: server)),
      epoch: try store.fact(SyncFact.epoch(of: server)).flatMap { DatabaseEpoch($0)?.number })
  }
}
