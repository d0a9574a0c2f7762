import TableProtocol

/// Undo and redo of one change of a row. A decision about a refused or held row is undone as an edit.
extension TrackedRow {
  /// Undoes or redoes one change, by an edit that keeps what others changed since, as in a merge. A row that the change
  /// added is deleted only if it has not changed since. `wasSent` says that a server may have a row that none knew when
  /// the change was made: added again as new, it would pass for one that others deleted (J4.3).
  mutating func reverse(
    _ change: RowChange, undoing: Bool, wasSent: Bool = false
  ) -> (kept: [String], obstacle: RowUndoOutcome.Obstacle?) {
    let (from, to) = undoing ? (change.after, change.before) : (change.before, change.after)
    if let decision = change.decision {
      let before = self
      reopen(
        local: to?.live?.values, base: undoing ? decision.before : decision.after,
        shown: undoing ? decision.after : decision.before, sent: undoing ? decision.sent : nil,
        isOpen: undoing, createdAt: to?.system.createdAt)
      guard self == before else { return ([], nil) }
      guard undoing else { return ([], .changedSince) }
      if local == nil, from?.live != nil { return ([], .deletedSince) }
      guard local == nil, case .known(let theirs) = decision.after else { return ([], .alreadySent) }
      // It was decided for the deletion, and that was sent. What it took away there comes back too.
      add(theirs.values, createdAt: theirs.system.createdAt, trace: .unknown)
      return ([], nil)
    }
    switch (from?.live, to?.live) {
    case (let from, nil):
      return remove(leftAs: from)
    case (nil, let to?):
      guard local == nil else { return ([], .restoredSince) }
      add(
        to.values, createdAt: to.system.createdAt ?? from?.system.createdAt,
        trace: from.map { ServerSide($0) } ?? (wasSent ? .unknown : .never))
      return ([], nil)
    case (let from?, let to?):
      return restore(to.values, from: from.values)
    }
  }

  private mutating func remove(leftAs from: Record?) -> (kept: [String], obstacle: RowUndoOutcome.Obstacle?) {
    guard let local else { return ([], .deletedSince) }
    let kept = (from?.values ?? [:]).filter { name, value in local[name] ?? value != value }.keys.sorted()
    guard kept.isEmpty else { return (kept, .changedSince) }
    edit(to: nil)
    return ([], nil)
  }

  private mutating func restore(
    _ to: Columns, from: Columns
  ) -> (kept: [String], obstacle: RowUndoOutcome.Obstacle?) {
    guard let local else { return ([], .deletedSince) }
    var wanted = local
    var kept: [String] = []
    for (name, value) in to {
      guard let old = from[name], old != value, let now = local[name], now != value else { continue }
      switch RecordMerge.of(base: [name: old], mine: [name: value], theirs: [name: now]) {
      case .merged(let merged): wanted[name] = merged[name] ?? now
      case .clash: kept.append(name)
      }
    }
    let isChanged = wanted != local
    if isChanged { edit(to: wanted) }
    return (kept.sorted(), !isChanged && !kept.isEmpty ? .changedSince : nil)
  }
}

/// The result of an undo or redo of one change of a step.
public struct RowUndoOutcome: Sendable, Hashable {
  /// The change, as originally made.
  package let change: RowChange
  /// The names of the columns that stay, because they changed since the change was made.
  public var kept: [String] = []
  /// Why nothing was done; nil if something was done.
  public var obstacle: Obstacle?
  /// Whether it ended a conflict of the row, or opened one; nil if neither.
  package var conflict: ConflictTurn?

  /// A change of whether a row waits for a decision.
  package enum ConflictTurn: Sendable, Hashable {
    /// The row is what the server has now.
    case ended
    /// The server has it as deleted, and so it is gone here too.
    case letGo
    case opened

    package init?(from before: TrackedRow, to after: TrackedRow) {
      switch (before.isConflict, after.isConflict) {
      case (true, false) where after.isAtRest && after.local != nil: self = .ended
      case (true, false) where after.isAtRest && before.local != nil: self = .letGo
      case (false, true): self = .opened
      case (true, true), (true, false), (false, false): return nil
      }
    }

    /// True if the conflict ended for the server.
    package var isForServer: Bool {
      switch self {
      case .ended, .letGo: true
      case .opened: false
      }
    }
  }

  public enum Obstacle: Sendable, Hashable {
    /// The row has changed since.
    case changedSince
    /// The row was deleted since.
    case deletedSince
    /// The row that the change deleted was added again.
    case restoredSince
    /// The decision was sent, and the server has what was decided. The versions of the row hold the other text, unless
    /// that side had deleted the row (L15).
    case alreadySent
  }
}
