import Synchronization
package import TableProtocol

/// The hint that a list was written to.
package struct ListNotice: Hashable, Sendable {
  package let list: ListID
  /// The last moment that was given to a row of the list; it may be later by now.
  package let lastMoment: Timestamp

  package init(list: ListID, lastMoment: Timestamp) {
    self.list = list
    self.lastMoment = lastMoment
  }
}

/// Hands notices to all who listen, for a storage whose own process writes.
package final class ListNotices: Sendable {
  /// Those that wait for one listener; the oldest are dropped.
  static let mostWaiting = 256

  private let state = Mutex(State())

  package init() {}

  private struct State {
    var listeners: [Int: AsyncStream<ListNotice>.Continuation] = [:]
    var last = 0
    var isOver = false
  }

  /// Notices posted from now on, until ``finish()``.
  package var stream: AsyncStream<ListNotice> {
    AsyncStream(bufferingPolicy: .bufferingNewest(Self.mostWaiting)) { continuation in
      let number = state.withLock { state -> Int? in
        guard !state.isOver else { return nil }
        state.last += 1
        state.listeners[state.last] = continuation
        return state.last
      }
      guard let number else { return continuation.finish() }
      continuation.onTermination = { [weak self] _ in self?.state.withLock { $0.listeners[number] = nil } }
    }
  }

  package func post(_ notice: ListNotice) {
    for listener in state.withLock({ Array($0.listeners.values) }) { listener.yield(notice) }
  }

  package func finish() {
    let listeners = state.withLock { state in
      defer { state.listeners = [:] }
      state.isOver = true
      return Array(state.listeners.values)
    }
    for listener in listeners { listener.finish() }
  }
}
