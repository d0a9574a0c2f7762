import GRDB
import OfflineSync

extension StoreError {
  /// Tells the database's errors apart by what a person can do about them.
  init(_ error: any Error, path: String) {
    if let error = error as? StoreError {
      self = error
      return
    }
    guard let error = error as? DatabaseError else {
      self = .failed(path: path, reason: String(describing: error))
      return
    }
    switch error.resultCode {
    case .SQLITE_NOTADB, .SQLITE_CORRUPT: self = .notAStore(path: path)
    case .SQLITE_FULL: self = .diskFull(path: path)
    case .SQLITE_BUSY, .SQLITE_LOCKED: self = .busy(path: path)
    case .SQLITE_PERM, .SQLITE_READONLY, .SQLITE_AUTH: self = .notAllowed(path: path)
    case .SQLITE_CANTOPEN: self = .cannotOpen(path: path, reason: error.message ?? "")
    default: self = .failed(path: path, reason: error.message ?? "error \(error.resultCode.rawValue)")
    }
  }
}
