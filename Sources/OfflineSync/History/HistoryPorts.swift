/// The part of a store that remembers the user's own changes, so that they can be undone.
package protocol HistoryReader {
  /// The newest change of a table that stands; for `undone`, the change that was undone last.
  func history(undone: Bool, in table: String) throws -> HistoryEntry?
  /// True when a change of this row is remembered.
  func hasHistory(ofItem itemID: String, in table: String) throws -> Bool
}

package protocol HistoryWriter: HistoryReader {
  /// Puts a change at the end. Forgets the changes that were undone, of any table, and all but the newest
  /// `limit` of the others.
  func appendHistory(_ change: RowChange, keeping limit: Int) throws
  func replaceHistory(_ entry: HistoryEntry) throws
  func removeHistory(_ id: Int64) throws
  func removeHistory(of table: String) throws
}

extension HistoryWriter {
  /// Remembers a change in the transaction that makes it.
  func remember(_ change: RowChange) throws {
    try appendHistory(change, keeping: 1_000)
  }
}
