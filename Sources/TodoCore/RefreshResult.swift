package import OfflineSync
package import TableProtocol

/// What a refresh says while it runs, and once at its end.
package enum RefreshEvent: Sendable, Hashable {
  /// Another program is syncing this store; this one begins when it is done.
  case waitingForOtherProgram
  case progress(SyncProgress)
  case finished(RefreshResult)
  /// What both sides have was compared. Comes after `.finished`, and only where the server tells what it has.
  case compared(TableComparison)
}

/// How a refresh ended. When `failure` is set the counts are of what was done before it; nothing is lost.
package struct RefreshResult: Sendable, Hashable {
  package var pushed: Int
  package var pulled: Int
  /// Conflicts and refusals that wait for a decision now.
  package var conflicts: Int
  package var refused: Int
  package var traffic: Traffic
  package var seconds: Double
  package var failure: SyncFailure?
  /// What there was to decide, and was decided by the options.
  package var answered: Set<SyncAnswer> = []
  /// How many items of the server can't be stored here, and the first of their ids, if one of them has any.
  package var leftOut = 0
  package var firstLeftOut: RecordID?
  /// Where the server wants to take away too much: the texts of the items that would go, the first 1,000.
  package var removals: [String] = []

  package init(
    pushed: Int = 0, pulled: Int = 0, conflicts: Int = 0, refused: Int = 0, traffic: Traffic = Traffic(),
    seconds: Double = 0, failure: SyncFailure? = nil
  ) {
    self.pushed = pushed
    self.pulled = pulled
    self.conflicts = conflicts
    self.refused = refused
    self.traffic = traffic
    self.seconds = seconds
    self.failure = failure
  }
}

extension RefreshResult {
  init(_ report: SyncReport, status: SyncStatus?) {
    self.init(
      pushed: report.push.accepted, pulled: report.pulled, conflicts: status?.conflicts ?? report.push.conflicts,
      refused: status?.refused ?? report.push.refused, traffic: report.traffic,
      seconds: Double(report.milliseconds) / 1_000, failure: report.failure)
    answered = report.answered
    leftOut = report.leftOut.count
    firstLeftOut = report.leftOut.lazy.compactMap(\.id).first
  }
}

/// What a refresh does.
package struct RefreshOptions: Sendable, Hashable {
  package var pushes = true
  package var pulls = true
  /// Compares everything with the server, not only what changed since the last pull.
  package var isFull = false
  /// The refresh may remove more than half of the list.
  package var allowsMassRemoval = false
  /// What a stopped refresh would have removed is sent to the server again.
  package var sendsRemovalsBack = false
  /// What becomes of a list that belongs to another account; nil asks the user.
  package var accountChange: AccountChange?
  /// What becomes of items that are newer here than on a server that went back; nil asks the user.
  package var afterRestore: RestoreAnswer?

  package init() {}

  /// The same again, after the user agreed to what the server would remove.
  package var agreeingToRemoval: RefreshOptions {
    var options = afterRemoval
    options.allowsMassRemoval = true
    return options
  }

  /// The same again, after the user said that what the server would remove is to be there again.
  package var sendingRemovalsBack: RefreshOptions {
    var options = afterRemoval
    options.sendsRemovalsBack = true
    return options
  }

  private var afterRemoval: RefreshOptions {
    var options = self
    // The list is the new account's by now. What is left to do is to compare everything.
    options.isFull = isFull || accountChange == .sameList
    options.accountChange = nil
    return options
  }
}
