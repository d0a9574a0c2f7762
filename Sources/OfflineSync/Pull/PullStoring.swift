import TableProtocol

/// Puts pulled rows into the store: the rows of a page and the delta token in one transaction.
final class PullStoring {
  private let store: any LocalStore
  private var brake: RemovalBrake

  init(store: any LocalStore, brake: RemovalBrake) {
    self.store = store
    self.brake = brake
  }

  /// Returns how many rows changed. Throws `MassRemoval` or `StoreError`, and then stores nothing of the page.
  ///
  /// Nothing is written, and nobody is woken, for a page of rows that are here already.
  func store(_ records: [Record], in query: PullQuery, token: DeltaToken?) throws -> Int {
    let isNews = try store.read { store in
      let page = try PulledPage(records, in: query.table, store)
      try brake.allow(page.removals)
      return try page.hasNews || isProgress(token, of: query, store)
    }
    guard isNews else { return 0 }
    return try store.write { store in
      let changed = try PulledPage(records, in: query.table, store).store(store)
      if let token, try isProgress(token, of: query, store) {
        try store.setDeltaToken(token, table: query.table, queryID: query.queryID)
      }
      return changed
    }
  }

  /// Removes the rows the server does not have any more, but none with a pending change.
  func removeRows(of query: PullQuery, notIn seen: Set<String>) throws -> Int {
    let gone = try store.read { store in
      let missing = try store.ids(beginning: "", in: query.table).filter { !seen.contains($0) }
      let pending = Set(try store.operations(ofItems: missing, in: query.table).map(\.itemID))
      return missing.filter { !pending.contains($0) }
    }
    try brake.allow(gone.count)
    guard !gone.isEmpty else { return 0 }
    return try store.write { store in
      let pending = Set(try store.operations(ofItems: gone, in: query.table).map(\.itemID))
      let removable = gone.filter { !pending.contains($0) }
      try store.remove(removable, from: query.table)
      return removable.count
    }
  }

  private func isProgress(_ token: DeltaToken?, of query: PullQuery, _ store: any StoreReader) throws -> Bool {
    guard let token else { return false }
    return try store.deltaToken(table: query.table, queryID: query.queryID) != token
  }
}
