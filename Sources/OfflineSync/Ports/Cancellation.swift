import Synchronization

/// Lets another thread end a sync at its next safe point: between transactions and requests, and while a
/// request waits for its answer.
package final class Cancellation: Sendable {
  private struct State {
    var isCancelled = false
    var interrupt: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  package init() {}

  package var isCancelled: Bool { state.withLock(\.isCancelled) }

  package func cancel() {
    let interrupt = state.withLock { state in
      state.isCancelled = true
      return state.interrupt
    }
    interrupt?()
  }

  /// Throws `SyncCancelled` once `cancel` was called.
  func check() throws {
    if isCancelled { throw SyncCancelled() }
  }

  /// What to do while another program holds the lock: says so once, and ends the waiting for it when this is
  /// cancelled.
  func waiting(_ tell: @escaping () -> Void) -> () throws -> Void {
    var isTold = false
    return {
      try self.check()
      if !isTold { tell() }
      isTold = true
    }
  }

  /// Runs `body`; a cancellation meanwhile calls `interrupt`, on the thread that cancels.
  func interrupting<Value>(with interrupt: @escaping @Sendable () -> Void, _ body: () throws -> Value) throws -> Value {
    try state.withLock { state in
      if state.isCancelled { throw SyncCancelled() }
      state.interrupt = interrupt
    }
    defer { state.withLock { $0.interrupt = nil } }
    return try body()
  }
}

/// A sync was cancelled. What it had done is done; nothing is half done.
package struct SyncCancelled: Error, Sendable, Hashable {
  package init() {}
}
