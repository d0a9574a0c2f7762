import GRDB

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
    switch error.resultCode {
    case .SQLITE_BUSY, .SQLITE_LOCKED: self = .busy
    case .SQLITE_FULL: self = .full
    case .SQLITE_TOOBIG: self = .valueTooLarge
    case .SQLITE_INTERRUPT: self = .interrupted
    // The message may name a column and never has a value; the statement, which is not in it, could be long.
    case .SQLITE_ERROR, .SQLITE_CORRUPT, .SQLITE_CONSTRAINT, .SQLITE_MISMATCH: self = .refused(Self.words(error))
    default: self = .failed(Self.words(error))
    }
  }

  private static func words(_ error: DatabaseError) -> String {
    "SQLite \(error.extendedResultCode.rawValue): \(error.message ?? "no message")"
  }
}

extension DatabaseError {
  /// True if the pages of the file contradict each other, or are none of SQLite's.
  var isDamage: Bool { resultCode == .SQLITE_CORRUPT || resultCode == .SQLITE_NOTADB }

  /// The words of SQLite, without the statement.
  var reason: String { message ?? "\(resultCode)" }
}

extension ServerError {
  init(database error: any Error, path: String) {
    switch error {
    case let error as ServerError:
      self = error
    case let error as DatabaseError where error.resultCode == .SQLITE_NOTADB:
      self = .notADatabase(path: path)
    case let error as DatabaseError where [.SQLITE_PERM, .SQLITE_READONLY, .SQLITE_AUTH].contains(error.resultCode):
      self = .notAllowed(path: path)
    case let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT:
      self = .damaged(path: path, reason: error.message ?? "\(error)")
    case let error as DatabaseError where [.SQLITE_BUSY, .SQLITE_LOCKED].contains(error.resultCode):
      self = .busy(path: path)
    case StorageError.busy:
      self = .busy(path: path)
    case let error as DatabaseError where error.resultCode == .SQLITE_FULL:
      self = .diskFull(path: path)
    case StorageError.full:
      self = .diskFull(path: path)
    case let error as DatabaseError:
      self = .cannotOpen(path: path, reason: error.message ?? "\(error)")
    case StorageError.fileGone:
      self = .cannotOpen(path: path, reason: "another file was put in its place")
    case StorageError.failed(let reason), StorageError.refused(let reason):
      self = .cannotOpen(path: path, reason: reason)
    default:
      self = .cannotOpen(path: path, reason: "\(error)")
    }
  }
}
