import Synchronization
import TableStorage

/// Lets only so many reads that may take long run at the same time, so that the others find the database free. Of one
/// user fewer run, and fewer wait: nobody can keep all others out.
final class CostlyReads: Sendable {
  /// Fewer than the connections that a storage reads with.
  static let mostRunning = 3
  static let mostRunningOfAUser = 2
  /// One more is told to try again.
  static let mostWaiting = 100
  static let mostWaitingOfAUser = 25

  private let state = Mutex(State())

  private struct State {
    var running = 0
    var runningByUser = CountByKey<UserName>()
    /// In their order.
    var waiting: [Waiter] = []
    var lastTicket = 0

    func mayRun(_ user: UserName?) -> Bool {
      running < CostlyReads.mostRunning && runningByUser[user] < CostlyReads.mostRunningOfAUser
    }

    func mayWait(_ user: UserName?) -> Bool {
      waiting.count < CostlyReads.mostWaiting
        && (user == nil || waiting.count { $0.user == user } < CostlyReads.mostWaitingOfAUser)
    }

    mutating func begin(_ user: UserName?) {
      running += 1
      runningByUser.add(to: user)
    }

    mutating func end(_ user: UserName?) {
      running -= 1
      runningByUser.remove(from: user)
    }
  }

  private struct Waiter {
    let ticket: Int
    let user: UserName?
    let continuation: CheckedContinuation<Void, any Error>
  }

  var waiting: Int { state.withLock { $0.waiting.count } }

  /// Runs `body` when it is its turn, for this user; nil for whoever need not sign in. Throws `RequestError.overloaded`
  /// if too many wait, `CancellationError` if the task is cancelled while it waits.
  func run<Value>(of user: UserName? = nil, _ body: () async throws -> Value) async throws -> Value {
    try await enter(user)
    defer { leave(user) }
    return try await body()
  }

  private func enter(_ user: UserName?) async throws {
    let ticket = state.withLock { state in
      state.lastTicket += 1
      return state.lastTicket
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        // Looked at under the lock: a cancellation from here on finds the ticket.
        let turn = state.withLock { state -> Result<Void, any Error>? in
          if Task.isCancelled { return .failure(CancellationError()) }
          if state.mayRun(user) {
            state.begin(user)
            return .success(())
          }
          guard state.mayWait(user) else { return .failure(RequestError.overloaded) }
          state.waiting.append(Waiter(ticket: ticket, user: user, continuation: continuation))
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

  /// The first that may run now follows.
  private func leave(_ user: UserName?) {
    let next = state.withLock { state -> CheckedContinuation<Void, any Error>? in
      state.end(user)
      guard let place = state.waiting.firstIndex(where: { state.mayRun($0.user) }) else { return nil }
      let waiter = state.waiting.remove(at: place)
      state.begin(waiter.user)
      return waiter.continuation
    }
    next?.resume()
  }
}
