import Synchronization
import TableProtocol

/// What is known of a server's batches, by what it announced and by how it answered
/// (table-protocol 18.4).
///
/// That it takes none is remembered for a day, so it is only believed once the server itself has answered a change that
/// was sent alone: something on the way may have answered the batch.
final class BatchUse: Sendable {
  private struct State {
    var support: BatchSupport?
    /// A batch was answered as by a server that takes none.
    var isDoubted = false
    /// Batches refused with 400.
    var strikes = 0
  }

  private let state: Mutex<State>

  init(remembered: BatchSupport?) {
    state = Mutex(State(support: remembered))
  }

  /// What is to be remembered.
  var support: BatchSupport? { state.withLock(\.support) }
  /// What to go by now.
  var current: BatchSupport? { state.withLock { $0.isDoubted ? .unsupported : $0.support } }

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

  /// A batch was answered as by a server that takes none: this push goes on without.
  func doubt() {
    state.withLock { $0.isDoubted = true }
  }

  /// A batch was refused as malformed. After the second one, the server is not asked again.
  func refused() {
    state.withLock { state in
      state.strikes += 1
      if state.strikes >= 2 { state.isDoubted = true }
    }
  }

  /// The server itself has answered a change that was sent alone.
  func heardServer() {
    state.withLock { state in
      if state.isDoubted { state.support = .unsupported }
    }
  }

  /// The push is over: what was only doubted counts for nothing.
  func endPush() {
    state.withLock { $0.isDoubted = false }
  }
}
