import TodoCore

extension Model {
  /// Asked for by hand it comes at once, and before whatever was to come by itself.
  mutating func startRefresh(_ origin: Refresh.Origin, _ wish: RefreshWish = RefreshWish()) -> [Effect] {
    guard !refresh.isRunning else {
      if refresh.origin == .automatic && origin != .automatic {
        refresh.origin = origin
        refresh.isWantedAgain = true
      }
      return []
    }
    automatic.begin()
    refresh.progress = .starting
    refresh.stepDue = now.uptime + Refresh.stepTime
    refresh.origin = origin
    refresh.wish = wish
    refresh.receiptUntil = nil
    refresh.agreement = nil
    if origin != .automatic { notice = nil }
    return [.refresh(wish)]
  }

  /// The moment came that the configuration names. Without a server there is nothing to do.
  mutating func startAutomatically() -> [Effect] {
    automatic.begin()
    guard status?.sync.server != nil else { return [] }
    return startRefresh(.automatic)
  }

  mutating func stopRefresh() -> [Effect] {
    guard refresh.isRunning, refresh.progress != .stopping else { return [] }
    refresh.progress = .stopping
    return [.stopRefresh]
  }

  mutating func hear(_ event: RefreshEvent) -> [Effect] {
    switch event {
    case .waitingForOtherProgram: if refresh.progress != .stopping { refresh.progress = .waitingForOtherProgram }
    case .progress(let progress): if refresh.progress != .stopping { refresh.progress = .moving(progress) }
    case .finished(let result): return finish(result)
    case .compared(let agreement):
      refresh.agreement = agreement
      if agreement.isSame == false { notice = .differs(agreement) }
    }
    return []
  }

  /// While a refresh runs the store changes many times a second: what it brings shows with the turns of the spinner.
  mutating func hearOfChange() -> [Effect] {
    guard refresh.isRunning else { return reloadAll(atOnce: false) }
    refresh.hasNews = true
    return []
  }

  /// More changes wait than before: somebody changed something here.
  mutating func noteChanges(before: Int?, after: Int) {
    guard after > before ?? 0, before != nil || after > 0 else { return }
    automatic.noteChange(preferences.automatic, at: now.uptime)
  }

  private mutating func finish(_ result: RefreshResult) -> [Effect] {
    refresh.progress = nil
    refresh.hasNews = false
    refresh.result = result
    automatic.noteEnd(result.failure, preferences.automatic, at: now.uptime)
    if leaveBy != nil { return [.quit] }
    if refresh.isWantedAgain {
      refresh.isWantedAgain = false
      return startRefresh(refresh.origin) + reloadAll(atOnce: false)
    }
    show(result)
    return reloadAll(atOnce: false)
  }

  /// What stands in the way of a refresh is asked in the list alone: elsewhere the keys that are being pressed would
  /// answer. There it is only said, and the next refresh asks. One that nobody asked for says nothing but what the
  /// status line does, unless somebody has to decide.
  private mutating func show(_ result: RefreshResult) {
    let isAsked = refresh.origin != .automatic
    if mode == .list, let question = result.failure.flatMap(Question.init) {
      notice = nil
      mode = .prompt(question)
    } else if let failure = result.failure {
      if isAsked || Question(failure) != nil { notice = .refreshFailed(failure) }
    } else if isAsked {
      refresh.receiptUntil = now.uptime + Refresh.receiptTime
    }
  }
}

extension AutomaticRefresh {
  mutating func noteEnd(_ failure: RefreshFailure?, _ preferences: AutomaticSync, at uptime: Int) {
    var seconds: Int?
    if case .serverBusy(let asked) = failure { seconds = asked }
    noteEnd(failed: failure?.mayPass ?? false, serverAsks: seconds, preferences, at: uptime)
  }
}

extension RefreshFailure {
  /// Trying again later may help, with nothing changed here.
  fileprivate var mayPass: Bool {
    switch self {
    case .unreachable, .serverBusy, .serverError, .otherProgramBusy, .badAnswer: true
    case .noServer, .signInNeeded, .notAllowed, .otherAccount, .massRemoval, .cancelled, .store: false
    }
  }
}
