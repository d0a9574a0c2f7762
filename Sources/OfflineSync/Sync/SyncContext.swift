import Dispatch
import Synchronization
package import TableProtocol

/// Runs pushes, pulls and purges on one Dispatch serial queue, one at a time, in the order of the calls.
///
/// A sync runs from its beginning to its end without a suspension point, so the steps of two syncs never mix. Local
/// changes never wait for a sync: they go straight to the store.
package actor SyncContext {
  package nonisolated let ports: SyncPorts
  package nonisolated var store: any LocalStore { ports.store }
  package nonisolated var environment: Environment { ports.environment }
  /// The server's address; empty if no server is configured.
  package nonisolated var server: String { ports.remote.server }
  private nonisolated let current = Mutex(SyncState.idle)
  private let executor = SerialQueueExecutor(label: "ebb.sync")

  package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  package init(_ ports: SyncPorts) {
    self.ports = ports
  }

  /// The current state. Can be read from any thread.
  package nonisolated var state: SyncState { current.withLock(\.self) }

  /// The number of changes that the server has not accepted yet, including those under way.
  package nonisolated func pendingCount() throws -> Int {
    try store.read { try $0.operationCount() }
  }

  package nonisolated func table(_ name: String) -> SyncTable {
    SyncTable(name, store: store, environment: environment)
  }

  /// Returns the table on the server itself, without the store and the journal.
  package nonisolated func onlineTable(_ name: String) -> OnlineTable {
    OnlineTable(name, remote: ports.remote, environment: environment)
  }

  /// Puts a sync at the end of the queue and returns at once. Calls `report` on the queue: once with `.finished`, and
  /// after that only with `.compared`.
  ///
  /// Cancel the result to end the sync at its next safe point, or before it begins.
  @discardableResult
  package nonisolated func request(
    _ request: SyncRequest, report: @escaping @Sendable (SyncEvent) -> Void
  ) -> Cancellation {
    let cancellation = Cancellation()
    executor.queue.async {
      self.assumeIsolated { context in
        let run = SyncRun(context.ports, request, cancellation: cancellation)
        _ = run.run { event in
          context.note(event)
          report(event)
        }
      }
    }
    return cancellation
  }

  /// Puts a comparison of every row of a table with the server's at the end of the queue. It changes neither side.
  /// Calls `report` on the queue; only the last call is `.finished`.
  @discardableResult
  package nonisolated func verify(
    _ table: String, report: @escaping @Sendable (VerificationEvent) -> Void
  ) -> Cancellation {
    let cancellation = Cancellation()
    executor.queue.async {
      self.assumeIsolated { context in
        let run = VerificationRun(context.ports, table: table, cancellation: cancellation)
        report(.finished(run.run(report: report)))
      }
    }
    return cancellation
  }

  /// Returns when everything that was requested so far is done. Never call it on the queue, or on the main thread of a
  /// screen.
  package nonisolated func waitUntilIdle() {
    executor.queue.sync {}
  }

  /// Requests a sync that sends the waiting changes of all tables.
  @discardableResult
  package nonisolated func push(report: @escaping @Sendable (SyncEvent) -> Void) -> Cancellation {
    request(SyncRequest(pulls: []), report: report)
  }

  /// Requests a sync that pulls a query. If changes of its table wait, they are sent first (offline-sync 8.2). A change
  /// that could not be sent does not stop the pull (Q2).
  @discardableResult
  package nonisolated func pull(
    _ query: PullQuery, report: @escaping @Sendable (SyncEvent) -> Void
  ) -> Cancellation {
    let waits = (try? store.read { try $0.operationCount(in: query.table) }) ?? 0 > 0
    return request(SyncRequest(pushes: waits, pulls: [query]), report: report)
  }

  /// Removes the rows of a query from this device, and from nowhere else. The filter, order, skip and limit of the
  /// query select the rows. Refused while changes of the table wait, unless `forced`: then the changes are dropped,
  /// with all rows. Runs on the queue, like a sync, and calls `report` there once.
  package nonisolated func purge(
    _ query: TableQuery, forced: Bool = false, report: @escaping @Sendable (Result<PurgeReport, any Error>) -> Void
  ) {
    executor.queue.async {
      self.assumeIsolated { context in
        let purge = Purge(query: query, isForced: forced)
        report(
          Result {
            try context.ports.lock.withLock(waiting: {}) { try context.store.write { try purge.carryOut(in: $0) } }
          })
      }
    }
  }

  private nonisolated func note(_ event: SyncEvent) {
    current.withLock { state in
      switch event {
      case .waitingForOtherProgram: state = .waitingForOtherProgram
      case .progress(let progress): state = .syncing(progress)
      case .finished: state = .idle
      case .compared: break
      }
    }
  }
}
