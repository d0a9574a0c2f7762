import Dispatch
import Synchronization
package import TableProtocol

/// Runs pushes, pulls and purges, one at a time, in order of request, on one Dispatch serial queue.
///
/// A sync runs on the queue from its beginning to its end without a suspension point, so none can
/// come between another's steps. Local changes never wait for it: they go straight to the store.
package actor SyncContext {
  package nonisolated let ports: SyncPorts
  package nonisolated var store: any LocalStore { ports.store }
  package nonisolated var environment: Environment { ports.environment }
  /// The server's address; empty when there is none.
  package nonisolated var server: String { ports.remote.server }
  private nonisolated let current = Mutex(SyncState.idle)
  private let executor = SerialQueueExecutor(label: "ebb.sync")

  package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  package init(_ ports: SyncPorts) {
    self.ports = ports
  }

  /// What is going on now. From any thread.
  package nonisolated var state: SyncState { current.withLock(\.self) }

  /// Changes the server has not accepted yet, those under way included.
  package nonisolated func pendingCount() throws -> Int {
    try store.read { try $0.operationCount() }
  }

  package nonisolated func table(_ name: String) -> SyncTable {
    SyncTable(name, store: store, environment: environment)
  }

  /// The table on the server itself, without the store and the journal.
  package nonisolated func onlineTable(_ name: String) -> OnlineTable {
    OnlineTable(name, remote: ports.remote, environment: environment)
  }

  /// Puts a sync at the end of the queue and returns at once. `report` is called on the queue: with `.finished`
  /// once, and after that with nothing but `.compared`.
  ///
  /// Cancelling what is returned ends the sync at its next safe point, also before it began.
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

  /// Compares every row of a table with the server's, one by one, in its turn, and changes neither side. `report`
  /// is called on the queue; the last call, and only that, is `.finished`.
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

  /// Returns when everything that was asked for so far is done. Not to be called on the queue, nor on the main
  /// thread of a screen.
  package nonisolated func waitUntilIdle() {
    executor.queue.sync {}
  }

  /// Sends what waits, of all tables.
  @discardableResult
  package nonisolated func push(report: @escaping @Sendable (SyncEvent) -> Void) -> Cancellation {
    request(SyncRequest(pulls: []), report: report)
  }

  /// Brings what is new of a query. Sends first, when changes of its table wait (offline-sync 8.2); what could
  /// not be sent does not hold up the rest of the pull (Q2).
  @discardableResult
  package nonisolated func pull(
    _ query: PullQuery, report: @escaping @Sendable (SyncEvent) -> Void
  ) -> Cancellation {
    let waits = (try? store.read { try $0.operationCount(in: query.table) }) ?? 0 > 0
    return request(SyncRequest(pushes: waits, pulls: [query]), report: report)
  }

  /// Removes rows of a table here, all of them unless a query says which (its filter, order, skip and limit),
  /// and nowhere else. Refused while changes of the table wait, unless it is `forced`: then those are dropped,
  /// with all rows. Runs in its turn, like a sync; `report` is called on the queue, once.
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
