import TableProtocol

/// What a purge took away. Nothing of it was told to a server.
package struct PurgeReport: Sendable, Hashable {
  package var rows = 0
  /// Changes that were never accepted by the server.
  package var changes = 0

  package init() {}
}

/// A purge was refused: so many changes wait to be sent, and would be lost. Nothing has changed.
package struct PurgeRefused: Error, Sendable, Hashable {
  package let pending: Int

  package init(pending: Int) { self.pending = pending }
}

/// Removes rows here, and nowhere else (offline-sync 9), in one transaction. All delta tokens of the table go
/// with them, so that the next pull brings the rows again (P11).
struct Purge {
  let query: TableQuery
  /// Drops changes that wait, with what was recorded about them.
  let isForced: Bool

  private var table: String { query.table }
  private var isWhole: Bool { query == TableQuery(table: query.table) }

  /// Throws `PurgeRefused`. No sync must run meanwhile: see `SyncContext.purge`.
  func carryOut(in store: any StoreWriter) throws -> PurgeReport {
    var report = PurgeReport()
    let pending = try store.operationCount(in: table)
    if pending > 0 {
      guard isForced else { throw PurgeRefused(pending: pending) }
      report.changes = pending
      try store.removeOperations(of: table)
    }
    let ids = isWhole || isForced ? try store.ids(beginning: "", in: table) : try store.records(query).records.map(\.id)
    report.rows = ids.count
    try store.remove(ids, from: table)
    try store.removeShadows(of: table)
    try store.removeArrivals(of: table)
    try store.removeDeltaTokens(of: table)
    try store.removeFact(SyncFact.agreement(on: table))
    if isWhole || isForced { try forget(in: store) }
    return report
  }

  /// An empty store with nothing to send belongs to nobody: it may be synced with any account. Changes of rows
  /// that went without a trace can't be undone.
  private func forget(in store: any StoreWriter) throws {
    try store.removeHistory(of: table)
    try store.removeVersions(of: table)
    guard try store.operationCount() == 0 else { return }
    for fact in [
      SyncFact.account, SyncFact.claimed, SyncFact.lastPush, SyncFact.lastPull, SyncFact.mustCompare,
    ] {
      try store.removeFact(fact)
    }
  }
}
