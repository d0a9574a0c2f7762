import Synchronization

/// Lets the batches of a push, which travel at the same time over several connections, be acted on in the
/// order in which the client made them, so that items made in a row get a rising `createdAt`.
///
/// It is a courtesy, not a lock: a batch waits for the one before it, but not for long, and nothing is
/// lost or refused when it waited in vain. The state of a push is kept in memory only.
final class BatchOrder: Sendable {
  /// Pushes that are remembered; after that the oldest is forgotten.
  static let mostPushes = 1_000
  /// Batches that wait at the same time, of all pushes: each holds its body. A further one does not wait.
  static let mostWaiting = 100

  private let longestWait: Duration
  private let state = Mutex(State())

  init(longestWait: Duration) {
    self.longestWait = longestWait
  }

  /// How many batches wait now.
  var waiting: Int { state.withLock { $0.waiting.count } }

  /// Returns when the batch before this one is answered, when the longest wait is over, when the task is
  /// cancelled, or when the order is closed. ``finish(_:)`` must follow.
  func wait(for turn: BatchTurn) async {
    guard state.withLock({ $0.mustWait(turn) }) else { return }
    await withTaskGroup(of: Void.self) { race in
      race.addTask { await self.park(turn) }
      race.addTask { [longestWait] in try? await Task.sleep(for: longestWait) }
      await race.next()
      race.cancelAll()
    }
  }

  /// The batch is answered, be it with an error: the next one may go on.
  func finish(_ turn: BatchTurn) {
    for continuation in state.withLock({ $0.finish(turn) }) { continuation.resume() }
  }

  /// The batch of somebody who is not let in is answered. It holds up none of those after it, and counts for no other
  /// push: by names that nobody uses, strangers could make the order forget all of them.
  func pass(_ turn: BatchTurn) {
    for continuation in state.withLock({ $0.isKnown(turn) ? $0.finish(turn) : [] }) { continuation.resume() }
  }

  /// From now on none waits, as a server needs it that is shutting down.
  func close() {
    for continuation in state.withLock({ $0.close() }) { continuation.resume() }
  }

  private func park(_ turn: BatchTurn) async {
    let ticket = state.withLock { $0.nextTicket() }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        // Looked at under the lock: a cancellation from here on finds the ticket.
        let isParked = state.withLock { state in
          guard !Task.isCancelled, state.mustWait(turn) else { return false }
          state.waiting[ticket] = Waiter(turn: turn, continuation: continuation)
          return true
        }
        if !isParked { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.waiting.removeValue(forKey: ticket) }?.continuation.resume()
    }
  }
}

extension BatchOrder {
  fileprivate struct Waiter {
    let turn: BatchTurn
    let continuation: CheckedContinuation<Void, Never>
  }

  fileprivate struct State {
    var waiting: [UInt64: Waiter] = [:]
    /// The highest number answered of each push.
    private var answered: [String: Int] = [:]
    /// The keys of ``answered``, oldest first.
    private var pushes: [String] = []
    private var lastTicket: UInt64 = 0
    private var isClosed = false

    mutating func nextTicket() -> UInt64 {
      lastTicket += 1
      return lastTicket
    }

    func mustWait(_ turn: BatchTurn) -> Bool {
      guard turn.number > 0, !isClosed, waiting.count < BatchOrder.mostWaiting else { return false }
      return answered[turn.push].map { $0 < turn.number - 1 } ?? true
    }

    func isKnown(_ turn: BatchTurn) -> Bool {
      answered[turn.push] != nil || waiting.values.contains { $0.turn.push == turn.push }
    }

    mutating func finish(_ turn: BatchTurn) -> [CheckedContinuation<Void, Never>] {
      let highest = max(answered[turn.push] ?? 0, turn.number)
      if answered.updateValue(highest, forKey: turn.push) == nil { pushes.append(turn.push) }
      if pushes.count > BatchOrder.mostPushes { answered[pushes.removeFirst()] = nil }
      return release { $0.push == turn.push && $0.number <= highest + 1 }
    }

    mutating func close() -> [CheckedContinuation<Void, Never>] {
      isClosed = true
      return release { _ in true }
    }

    private mutating func release(_ mayGo: (BatchTurn) -> Bool) -> [CheckedContinuation<Void, Never>] {
      let free = waiting.filter { mayGo($0.value.turn) }
      for ticket in free.keys { waiting[ticket] = nil }
      return free.values.sorted { $0.turn.number < $1.turn.number }.map(\.continuation)
    }
  }
}
