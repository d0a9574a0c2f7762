/// Keeps two programs on one store from syncing at the same time. A crash releases it.
package protocol SyncLock: Sendable {
  /// Runs `body` while holding the lock. While another program holds it, it calls `waiting` again and again; what
  /// that throws ends the waiting. Throws `SyncLockError.timedOut` when a time limit runs out.
  func withLock<Value>(waiting: () throws -> Void, run body: () throws -> Value) throws -> Value
}

package enum SyncLockError: Error, Sendable, Hashable {
  case timedOut
}
