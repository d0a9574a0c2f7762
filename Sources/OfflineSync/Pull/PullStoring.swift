import TableProtocol

/// Puts pulled rows into the store: the rows of a page and the delta token in one transaction.
final class PullStoring {
  private let store: any LocalStore
  private let account: Account
  private let now: () -> Timestamp
  private(set) var brake: MassDeletionGuard

  /// `account` is the one the rows come from.
  init(store: any LocalStore, account: Account, now: @escaping () -> Timestamp, brake: MassDeletionGuard) {
    self.store = store
    self.account = account
    self.now = now
    self.brake = brake
  }

  /// Returns how many rows changed. Throws `MassRemoval` or `StoreError`, and then stores nothing of the page.
  ///
  /// Nothing is written, and nobody is woken, for a page of rows that are here already.
  func store(_ records: [Record], in query: PullQuery, token: DeltaToken?) throws -> Int {
    let isNews = try store.read { store in
      try isProgress(token, of: query, store) || PulledPage(records, in: query.table, store).hasNews
    }
    guard isNews else { return 0 }
    var brake = brake
    let changed = try store.write { store in
      try account.claim(store)
      let page = try PulledPage(records, in: query.table, store)
      try brake.allow(page.removals)
      let changed = try page.store(store, on: occasion(store))
      if let token, let queryID = query.queryID, try isProgress(token, of: query, store) {
        try store.setDeltaToken(token, table: query.table, queryID: queryID)
      }
      return changed
    }
    self.brake = brake
    return changed
  }

  /// The rows that match a query here without being among those seen, but none with a pending change.
  func unconfirmed(of query: PullQuery, notIn seen: Set<String>) throws -> [String] {
    try store.read { store in
      let matching =
        query.query.filter == nil
        ? try store.ids(beginning: "", in: query.table)
        : try store.records(TableQuery(table: query.table, filter: query.query.filter)).records.map(\.id)
      return try Self.unchanged(matching.filter { !seen.contains($0) }, in: query.table, store)
    }
  }

  /// Removes rows the server does not have any more, but none with a pending change. Throws `MassRemoval`.
  func remove(_ ids: [String], of query: PullQuery) throws -> Int {
    guard !ids.isEmpty else { return 0 }
    try brake.allow(ids)
    return try store.write { store in
      let removable = try Self.unchanged(ids, in: query.table, store)
      try store.take(removable, from: query.table, on: occasion(store))
      return removable.count
    }
  }

  /// Keeps aside that the server has no trace of some rows with a pending change: without one it would still be
  /// taken to have what the change started from.
  func keepAside(absenceFrom seen: Set<String>, in table: String) throws {
    let absent = try store.read { try Self.absent(from: seen, in: table, $0) }
    guard !absent.isEmpty else { return }
    try store.write { store in
      // A change that was dropped meanwhile waits for nothing.
      for id in try Self.absent(from: seen, in: table, store) {
        try store.setShadow(Record(id: id, system: SystemProperties(deleted: true)), in: table)
      }
    }
  }

  private static func absent(from seen: Set<String>, in table: String, _ store: any StoreReader) throws -> [String] {
    let operations = try store.operations(after: 0, limit: .max).filter { $0.table == table }
    let ids = Set(operations.map(\.itemID)).subtracting(seen)
    return try ServerBelief(about: Array(ids), of: table, in: store).versions(of: Array(ids)).keys.sorted()
  }

  /// Until a pull has come to its end nobody was away: what it brings is the list, and no news.
  private func occasion(_ store: any StoreReader) throws -> Occasion {
    let isTold = try store.fact(SyncFact.lastPull) != nil || store.fact(SyncFact.mustCompare) != nil
    return .sync(now(), isTold: isTold)
  }

  private static func unchanged(_ ids: [String], in table: String, _ store: any StoreReader) throws -> [String] {
    let pending = Set(try store.operations(ofItems: ids, in: table).map(\.itemID))
    return ids.filter { !pending.contains($0) }
  }

  private func isProgress(_ token: DeltaToken?, of query: PullQuery, _ store: any StoreReader) throws -> Bool {
    guard let token, let queryID = query.queryID else { return false }
    return try store.deltaToken(table: query.table, queryID: queryID) != token
  }
}
