import GRDB
import OfflineSync

/// The reads and writes of one transaction of the store. It must not outlive the transaction.
///
/// The parts of the contract: `+Rows`, `+Journal` with errors, `+Undo`, `+Memory` (past versions, arrivals), `+Progress`
/// (settings, requests).
final class SQLiteTransaction: StoreWriter {
  let database: Database
  /// The columns of a table can't change while a transaction is open.
  private var shapes: [String: TableShape] = [:]

  init(database: Database) {
    self.database = database
  }

  /// Throws a `DatabaseError` when there is no such table.
  func shape(_ table: String) throws -> TableShape {
    if let shape = shapes[table] { return shape }
    let shape = try TableShape(table, in: self)
    shapes[table] = shape
    return shape
  }
}
