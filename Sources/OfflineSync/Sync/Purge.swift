import TableProtocol

/// Removes the rows of a table from this device, and from nowhere else, in one transaction (sync-rules 9). The delta
/// tokens of the table and what its last pulls left behind are removed too, so that the next pull loads the rows again
/// (P11).
struct Purge {
  let table: String
  /// True if waiting changes and their errors are dropped.
  let isForced: Bool
  /// The tables of the store.
  let tables: [String]

  /// Removes the rows. Throws `PurgeRefused`. No sync may run meanwhile: see `SyncContext.purge`.
  func carryOut(in store: any StoreWriter) throws -> PurgeReport {
    var report = PurgeReport()
    let pending = try store.changedItemCount(in: table)
    if pending > 0 {
      guard isForced else {
        let errors = try store.operationErrors().filter { $0.table == table }
        let (conflicts, held) = (errors.count { $0.kind == .conflict }, errors.count { $0.kind == .held })
        throw PurgeRefused(pending: pending - conflicts - held, conflicts: conflicts, held: held)
      }
      report.changes = pending
      try store.removeOperations(of: table)
    }
    let ids = try store.ids(beginning: "", in: table)
    report.rows = ids.count
    try store.remove(ids, from: table)
    try store.clear(.arrivals, of: table)
    try store.clear(.deltaTokens, of: table)
    try forgetPulls(in: store)
    // These facts are about rows that are gone now: they must not answer a question of the next pull.
    for fact in [
      SyncFact.agreement(on: table), SyncFact.tokensBeforePush(of: table), SyncFact.deletions(in: table),
      SyncFact.restoration(of: table),
    ] {
      try store.removeFact(fact)
    }
    try forget(in: store)
    return report
  }

  /// Removes the times of the table's pulls. If the store's last pull was of this table, the last one of another table
  /// takes its place: a time of the store that no table has would count as the pull of an older program, which pulled
  /// all tables (see `AccountCheck`).
  private func forgetPulls(in store: any StoreWriter) throws {
    let ofStore = try store.fact(SyncFact.lastPull).flatMap { Timestamp($0) }
    let ofTable = try PullHistory(of: table, in: store).newestPull
    let ofOthers = try tables.filter { $0 != table }.compactMap { try PullHistory(of: $0, in: store).newestPull }.max()
    if let ofStore, let ofOthers, ofStore == ofTable, ofOthers < ofStore {
      try store.setFact(SyncFact.lastPull, ofOthers.text)
    }
    try store.removeFact(SyncFact.pulls(of: table))
  }

  /// An empty store with nothing to send belongs to nobody: it may be synced with any account. While another table has
  /// rows, the store keeps its account and the comparison that it requires. Changes of rows that went without a trace
  /// can't be undone.
  private func forget(in store: any StoreWriter) throws {
    try store.clear(.undoSteps, of: table)
    try store.clear(.pastVersions, of: table)
    try store.forgetOtherDatabase(of: table)
    let others = tables.filter { $0 != table }
    guard try store.operationCount() == 0, try others.allSatisfy({ try store.count(TableQuery(table: $0)) == 0 }) else {
      return
    }
    for fact in [
      SyncFact.account, SyncFact.ownedSince, SyncFact.lastPush, SyncFact.lastPull, SyncFact.earlierPull,
      SyncFact.requiredComparison,
    ] {
      try store.removeFact(fact)
    }
  }
}

/// The result of a purge. No server was informed.
package struct PurgeReport: Sendable, Hashable {
  package var rows = 0
  /// The number of dropped changes, which the server does not have; one for each row.
  package var changes = 0

  package init() {}
}

/// A purge was refused, because changes that wait to be sent would be lost. Nothing has changed.
package struct PurgeRefused: Error, Sendable, Hashable {
  /// The number of changes that no server has accepted, without those below; one for each row.
  package let pending: Int
  /// The number of conflicts. A sync does not send them before they are decided.
  package let conflicts: Int
  /// The number of changes that wait since the server went back: it had accepted what they hold, and has it no more.
  package let held: Int

  package init(pending: Int, conflicts: Int = 0, held: Int = 0) {
    self.pending = pending
    self.conflicts = conflicts
    self.held = held
  }
}
