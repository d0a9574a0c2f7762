import OfflineSync
import TodoCore

/// The state of syncing with the server: the changes that wait, the connection, the refresh that runs, and what comes
/// next by itself.
struct Syncing: Equatable, Sendable {
  /// Nil until it was read for the first time, after the first paint.
  private(set) var status: ListStatus?
  private(set) var refresh = Refresh()
  private(set) var pull = PullGesture()
  private(set) var automatic = AutomaticRefresh()
  /// The connection by which the server says that there is something new.
  private(set) var line = NoticeLine()
  private var comparing = Comparing()
  private var held = HeldNotices()
  /// Something was changed here that the counts do not have yet.
  private(set) var isAhead = false
  /// A change was counted while a refresh ran. It may have been too late for that.
  private var hasLateChange = false
  /// The user wants to leave; a last push may take until this uptime.
  private var leaveBy: Int?

  var pending: Int { status?.sync.pending ?? 0 }

  /// The number of changes the next refresh sends: not those that wait for a decision.
  var toSend: Int { status?.sync.toSend ?? 0 }

  /// Conflicts and refusals that wait for a decision.
  var undecided: Int { status?.sync.undecided ?? 0 }

  /// The number of arrivals not looked at yet.
  var arrived: Int { status?.arrivals.values.reduce(0, +) ?? 0 }

  /// Seconds until a sync that failed is tried again by itself; nil when it is not.
  func nextTry(at now: Now) -> Int? {
    guard automatic.isRetry, let due = automatic.due else { return nil }
    return max(0, (due - now.uptime + 999) / 1_000)
  }

  /// Waiting changes go out without a key.
  func sendsByItself(_ preferences: AutomaticSync) -> Bool { preferences.onChange && !automatic.waitsForPerson }

  mutating func noteChange() { isAhead = true }

  /// Takes in a new count of the list. If the settings ask for it, waiting changes are sent a moment after the last
  /// one. A decision makes one wait too.
  mutating func accept(_ status: ListStatus, _ screen: Screen) {
    let isNew = status.sync.toSend > toSend || hasLateChange
    hasLateChange = refresh.isRunning && isNew
    if status.sync.toSend > 0, !refresh.isRunning, automatic.due == nil || isNew {
      automatic.noteChange(screen.preferences.automatic, isNew: isNew, isLive: line.isLive, at: screen.now.uptime)
    }
    self.status = status
    isAhead = false
  }

  mutating func launch(_ screen: Screen) -> [Effect] {
    let preferences = screen.preferences
    automatic.launch(preferences.automatic, at: screen.now.uptime)
    return preferences.automatic.isLive && preferences.hasServer ? receive(.start, screen) : []
  }

  /// A key was pressed: a question now would meet fingers that meant something else. A user who goes on does not want
  /// to leave after all.
  mutating func notePress(isQuit: Bool, at now: Now) {
    refresh.isAwaited = false
    refresh.keyAt = now.uptime
    if !isQuit { leaveBy = nil }
  }
}

// MARK: Refreshing

extension Syncing {
  /// Asked for by hand it comes at once, and before whatever was to come by itself.
  mutating func start(
    _ origin: Refresh.Origin, with options: RefreshOptions = RefreshOptions(), _ screen: inout Screen
  ) -> [Effect] {
    guard !refresh.isRunning else {
      if refresh.origin == .automatic && origin != .automatic {
        refresh.origin = origin
        refresh.wanted = options
        refresh.isAwaited = true
      }
      return []
    }
    if origin != .automatic {
      screen.clearNotice()
      held.forget(.refresh)
    }
    return begin(origin, with: options, screen)
  }

  private mutating func begin(_ origin: Refresh.Origin, with options: RefreshOptions, _ screen: Screen) -> [Effect] {
    automatic.begin()
    _ = receive(.refreshBegan, screen)
    refresh.progress = .starting
    refresh.stepDue = screen.now.uptime + Refresh.stepTime
    refresh.origin = origin
    (refresh.isAwaited, refresh.keyAt) = (origin != .automatic, nil)
    refresh.options = options
    refresh.receiptUntil = nil
    refresh.comparison = nil
    return [.sync(.refresh(options))]
  }

  mutating func stop() -> [Effect] {
    refresh.interrupted = nil
    guard refresh.isRunning, refresh.progress != .stopping else { return [] }
    refresh.progress = .stopping
    refresh.wanted = nil
    return [.sync(.stopRefresh)]
  }

  mutating func foldReceipt() { refresh.receiptUntil = nil }

  /// Something came while a refresh runs. The store then changes many times a second: what it brings shows with the
  /// turns of the spinner. False when none runs.
  mutating func noteNews() -> Bool {
    if refresh.isRunning { refresh.hasNews = true }
    return refresh.isRunning
  }

  mutating func receive(_ progress: Refresh.Progress) {
    if refresh.progress != .stopping { refresh.progress = progress }
  }

  mutating func receive(_ comparison: TableComparison, _ screen: inout Screen) {
    refresh.comparison = comparison
    if !comparison.isSame { say(.differs(comparison), &screen) }
  }

  /// The step that follows the end of a refresh.
  enum Ending: Equatable, Sendable {
    case reading
    /// Another one was asked for meanwhile.
    case readingAfter([Effect])
    case asking(Question)
    case leaving
  }

  /// `canAsk` is whether the list is what one looks at: else the keys that are being pressed would answer.
  mutating func finish(_ result: RefreshResult, canAsk: Bool, _ screen: inout Screen) -> Ending {
    refresh.progress = nil
    refresh.hasNews = false
    refresh.result = result
    refresh.droppedDeletions += result.droppedDeletions
    automatic.noteEnd(result, screen.preferences.automatic, at: screen.now.uptime)
    if screen.notice == .sync(.startedAgain) { screen.clearNotice() }
    if leaveBy != nil { return .leaving }
    // It may have come to its end before it met the cancellation.
    let again = result.failure == .cancelled ? refresh.interrupted : nil
    let wanted = refresh.wanted
    (refresh.interrupted, refresh.wanted) = (nil, nil)
    if let again {
      let mayBeReplaced = screen.notice.map { $0.isReply && !$0.isOfExternalEditor } ?? true
      if mayBeReplaced { say(.startedAgain, &screen) }
      return .readingAfter(begin(refresh.origin, with: wanted ?? again, screen))
    }
    if let wanted { return .readingAfter(start(refresh.origin, with: wanted, &screen)) }
    return show(result, canAsk: canAsk && screen.notice?.isOfExternalEditor != true, &screen)
  }

  /// Asks about an obstacle if the user waits for the refresh in the list. Else only reports it, and the next refresh
  /// asks. A refresh that nobody asked for reports nothing beyond the status line, unless somebody has to decide, and
  /// that only once for as many items.
  private mutating func show(_ result: RefreshResult, canAsk: Bool, _ screen: inout Screen) -> Ending {
    let isAsked = refresh.origin != .automatic
    if canAsk, refresh.isAwaited, let question = result.failure.flatMap(Question.init) {
      screen.clearNotice()
      return .asking(question)
    }
    var said = result
    if let failure = result.failure {
      said.leftOut = 0
      if !isAsked && !isNews(failure) { said.failure = nil }
      if case .serverWentBack(let back) = failure { refresh.saidItems = back.items }
    } else {
      refresh.saidItems = 0
      if refresh.options.pulls { dropAdvice(&screen) }
      if isAsked { refresh.receiptUntil = screen.now.uptime + Refresh.receiptTime }
    }
    said.droppedDeletions = refresh.droppedDeletions
    if said.failure != nil || said.leftOut > 0 || said.droppedDeletions > 0 { say(.refreshed(said), &screen) }
    return .reading
  }

  /// A refresh read the list: the advice of one that failed before it would do harm. The deletions that were said with
  /// it are said again.
  private mutating func dropAdvice(_ screen: inout Screen) {
    held.forgetFailure()
    guard case .sync(.refreshed(let failed)) = screen.notice, failed.failure != nil else { return }
    refresh.droppedDeletions += failed.droppedDeletions
    screen.clearNotice()
  }

  private func isNews(_ failure: SyncFailure) -> Bool {
    if case .serverWentBack(let back) = failure { return back.items > refresh.saidItems }
    return failure.waitsForAPerson
  }
}

// MARK: Saying

extension Syncing {
  /// Says it, or keeps it until a later key if the answer about the user's editor is on the screen.
  private mutating func say(_ notice: SyncNotice, _ screen: inout Screen) {
    if screen.notice?.isOfExternalEditor == true {
      held.hold(notice)
      return
    }
    held.forget(HeldNotices.Kind(notice))
    if case .refreshed = notice { refresh.droppedDeletions = 0 }
    screen.say(.sync(notice))
  }

  /// A key was pressed: the answer about the user's editor was read. An answer to the key itself comes first.
  mutating func sayHeld(_ screen: inout Screen) {
    guard let notice = held.next(after: screen.notice) else { return }
    screen.clearNotice()
    say(notice, &screen)
  }
}

// MARK: Notices from the server

extension Syncing {
  mutating func receive(_ event: NoticeLine.Event, _ screen: Screen) -> [Effect] {
    let now = screen.now.uptime
    // Uneven by the clock, as the tries of a sync are.
    return line.receive(event, at: now, chance: Double(now % 997) / 997).compactMap { action in
      switch action {
      case .open(let number): return .sync(.listen(number))
      case .close: return .sync(.stopListening)
      case .compare(let level): return .read(.position(level))
      case .refresh:
        automatic.noteNotice(at: now)
        return nil
      }
    }
  }

  /// A refresh ended.
  mutating func noteEnd(_ result: RefreshResult, _ screen: Screen) -> [Effect] {
    let end = result.failure?.pullEnd ?? .complete
    let isPull = refresh.options.pulls || end == .undecided
    return receive(.refreshEnded(isPull ? end : .incomplete, isByHand: refresh.origin != .automatic), screen)
  }
}

// MARK: Stopping the program

extension Syncing {
  /// The program is about to be stopped, or to wait for the user's editor, and may stay so for days. A refresh or a
  /// comparison ends at a safe point: otherwise it would keep the sync lock, and every other program would wait. Both
  /// are started again afterwards. The connection for notices is closed.
  mutating func suspend(_ screen: Screen) -> [Effect] {
    let (wanted, interrupted) = (refresh.wanted, refresh.interrupted)
    let stopping = stop()
    // A refresh that is ending already stays what it was: ended by its user, or by an earlier stop of the program.
    refresh.interrupted = stopping.isEmpty ? interrupted : refresh.options
    if !stopping.isEmpty { refresh.wanted = wanted }
    return stopping + comparing.suspend() + receive(.suspended, screen)
  }
}

// MARK: Pulling

extension Syncing {
  /// A line above the first row: the list was pulled, or what came of it is told there.
  var showsPullLine: Bool {
    pull.isOpen || (refresh.origin == .pull && (refresh.isRunning || refresh.showsReceipt))
  }

  mutating func pull(_ source: PullGesture.Source, _ screen: inout Screen) -> [Effect] {
    pull.pull(source, at: screen.now.uptime)
    return pull.turn(at: screen.now.uptime) ? start(.pull, &screen) : []
  }

  /// The list moved towards its top, which is no pull.
  mutating func noteMovement(at now: Now) { pull.noteMovement(at: now.uptime) }
  mutating func closePull() { pull.close() }
}

// MARK: Comparing everything

extension Syncing {
  mutating func startVerifying(_ screen: inout Screen) -> [Effect] {
    screen.clearNotice()
    return verify(&screen)
  }

  /// While that is on the screen Escape stops it.
  private mutating func verify(_ screen: inout Screen) -> [Effect] {
    say(.verifying, &screen)
    return comparing.start()
  }

  mutating func stopVerifying() -> [Effect] { comparing.stop() }

  mutating func receive(_ event: VerificationEvent, _ screen: inout Screen) -> [Effect] {
    guard case .finished(let outcome) = event else { return [] }
    if comparing.finish(outcome) { return verify(&screen) }
    switch outcome {
    case .success(let verification): say(.verified(verification), &screen)
    case .failure(let failure): say(.verifyFailed(failure), &screen)
    }
    return []
  }
}

// MARK: Leaving

extension Syncing {
  /// Milliseconds that leaving may take at most.
  private static let lastPush = 2_000

  /// Something waits that will not be sent on leaving.
  func mustAsk(_ screen: Screen) -> Bool {
    leaveBy == nil && (pending > 0 || isAhead) && !screen.preferences.automatic.isOn
  }

  /// Sends waiting changes once more before leaving, where that is asked for.
  mutating func leave(_ screen: inout Screen) -> [Effect] {
    leaveBy == nil && (pending > 0 || isAhead) ? leaveNow(&screen) : [.screen(.quit)]
  }

  /// With changes sent by themselves there is a last short push; whatever becomes of it, the list closes. To ask once
  /// more closes it at once, any other key keeps it open.
  mutating func leaveNow(_ screen: inout Screen) -> [Effect] {
    let waits = isAhead || pending > undecided
    guard screen.preferences.automatic.isOn, waits, status?.sync.server != nil else { return [.screen(.quit)] }
    leaveBy = screen.now.uptime + Self.lastPush
    if refresh.isRunning { return [] }
    var options = RefreshOptions()
    options.pulls = false
    return start(.automatic, with: options, &screen)
  }
}

// MARK: Time

extension Syncing {
  /// The uptime at which something has to happen although nothing came; nil when nothing has.
  func nextWake(at now: Now) -> Int? {
    [
      refresh.isRunning ? refresh.stepDue : refresh.receiptUntil, pull.deadline,
      refresh.isRunning ? nil : automaticDue, countdownDue(at: now), leaveBy,
      line.dueAt, lineCountdownDue(at: now),
    ]
    .compactMap(\.self).min()
  }

  /// True when the rows that came should be read now.
  mutating func turnSpinner(at now: Now) -> Bool {
    guard refresh.isRunning, refresh.stepDue <= now.uptime else { return false }
    refresh.step += 1
    refresh.stepDue = now.uptime + Refresh.stepTime
    guard refresh.readsNews else { return false }
    refresh.hasNews = false
    return true
  }

  /// Folds the receipt away, lets go of the pull, starts what is due and leaves when it is time. `isAsking` is whether
  /// the user is being asked something: that comes first.
  mutating func tick(isAsking: Bool, _ screen: inout Screen) -> [Effect] {
    let now = screen.now.uptime
    if let until = refresh.receiptUntil, until <= now { refresh.receiptUntil = nil }
    var effects = pull.turn(at: now) ? start(.pull, &screen) : []
    effects += receive(.tick, screen)
    if let due = automaticDue, due <= now { effects += startAutomatically(isAsking: isAsking, &screen) }
    if let leaveBy, leaveBy <= now {
      self.leaveBy = nil
      effects.append(.screen(.quit))
    }
    return effects
  }

  /// The moment came that the configuration names. Without a server there is nothing to do.
  private mutating func startAutomatically(isAsking: Bool, _ screen: inout Screen) -> [Effect] {
    automatic.begin()
    guard status?.sync.server != nil else { return [] }
    guard isAsking else { return start(.automatic, &screen) }
    automatic.postpone(at: screen.now.uptime)
    return []
  }

  /// Before the status was read nobody knows whether there is a server.
  private var automaticDue: Int? { status == nil ? nil : automatic.due }

  private func lineCountdownDue(at now: Now) -> Int? {
    guard !refresh.isRunning, case .waiting(let due) = line.state else { return nil }
    return now.nextStep(to: due)
  }

  private func countdownDue(at now: Now) -> Int? {
    guard !refresh.isRunning, automatic.isRetry, let due = automatic.due else { return nil }
    return now.nextStep(to: due)
  }
}
