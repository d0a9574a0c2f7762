import GRDB
import OfflineSync
import TableProtocol

/// The reads and writes of one transaction of the store. It must not outlive the transaction.
///
/// The parts of the contract: `+Rows`, `+Journal` with errors, `+Undo`, `+Memory` (past versions, arrivals),
/// `+Settings` (delta tokens, facts, saved requests).
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

  /// Takes note of rows that are written, and keeps more pages for the rest of the transaction once they are many.
  func note(rows count: Int) throws {
    let before = rowsWritten
    rowsWritten += count
    guard before <= Self.manyRows, rowsWritten > Self.manyRows else { return }
    let former = try PageCache.writingManyRows.use(in: database)
    database.afterNextTransaction(onCommit: { former.restore(in: $0) }, onRollback: { former.restore(in: $0) })
  }

  /// Says once that the journal changes: its changes are written one by one, and each past GRDB.
  func noteJournal() throws {
    guard !isJournalNoted else { return }
    isJournalNoted = true
    try database.notifyChanges(in: Table("MS_TableOperations"))
  }

  /// More than a page of a pull has.
  static let manyRows = 2_000

  /// Throws a `DatabaseError` when there is no such table.
  func shape(_ table: String) throws -> TableShape {
    if let shape = shapes[table] { return shape }
    let shape = try TableShape(table, in: self)
    shapes[table] = shape
    return shape
  }
}
