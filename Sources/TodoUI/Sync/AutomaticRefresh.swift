import OfflineSync
import TodoCore

/// When the next sync comes that nobody has to ask for.
struct AutomaticRefresh: Equatable, Sendable {
  /// Uptime in milliseconds; nil when none is due.
  private(set) var due: Int?
  /// How many in a row could not be finished, or left changes behind.
  private(set) var failures = 0
  /// The one that is due tries again what failed or was left.
  private(set) var isRetry = false
  /// The last one left changes behind that met newer copies, and failed in nothing: new changes need not wait for it.
  private var hasOnlyLeft = false
  /// The reason for which changes that wait do not go out by themselves.
  private var hold = Hold.none
  /// The server asked not to be asked before this uptime.
  private var notBefore: Int?

  /// Nothing goes or comes by itself until a person does something.
  var waitsForPerson: Bool { hold == .untilAsked }

  static let afterChange = 1_000
  /// The same while the list is live, so that a change is on another live list within a second.
  static let afterChangeLive = 300
  /// The wait after the first failure, and the longest, in milliseconds.
  static let firstRetry = 5_000
  static let longestRetry = 15 * 60_000

  enum Hold: Equatable, Sendable {
    case none
    /// A sync was stopped. The next change goes out, with those that wait.
    case untilChange
    /// The last sync met something that stays as it is until a person does something about it. To ask again and again
    /// with a token that is refused would shut out this device.
    case untilAsked
  }

  /// Changes wait: they go out a moment after the last one, unless a retry after a failure is being waited for. `isNew`
  /// says that one was made just now.
  mutating func noteChange(_ preferences: AutomaticSync, isNew: Bool, isLive: Bool, at uptime: Int) {
    guard preferences.onChange, !isRetry || (hasOnlyLeft && isNew) else { return }
    switch hold {
    case .none: break
    case .untilChange: if !isNew { return }
    case .untilAsked: return
    }
    due = uptime + (isLive ? Self.afterChangeLive : Self.afterChange)
  }

  mutating func launch(_ preferences: AutomaticSync, at uptime: Int) {
    if preferences.onLaunch { due = uptime } else { schedule(preferences, at: uptime) }
  }

  /// A sync ended, whoever asked for it. After a failure the wait doubles, and is made uneven by the clock, so that
  /// devices that failed together do not come back together.
  mutating func noteEnd(failed: Bool, serverAsks seconds: Int?, _ preferences: AutomaticSync, at uptime: Int) {
    due = nil
    isRetry = false
    notBefore = seconds.map { uptime + $0 * 1_000 }
    failures = failed ? failures + 1 : 0
    guard failed else { return schedule(preferences, at: uptime) }
    guard preferences.isOn else { return }
    let doubled = min(Self.longestRetry, Self.firstRetry << min(failures - 1, 20))
    let wait = doubled * 3 / 4 + doubled / 2 * (uptime % 997) / 997
    isRetry = true
    due = uptime + max(wait, (seconds ?? 0) * 1_000)
  }

  /// The server has something new, and ``NoticeLine`` finds that this is the moment to ask for it. Changes that were
  /// left behind go out with that pull: it may bring the copy that they met.
  mutating func noteNotice(at uptime: Int) {
    let soon = max(notBefore ?? uptime, uptime)
    due = min(due ?? soon, soon)
  }

  /// Somebody is asked something: that comes first.
  mutating func postpone(at uptime: Int) {
    due = uptime + Self.afterChange
  }

  mutating func begin() {
    due = nil
    isRetry = false
  }

  private mutating func schedule(_ preferences: AutomaticSync, at uptime: Int) {
    due = preferences.minutes.map { uptime + $0 * 60_000 }
  }
}

extension AutomaticRefresh {
  mutating func noteEnd(_ result: RefreshResult, _ preferences: AutomaticSync, at uptime: Int) {
    var seconds: Int?
    if case .remote(let failure) = result.failure, case .busy(_, let asked) = failure.reason { seconds = asked }
    let outlook = result.outlook
    noteEnd(failed: outlook == .mayPass, serverAsks: seconds, preferences, at: uptime)
    hasOnlyLeft = result.failure == nil
    hold =
      switch outlook {
      case .finished, .mayPass: .none
      case .stopped: .untilChange
      case .needsPerson: .untilAsked
      }
  }
}

extension RefreshResult {
  /// Changes that met a newer copy each time they were sent would meet one at once again: they wait as after a failure.
  var outlook: SyncFailure.Outlook {
    let outlook = failure?.outlook ?? .finished
    return outlook == .finished && leavesChanges ? .mayPass : outlook
  }
}

extension SyncFailure {
  /// Says what a sync that ended so means for the next one.
  enum Outlook: Equatable, Sendable {
    /// It did all that a sync does. The items that wait for a decision hold up nothing else, as conflicts do not.
    case finished
    /// Trying again later may help, with nothing changed here.
    case mayPass
    /// Its user stopped it.
    case stopped
    /// It stays as it is until a person does something about it.
    case needsPerson
  }

  var outlook: Outlook {
    switch self {
    // All other rows were synced (sync-rules W4).
    case .serverWentBack: .finished
    case .remote(let failure): failure.reason.mayPass ? .mayPass : .needsPerson
    case .otherProgramBusy, .invalidPull, .other: .mayPass
    // The other program is done some time, and a disk gets room again.
    case .store(.busy), .store(.diskFull): .mayPass
    case .cancelled: .stopped
    case .otherAccount, .massRemoval, .store: .needsPerson
    }
  }
}

extension RemoteFailure.Reason {
  /// False for a verdict of the server itself about this device, for a token that anything on the way refuses, and for
  /// what only a setting here ends. Any other answer that something on the way gave, or changed, is no verdict: another
  /// network, or the same one later, lets it pass (A16). To show a refused token again and again would shut out this
  /// device (Q20).
  fileprivate var mayPass: Bool {
    switch self {
    case .unreachable, .notTheServer, .busy, .serverError, .badAnswer, .otherDatabase, .otherEpoch: true
    case .refusedOnTheWay: !asksForSignIn
    case .alteredAnswer(let alteration): alteration.mayPass
    case .noServer, .noSignIn, .signInNeeded, .notAllowed: false
    }
  }
}

extension RemoteFailure.Alteration {
  fileprivate var mayPass: Bool {
    switch self {
    // An item can be repaired on the server, and what damages an answer may be on the way.
    case .notUTF8, .contradictory: true
    case .headersRemoved, .tokenRemoved, .compressed, .otherRequest: true
    case .ownColumns: false
    }
  }
}

extension Now {
  /// The uptime at which a countdown shows another number. The next try is told in seconds, or in minutes while it is
  /// far. Nil if it is due.
  func nextStep(to due: Int) -> Int? {
    guard due > uptime else { return nil }
    let left = due - uptime
    let step = left > 60_000 ? 60_000 : 1_000
    return due - (left - 1) / step * step
  }
}
