import Synchronization

/// Lets another thread end a sync at its next safe point: between transactions and requests, or while a request waits
/// for its answer.
public final class Cancellation: Sendable {
  private struct State {
    var isCancelled = false
    var interrupt: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  package init() {}

  /// True after ``cancel()``, also if the sync ended before. Can be read from any thread.
  public var isCancelled: Bool { state.withLock(\.isCancelled) }

  /// Ends the sync at its next safe point. Has no effect after its end. Can be called from any thread.
  public func cancel() {
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

  /// Runs `body`. If `cancel` is called meanwhile, calls `interrupt` on the thread that cancels.
  func interrupting<Value>(with interrupt: @escaping @Sendable () -> Void, _ body: () throws -> Value) throws -> Value {
    try state.withLock { state in
      if state.isCancelled { throw SyncCancelled() }
      state.interrupt = interrupt
    }
    defer { state.withLock { $0.interrupt = nil } }
    return try body()
  }
}

/// A sync was cancelled. Its finished steps stay; no step is half done.
package struct SyncCancelled: Error, Sendable, Hashable {
  package init() {}
}
