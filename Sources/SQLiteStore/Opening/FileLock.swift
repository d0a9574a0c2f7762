import Glibc
import OfflineSync

/// The sync lock of a store: an advisory lock on a file beside it, which the system releases when
/// the program that holds it ends in whatever way.
package struct FileLock: SyncLock {
  private let path: String
  /// Seconds to wait for another program.
  private let patience: Int

  package init(storePath: String, patience: Int = 60) {
    path = storePath + "-sync"
    self.patience = patience
  }

  package func withLock<Value>(waiting: () throws -> Void, run body: () throws -> Value) throws -> Value {
    let descriptor = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw StoreError.cannotOpen(path: path, reason: String(cString: strerror(errno)).lowercased())
    }
    defer { close(descriptor) }
    try acquire(descriptor, waiting)
    return try body()
  }

  /// Asks again twenty times a second: a blocking wait could not be given a limit.
  private func acquire(_ descriptor: Int32, _ waiting: () throws -> Void) throws {
    guard flock(descriptor, LOCK_EX | LOCK_NB) != 0 else { return }
    try waiting()
    for _ in 0..<patience * 20 {
      poll(nil, 0, 50)
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return }
      try waiting()
    }
    throw SyncLockError.timedOut
  }
}
