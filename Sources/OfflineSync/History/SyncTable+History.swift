import TableProtocol

/// The user's own changes, taken back one after another: also after a restart or a sync, for what goes out is a
/// new change. A change made otherwise empties the list of what can be done again.
extension SyncTable {
  /// Takes back the newest step that stands, each row of it as far as it is still as the step left it. Nil when none
  /// is remembered.
  package func undo() throws -> Reversal? {
    try step(undoing: true)
  }

  /// Does the step again that was undone last. Nil when there is none.
  package func redo() throws -> Reversal? {
    try step(undoing: false)
  }

  private func step(undoing: Bool) throws -> Reversal? {
    try store.write { store in
      let step = try store.historyStep(undone: !undoing, in: name)
      return Reversal(try (undoing ? step.reversed() : step).map { try reverse($0, undoing: undoing, in: store) })
    }
  }

  /// What was in the way of a change has the last word: it is not tried again.
  private func reverse(
    _ entry: HistoryEntry, undoing: Bool, in store: any StoreWriter
  ) throws -> RowReversal {
    var entry = entry
    let change = entry.change
    let transition = RowTransition(
      from: undoing ? change.after : change.before, to: undoing ? change.before : change.after,
      itemID: change.itemID, table: name, store: store, now: environment.now())
    let outcome = try transition.carryOut()
    if outcome.obstacle == nil {
      entry.take(outcome, undoing: undoing)
      try store.replaceHistory(entry)
    } else {
      try store.removeHistory(entry.id)
    }
    return RowReversal(change: change, kept: outcome.kept, obstacle: outcome.obstacle)
  }
}

extension HistoryEntry {
  /// Remembers what was really done, so that the way back touches nothing else.
  fileprivate mutating func take(_ outcome: RowTransition.Outcome, undoing: Bool) {
    isUndone = undoing
    for column in outcome.kept {
      if undoing {
        change.after?.values[column] = change.before?.values[column]
      } else {
        change.before?.values[column] = change.after?.values[column]
      }
    }
    if undoing, change.before?.system.deleted ?? true { change.before = outcome.trace }
    if !undoing, change.after?.system.deleted ?? true { change.after = outcome.trace }
  }
}
