import OfflineSync
import TodoCore

extension Model {
  /// Asked for by hand it comes at once, and before whatever was to come by itself.
  mutating func startRefresh(_ origin: Refresh.Origin, _ options: RefreshOptions = RefreshOptions()) -> [Effect] {
    guard !refresh.isRunning else {
      if refresh.origin == .automatic && origin != .automatic {
        refresh.origin = origin
        refresh.wanted = options
        refresh.isAwaited = true
      }
      return []
    }
    automatic.begin()
    refresh.progress = .starting
    refresh.stepDue = now.uptime + Refresh.stepTime
    refresh.origin = origin
    refresh.isAwaited = origin != .automatic
    refresh.options = options
    refresh.receiptUntil = nil
    refresh.comparison = nil
    if origin != .automatic { notice = nil }
    return [.refresh(options)]
  }

  /// The moment came that the configuration names. Without a server there is nothing to do.
  mutating func startAutomatically() -> [Effect] {
    automatic.begin()
    guard status?.sync.server != nil else { return [] }
    if case .prompt = mode {
      automatic.postpone(at: now.uptime)
      return []
    }
    return startRefresh(.automatic)
  }

  mutating func stopRefresh() -> [Effect] {
    guard refresh.isRunning, refresh.progress != .stopping else { return [] }
    refresh.progress = .stopping
    refresh.wanted = nil
    return [.stopRefresh]
  }

  mutating func hear(_ event: RefreshEvent) -> [Effect] {
    switch event {
    case .waitingForOtherProgram: if refresh.progress != .stopping { refresh.progress = .waitingForOtherProgram }
    case .progress(let progress): if refresh.progress != .stopping { refresh.progress = .moving(progress) }
    case .finished(let result): return finish(result)
    case .compared(let comparison):
      refresh.comparison = comparison
      if !comparison.isSame { notice = .differs(comparison) }
    }
    return []
  }

  /// While a refresh runs the store changes many times a second: what it brings shows with the turns of the spinner.
  mutating func hearOfChange() -> [Effect] {
    guard refresh.isRunning else { return reloadAll(atOnce: false) }
    refresh.hasNews = true
    return []
  }

  /// Something waits that a sync would take along: it goes a second after the last change.
  mutating func noteChanges(before: SyncStatus?, after: SyncStatus) {
    let waiting = after.pending - after.conflicts - after.refused
    guard waiting > 0, !refresh.isRunning else { return }
    if automatic.due == nil || after.pending > before?.pending ?? 0 {
      automatic.noteChange(preferences.automatic, at: now.uptime)
    }
  }

  private mutating func finish(_ result: RefreshResult) -> [Effect] {
    refresh.progress = nil
    refresh.hasNews = false
    refresh.result = result
    automatic.noteEnd(result.failure, preferences.automatic, at: now.uptime)
    if leaveBy != nil { return [.quit] }
    if let wanted = refresh.wanted {
      refresh.wanted = nil
      return startRefresh(refresh.origin, wanted) + reloadAll(atOnce: false)
    }
    show(result)
    return reloadAll(atOnce: false)
  }

  /// What stands in the way of a refresh is asked of one who waits for it in the list: else the keys that are being
  /// pressed would answer. It is only said then, and the next refresh asks. One that nobody asked for says nothing but
  /// what the status line does, unless somebody has to decide.
  private mutating func show(_ result: RefreshResult) {
    let isAsked = refresh.origin != .automatic
    if mode == .list, refresh.isAwaited, let question = result.failure.flatMap(Question.init) {
      notice = nil
      mode = .prompt(question)
    } else if let failure = result.failure {
      if isAsked || failure.waitsForAPerson { notice = .refreshFailed(failure) }
    } else if isAsked {
      refresh.receiptUntil = now.uptime + Refresh.receiptTime
    }
  }
}

extension AutomaticRefresh {
  mutating func noteEnd(_ failure: SyncFailure?, _ preferences: AutomaticSync, at uptime: Int) {
    var seconds: Int?
    if case .remote(let failure) = failure, case .busy(_, let asked) = failure.reason { seconds = asked }
    noteEnd(failed: failure?.mayPass ?? false, serverAsks: seconds, preferences, at: uptime)
  }
}

extension SyncFailure {
  fileprivate var waitsForAPerson: Bool {
    if case .serverWentBack = self { true } else { Question(self) != nil }
  }

  /// Trying again later may help, with nothing changed here.
  fileprivate var mayPass: Bool {
    switch self {
    case .remote(let failure): failure.reason.mayPass
    case .otherProgramBusy, .invalidPull, .other: true
    case .otherAccount, .massRemoval, .serverWentBack, .cancelled, .store: false
    }
  }
}

extension RemoteFailure.Reason {
  fileprivate var mayPass: Bool {
    switch self {
    case .unreachable, .notTheServer, .busy, .serverError, .badAnswer, .otherDatabase, .otherEpoch: true
    case .noServer, .signInNeeded, .notAllowed: false
    }
  }
}
