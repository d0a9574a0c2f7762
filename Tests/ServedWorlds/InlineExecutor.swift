import Synchronization

/// Runs asynchronous code that waits for nothing on the thread that asks for it.
final class InlineExecutor: TaskExecutor {
  private let jobs = Mutex<[UnownedJob]>([])

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
  }

  /// Nil if the code waits for something that nobody here does.
  func run<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) -> Value? {
    let result = Result<Value>()
    Task(executorPreference: self) {
      let value = await body()
      result.value.withLock { $0 = value }
    }
    while let job = next() { job.runSynchronously(on: asUnownedTaskExecutor()) }
    return result.value.withLock(\.self)
  }

  private func next() -> UnownedJob? { jobs.withLock { $0.isEmpty ? nil : $0.removeFirst() } }

  private final class Result<Value: Sendable>: Sendable {
    let value = Mutex<Value?>(nil)
  }
}
