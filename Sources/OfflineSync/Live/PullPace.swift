/// How a refresh ended, for those who asked for it because of a notice.
package enum PullEnd: Sendable, Hashable, CaseIterable {
  /// All that the server has is here.
  case complete
  /// It failed, was stopped by its user, or sent without pulling.
  case incomplete
  /// It stopped at something that its user has to decide.
  case undecided
}

/// How often notices may ask for a pull: a pure value.
///
/// A server may announce what no pull brings: it is wrong, or counts rows that this device does not ask for. Then each
/// notice would lead to a pull that changes nothing, three times a second. So the pause grows with each pull in a row
/// after which the device is where it was. After a pull that did not come to its end, notices wait as well.
///
/// Times are uptimes in milliseconds; chances are from 0 to 1.
struct PullPace: Sendable, Equatable {
  /// The longest pause while pulls change nothing: as often the list is asked for if there are no notices at all.
  static let longestFutile = 60_000
  /// The pause after the first pull that failed, and the longest.
  static let firstFailure = 5_000
  static let longestFailure = 300_000

  /// No notice is looked into before this time; nil if there is no reason to wait.
  private(set) var notBefore: Int?
  /// Pulls in a row that did not come to their end.
  private var failures = 0
  /// The last of them waits for a decision.
  private var isUndecided = false
  /// Pulls in a row that changed nothing.
  private var futile = 0
  /// Where the device was when a notice asked for the last pull; nil if that had no good end.
  private var start: ListPosition?
  /// That pull is over.
  private var isOver = false

  func rests(at now: Int) -> Bool { notBefore.map { now < $0 } ?? false }

  /// A pull ended, whoever asked for it.
  mutating func note(_ end: PullEnd, at now: Int, chance: Double) {
    let wait: Int
    isUndecided = end == .undecided
    switch end {
    case .complete:
      (failures, notBefore, isOver) = (0, nil, true)
      return
    case .incomplete:
      wait = min(Self.longestFailure, Self.firstFailure << min(failures, 20))
      failures += 1
    // Its user answers it, or another program does.
    case .undecided: wait = Self.longestFailure
    }
    start = nil
    notBefore = now + wait.uneven(chance)
  }

  /// A connection for notices is live again, so that the server can be reached by now: pulls that failed before prove
  /// nothing. Who takes that for a reason to connect often waits longer each time: see `NoticeLine`.
  mutating func noteConnection() {
    if !isUndecided { (failures, notBefore) = (0, nil) }
  }

  /// The device is at `position`, and a notice says that the list is elsewhere. Only a device that has moved starts
  /// over: true notices between false ones do not make those true. Returns how long to wait before it is
  /// asked again; nil if this is the moment to pull.
  mutating func pause(at position: ListPosition) -> Int? {
    defer { (start, isOver) = (position, false) }
    guard position == start else {
      futile = 0
      return nil
    }
    guard isOver else { return nil }
    futile += 1
    return min(Self.longestFutile, 1_000 << min(futile - 1, 20))
  }
}

extension Int {
  /// Three quarters of a wait at least, and all of it at most, so that devices that began to wait together do not come
  /// back together. `chance` is from 0 to 1; beyond that it counts as the nearer of both.
  func uneven(_ chance: Double) -> Int { self * 3 / 4 + Int(Double(self) / 4 * Swift.min(Swift.max(chance, 0), 1)) }
}
