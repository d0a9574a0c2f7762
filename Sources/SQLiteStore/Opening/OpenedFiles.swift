import CSQLite
import GRDB
import Glibc

/// The file of an open store and the log beside it, as they were when it was opened. Cleaners and programs that copy
/// folders remove a log that they take for a leftover.
struct OpenedFiles: Sendable {
  private let path: String
  private let store: StoreFile.Identity?
  private let log: StoreFile.Identity?

  /// `store` is the file that was opened. The log is that of now: a connection has it open.
  init(path: String, store: StoreFile.Identity?) {
    self.path = path
    self.store = store
    log = StoreFile(path: WriteAheadLog.file(of: path)).identity
  }

  /// The path of the one that was removed or replaced; nil if both are there, or if that can't be found out.
  var gone: String? {
    if StoreFile(path: path).isGone(since: store) { return path }
    return isLogGone ? WriteAheadLog.file(of: path) : nil
  }

  /// True if the file is there and the log is not.
  var isLogGone: Bool {
    log != nil && StoreFile(path: WriteAheadLog.file(of: path)).isGone(since: log)
      && !StoreFile(path: path).isGone(since: store)
  }

  /// Copies what the removed log holds into the file, and leaves the file alone from then on. The connection still has
  /// that log open. But once another program has begun a new log, the index that both share is about that one: pages of
  /// the old one would be copied to wrong places, also when the connection closes.
  func saveLog(_ writer: Database) {
    var status = stat()
    let hasNew = stat(WriteAheadLog.file(of: path), &status) == 0 && status.st_size > 0
    if !hasNew { _ = try? writer.checkpoint(.passive) }
    sqlite_keep_log_on_close(writer.sqliteConnection)
  }
}
