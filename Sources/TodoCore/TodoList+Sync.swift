import Dispatch
package import OfflineSync
import Synchronization
import TableProtocol

extension TodoList {
  /// All rows are pulled, and the views choose among them: a filtered pull would not show that a row left its filter
  /// (sync-rules P9).
  private static let everything = PullQuery.everything(of: table)

  /// Sends what waits, then brings what is new. Returns at once; `report` is called on the sync
  /// queue: with `.finished` once, and after that at most with `.compared`.
  ///
  /// Cancel the result to end it early, at a safe point.
  @discardableResult
  package func refresh(
    _ options: RefreshOptions = RefreshOptions(), _ report: @escaping @Sendable (RefreshEvent) -> Void
  ) -> Cancellation {
    var request = SyncRequest(
      pushes: options.pushes, pulls: options.pulls ? [Self.everything] : [], isFull: options.isFull,
      allowsMassRemoval: options.allowsMassRemoval, sendsRemovalsBack: options.sendsRemovalsBack,
      accountChange: options.accountChange, afterRestore: options.afterRestore)
    request.patience = options.patience
    return context.request(request) { event in
      switch event {
      case .waitingForOtherProgram:
        report(.waitingForOtherProgram)
      case .progress(let progress):
        report(.progress(progress))
      case .finished(let ended):
        report(.finished(result(of: ended)))
      case .compared(let comparison):
        if comparison.table == Self.table { report(.compared(comparison)) }
      }
    }
  }

  /// Opens a connection by which the server says how far the list has come; nil if it offers none. Returns at once;
  /// `receive` is called on another thread.
  package func listen(_ receive: @escaping @Sendable (NoticeEvent) -> Void) -> (any NoticeConnection)? {
    context.listen(to: Self.table, receive)
  }

  /// How far the list was read from the server.
  package func position() throws -> ListPosition { try context.position(of: Self.everything) }

  /// Returns when all requested refreshes and verifications are over, with what follows their ends. Not for the main
  /// thread of a screen.
  package func waitUntilIdle() { context.waitUntilIdle() }

  private func result(of report: SyncReport) -> RefreshResult {
    var result = RefreshResult(report, status: try? status())
    if case .massRemoval(let removal) = report.failure {
      let rows = try? context.store.read { try $0.records(removal.ids, in: Self.table) }
      result.removals = (rows ?? []).map { TodoCopy($0).text }.sorted()
    }
    return result
  }

  /// The newest requests that were made to the server, newest first. The last 1,000 are remembered.
  package func requests(limit: Int) throws -> [RequestRecord] {
    try context.store.read { try $0.requests(limit: limit) }
  }

  /// Removes the items here, and nowhere else: the next refresh brings them again. Waits for its turn: do not call it
  /// on the main thread of a screen. Throws `TodoError.changesWait` if changes wait, unless `forced`: then they are
  /// dropped. Also throws `StoreError`, and `TodoError.otherProgramSyncs`. Calls `waiting` once, on the sync queue, if
  /// another program is syncing the list.
  package func purge(
    forced: Bool = false, waiting: @escaping @Sendable () -> Void = {}
  ) throws -> (items: Int, changes: Int) {
    let done = DispatchSemaphore(value: 0)
    let outcome = Mutex<Result<PurgeReport, any Error>?>(nil)
    context.purge(Self.table, forced: forced, waiting: waiting) { result in
      outcome.withLock { $0 = result }
      done.signal()
    }
    done.wait()
    do {
      let report = try outcome.withLock { try $0?.get() } ?? PurgeReport()
      return (report.rows, report.changes)
    } catch let refusal as PurgeRefused {
      throw TodoError.changesWait(refusal.pending, conflicts: refusal.conflicts, held: refusal.held)
    } catch SyncLockError.timedOut {
      throw TodoError.otherProgramSyncs
    }
  }

  package func status() throws -> SyncStatus {
    let server = context.server
    return try context.store.read { try SyncStatus(of: server, in: $0) }
  }
}

extension TodoList {
  /// Compares every item with the server's, one by one, and changes nothing. Any server of the protocol can be asked.
  ///
  /// Items that other devices changed since the last refresh count as different. Returns at once. `report` is called
  /// on the sync queue; its last call, and the only one of its kind, is `.finished`. The result ends it early.
  @discardableResult
  package func verify(_ report: @escaping @Sendable (VerificationEvent) -> Void) -> Cancellation {
    context.verify(Self.table, report: report)
  }
}

extension TableVerification {
  /// True if both sides have the same items in the same versions.
  package var isSame: Bool { missingHere == 0 && missingThere == 0 && unequal == 0 }

  /// True if a full refresh can bring both sides together. It can't store a row that is not readable here.
  package var canBeMended: Bool { missingThere > 0 || missingHere + unequal > unreadable }

  /// How many items both sides have, and not the same.
  package var unequal: Int { different + differentContent }
}
