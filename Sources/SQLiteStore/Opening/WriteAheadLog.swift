import CSQLite
import GRDB
import GRDBSQLite
import SQLiteStatements

/// The log beside the file of a store: how much of it stays, and when it is copied into the file.
enum WriteAheadLog {
  /// A log beyond this size in bytes is emptied when the store is closed. The first program that opens a store reads
  /// all of its log.
  static let mostKept = 512 * 1_024

  /// Keeps the log file when the last program closes the store. Making it again would cost every
  /// short command a write that is synced to the disk.
  static func keep(_ database: Database) {
    guard !database.configuration.readonly else { return }
    var on: Int32 = 1
    sqlite3_file_control(database.sqliteConnection, "main", SQLITE_FCNTL_PERSIST_WAL, &on)
  }

  /// Pages from which a log is copied into the database; SQLite's own figure.
  private static let pagesToCopy: Int32 = 1_000

  /// From here on no commit of this connection copies the log. The observer notes that it is long, and the copying comes
  /// after the answer: that of a change of 60,000 rows takes as long as a second change of a few.
  static func copyLater(_ database: Database, _ observer: WriteObserver) {
    // The connection holds its observer to its end.
    sqlite3_wal_hook(
      database.sqliteConnection,
      { observer, _, _, pages in
        guard let observer, pages >= WriteAheadLog.pagesToCopy else { return SQLITE_OK }
        Unmanaged<WriteObserver>.fromOpaque(observer).takeUnretainedValue().noteLongLog()
        return SQLITE_OK
      }, Unmanaged.passUnretained(observer).toOpaque())
  }

  static func isLarge(of path: String) -> Bool { (OpenedFiles.logSize(of: path) ?? 0) > mostKept }

  /// Copies a log that has grown into the database, and empties it. Waits for nobody: if another program reads or
  /// writes now, a later one does it.
  static func emptyIfLarge(_ database: Database, of path: String) {
    guard isLarge(of: path) else { return }
    sqlite3_busy_timeout(database.sqliteConnection, 0)
    _ = try? database.checkpoint(.truncate)
  }

  /// Copies the contents of a log that was removed into the database, and leaves the file alone from then on. The
  /// connection still has that log open. But once another program has begun a new log, the index that both share is
  /// about that one: pages of the old one would be copied to wrong places, also when the connection closes.
  static func saveRemoved(_ database: Database, of path: String) {
    let hasNew = (OpenedFiles.logSize(of: path) ?? 0) > 0
    if !hasNew { _ = try? database.checkpoint(.passive) }
    sqlite_keep_log_on_close(database.sqliteConnection)
  }
}
