import TableProtocol

/// Takes a row from how a change left it back to how it was, as a new change, inside one transaction.
///
/// Only what is still as the change left it is touched: what another device did since stays.
struct RowTransition {
  let from: Record?
  let to: Record?
  let itemID: String
  let table: String
  let store: any StoreWriter
  /// This device's clock.
  let now: Timestamp

  struct Outcome {
    var kept: [String] = []
    var obstacle: RowReversal.Obstacle?
    /// What is left of a row that was removed.
    var trace: Record?
  }

  private var queue: TableOperationQueue { TableOperationQueue(store, now: now) }

  func carryOut() throws -> Outcome {
    let row = try store.record(itemID, in: table)
    switch (from?.live, to?.live) {
    case (let from, nil): return try remove(row, leftAs: from)
    case (nil, let to?): return try bringBack(to, insteadOf: row)
    case (let from?, let to?): return try change(row, from, to)
    }
  }

  private func remove(_ row: Record?, leftAs from: Record?) throws -> Outcome {
    guard let row else { return Outcome(obstacle: .deletedSince) }
    let kept = (from?.values ?? [:]).filter { name, value in row.values[name] ?? value != value }.keys.sorted()
    guard kept.isEmpty else { return Outcome(kept: kept, obstacle: .changedSince) }
    try store.take([itemID], from: table, on: .own(now))
    return Outcome(trace: try queue.enterDelete(of: row, in: table))
  }

  private func bringBack(_ to: Record, insteadOf row: Record?) throws -> Outcome {
    guard row == nil else { return Outcome(obstacle: .restoredSince) }
    try store.put([try queue.asAdded(to, in: table)], in: table, on: .own(now), knowing: [:])
    try queue.enterRevival(of: to, tombstone: from, in: table)
    return Outcome()
  }

  private func change(_ row: Record?, _ from: Record, _ to: Record) throws -> Outcome {
    guard let row else { return Outcome(obstacle: .deletedSince) }
    var changed = row
    var outcome = Outcome()
    for (name, value) in to.values where from.values[name] != value && row.values[name] != value {
      if row.values[name] == from.values[name] {
        changed.values[name] = value
      } else {
        outcome.kept.append(name)
      }
    }
    outcome.kept.sort()
    if changed.values != row.values {
      try store.put([changed], in: table, on: .own(now), knowing: [itemID: row])
      try queue.enter(.update, table: table, itemID: itemID, before: row, after: changed)
      try queue.settleConflict(of: changed, in: table)
    } else if !outcome.kept.isEmpty {
      outcome.obstacle = .changedSince
    }
    return outcome
  }
}

extension Record {
  /// Nil for a tombstone.
  fileprivate var live: Record? { system.deleted ? nil : self }
}
