/// Keeps two programs on one store from syncing at the same time. A crash releases it.
package protocol SyncLock: Sendable {
  /// Runs `body` while holding the lock. Calls `waiting` once when another program holds it, waits for
  /// it with a time limit, and throws `SyncLockError.timedOut` when that runs out.
  func withLock<Value>(waiting: () -> Void, run body: () throws -> Value) throws -> Value
}

package enum SyncLockError: Error, Sendable, Hashable {
  case timedOut
}
