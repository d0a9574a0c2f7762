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

  /// Compares everything. A comparison that a stop of the program ended is begun again.
  func verify() -> Result<TableVerification, SyncFailure> {
    let interruption = Interruption()
    while true {
      let (outcome, wasStopped) = verifyOnce(interruption)
      guard wasStopped, outcome == .failure(.cancelled) else { return outcome }
    }
  }

  private func verifyOnce(
    _ interruption: Interruption
  ) -> (outcome: Result<TableVerification, SyncFailure>, wasStopped: Bool) {
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
    let wasStopped = interruption.whileWaiting(cancel: running.cancel) {
      done.wait()
      list.waitUntilIdle()
    }
    return (outcome.withLock(\.self), wasStopped)
  }

  /// Also without a terminal: the other program may be stopped, and a job that waits a minute in silence looks hung.
  static let sayThatItWaits: @Sendable () -> Void = {
    StandardOutput.error(ErrorMessages.catalogue.text(.commandWaitsForSync))
  }

  /// A sync that a stop of the program ended is begun again, and counts as one with it.
  private func refresh(_ options: RefreshOptions, _ interruption: Interruption) -> (RefreshResult, TableComparison?) {
    var (result, comparison, wasStopped) = refreshOnce(options, interruption)
    while wasStopped, result.failure == .cancelled {
      let further = refreshOnce(options, interruption)
      (result, comparison, wasStopped) = (further.0.adding(result), further.1, further.wasStopped)
    }
    return (result, comparison)
  }

  /// The sync runs on its own queue; a command has nothing else to do meanwhile.
  private func refreshOnce(
    _ options: RefreshOptions, _ interruption: Interruption
  ) -> (RefreshResult, TableComparison?, wasStopped: Bool) {
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
    let wasStopped = interruption.whileWaiting(cancel: running.cancel) {
      done.wait()
      list.waitUntilIdle()
    }
    let (ended, comparison) = result.withLock(\.self)
    return (ended, comparison, wasStopped)
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
