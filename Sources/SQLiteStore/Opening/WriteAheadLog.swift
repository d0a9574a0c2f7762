import GRDB
import GRDBSQLite
import Glibc

enum WriteAheadLog {
  /// A log beyond this size in bytes is emptied when the store is closed. The first program that opens a store reads
  /// all of its log.
  static let mostKept = 512 * 1_024

  static func file(of storePath: String) -> String { storePath + "-wal" }

  /// Keeps the log file when the last program closes the store. Making it again would cost every
  /// short command a write that is synced to the disk.
  static func keep(_ database: Database) {
    guard !database.configuration.readonly else { return }
    var on: Int32 = 1
    sqlite3_file_control(database.sqliteConnection, "main", SQLITE_FCNTL_PERSIST_WAL, &on)
  }

  static func isLarge(of path: String) -> Bool {
    var status = stat()
    return stat(file(of: path), &status) == 0 && status.st_size > mostKept
  }

  /// Copies a log that has grown into the database, and empties it. Waits for nobody: if another program reads or
  /// writes now, a later one does it.
  static func emptyIfLarge(_ database: Database, of path: String) {
    guard isLarge(of: path) else { return }
    sqlite3_busy_timeout(database.sqliteConnection, 0)
    _ = try? database.checkpoint(.truncate)
  }
}
