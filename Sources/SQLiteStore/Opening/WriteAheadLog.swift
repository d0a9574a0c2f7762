import GRDB
import GRDBSQLite

enum WriteAheadLog {
  /// Keeps the log file when the last program closes the store. Making it anew would cost every
  /// short command a write that is synced to the disk.
  static func keep(_ database: Database) {
    guard !database.configuration.readonly else { return }
    var on: Int32 = 1
    sqlite3_file_control(database.sqliteConnection, "main", SQLITE_FCNTL_PERSIST_WAL, &on)
  }
}
