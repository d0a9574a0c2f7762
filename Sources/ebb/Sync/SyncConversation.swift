import Dispatch
import OfflineSync
import Synchronization
import TodoCore
import Words

/// A sync from a command: asks what only a person can say, where there is one, and goes on with the answer.
struct SyncConversation {
  let list: TodoList
  let canAsk: Bool

  /// Returns the sum of all attempts, and how both sides compare then, if the server says. The failure is that of the
  /// last attempt.
  func run(_ options: RefreshOptions) -> (result: RefreshResult, comparison: TableComparison?) {
    let interruption = Interruption()
    var given = GivenAnswer(options.afterRestore)
    var options = options
    var (result, comparison) = refresh(options, interruption)
    while let next = given.next(after: result, options) ?? ask(about: result, options) {
      options = next
      let (further, seen) = refresh(options, interruption)
      (result, comparison) = (further.adding(result), seen)
    }
    return (result, comparison)
  }

  /// Nil if nobody can be asked, or nothing has to be decided.
  private func ask(about result: RefreshResult, _ options: RefreshOptions) -> RefreshOptions? {
    canAsk ? SyncQuestion(result)?.ask(options) : nil
  }

  /// Compares everything.
  func verify() -> Result<TableVerification, SyncFailure> {
    let done = DispatchSemaphore(value: 0)
    let outcome = Mutex<Result<TableVerification, SyncFailure>>(.failure(.cancelled))
    let running = list.verify { event in
      switch event {
      case .waitingForOtherProgram: Self.sayThatItWaits()
      case .progress: break
      case .finished(let ended):
        outcome.withLock { $0 = ended }
        done.signal()
      }
    }
    Interruption().whileWaiting(cancel: running.cancel) { done.wait() }
    return outcome.withLock(\.self)
  }

  /// Also without a terminal: the other program may be stopped, and a job that waits a minute in silence looks hung.
  static let sayThatItWaits: @Sendable () -> Void = {
    StandardOutput.error(ErrorMessages.catalogue.text(.commandWaitsForSync))
  }

  /// The sync runs on its own queue; a command has nothing else to do meanwhile.
  private func refresh(_ options: RefreshOptions, _ interruption: Interruption) -> (RefreshResult, TableComparison?) {
    let done = DispatchSemaphore(value: 0)
    let result = Mutex((RefreshResult(), TableComparison?.none))
    let running = list.refresh(options) { event in
      switch event {
      case .waitingForOtherProgram: Self.sayThatItWaits()
      case .progress: break
      case .finished(let ended):
        result.withLock { $0.0 = ended }
        done.signal()
      case .compared(let comparison): result.withLock { $0.1 = comparison }
      }
    }
    interruption.whileWaiting(cancel: running.cancel) {
      done.wait()
      list.waitUntilIdle()
    }
    return result.withLock(\.self)
  }
}

extension RefreshResult {
  /// With what an earlier attempt had moved.
  fileprivate func adding(_ earlier: RefreshResult) -> RefreshResult {
    var sum = self
    sum.pushed += earlier.pushed
    sum.pulled += earlier.pulled
    sum.traffic.requests += earlier.traffic.requests
    sum.traffic.bytesSent += earlier.traffic.bytesSent
    sum.traffic.bytesReceived += earlier.traffic.bytesReceived
    sum.seconds += earlier.seconds
    sum.droppedDeletions += earlier.droppedDeletions
    sum.leftOut = max(leftOut, earlier.leftOut)
    sum.firstLeftOut = firstLeftOut ?? earlier.firstLeftOut
    sum.answered.formUnion(earlier.answered)
    return sum
  }
}
