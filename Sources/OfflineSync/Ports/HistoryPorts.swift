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
}

/// The part of a store that remembers what rows were, and what syncs made of them.
package protocol MemoryReader {
  /// The changes of a row that are remembered, oldest first.
  func versions(ofItem itemID: RecordID, in table: String) throws -> [RowVersion]
  /// Those of the rows of which a change is remembered.
  func itemsWithVersions(among itemIDs: [RecordID], in table: String) throws -> Set<RecordID>

  /// What arrived and was not seen, the newest last; of some rows, or for nil of all.
  func arrivals(ofItems itemIDs: [RecordID]?, in table: String) throws -> [RowArrival]
  /// How many there are of each kind.
  func arrivalCounts(in table: String) throws -> [String: Int]
}

package protocol MemoryWriter: MemoryReader {
  /// Puts changes at the end, each with the next number of its row. Forgets the oldest of a row that has more than
  /// `row`, and the oldest of all tables over `all`.
  func appendVersions(
    _ versions: [(itemID: RecordID, version: RowVersion)], in table: String, keeping row: Int, of all: Int) throws

  /// Puts arrivals at the end, in place of earlier ones of the same rows, and forgets the oldest over `limit`.
  func putArrivals(_ arrivals: [RowArrival], in table: String, keeping limit: Int) throws
  func removeArrivals(ofItems itemIDs: [RecordID], in table: String) throws
}

extension MemoryReader {
  package func arrivals(in table: String) throws -> [RowArrival] { try arrivals(ofItems: nil, in: table) }
}
