/// Keeps two programs on one store from syncing at the same time. A crash releases it.
package protocol SyncLock: Sendable {
  /// Runs `body` while holding the lock. While another program holds it, calls `waiting` repeatedly; an error that
  /// `waiting` throws ends the wait. Throws `SyncLockError.timedOut` after a time limit: 60 seconds in `FileLock`.
  func withLock<Value>(waiting: () throws -> Void, run body: () throws -> Value) throws -> Value
}

package enum SyncLockError: Error, Sendable, Hashable {
  case timedOut
}
