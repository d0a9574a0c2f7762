/// Keeps two programs on one store from syncing at the same time. A crash releases it.
package protocol SyncLock: Sendable {
  /// Runs `body` while holding the lock. While another program holds it, calls `waiting` repeatedly; an error that
  /// `waiting` throws ends the wait. Throws `SyncLockError.timedOut` after a time limit: 60 seconds in `FileLock`.
  func withLock<Value>(waiting: () throws -> Void, run body: () throws -> Value) throws -> Value
}

/// Why a program did not get the lock.
package enum SyncLockError: Error, Sendable, Hashable {
  /// Another program held it for too long.
  case timedOut
}

extension Cancellation {
  /// Returns the closure that ``SyncLock`` calls while another program holds the lock. The closure calls `report` once.
  /// It throws `SyncCancelled` after `cancel`, and `SyncLockError.timedOut` once `isOver` returns true.
  func waiting(report: @escaping () -> Void, isOver: @escaping () -> Bool = { false }) -> () throws -> Void {
    var isReported = false
    return {
      try self.check()
      if !isReported { report() }
      isReported = true
      if isOver() { throw SyncLockError.timedOut }
    }
  }
}
