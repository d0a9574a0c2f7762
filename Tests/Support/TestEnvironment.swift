package import OfflineSync
import Synchronization
package import TableProtocol

/// A clock that moves only when it is told to, and ids that come in order.
package final class TestEnvironment: Sendable {
  private struct State {
    var now = Timestamp(milliseconds: 1_795_000_000_000)
    var ids = 0
  }

  private let state = Mutex(State())

  package init() {}

  package var now: Timestamp { state.withLock(\.now) }

  package func advance(milliseconds: Int64) {
    state.withLock { $0.now = $0.now.advanced(byMilliseconds: milliseconds) }
  }

  /// What the program under test is given.
  package var environment: Environment {
    Environment(now: { self.now }, newID: { self.nextID() })
  }

  private func nextID() -> String {
    state.withLock { state in
      state.ids += 1
      let digits = String(state.ids)
      return "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
    }
  }
}
