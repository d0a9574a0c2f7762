import Synchronization
import TableProtocol
import TableStorage

/// Sweeps the tombstones of all lists while the server runs.
final class TombstoneTask: Sendable {
  /// Between two steps: requests go first.
  private static let breath = Duration.milliseconds(20)

  private let storage: any TableStorage
  private let clock: @Sendable () -> Timestamp
  private let log: ServerLog
  private let task = Mutex<Task<Void, Never>?>(nil)

  init(_ storage: any TableStorage, clock: @escaping @Sendable () -> Timestamp, log: ServerLog) {
    self.storage = storage
    self.clock = clock
    self.log = log
  }

  /// Begins after a pause, in which a machine without a clock of its own asks for the time.
  func start(after first: Duration, every pause: Duration) {
    task.withLock { task in
      task = Task { [self] in
        var sweeps: [ListID: TombstoneSweep] = [:]
        var wait = first
        while (try? await Task.sleep(for: wait)) != nil {
          do {
            try await sweepAll(&sweeps)
          } catch {
            // A storage has an error of its own for it.
            if Task.isCancelled { return }
            log.error("The old tombstones could not be swept: \(error.loggedReason).")
          }
          wait = pause
        }
      }
    }
  }

  func stop() async {
    let last = task.withLock { $0 }
    last?.cancel()
    await last?.value
  }

  private func sweepAll(_ sweeps: inout [ListID: TombstoneSweep]) async throws {
    for list in try await storage.lists() {
      do {
        try await sweep(list, &sweeps)
      } catch let error as StorageError where error.isAboutOneRequest {
        // A page of this list may be damaged for good: the others must not wait for it.
        log.error("The old tombstones of \(list) could not be swept: \(error.loggedReason).")
      }
    }
  }

  private func sweep(_ list: ListID, _ sweeps: inout [ListID: TombstoneSweep]) async throws {
    var hasMore = true
    while hasMore {
      let before = sweeps[list] ?? TombstoneSweep()
      let (sweep, more) = try await storage.write(list) { [clock] writer in
        var sweep = before
        let more = try sweep.step(in: writer, now: clock())
        return (sweep, more)
      }
      sweeps[list] = sweep
      hasMore = more
      if hasMore { try await Task.sleep(for: Self.breath) }
    }
  }
}
