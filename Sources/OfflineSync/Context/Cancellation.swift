import Synchronization

/// Lets another thread end a sync at its next safe point: between transactions and requests.
package final class Cancellation: Sendable {
  private let isSet = Atomic(false)

  package init() {}

  package func cancel() {
    isSet.store(true, ordering: .relaxed)
  }

  /// Throws `SyncCancelled` once `cancel` was called.
  func check() throws {
    if isSet.load(ordering: .relaxed) { throw SyncCancelled() }
  }
}

/// A sync was cancelled. What it had done is done; nothing is half done.
package struct SyncCancelled: Error, Sendable, Hashable {
  package init() {}
}
