import GRDB
import OfflineSync

/// What can be done inside one transaction of the store. It must not outlive the transaction.
///
/// Each part of the contract has a file: rows, journal, errors, and what is remembered of syncing.
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
    let shape = try TableShape(table, in: database)
    shapes[table] = shape
    return shape
  }
}
