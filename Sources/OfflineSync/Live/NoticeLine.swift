package import TableProtocol

/// The state of a device's connection for notices, and what comes next: a pure value.
///
/// It decides when to open and to close a connection, and when to ask whether there is something to pull. It never says
/// that rows are there: whatever becomes of notices, only the time of a pull depends on them. Times are uptimes in
/// milliseconds of a clock that goes on while the machine sleeps; chances are from 0 to 1.
package struct NoticeLine: Sendable, Equatable {
  package enum State: Sendable, Hashable {
    /// No notices are wanted.
    case off
    /// The program is stopped, or nobody has looked at it for a while.
    case paused
    case connecting(since: Int)
    /// The server was asked, and has said nothing yet.
    case asked(since: Int)
    case live(since: Int, heardAt: Int)
    /// Lost; it is tried again.
    case waiting(until: Int)
    /// Something on the way keeps back what the server says: the list is pulled by the clock instead.
    case heldBack
    case notSignedIn
    /// There is no sign-in, and the server is not asked without one.
    case noSignIn
    case notOffered
  }

  package enum Event: Sendable, Hashable {
    /// Notices are wanted: the list is open.
    case start
    case stop
    /// `connection` is the number that ``Action/open(_:)`` gave it.
    case heard(NoticeEvent, connection: Int)
    /// Something of ``dueAt`` may have come.
    case tick
    case refreshBegan
    /// `isByHand` for one that its user asked for.
    case refreshEnded(PullEnd, isByHand: Bool)
    /// The answer to ``Action/compare(_:)``.
    case compared(ListPosition, with: ListLevel)
    /// The program is about to stop, and goes on.
    case suspended, resumed
    /// The window is looked at, or not any more.
    case focused(Bool)
  }

  package enum Action: Sendable, Hashable {
    /// A new connection, the only one from now on.
    case open(Int)
    case close
    /// Find out how far this device is: ``Event/compared(_:with:)``.
    case compare(ListLevel)
    /// Pull.
    case refresh
  }

  package private(set) var state = State.off
  /// Of the connection that counts.
  package private(set) var number = 0
  /// In a row, without a connection that held.
  private var failures = 0
  /// Connections in a row that said nothing.
  private var silences = 0
  /// A pull has worked since the first of them: it is not the server that hangs.
  private var answersPulls = false
  /// Why the last connection was lost, unless the server ended it in order; nil once one is live.
  package private(set) var cause: RemoteFailure.Reason?
  /// The server's last notice, if nobody looked into it.
  private var news: ListLevel?
  private var newsDue: Int?
  /// The notice for which the last refresh was made that worked, and the one for which a refresh runs.
  private var lookedInto: ListLevel?
  private var beingLookedInto: ListLevel?
  package private(set) var isRefreshing = false
  private var pace = PullPace()
  /// When the list is pulled next because no connection is live: a server may refuse notices and answer pulls all the
  /// same. Nil while one is live, and while no notices are wanted.
  private var pollAt: Int?
  private var isSuspended = false
  private var unfocusedSince: Int?

  package init() {}
}

extension NoticeLine {
  /// Milliseconds.
  package static let collecting = 300
  package static let firstLine = 5_000
  package static let silence = ListLevel.heartbeatSeconds * 2_500
  package static let firstWait = 1_000
  package static let longestWait = 300_000
  package static let poll = 60_000
  package static let unattended = 600_000
  /// A connection that held for so long ends a row of failures.
  package static let holding = 60_000
  /// The longest that a connection takes to be made.
  package static let connecting = 30_000
  /// Connections without a word before something on the way is held to keep them back.
  package static let mostSilences = 3
  /// The longest that a server may ask for, in seconds: the wait that follows is uneven, and three quarters of it at
  /// least.
  private static let mostSecondsAsked = longestWait * 3 / 4 / 1_000
  private static let silent = RemoteFailure.Reason.unreachable("no answer in time", kind: .silent)

  /// When something has to happen although nothing comes; nil for never.
  package var dueAt: Int? {
    let news = isRefreshing ? nil : newsDue.map { max($0, pace.notBefore ?? $0) }
    let poll = isRefreshing || !needsPoll ? nil : pollAt.map { max($0, pace.notBefore ?? $0) }
    let focus = isConnected || isWaiting ? unfocusedSince.map { $0 + Self.unattended } : nil
    return [stateDue, news, poll, focus].compactMap(\.self).min()
  }

  /// Seconds until the next connection is tried; nil unless one is waited for.
  package func secondsLeft(at now: Int) -> Int? {
    if case .waiting(let until) = state { max(0, until - now + 999) / 1_000 } else { nil }
  }

  /// The server says what is new.
  package var isLive: Bool { if case .live = state { true } else { false } }

  /// The last connection was lost, and none has held since. A server that ended one in order, as each does every hour,
  /// is only connected to again.
  package var isTryingAgain: Bool { failures > 1 || (failures == 1 && cause != nil) }

  private var stateDue: Int? {
    switch state {
    case .off, .paused, .heldBack, .notSignedIn, .noSignIn, .notOffered: nil
    case .connecting(let since): since + Self.connecting
    case .asked(let since): since + Self.firstLine
    case .live(_, let heardAt): heardAt + Self.silence
    case .waiting(let until): until
    }
  }

  /// A sync that works shows that the server can be reached again, or that there is a sign-in now. A server that had no
  /// place for another connection says for itself when to come back.
  private var mayBeBack: Bool {
    switch state {
    case .waiting: if case .busy? = cause { false } else { true }
    case .noSignIn: true
    case .off, .paused, .connecting, .asked, .live, .heldBack, .notSignedIn, .notOffered: false
    }
  }

  private var needsPoll: Bool {
    switch state {
    case .connecting, .asked, .waiting, .heldBack: true
    case .off, .paused, .live, .notSignedIn, .noSignIn, .notOffered: false
    }
  }

  private var isConnected: Bool {
    switch state {
    case .connecting, .asked, .live: true
    case .off, .paused, .waiting, .heldBack, .notSignedIn, .noSignIn, .notOffered: false
    }
  }

  private var isWaiting: Bool {
    switch state {
    case .waiting, .heldBack: true
    case .off, .paused, .connecting, .asked, .live, .notSignedIn, .noSignIn, .notOffered: false
    }
  }
}

// MARK: Events

extension NoticeLine {
  package mutating func receive(_ event: Event, at now: Int, chance: Double) -> [Action] {
    switch event {
    case .start: return state == .off ? open(at: now) : []
    case .stop:
      let actions = closing()
      self = NoticeLine(after: number)
      return actions
    case .heard(let event, let connection):
      guard connection == number, isConnected else { return [] }
      return receive(event, at: now, chance)
    case .tick: return tick(at: now, chance)
    case .refreshBegan:
      isRefreshing = true
      (beingLookedInto, news, newsDue) = (news ?? beingLookedInto, nil, nil)
      return []
    case .refreshEnded(let end, let isByHand): return endRefresh(end, isByHand, at: now, chance)
    case .compared(let position, let level): return judge(position, level, at: now)
    case .suspended:
      isSuspended = true
      return pause()
    case .resumed:
      (isSuspended, unfocusedSince) = (false, nil)
      return goOn(at: now)
    case .focused(let isFocused):
      unfocusedSince = isFocused ? nil : unfocusedSince ?? now
      return isFocused ? goOn(at: now) : []
    }
  }

  private init(after number: Int) { self.number = number }

  private mutating func receive(_ event: NoticeEvent, at now: Int, _ chance: Double) -> [Action] {
    switch event {
    case .asked:
      if case .connecting = state { state = .asked(since: now) }
      return []
    case .level(let level):
      noteLife(at: now)
      guard level != lookedInto else { return [] }
      news = level
      newsDue = newsDue ?? now + Self.collecting
      return []
    case .heartbeat:
      noteLife(at: now)
      return []
    case .ended(let end): return lose(end, at: now, chance)
    }
  }

  /// The first word of the server on a connection makes it live.
  private mutating func noteLife(at now: Int) {
    (silences, cause, pollAt) = (0, nil, nil)
    if case .live(let since, _) = state {
      state = .live(since: since, heardAt: now)
    } else {
      state = .live(since: now, heardAt: now)
      pace.noteConnection()
    }
  }

  private mutating func lose(_ end: NoticeEnd, at now: Int, _ chance: Double) -> [Action] {
    switch end {
    case .finished(let retry): return lose(nil, atLeast: max(Self.firstWait, retry ?? 0), at: now, chance)
    // Not before it asks for.
    case .failed(.busy(let status, let seconds)):
      let asked = max(1, min(seconds ?? 1, Self.mostSecondsAsked))
      return lose(.busy(status: status, retryAfter: seconds), atLeast: asked * 4_000 / 3, at: now, chance)
    case .failed(let reason): return lose(reason, atLeast: Self.firstWait, at: now, chance)
    case .notOffered:
      state = .notOffered
      return pollAt == nil ? refresh(at: now) : []
    case .notSignedIn:
      state = .notSignedIn
      return []
    case .noSignIn:
      state = .noSignIn
      return []
    case .otherDatabase:
      _ = lose(.otherDatabase, atLeast: Self.poll, at: now, chance)
      // The refresh finds out, and says it.
      return refresh(at: now)
    }
  }

  /// The wait doubles with each failure, and is made uneven, so that devices that lost one server do not come back
  /// together. Who has never been live pulls at once: without notices it may lack anything.
  private mutating func lose(
    _ cause: RemoteFailure.Reason?, atLeast least: Int, at now: Int, _ chance: Double
  ) -> [Action] {
    self.cause = cause
    let wasLive = isLive
    if case .live(let since, _) = state, now - since >= Self.holding { failures = 0 }
    let wait = min(Self.longestWait, max(least, Self.firstWait << min(failures, 20)))
    failures += 1
    state = .waiting(until: now + wait.uneven(chance))
    defer { pollAt = pollAt ?? now + Self.poll }
    return wasLive || pollAt != nil ? [] : refresh(at: now)
  }

  /// The device is at `position`. If that is not where the level is, it pulls; later if pulls have changed nothing.
  /// While a refresh runs, that is the pull.
  private mutating func judge(_ position: ListPosition, _ level: ListLevel, at now: Int) -> [Action] {
    guard !isRefreshing else { return [] }
    if position.isAt(level) { return [] }
    guard let pause = pace.pause(at: position) else { return [.refresh] }
    news = news ?? level
    newsDue = max(newsDue ?? 0, now + pause)
    return []
  }

  /// Asks for a pull, unless one runs, or the last one failed or asked its user something a moment ago.
  private func refresh(at now: Int) -> [Action] { isRefreshing || pace.rests(at: now) ? [] : [.refresh] }

  private mutating func endRefresh(_ end: PullEnd, _ isByHand: Bool, at now: Int, _ chance: Double) -> [Action] {
    isRefreshing = false
    let isComplete = end == .complete
    if isComplete { (lookedInto, answersPulls) = (beingLookedInto ?? lookedInto, true) }
    beingLookedInto = nil
    pace.note(end, at: now, chance: chance)
    pollAt = pollAt.map { _ in now + Self.poll }
    switch state {
    // Then it is not the notices alone that do not come.
    case .heldBack where end == .incomplete:
      silences = 0
      return lose(Self.silent, atLeast: Self.firstWait, at: now, chance)
    case .heldBack where !isByHand: return []
    case .waiting, .heldBack, .notSignedIn, .noSignIn, .notOffered:
      guard isComplete else { return [] }
      if isByHand { (failures, silences) = (0, 0) } else if !mayBeBack { return [] }
      return open(at: now)
    case .off, .paused, .connecting, .asked, .live: return []
    }
  }
}

// MARK: Time

extension NoticeLine {
  private mutating func tick(at now: Int, _ chance: Double) -> [Action] {
    if let unfocusedSince, unfocusedSince + Self.unattended <= now, isConnected || isWaiting { return pause() }
    var actions = if let due = stateDue, due <= now { turn(at: now, chance) } else { [Action]() }
    if let level = news, let due = newsDue, due <= now, !isRefreshing, !pace.rests(at: now) {
      (beingLookedInto, news, newsDue) = (level, nil, nil)
      actions.append(.compare(level))
    }
    if let due = pollAt, due <= now, needsPoll, !isRefreshing, !pace.rests(at: now) {
      pollAt = now + Self.poll
      actions.append(.refresh)
    }
    return actions
  }

  private mutating func turn(at now: Int, _ chance: Double) -> [Action] {
    switch state {
    case .off, .paused, .heldBack, .notSignedIn, .noSignIn, .notOffered: return []
    case .waiting: return open(at: now)
    case .connecting, .live: return [.close] + lose(Self.silent, atLeast: Self.firstWait, at: now, chance)
    case .asked:
      silences += 1
      if silences == 1 { answersPulls = false }
      if silences < Self.mostSilences || !answersPulls {
        return [.close] + lose(Self.silent, atLeast: Self.firstWait, at: now, chance)
      }
      (state, pollAt) = (.heldBack, now + Self.poll)
      return [.close] + refresh(at: now)
    }
  }

  private mutating func open(at now: Int) -> [Action] {
    guard !isSuspended else { return pause() }
    number += 1
    state = .connecting(since: now)
    return [.open(number)]
  }

  private func closing() -> [Action] { isConnected ? [.close] : [] }

  private mutating func pause() -> [Action] {
    let actions = closing()
    if isConnected || isWaiting { (state, pollAt) = (.paused, nil) }
    return actions
  }

  private mutating func goOn(at now: Int) -> [Action] {
    guard state == .paused else { return [] }
    (failures, silences) = (0, 0)
    return open(at: now)
  }
}
