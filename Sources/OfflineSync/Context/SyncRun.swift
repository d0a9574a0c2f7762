import TableProtocol

/// One sync from its beginning to its end, on the thread that calls it: what `SyncContext` runs on its
/// queue, and what a test of a whole world runs step by step.
package struct SyncRun {
  private let store: any LocalStore
  private let remote: any RemoteTable
  private let lock: any SyncLock
  private let environment: Environment
  private let settings: PullSettings

  package init(
    store: any LocalStore, remote: any RemoteTable, lock: any SyncLock, environment: Environment,
    settings: PullSettings = PullSettings()
  ) {
    self.store = store
    self.remote = PatientRemoteTable(remote, environment: environment)
    self.lock = lock
    self.environment = environment
    self.settings = settings
  }

  /// Never throws: what went wrong is in the report, beside what was done before it.
  package func run(
    _ request: SyncRequest, cancellation: Cancellation = Cancellation(), report: (SyncEvent) -> Void
  ) -> SyncReport {
    var result = SyncReport()
    let start = environment.now()
    let before = remote.traffic
    do {
      try lock.withLock(
        waiting: { report(.waitingForOtherProgram) },
        run: { try perform(request, cancellation, &result, report) })
    } catch {
      result.failure = SyncFailure(error)
    }
    result.traffic = remote.traffic - before
    result.milliseconds = max(0, environment.now().milliseconds - start.milliseconds)
    return result
  }

  private func perform(
    _ request: SyncRequest, _ cancellation: Cancellation, _ result: inout SyncReport, _ report: (SyncEvent) -> Void
  ) throws {
    if remote.server.isEmpty { throw RemoteFailure(.noServer, mayHaveActed: false) }
    let requests = remote.traffic.requests
    var progress = SyncProgress()
    report(.progress(progress))
    if request.pushes {
      let push = Push(store: store, remote: remote, environment: environment, cancellation: cancellation)
      try push.run(&result.push) { sent, toSend in
        progress.sent = sent
        progress.toSend = toSend
        report(.progress(progress))
      }
      if remote.traffic.requests > requests { try remember(SyncFact.lastPush) }
    }
    let isStale = try lastPullIsForgotten()
    for query in request.pulls {
      let pull = Pull(
        store: store, remote: remote, settings: settings, cancellation: cancellation,
        isFull: request.isFull || isStale, allowsMassRemoval: request.allowsMassRemoval)
      result.pulled += try pull.run(query) { received in
        progress.received = received
        report(.progress(progress))
      }
    }
    if !request.pulls.isEmpty {
      if request.pushes { try remember(SyncFact.lastPush) }
      try remember(SyncFact.lastPull)
    }
  }

  /// True when the last pull is so long ago that the server may have forgotten what was deleted since.
  private func lastPullIsForgotten() throws -> Bool {
    guard let last = try store.read({ try $0.fact(SyncFact.lastPull) }).flatMap({ Timestamp($0) }) else { return false }
    return last.advanced(byMilliseconds: settings.retentionMilliseconds) < environment.now()
  }

  /// Notes that a push or a pull ended well, and what was learned of the server.
  private func remember(_ fact: String) throws {
    let learned = [
      (SyncFact.protocolVersion(of: remote.server), remote.protocolVersion?.rawValue),
      (SyncFact.batching(of: remote.server), remote.batching?.text),
    ]
    try store.write { store in
      try store.setFact(fact, environment.now().text)
      for (name, value) in learned {
        if let value, try store.fact(name) != value { try store.setFact(name, value) }
      }
    }
  }
}
