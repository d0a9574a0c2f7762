package import TableProtocol

/// The part of a store that reads the user's own changes, which can be undone.
package protocol UndoReader {
  /// Returns the ids of the changes of the newest step of a table that is not undone, in the order they were made; for
  /// `undone`, of the step that was undone last. Empty if there is none. A step may be a whole list: its changes are
  /// read in runs.
  func undoStep(undone: Bool, in table: String) throws -> [Int64]
  /// Returns the changes with these ids, in this order. Those that the store lacks are left out.
  func undoEntries(_ ids: [Int64]) throws -> [UndoEntry]
  /// Returns those of the rows of which a change is saved, undone or not. Looks at every change once.
  func itemsWithUndoEntries(among ids: [RecordID], in table: String) throws -> Set<RecordID>
}

/// The part of a store that saves the user's own changes. Removing or replacing an entry that the store lacks does
/// nothing.
package protocol UndoWriter: UndoReader {
  /// Appends changes as one step, which is undone as one. If `isContinued`, they join the newest step, which the same
  /// transaction has begun. Removes all undone steps of every table, all but the newest `limit` steps, and the oldest
  /// steps beyond `limit` × 100 changes; never the new one.
  func appendUndoStep(_ changes: [RowChange], isContinued: Bool, keeping limit: Int) throws
  /// Sets the entry with this id; nil removes it.
  func setUndoEntry(_ id: Int64, to entry: UndoEntry?) throws
  /// Sets whether entries are undone, and nothing else of them.
  func markUndoEntries(_ ids: [Int64], undone: Bool) throws
}

extension UndoWriter {
  /// Saves a change as a step, in the transaction that makes it.
  func remember(_ change: RowChange) throws {
    try remember([change])
  }

  /// Saves changes as one step. Does nothing without changes.
  func remember(_ changes: [RowChange]) throws {
    var step = UndoStep()
    try step.remember(changes, in: self)
  }
}

/// A step of undo that is saved in runs, within the transaction that makes the changes: those of a whole list would
/// fill the memory.
struct UndoStep {
  /// Steps that are kept.
  private static let mostSteps = 1_000

  /// Changes that were saved.
  private(set) var count = 0

  mutating func remember(_ changes: [RowChange], in store: any UndoWriter) throws {
    guard !changes.isEmpty else { return }
    try store.appendUndoStep(changes, isContinued: count > 0, keeping: Self.mostSteps)
    count += changes.count
  }
}

/// The part of a store that reads what rows held before, and what syncs made of them.
package protocol MemoryReader {
  /// Returns the saved past versions of rows, those of each oldest first. A row without one has no entry.
  func pastVersions(ofItems itemIDs: [RecordID], in table: String) throws -> [RecordID: [PastVersion]]

  /// Returns what arrived and was not seen. For nil, of all rows, newest last; of some rows in no order.
  func arrivals(ofItems itemIDs: [RecordID]?, in table: String) throws -> [RowArrival]
  /// Returns the number of arrivals of each kind.
  func arrivalCounts(in table: String) throws -> [String: Int]
}

/// The part of a store that saves past versions and arrivals.
package protocol MemoryWriter: MemoryReader {
  /// Appends past versions, each with the next number of its row. Removes the oldest of a row beyond `row`, and the
  /// oldest of all tables beyond `all`.
  func appendPastVersions(
    _ versions: [(itemID: RecordID, version: PastVersion)], in table: String, keeping row: Int, of all: Int) throws

  /// Appends arrivals in place of earlier ones of the same rows, and removes the oldest beyond `limit`.
  func putArrivals(_ arrivals: [RowArrival], in table: String, keeping limit: Int) throws
  func removeArrivals(ofItems itemIDs: [RecordID], in table: String) throws
}

extension MemoryReader {
  /// The saved past versions of a row, oldest first.
  package func pastVersions(of itemID: RecordID, in table: String) throws -> [PastVersion] {
    try pastVersions(ofItems: [itemID], in: table)[itemID] ?? []
  }

  package func arrivals(in table: String) throws -> [RowArrival] { try arrivals(ofItems: nil, in: table) }
}

/// The part of a store that reads the rows of a list on a screen.
package protocol RowQueryReader {
  /// Calls `body` with each row of the query, one after another, without loading all of them. An error of `body` ends
  /// the walk. Throws `QueryError` for a column that the table lacks.
  func forEach(_ query: RowQuery, _ body: (Record) throws -> Void) throws
  /// Calls `body` with the id and these columns of each row, in the order of `columns`. For a long list this is faster
  /// than records. Otherwise as ``forEach(_:_:)``.
  func forEach(_ query: RowQuery, columns: [String], _ body: (RecordID, [FieldValue]) throws -> Void) throws
  /// Returns the number of rows with each value; without `value`, the number of all rows under an empty text. Counts
  /// from the start of the query on, and ignores `limit`.
  func counts(_ query: RowQuery, by value: RowValue?) throws -> [String: Int]
  /// Returns false if a read of the index's rows in this order has to sort them all.
  func isPrepared(_ index: RowIndex) throws -> Bool
}

/// The part of a store that prepares the orders of a list.
package protocol RowQueryWriter: RowQueryReader {
  /// Creates the index, so that reading its rows in this order costs the same at any place. Reads every row once.
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
