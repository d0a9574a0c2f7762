import Synchronization

/// Lets only so many reads that may take long run at the same time, so that the others find the database free.
final class CostlyReads: Sendable {
  /// Fewer than the connections that a storage reads with.
  static let mostRunning = 3
  /// One more is told to try again.
  static let mostWaiting = 100

  private let state = Mutex(State())

  private struct State {
    var running = 0
    /// In their order.
    var waiting: [(ticket: Int, continuation: CheckedContinuation<Void, any Error>)] = []
    var lastTicket = 0
  }

  var waiting: Int { state.withLock { $0.waiting.count } }

  /// Runs `body` when it is its turn. Throws `RequestError.overloaded` if too many wait, `CancellationError` if the task
  /// is cancelled while it waits.
  func run<Value>(_ body: () async throws -> Value) async throws -> Value {
    try await enter()
    defer { leave() }
    return try await body()
  }

  private func enter() async throws {
    let ticket = state.withLock { state in
      state.lastTicket += 1
      return state.lastTicket
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        // Looked at under the lock: a cancellation from here on finds the ticket.
        let turn = state.withLock { state -> Result<Void, any Error>? in
          if Task.isCancelled { return .failure(CancellationError()) }
          if state.running < Self.mostRunning {
            state.running += 1
            return .success(())
          }
          if state.waiting.count >= Self.mostWaiting { return .failure(RequestError.overloaded) }
          state.waiting.append((ticket, continuation))
          return nil
        }
        if let turn { continuation.resume(with: turn) }
      }
    } onCancel: {
      let waiter = state.withLock { state in
        state.waiting.firstIndex { $0.ticket == ticket }.map { state.waiting.remove(at: $0) }
      }
      waiter?.continuation.resume(throwing: CancellationError())
    }
  }

  private func leave() {
    let next = state.withLock { state -> CheckedContinuation<Void, any Error>? in
      guard !state.waiting.isEmpty else {
        state.running -= 1
        return nil
      }
      return state.waiting.removeFirst().continuation
    }
    next?.resume()
  }
}
