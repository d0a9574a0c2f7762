import Glibc
import OfflineSync

/// The sync lock of a store: an advisory lock on a file beside it, which the system releases when
/// the program that holds it ends in whatever way.
///
/// The first sync makes the file. It belongs to the owner of the store, whoever that was, as the other files beside it
/// do: root, once, must not lock out everybody else for good.
package struct FileLock: SyncLock {
  private let path: String
  private let storePath: String
  /// Seconds to wait for another program. A minute: longer than an ordinary sync takes, and an end for a job that meets
  /// a program that is stopped. The holder renews nothing: a sync that takes longer keeps others out as well.
  private let patience: Int

  package init(storePath: String, patience: Int = 60) {
    path = storePath + "-sync"
    self.storePath = storePath
    self.patience = patience
  }

  package func withLock<Value>(waiting: () throws -> Void, run body: () throws -> Value) throws -> Value {
    let descriptor = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      if errno == EACCES || errno == EPERM { throw StoreError.notAllowed(path: path) }
      throw StoreError.cannotOpen(path: path, reason: String(cString: strerror(errno)).lowercased())
    }
    defer { close(descriptor) }
    giveToOwner(descriptor)
    try acquire(descriptor, waiting)
    return try body()
  }

  private func giveToOwner(_ descriptor: Int32) {
    var (store, lock) = (stat(), stat())
    guard geteuid() == 0, stat(storePath, &store) == 0, fstat(descriptor, &lock) == 0, lock.st_uid != store.st_uid
    else { return }
    _ = fchown(descriptor, store.st_uid, store.st_gid)
  }

  /// Asks again twenty times a second: a blocking wait could not be given a limit. It goes by the clock, for a signal
  /// cuts a pause short, and a pause may take longer.
  private func acquire(_ descriptor: Int32, _ waiting: () throws -> Void) throws {
    guard flock(descriptor, LOCK_EX | LOCK_NB) != 0 else { return }
    let clock = SuspendingClock()
    let end = clock.now.advanced(by: .seconds(patience))
    try waiting()
    while clock.now < end {
      poll(nil, 0, 50)
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return }
      try waiting()
    }
    throw SyncLockError.timedOut
  }
}
