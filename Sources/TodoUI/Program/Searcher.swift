import Dispatch
import Synchronization

/// Looks for rows away from the main thread. What is found quickly is answered at once, so that it is drawn with the key
/// that asked for it; all else comes through the inbox.
final class Searcher: Sendable {
  /// How long the main thread waits.
  private static let patience = DispatchTimeInterval.milliseconds(2)

  private let inbox: Inbox
  private let searches: LatestWork<(search: RowSearch, answer: Answer)>

  /// `find` is called on a queue of the searcher's own.
  init(_ inbox: Inbox, _ find: @escaping @Sendable (RowSearch) -> Message) {
    self.inbox = inbox
    searches = LatestWork(DispatchQueue(label: "ebb.search")) { $0.answer.give(find($0.search)) }
  }

  /// The answer, when it comes at once. A search that another one stands before is not waited for.
  func search(_ search: RowSearch) -> Message? {
    let answer = Answer(inbox)
    let isStarted = searches.ask((search, answer))
    return answer.take(within: isStarted ? Self.patience : .never)
  }
}

/// One answer: taken by whoever waits for it, or posted when nobody does any more.
private final class Answer: Sendable {
  private enum State {
    case awaited, late
    case here(Message)
  }

  private let state = Mutex(State.awaited)
  private let arrival = DispatchSemaphore(value: 0)
  private let inbox: Inbox

  init(_ inbox: Inbox) {
    self.inbox = inbox
  }

  func give(_ message: Message) {
    let isLate = state.withLock { state in
      if case .late = state { return true }
      state = .here(message)
      return false
    }
    if isLate { inbox.post(message) } else { arrival.signal() }
  }

  func take(within patience: DispatchTimeInterval) -> Message? {
    if patience != .never { _ = arrival.wait(timeout: .now() + patience) }
    return state.withLock { state in
      if case .here(let message) = state { return message }
      state = .late
      return nil
    }
  }
}
