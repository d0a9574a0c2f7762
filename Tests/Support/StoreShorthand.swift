package import OfflineSync

extension StoreReader {
  /// The newest change that can be undone; for `undone`, the first change of the step that was undone last.
  package func history(undone: Bool, in table: String) throws -> UndoEntry? {
    let step = try undoStepEntries(undone: undone, in: table)
    return undone ? step.first : step.last
  }

  /// The changes of the step that would be undone next, or done again.
  package func undoStepEntries(undone: Bool, in table: String) throws -> [UndoEntry] {
    try undoEntries(try undoStep(undone: undone, in: table))
  }
}

extension StoreWriter {
  package func appendUndoStep(_ change: RowChange, keeping limit: Int) throws {
    try appendUndoStep([change], keeping: limit)
  }

  package func appendUndoStep(_ changes: [RowChange], keeping limit: Int) throws {
    try appendUndoStep(changes, isContinued: false, keeping: limit)
  }
}
