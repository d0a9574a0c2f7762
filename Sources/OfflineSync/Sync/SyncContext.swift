import Dispatch
import Synchronization

/// Runs pushes, pulls and purges on one Dispatch serial queue, one at a time, in the order of the calls.
///
/// A sync runs from its beginning to its end without a suspension point, so the steps of two syncs never mix. Local
/// changes never wait for a sync: they go straight to the store.
///
///     let store = try SQLiteStore(path: "shopping.sqlite")
///     let items = SyncTableDefinition("TodoItem", columns: ["text": .text(""), "complete": .bool(false)])
///     let context = try SyncContext(
///       tables: [items], store: store, remote: RemoteServer("https://list.example", token: token))
///     try context.table("TodoItem").insert(["text": .text("milk"), "complete": .bool(false)])
///     let report = await context.sync()
///     if let failure = report.failure { print(failure) }
public final class SyncContext: Sendable {
  package let ports: SyncPorts
  package var store: any LocalStore { ports.store }
  package var environment: Environment { ports.environment }
  /// The server's address; empty if no server is configured.
  public var server: String { ports.remote.server }
  private let current = Mutex(SyncState.idle)
  private let queue = DispatchQueue(label: "ebb.sync")

  package init(_ ports: SyncPorts) {
    self.ports = ports
  }

  /// The current state. Can be read from any thread.
  public var state: SyncState { current.withLock(\.self) }

  /// The number of changes that the server has not accepted yet, including those under way. An edit behind a change of
  /// the same row that is under way counts too.
  public func pendingCount() throws -> Int {
    try store.read { try $0.operationCount() }
  }

  /// Returns the table of this name in the store. It must be one of the context's tables.
  public func table(_ name: String) -> SyncTable {
    SyncTable(name, store: store, environment: environment)
  }

  /// Returns the table on the server itself, without the store and the journal.
  public func onlineTable(_ name: String) -> OnlineTable {
    OnlineTable(name, remote: ports.remote, environment: environment)
  }

  /// Puts a sync at the end of the queue and returns at once. Calls `report` on the queue: once with `.finished`, and
  /// after that only with `.compared`.
  ///
  /// Cancel the result to end the sync at its next safe point, or before it begins.
  @discardableResult
  public func request(
    _ request: SyncRequest, report: @escaping @Sendable (SyncEvent) -> Void
  ) -> Cancellation {
    let cancellation = Cancellation()
    start(request, cancellation, report: report)
    return cancellation
  }

  private func start(
    _ request: SyncRequest, _ cancellation: Cancellation, report: @escaping @Sendable (SyncEvent) -> Void
  ) {
    queue.async {
      let run = SyncRun(self.ports, request, cancellation: cancellation)
      _ = run.run { event in
        self.note(event)
        report(event)
      }
    }
  }

  /// Sends the waiting changes of all tables, then pulls all rows of them that changed since the last sync. Returns
  /// when that is done, or failed: the report says which. The task's cancellation ends it at its next safe point.
  ///
  /// `report` is called on the queue with each event.
  public func sync(report: @escaping @Sendable (SyncEvent) -> Void = { _ in }) async -> SyncReport {
    await sync(SyncRequest(pulls: ports.tables.map(PullQuery.everything)), report: report)
  }

  /// Syncs as requested, as ``sync(report:)`` does.
  public func sync(
    _ request: SyncRequest, report: @escaping @Sendable (SyncEvent) -> Void = { _ in }
  ) async -> SyncReport {
    let cancellation = Cancellation()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { done in
        start(request, cancellation) { event in
          report(event)
          if case .finished(let end) = event { done.resume(returning: end) }
        }
      }
    } onCancel: {
      cancellation.cancel()
    }
  }

  /// Opens a connection by which the server says how far a table has come, beside the queue: see
  /// ``RemoteTable/listen(to:_:)``.
  package func listen(
    to table: String, _ receive: @escaping @Sendable (NoticeEvent) -> Void
  ) -> (any NoticeConnection)? { ports.remote.listen(to: table, receive) }

  /// How far this device has read a query of the server.
  package func position(of query: PullQuery) throws -> ListPosition {
    try store.read { try ListPosition(of: query, at: server, in: $0, ports.settings, now: environment.now()) }
  }

  /// Puts a comparison of every row of a table with the server's at the end of the queue. It changes neither side.
  /// Calls `report` on the queue; only the last call is `.finished`. `queryID` names the query that pulls the table.
  @discardableResult
  package func verify(
    _ table: String, queryID: String = PullQuery.ofEverything, report: @escaping @Sendable (VerificationEvent) -> Void
  ) -> Cancellation {
    let cancellation = Cancellation()
    queue.async {
      let run = VerificationRun(self.ports, table: table, queryID: queryID, cancellation: cancellation)
      report(.finished(run.run(report: report)))
    }
    return cancellation
  }

  /// Returns when everything that was requested so far is done. Never call it on the queue, or on the main thread of a
  /// screen.
  public func waitUntilIdle() {
    queue.sync {}
  }

  /// Requests a sync that sends the waiting changes of all tables.
  @discardableResult
  public func push(report: @escaping @Sendable (SyncEvent) -> Void) -> Cancellation {
    request(SyncRequest(pulls: []), report: report)
  }

  /// Requests a sync that pulls a query. If changes of its table wait, they are sent first (sync-rules 8.2). A change
  /// that could not be sent does not stop the pull (Q2). If the store can't be read now, the sync says so.
  @discardableResult
  public func pull(
    _ query: PullQuery, report: @escaping @Sendable (SyncEvent) -> Void
  ) -> Cancellation {
    let waiting = try? store.read { try $0.operationCount(in: query.table) }
    return request(SyncRequest(pushes: waiting != 0, pulls: [query]), report: report)
  }

  /// Removes the rows of a table from this device, and from nowhere else. Refused while changes of the table wait,
  /// unless `forced`: then the changes are dropped too. Runs on the queue, like a sync, and calls `report` there once.
  /// Before that, it calls `waiting` once if another program is syncing this store.
  package func purge(
    _ table: String, forced: Bool = false, waiting: @escaping @Sendable () -> Void = {},
    report: @escaping @Sendable (Result<PurgeReport, any Error>) -> Void
  ) {
    queue.async {
      let purge = Purge(table: table, isForced: forced, tables: self.ports.tables)
      let wait = Cancellation().waiting(report: waiting)
      report(
        Result { try self.ports.lock.withLock(waiting: wait) { try self.store.write { try purge.carryOut(in: $0) } } })
    }
  }

  private func note(_ event: SyncEvent) {
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

/// Decides about conflicts while a push runs (sync-rules 7). Called on the sync queue, outside of any transaction.
/// Other changes may be under way, and the push waits for the delegate.
public protocol SyncDelegate: Sendable {
  /// Returns the decision about a conflict that could not be merged, or nil to leave it to the user.
  ///
  /// The decision is sent in the same push. If the server's copy changes once more, the delegate is asked again, at
  /// most five times for one row.
  func resolution(of conflict: Conflict) -> ConflictResolution?
  /// Called once at the end of each push. `waiting` holds all conflicts and refusals, including older ones. `failure`
  /// is the reason if some changes could not be sent.
  func pushCompleted(_ report: PushReport, waiting: [TableOperationError], failure: SyncFailure?)
}

extension SyncDelegate {
  public func resolution(of conflict: Conflict) -> ConflictResolution? { nil }
  public func pushCompleted(_ report: PushReport, waiting: [TableOperationError], failure: SyncFailure?) {}
}

/// The ports and settings of a sync.
package struct SyncPorts: Sendable {
  /// The names of the synced tables.
  package let tables: [String]
  package let store: any LocalStore
  package let remote: any RemoteTable
  package let lock: any SyncLock
  package let environment: Environment
  package var settings: PullSettings
  package var delegate: (any SyncDelegate)?
  /// The requests that the sync saves in the store.
  package var log: SyncLog

  package init(
    tables: [String], store: any LocalStore, remote: any RemoteTable, lock: any SyncLock,
    environment: Environment, settings: PullSettings = PullSettings(), delegate: (any SyncDelegate)? = nil,
    log: SyncLog = SyncLog()
  ) {
    self.tables = tables
    self.store = store
    self.remote = remote
    self.lock = lock
    self.environment = environment
    self.settings = settings
    self.delegate = delegate
    self.log = log
  }
}
