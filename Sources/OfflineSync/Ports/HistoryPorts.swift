package import TableProtocol

/// The part of a store that remembers the user's own changes, so that they can be undone.
package protocol HistoryReader {
  /// The changes of the newest step of a table that stands, in the order they were made; for `undone`, those of the
  /// step that was undone last. Empty when there is none.
  func historyStep(undone: Bool, in table: String) throws -> [HistoryEntry]
  /// True when a change of this row is remembered.
  func hasHistory(ofItem itemID: RecordID, in table: String) throws -> Bool
}

package protocol HistoryWriter: HistoryReader {
  /// Puts changes at the end that are undone together: one step. Forgets what was undone, of any table, and all but
  /// the newest `limit` steps of the others; of steps of many changes fewer, so that no more than a hundred
  /// times `limit` changes are kept. The step that is put there is always whole.
  func appendHistory(_ changes: [RowChange], keeping limit: Int) throws
  func replaceHistory(_ entry: HistoryEntry) throws
  func removeHistory(_ id: Int64) throws
}

extension HistoryReader {
  /// The newest change that stands; for `undone`, the first change of the step that was undone last.
  package func history(undone: Bool, in table: String) throws -> HistoryEntry? {
    let step = try historyStep(undone: undone, in: table)
    return undone ? step.first : step.last
  }
}

extension HistoryWriter {
  /// Remembers a change in the transaction that makes it.
  func remember(_ change: RowChange) throws {
    try remember([change])
  }

  /// Remembers changes that are one step to the user.
  func remember(_ changes: [RowChange]) throws {
    guard !changes.isEmpty else { return }
    try appendHistory(changes, keeping: 1_000)
  }

  package func appendHistory(_ change: RowChange, keeping limit: Int) throws {
    try appendHistory([change], keeping: limit)
  }
}
