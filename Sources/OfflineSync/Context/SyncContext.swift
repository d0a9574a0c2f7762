import Dispatch
import TableProtocol

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
  private let remote: any RemoteTable
  private let lock: any SyncLock
  private let settings: PullSettings
  private let executor = SerialQueueExecutor(label: "ebb.sync")

  package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  package init(
    store: any LocalStore, remote: any RemoteTable, lock: any SyncLock, environment: Environment,
    settings: PullSettings = PullSettings()
  ) {
    self.store = store
    self.remote = remote
    self.lock = lock
    self.environment = environment
    self.settings = settings
  }

  package nonisolated func table(_ name: String) -> SyncTable {
    SyncTable(name, store: store, environment: environment)
  }

  /// The server's address.
  package nonisolated var server: String { remote.server }

  /// Puts a sync at the end of the queue and returns at once. `report` is called on the queue; the
  /// last call, and only that, is `.finished`.
  package nonisolated func request(_ request: SyncRequest, report: @escaping @Sendable (SyncEvent) -> Void) {
    executor.queue.async {
      self.assumeIsolated { context in
        report(.finished(context.run(request, report: report)))
      }
    }
  }

  private func run(_ request: SyncRequest, report: (SyncEvent) -> Void) -> SyncReport {
    var result = SyncReport()
    let start = environment.now()
    let before = remote.traffic
    do {
      try lock.withLock(
        waiting: { report(.waitingForOtherProgram) },
        run: { try perform(request, &result, report) })
    } catch {
      result.failure = SyncFailure(error)
    }
    result.traffic = remote.traffic - before
    result.milliseconds = max(0, environment.now().milliseconds - start.milliseconds)
    return result
  }

  private func perform(_ request: SyncRequest, _ result: inout SyncReport, _ report: (SyncEvent) -> Void) throws {
    var progress = SyncProgress()
    report(.progress(progress))
    if request.pushes {
      result.push = try Push(store: store, remote: remote, environment: environment).run { sent, toSend in
        progress.sent = sent
        progress.toSend = toSend
        report(.progress(progress))
      }
      try remember(SyncFact.lastPush)
    }
    for query in request.pulls {
      result.pulled += try Pull(store: store, remote: remote, settings: settings).run(query) { received in
        progress.received = received
        report(.progress(progress))
      }
    }
    if !request.pulls.isEmpty {
      try remember(SyncFact.lastPull)
    }
  }

  /// Notes that a push or a pull ended well, and which protocol the server speaks.
  private func remember(_ fact: String) throws {
    let version = SyncFact.protocolVersion(of: remote.server)
    try store.write { store in
      try store.setFact(fact, environment.now().text)
      if let spoken = remote.protocolVersion, try store.fact(version) != spoken.rawValue {
        try store.setFact(version, spoken.rawValue)
      }
    }
  }
}
