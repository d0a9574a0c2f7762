package import Dispatch

/// Lends a Dispatch serial queue to an actor, so that work enters the queue in the order it was
/// asked for and each piece runs from end to end before the next begins.
///
/// Linux has no `DispatchSerialQueue`; a queue made without attributes is serial all the same.
package final class SerialQueueExecutor: SerialExecutor {
  package let queue: DispatchQueue

  package init(label: String) {
    queue = DispatchQueue(label: label)
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  /// Lets `assumeIsolated` see that code put on the queue directly is on the actor.
  package func checkIsolated() {
    dispatchPrecondition(condition: .onQueue(queue))
  }
}
