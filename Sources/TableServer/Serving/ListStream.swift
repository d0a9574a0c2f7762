import Synchronization
import TableProtocol
import TableStorage

/// One client's stream: the parts that it must be sent next.
///
/// It holds one level and one heartbeat at most, however long its client takes nothing. So a stream costs the same
/// whatever happens to its list.
final class ListStream: Sendable {
  enum Part: Equatable, Sendable {
    case level(ListLevel)
    case heartbeat
  }

  let list: ListID
  /// The sender that it counts for; nil for this machine without a token.
  let sender: RequestAllowance.Sender?
  /// When the server ends it.
  let endsAt: ContinuousClock.Instant
  private let state = Mutex(State())

  private struct State {
    /// To be sent.
    var level: ListLevel?
    /// The newest that was to be sent, whether it was or not.
    var known: ListLevel?
    var isBeatDue = false
    var isOver = false
    var reader: CheckedContinuation<Void, Never>?

    var hasNews: Bool { level != nil || isBeatDue || isOver }
  }

  init(of list: ListID, for sender: RequestAllowance.Sender? = nil, endsAt: ContinuousClock.Instant) {
    self.list = list
    self.sender = sender
    self.endsAt = endsAt
  }

  /// The next part for the client, as soon as there is one; nil at the end. One caller at a time.
  func next() async -> Part? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { reader in
        let isReady = state.withLock { state in
          if !state.hasNews { state.reader = reader }
          return state.hasNews
        }
        if isReady { reader.resume() }
      }
    } onCancel: {
      end()
    }
    return state.withLock { state in
      guard !state.isOver else { return nil }
      defer { (state.level, state.isBeatDue) = (nil, false) }
      return state.level.map(Part.level) ?? .heartbeat
    }
  }

  /// A level that is not above the known one says nothing new, unless its epoch is another.
  func post(_ level: ListLevel) {
    change { state in
      if let known = state.known, known.epoch == level.epoch, level.updatedAt <= known.updatedAt { return }
      (state.level, state.known) = (level, level)
    }
  }

  func beat() { change { $0.isBeatDue = true } }
  func end() { change { $0.isOver = true } }

  private func change(_ body: (inout State) -> Void) {
    let reader = state.withLock { state -> CheckedContinuation<Void, Never>? in
      body(&state)
      guard state.hasNews else { return nil }
      defer { state.reader = nil }
      return state.reader
    }
    reader?.resume()
  }
}
