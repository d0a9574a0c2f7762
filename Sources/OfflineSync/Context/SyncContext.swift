import Dispatch

/// What a sync is asked to do.
package struct SyncRequest: Sendable, Hashable {
  package var pushes: Bool
  package var pulls: [PullQuery]

  package init(pushes: Bool = true, pulls: [PullQuery]) {
    self.pushes = pushes
    self.pulls = pulls
  }
}

/// Runs pushes and pulls, one at a time, in order of request, on one Dispatch serial queue.
///
/// A sync runs on the queue from its beginning to its end without a suspension point, so none can
/// come between another's steps. Local changes never wait for it: they go straight to the store.
package actor SyncContext {
  package nonisolated let store: any LocalStore
  package nonisolated let environment: Environment
  /// The server's address; empty when there is none.
  package nonisolated let server: String
  private let sync: SyncRun
  private let executor = SerialQueueExecutor(label: "ebb.sync")

  package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  package init(
    store: any LocalStore, remote: any RemoteTable, lock: any SyncLock, environment: Environment,
    settings: PullSettings = PullSettings()
  ) {
    self.store = store
    self.environment = environment
    server = remote.server
    sync = SyncRun(store: store, remote: remote, lock: lock, environment: environment, settings: settings)
  }

  package nonisolated func table(_ name: String) -> SyncTable {
    SyncTable(name, store: store, environment: environment)
  }

  /// Puts a sync at the end of the queue and returns at once. `report` is called on the queue; the
  /// last call, and only that, is `.finished`.
  package nonisolated func request(_ request: SyncRequest, report: @escaping @Sendable (SyncEvent) -> Void) {
    executor.queue.async {
      self.assumeIsolated { context in
        report(.finished(context.sync.run(request, report: report)))
      }
    }
  }
}
