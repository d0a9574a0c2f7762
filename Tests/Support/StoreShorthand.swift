package import OfflineSync

extension StoreReader {
  /// The newest change that can be undone; for `undone`, the first change of the step that was undone last.
  package func history(undone: Bool, in table: String) throws -> UndoEntry? {
    let step = try undoStep(undone: undone, in: table)
    return undone ? step.first : step.last
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
