import Dispatch
import Synchronization

/// Work that is done in the background, one request at a time. Of those asked for meanwhile only the last is done.
final class LatestWork<Request: Sendable>: Sendable {
  private let queue: DispatchQueue
  private let work: @Sendable (Request) -> Void
  private let state = Mutex(State())

  private struct State {
    var isRunning = false
    var next: Request?
  }

  init(_ queue: DispatchQueue, _ work: @escaping @Sendable (Request) -> Void) {
    self.queue = queue
    self.work = work
  }

  /// False when it has to wait for another one.
  @discardableResult
  func ask(_ request: Request) -> Bool {
    let mustStart = state.withLock { state in
      state.next = request
      defer { state.isRunning = true }
      return !state.isRunning
    }
    if mustStart { queue.async { self.run() } }
    return mustStart
  }

  private func run() {
    while let request = next() { work(request) }
  }

  private func next() -> Request? {
    state.withLock { state in
      defer { state.next = nil }
      state.isRunning = state.next != nil
      return state.next
    }
  }
}
