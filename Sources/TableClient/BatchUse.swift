import Synchronization
import TableProtocol

/// What is known of a server's batches, by what it announced and by how it answered
/// (table-protocol 18.4).
final class BatchUse: Sendable {
  private struct State {
    var support: BatchSupport?
    /// Batches refused with 400.
    var strikes = 0
  }

  private let state: Mutex<State>

  init(remembered: BatchSupport?) {
    state = Mutex(State(support: remembered))
  }

  var support: BatchSupport? { state.withLock(\.support) }

  /// Takes note of the announcement on a list. What was tried in vain is not believed again.
  func heard(_ announcement: String?) {
    guard let support = announcement.flatMap({ BatchSupport($0) }) else { return }
    state.withLock { state in
      if state.support != .unsupported { state.support = support }
    }
  }

  func found(_ support: BatchSupport) {
    state.withLock { $0.support = support }
  }

  /// A batch was refused as malformed. After the second one, the server is not asked again.
  func refused() {
    state.withLock { state in
      state.strikes += 1
      if state.strikes >= 2 { state.support = .unsupported }
    }
  }
}
