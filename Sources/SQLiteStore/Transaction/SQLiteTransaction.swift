import GRDB
import OfflineSync
import TableProtocol

/// The reads and writes of one transaction of the store. It must not outlive the transaction.
///
/// The parts of the contract: `+Rows`, `+Journal` with errors, `+Undo`, `+Memory` (past versions, arrivals),
/// `+Progress` (settings, requests).
final class SQLiteTransaction: StoreWriter {
  let database: Database
  /// The columns of a table can't change while a transaction is open.
  private var shapes: [String: TableShape] = [:]
  /// Where the rows lie that were read last by their ids. A change of a row mostly follows: its place is found at once,
  /// and its id only by a walk down an index that has the ids in no order.
  var places: [RecordID: Int64] = [:]
  /// Reads the last committed state on another connection; nil if there is none to spare.
  let beside: StoreConnections.Read?
  private var rowsWritten = 0
  private var isJournalNoted = false

  init(database: Database, beside: StoreConnections.Read? = nil) {
    self.database = database
    self.beside = beside
  }

  /// Takes note of rows that are written, and keeps more pages for the rest of the transaction once they are many. Ids
  /// are random, so that each row is on another page of some index: pages that are not kept are read again and again.
  func note(rows count: Int) throws {
    let before = rowsWritten
    rowsWritten += count
    guard before <= Self.manyRows, rowsWritten > Self.manyRows else { return }
    try database.execute(sql: "PRAGMA cache_size = -262144")
    database.afterNextTransaction(onCommit: Self.keepLess, onRollback: Self.keepLess)
  }

  /// Says once that the journal changes: its changes are written one by one, and each past GRDB.
  func noteJournal() throws {
    guard !isJournalNoted else { return }
    isJournalNoted = true
    try database.notifyChanges(in: Table("MS_TableOperations"))
  }

  /// Keeps more pages of a connection that reads, for many rows in no order of their places.
  func keepManyPages() throws {
    try database.execute(sql: "PRAGMA cache_size = -65536")
  }

  func keepFewPages() {
    try? database.execute(sql: "PRAGMA cache_size = -\(StoreConnections.readKibibytes)")
    database.releaseMemory()
  }

  private static func keepLess(_ database: Database) {
    try? database.execute(sql: "PRAGMA cache_size = -\(usualKibibytes)")
    database.releaseMemory()
  }

  /// More than a page of a pull has.
  private static let manyRows = 2_000
  /// Of the pages that a connection keeps.
  static let usualKibibytes = 16_384

  /// Throws a `DatabaseError` when there is no such table.
  func shape(_ table: String) throws -> TableShape {
    if let shape = shapes[table] { return shape }
    let shape = try TableShape(table, in: self)
    shapes[table] = shape
    return shape
  }
}
