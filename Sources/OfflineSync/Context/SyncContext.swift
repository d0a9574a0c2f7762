import Dispatch

/// What a sync is asked to do.
package struct SyncRequest: Sendable, Hashable {
  package var pushes: Bool
  package var pulls: [PullQuery]
  /// Compares all rows with the server's, whatever the delta tokens say.
  package var isFull: Bool
  /// A pull may remove more than half of a list.
  package var allowsMassRemoval: Bool

  package init(pushes: Bool = true, pulls: [PullQuery], isFull: Bool = false, allowsMassRemoval: Bool = false) {
    self.pushes = pushes
    self.pulls = pulls
    self.isFull = isFull
    self.allowsMassRemoval = allowsMassRemoval
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
  ///
  /// Cancelling what is returned ends the sync at its next safe point, also before it began.
  @discardableResult
  package nonisolated func request(
    _ request: SyncRequest, report: @escaping @Sendable (SyncEvent) -> Void
  ) -> Cancellation {
    let cancellation = Cancellation()
    executor.queue.async {
      self.assumeIsolated { context in
        report(.finished(context.sync.run(request, cancellation: cancellation, report: report)))
      }
    }
    return cancellation
  }
}
