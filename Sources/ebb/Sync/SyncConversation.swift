import Dispatch
import Synchronization
import TodoCore

/// A sync from a command: asks what only a person can say, where there is one, and goes on with the answer.
struct SyncConversation {
  let list: TodoList
  let canAsk: Bool

  /// What was done in all; the failure is that of the last attempt.
  func run(_ wish: RefreshWish) -> RefreshResult {
    let interruption = Interruption()
    var wish = wish
    var result = refresh(wish, interruption)
    while canAsk, let question = result.failure.flatMap(SyncQuestion.init), let next = question.ask(wish) {
      wish = next
      result = refresh(wish, interruption).adding(result)
    }
    return result
  }

  /// The sync runs on its own queue; a command has nothing else to do meanwhile.
  private func refresh(_ wish: RefreshWish, _ interruption: Interruption) -> RefreshResult {
    let done = DispatchSemaphore(value: 0)
    let result = Mutex(RefreshResult())
    let running = list.refresh(wish) { event in
      guard case .finished(let ended) = event else { return }
      result.withLock { $0 = ended }
      done.signal()
    }
    interruption.whileWaiting(cancel: running.cancel) { done.wait() }
    return result.withLock(\.self)
  }
}

extension RefreshResult {
  /// With what an earlier attempt had moved.
  fileprivate func adding(_ earlier: RefreshResult) -> RefreshResult {
    var sum = self
    sum.pushed += earlier.pushed
    sum.pulled += earlier.pulled
    sum.requests += earlier.requests
    sum.bytesSent += earlier.bytesSent
    sum.bytesReceived += earlier.bytesReceived
    sum.seconds += earlier.seconds
    return sum
  }
}
