package import Dispatch

/// Runs an actor on a Dispatch serial queue: work runs in the order of the calls, one piece after another.
///
/// Linux has no `DispatchSerialQueue`. A queue without attributes is serial too.
package final class SerialQueueExecutor: SerialExecutor {
  package let queue: DispatchQueue

  package init(label: String) {
    queue = DispatchQueue(label: label)
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  /// Lets `assumeIsolated` accept code that runs on the queue directly.
  package func checkIsolated() {
    dispatchPrecondition(condition: .onQueue(queue))
  }
}
