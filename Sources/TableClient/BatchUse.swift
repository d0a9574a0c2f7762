import Synchronization
import TableProtocol

/// Whether the server accepts batches, by its announcements and its answers (wire 18.4).
///
/// A refusal is remembered for a day. So it counts only after the server itself has answered a change that was sent
/// alone: a proxy may have answered the batch.
final class BatchUse: Sendable {
  private struct State {
    var support: BatchSupport?
    var isSuspected = false
    /// Batches refused with 400.
    var strikes = 0
  }

  private let state: Mutex<State>

  init(remembered: BatchSupport?) {
    state = Mutex(State(support: remembered))
  }

  /// The finding to remember.
  var support: BatchSupport? { state.withLock(\.support) }
  /// The finding that counts in this push.
  var current: BatchSupport? { isSuspected ? .unsupported : support }
  /// True if a batch of this push was answered as by a server that accepts none, which is not sure yet.
  var isSuspected: Bool { state.withLock(\.isSuspected) }

  /// Notes the announcement on a list. An announcement does not revoke a refusal.
  func noteAnnouncement(_ announcement: String?) {
    guard let support = announcement.flatMap({ BatchSupport($0) }) else { return }
    state.withLock { state in
      if state.support != .unsupported { state.support = support }
    }
  }

  /// A batch was answered as by a server that accepts none: this push continues without batches.
  func suspectUnsupported() {
    state.withLock { $0.isSuspected = true }
  }

  /// A batch was refused as malformed. After the second one, the server is not asked again.
  func noteRefusal() {
    state.withLock { state in
      state.strikes += 1
      if state.strikes >= 2 { state.isSuspected = true }
    }
  }

  /// The server itself has answered a change that was sent alone.
  func noteAnswer() {
    state.withLock { state in
      if state.isSuspected { state.support = .unsupported }
    }
  }

  /// Ends the push, and forgets a suspicion that was not confirmed.
  func endPush() {
    state.withLock { $0.isSuspected = false }
  }
}
