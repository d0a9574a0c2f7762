import Dispatch
package import FoundationEssentials
package import OfflineSync
import Synchronization
package import TableProtocol

extension TodoList {
  /// All rows come to this device and the views choose among them: a filtered pull would never hear
  /// that a row left its filter (offline-sync P9).
  private static let everything = PullQuery(table: table, queryID: "all")

  /// Sends what waits, then brings what is new. Returns at once; `report` is called on the sync
  /// queue: with `.finished` once, and after that at most with `.compared`.
  ///
  /// What is returned ends it early, at a safe point.
  @discardableResult
  package func refresh(
    _ wish: RefreshWish = RefreshWish(), _ report: @escaping @Sendable (RefreshEvent) -> Void
  ) -> RunningRefresh {
    let request = SyncRequest(
      pushes: wish.pushes, pulls: wish.pulls ? [Self.everything] : [], isFull: wish.isFull,
      allowsMassRemoval: wish.allowsMassRemoval, accountChange: wish.accountChange.map(AccountChange.init))
    let cancellation = context.request(request) { event in
      switch event {
      case .waitingForOtherProgram:
        report(.waitingForOtherProgram)
      case .progress(let progress):
        report(
          .progress(
            RefreshProgress(
              sent: progress.sent, toSend: progress.toSend, received: progress.received,
              requests: progress.traffic.requests, bytesSent: progress.traffic.bytesSent,
              bytesReceived: progress.traffic.bytesReceived)))
      case .finished(let ended):
        report(.finished(result(of: ended)))
      case .compared(let comparison):
        if comparison.table == Self.table { report(.compared(Agreement(comparison))) }
      }
    }
    return RunningRefresh(cancellation)
  }

  /// Returns when the refreshes and verifications that were asked for are over, what comes after their ends
  /// included. Not for the main thread of a screen.
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
  package func requests(limit: Int) throws -> [LoggedRequest] {
    try context.store.read { try $0.requests(limit: limit) }.map(LoggedRequest.init)
  }

  /// Removes the items here, and nowhere else: the next refresh brings them again. Waits for its turn; must not be
  /// called on the main thread of a screen. Throws `TodoError.changesWait` while there are changes that no server
  /// has, unless it is `forced`: then those are dropped. Also throws `StoreError`, or what keeps it from its turn.
  package func purge(forced: Bool = false) throws -> (items: Int, changes: Int) {
    let done = DispatchSemaphore(value: 0)
    let outcome = Mutex<Result<PurgeReport, any Error>?>(nil)
    context.purge(TableQuery(table: Self.table), forced: forced) { result in
      outcome.withLock { $0 = result }
      done.signal()
    }
    done.wait()
    do {
      let report = try outcome.withLock { try $0?.get() } ?? PurgeReport()
      return (report.rows, report.changes)
    } catch let refusal as PurgeRefused {
      throw TodoError.changesWait(refusal.pending)
    } catch SyncLockError.timedOut {
      throw TodoError.otherProgramSyncs
    }
  }

  package func status() throws -> SyncStatus {
    let server = context.server
    return try context.store.read { try SyncStatus(of: server, in: $0) }
  }
}

extension SyncStatus {
  /// In an open transaction. `server` is the address as configured, empty for none. Throws `StoreError`.
  package init(of server: String, in store: any StoreReader) throws {
    let errors = try store.operationErrors()
    self.init(
      pending: try store.operationCount(),
      conflicts: errors.count { $0.kind == .conflict },
      refused: errors.count { $0.kind == .refused },
      lastPush: try store.fact(SyncFact.lastPush).flatMap { Timestamp($0)?.date },
      lastPull: try store.fact(SyncFact.lastPull).flatMap { Timestamp($0)?.date },
      server: server.isEmpty ? nil : server,
      protocolVersion: try store.fact(SyncFact.protocolVersion(of: server)))
  }
}

extension Timestamp {
  package var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1_000) }
}

extension RefreshResult {
  init(_ report: SyncReport, status: SyncStatus?) {
    self.init(
      pushed: report.push.accepted, pulled: report.pulled, conflicts: status?.conflicts ?? report.push.conflicts,
      refused: status?.refused ?? report.push.refused, requests: report.traffic.requests,
      bytesSent: report.traffic.bytesSent, bytesReceived: report.traffic.bytesReceived,
      seconds: Double(report.milliseconds) / 1_000, failure: report.failure.map(RefreshFailure.init))
  }
}

extension RefreshFailure {
  init(_ failure: SyncFailure) {
    switch failure {
    case .remote(let failure): self.init(failure.reason)
    case .store(let error): self = .store(reason: error.words)
    case .otherProgramBusy: self = .otherProgramBusy
    case .otherAccount(let account): self = .otherAccount(OtherAccountNotice(account))
    case .invalidPull: self = .badAnswer(reason: "this can't be pulled")
    case .massRemoval(let removal): self = .massRemoval(items: removal.rows, total: removal.total)
    case .cancelled: self = .cancelled
    case .other(let text): self = .badAnswer(reason: text)
    }
  }

  private init(_ reason: RemoteFailure.Reason) {
    switch reason {
    case .noServer: self = .noServer
    case .unreachable(let words, let kind):
      self = .unreachable(kind: kind.flatMap { UnreachableKind(rawValue: $0.rawValue) }, reason: words)
    case .signInNeeded: self = .signInNeeded
    case .notAllowed: self = .notAllowed
    case .busy(_, let seconds): self = .serverBusy(retryAfterSeconds: seconds)
    case .serverError(let status, let message): self = .serverError(status: status, message: message)
    case .otherDatabase: self = .badAnswer(reason: "it is another server than before")
    case .badAnswer(let words): self = .badAnswer(reason: words)
    case .notTheServer(let words): self = .notTheServer(reason: words)
    }
  }
}

extension OtherAccountNotice {
  package init(_ account: OtherAccount) {
    self.init(
      owner: account.owner.server, current: account.current.server,
      isOtherUser: !account.owner.isSameUser(as: account.current), pending: account.pending)
  }
}

extension AccountChange {
  init(_ wish: RefreshWish.AccountChange) {
    switch wish {
    case .sameList: self = .sameList
    case .takeAlong: self = .takeAlong
    }
  }
}

extension StoreError {
  /// A few words for a line that says the rest.
  fileprivate var words: String {
    switch self {
    case .notAStore: "the file is damaged"
    case .newerVersion: "the file is of a newer Ebb"
    case .notAllowed: "the file may not be written"
    case .cannotOpen(_, let reason), .failed(_, let reason): reason
    case .diskFull: "the disk is full"
    case .busy: "another program holds it"
    }
  }
}
