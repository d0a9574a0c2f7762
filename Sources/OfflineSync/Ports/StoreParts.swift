package import TableProtocol

/// The part of a store that remembers the user's own changes, so that they can be undone.
package protocol UndoReader {
  /// The changes of the newest step of a table that stands, in the order they were made; for `undone`, those of the
  /// step that was undone last. Empty when there is none.
  func undoStep(undone: Bool, in table: String) throws -> [UndoEntry]
  /// True when a change of this row is remembered.
  func hasUndoEntry(ofItem itemID: RecordID, in table: String) throws -> Bool
}

package protocol UndoWriter: UndoReader {
  /// Puts changes at the end that are undone together: one step. Forgets what was undone, of any table, and all but
  /// the newest `limit` steps of the others; of steps of many changes fewer, so that no more than a hundred
  /// times `limit` changes are kept. The step that is put there is always whole.
  func appendUndoStep(_ changes: [RowChange], keeping limit: Int) throws
  func replaceUndoEntry(_ entry: UndoEntry) throws
  func removeUndoEntry(_ id: Int64) throws
}

extension UndoWriter {
  /// Remembers a change in the transaction that makes it.
  func remember(_ change: RowChange) throws {
    try remember([change])
  }

  /// Remembers changes that are one step to the user.
  func remember(_ changes: [RowChange]) throws {
    guard !changes.isEmpty else { return }
    try appendUndoStep(changes, keeping: 1_000)
  }
}

/// The part of a store that remembers what rows were, and what syncs made of them.
package protocol MemoryReader {
  /// The changes of a row that are remembered, oldest first.
  func pastVersions(of itemID: RecordID, in table: String) throws -> [PastVersion]
  /// Those of the rows of which a change is remembered.
  func itemsWithPastVersions(among itemIDs: [RecordID], in table: String) throws -> Set<RecordID>

  /// What arrived and was not seen, the newest last; of some rows, or for nil of all.
  func arrivals(ofItems itemIDs: [RecordID]?, in table: String) throws -> [RowArrival]
  /// How many there are of each kind.
  func arrivalCounts(in table: String) throws -> [String: Int]
}

package protocol MemoryWriter: MemoryReader {
  /// Puts changes at the end, each with the next number of its row. Forgets the oldest of a row that has more than
  /// `row`, and the oldest of all tables over `all`.
  func appendPastVersions(
    _ versions: [(itemID: RecordID, version: PastVersion)], in table: String, keeping row: Int, of all: Int) throws

  /// Puts arrivals at the end, in place of earlier ones of the same rows, and forgets the oldest over `limit`.
  func putArrivals(_ arrivals: [RowArrival], in table: String, keeping limit: Int) throws
  func removeArrivals(ofItems itemIDs: [RecordID], in table: String) throws
}

extension MemoryReader {
  package func arrivals(in table: String) throws -> [RowArrival] { try arrivals(ofItems: nil, in: table) }
}

/// The part of a store that reads the rows of a list on a screen.
package protocol RowQueryReader {
  /// Calls `body` with each row of the query, one after another, without loading all of them. An error that `body`
  /// throws ends the walk.
  func forEach(_ query: RowQuery, _ body: (Record) throws -> Void) throws
  /// Calls `body` with the id and these columns of each row of the query, in the order of `columns`. A long list is read
  /// faster so than as records. An error that `body` throws ends the walk.
  func forEach(_ query: RowQuery, columns: [String], _ body: (RecordID, [FieldValue]) throws -> Void) throws
  /// Returns how many rows have each value, or the number of all of them under an empty text. Counts from the start of
  /// the query on, and ignores `limit`.
  func counts(_ query: RowQuery, by value: RowValue?) throws -> [String: Int]
  /// Returns false while reading in this order has to sort the whole table.
  func isPrepared(_ index: RowIndex) throws -> Bool
}

package protocol RowQueryWriter: RowQueryReader {
  /// Creates the index, so that reading in this order costs the same at any place of the table. Reads every row once.
  func prepare(_ index: RowIndex) throws
}

extension RowQueryReader {
  /// Calls `body` with one column of each row, in no order. Ignores `start` and `limit`, and skips values that are not
  /// texts.
  package func forEachText(of column: String, _ query: RowQuery, _ body: (String) throws -> Void) throws {
    let all = RowQuery(table: query.table, condition: query.condition, order: [])
    try forEach(all, columns: [column]) { _, values in
      if let text = values[0].text { try body(text) }
    }
  }

  package func records(_ query: RowQuery) throws -> [Record] {
    var records: [Record] = []
    try forEach(query) { records.append($0) }
    return records
  }

  /// Returns the number of rows from the start of the query on. Ignores `limit`.
  package func count(_ query: RowQuery) throws -> Int { try counts(query, by: nil).values.reduce(0, +) }
}
