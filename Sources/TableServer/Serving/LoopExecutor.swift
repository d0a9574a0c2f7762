import NIOCore

/// Runs tasks on the event loop of a connection, where its bytes come in and go out.
///
/// A request that is answered there changes no thread. Each change wakes another thread up, which takes longer than to
/// read a row. While a task runs, the other connections of the loop wait: what computes for long goes
/// ``offLoop(if:_:)``, and a storage waits elsewhere for its disk.
final class LoopExecutor: TaskExecutor {
  private let loop: any EventLoop

  init(_ loop: any EventLoop) { self.loop = loop }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    loop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }

  /// Runs `body` on one of the threads for all tasks if it `isLong`, else where it is called.
  static func offLoop<Value: Sendable>(
    if isLong: Bool, _ body: @Sendable () async -> Value
  ) async -> Value {
    guard isLong else { return await body() }
    return await withTaskExecutorPreference(globalConcurrentExecutor, operation: body)
  }
}
