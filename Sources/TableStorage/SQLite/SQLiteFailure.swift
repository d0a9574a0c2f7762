import GRDB
import GRDBSQLite

/// An error of SQLite, as those who use the storage see it.
struct SQLiteFailure {
  /// One of the storage's own errors; an error that is not SQLite's stays as it is.
  let error: any Error

  init(_ error: any Error) {
    guard let database = error as? DatabaseError else {
      self.error = error
      return
    }
    self.error = StorageError(database)
  }

  /// True for damage, also under the name that ``named(_:)`` gave it.
  static func mayBeDamage(_ error: any Error) -> Bool {
    if case StorageError.refused = error { return true }
    return (error as? DatabaseError)?.isDamage ?? false
  }

  /// Runs `body`, with the errors of SQLite as errors of the storage.
  static func named<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch {
      throw SQLiteFailure(error).error
    }
  }
}

extension StorageError {
  fileprivate init(_ error: DatabaseError) {
    switch error.extendedResultCode {
    case _ where error.isOfReplacedFile: self = .fileGone
    case _ where error.isAboutOthers: self = .busy
    // The file beside the log can't grow (SQLite's documentation of its result codes, 4874).
    case .SQLITE_FULL, .SQLITE_IOERR_SHMSIZE: self = .full
    case .SQLITE_TOOBIG: self = .valueTooLarge
    case .SQLITE_INTERRUPT: self = .interrupted
    // The message may name a column and never has a value; the statement, which is not in it, could be long.
    case .SQLITE_ERROR, .SQLITE_CORRUPT, .SQLITE_CONSTRAINT, .SQLITE_MISMATCH: self = .refused(error.reasonWithCode)
    default: self = .failed(error.reasonWithCode)
    }
  }
}

extension Error {
  /// Why the storage could not do a task that no request asked for, in a few words for the log: never a text of a row,
  /// never SQL, and one line. An error of another library is named by its type alone: its words may have anything in
  /// them.
  package var loggedReason: String {
    (SQLiteFailure(self).error as? StorageError)?.reason ?? "\(type(of: self))"
  }
}

extension DatabaseError {
  /// True if the pages of the file contradict each other, or are none of SQLite's.
  var isDamage: Bool { resultCode == .SQLITE_CORRUPT || resultCode == .SQLITE_NOTADB }

  /// Another program put a file in the place of this one after it was opened. The disk and its permissions are well.
  fileprivate var isOfReplacedFile: Bool { extendedResultCode == .SQLITE_READONLY_DBMOVED }

  /// Another program uses the file now, or has just taken a file away that was beside it (SQLite's documentation of its
  /// result codes, 15 and 5898). All other codes of a file that can only be read are about permissions.
  fileprivate var isAboutOthers: Bool {
    [.SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_PROTOCOL].contains(resultCode)
      || extendedResultCode == .SQLITE_IOERR_DELETE_NOENT
  }

  /// The words of SQLite, without the statement; its code if it has none.
  var reason: String {
    // The words may be of another connection than the one that failed, as in a backup: that one has no error.
    let words = message == "not an error" ? String(cString: sqlite3_errstr(extendedResultCode.rawValue)) : message
    return words ?? "SQLite \(extendedResultCode.rawValue)"
  }

  /// The same with the code, by which the error is found in SQLite's documentation.
  fileprivate var reasonWithCode: String {
    "SQLite \(extendedResultCode.rawValue): \(message ?? "no message")"
  }
}

extension ServerDatabaseError {
  /// Why the database in this file can't be used.
  init(database error: any Error, path: String) {
    switch error {
    case let error as ServerDatabaseError: self = error
    case let problem as BackupProblem: self = .backup(problem)
    case let error as DatabaseError: self.init(sqlite: error, path: path)
    case let error as StorageError: self.init(storage: error, path: path)
    case is CancellationError: self.init(storage: .interrupted, path: path)
    default: self.init(file: error, path: path)
    }
  }

  private init(sqlite error: DatabaseError, path: String) {
    switch error.extendedResultCode {
    case _ where error.isOfReplacedFile || error.isAboutOthers: self = .busy(path: path)
    case .SQLITE_NOTADB: self = .notADatabase(path: path)
    case .SQLITE_PERM, .SQLITE_READONLY, .SQLITE_AUTH: self = .notAllowed(path: path)
    case .SQLITE_CORRUPT: self = .damaged(path: path, reason: error.reason)
    case .SQLITE_FULL, .SQLITE_IOERR_SHMSIZE: self = .diskFull(path: path)
    case .SQLITE_IOERR: self = .diskFailed(path: path, reason: error.reasonWithCode)
    default: self = .cannotOpen(path: path, reason: error.reasonWithCode)
    }
  }

  private init(storage error: StorageError, path: String) {
    switch error {
    // After a restore or a compaction beside a command.
    case .busy, .waitedTooLong, .fileGone: self = .busy(path: path)
    case .full: self = .diskFull(path: path)
    case .notAllowed: self = .notAllowed(path: path)
    case .failed, .refused, .damagedRow, .tooSlow, .valueTooLarge, .interrupted, .unreachable, .outcomeUnknown:
      self = .cannotOpen(path: path, reason: error.reason)
    }
  }
}
