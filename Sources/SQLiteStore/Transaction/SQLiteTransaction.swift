import GRDB
import OfflineSync

/// What can be done inside one transaction of the store. It must not outlive the transaction.
///
/// Each part of the contract has a file: rows, journal, errors, and what is remembered of syncing.
struct SQLiteTransaction: StoreWriter {
  let database: Database
}
