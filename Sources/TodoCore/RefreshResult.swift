package import OfflineSync
package import TableProtocol

/// An event of a running refresh.
package enum RefreshEvent: Sendable, Hashable {
  /// Another program is syncing this store. The refresh begins when it has finished.
  case waitingForOtherProgram
  case progress(SyncProgress)
  case finished(RefreshResult)
  /// Both sides were compared. Comes after `.finished`, and only if the server sends its digest.
  case compared(TableComparison)
}

/// The result of a refresh. If it failed, the counts are of what was done before; nothing is lost.
package struct RefreshResult: Sendable, Hashable {
  package var pushed: Int
  package var pulled: Int
  /// The conflicts that wait for a decision now.
  package var conflicts: Int
  /// The changes that the server refuses now.
  package var refused: Int
  package var traffic: Traffic
  package var seconds: Double
  package var failure: SyncFailure?
  /// True if changes are left that met a newer copy each time they were sent. The next refresh sends them again.
  package var leavesChanges = false
  /// The questions that the options answered.
  package var answered: Set<SyncAnswer> = []
  /// The number of deletions that waited for the account that the list was taken along from. It may still have the
  /// items.
  package var droppedDeletions = 0
  /// The number of items of the server that can't be stored here.
  package var leftOut = 0
  /// The first of their ids that can be read.
  package var firstLeftOut: RecordID?
  /// If the pull was stopped because it would have removed too much: the texts of those items, the first 1,000.
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
    leavesChanges = report.leavesChanges
    answered = report.answered
    droppedDeletions = report.droppedDeletions
    leftOut = report.leftOut.count
    firstLeftOut = report.leftOut.lazy.compactMap(\.id).first?.shortened
  }
}

extension RecordID {
  /// As people are shown it: whole if it is valid. A server can send an id of any length.
  fileprivate var shortened: RecordID {
    let start = text.unicodeScalars.prefix(Self.longest)
    return start.endIndex < text.endIndex ? RecordID(String(start) + "…") : self
  }
}

/// The options of a refresh.
package struct RefreshOptions: Sendable, Hashable {
  package var pushes = true
  package var pulls = true
  /// Compares everything with the server, not only what changed since the last pull.
  package var isFull = false
  /// The refresh may remove more than half of the list.
  package var allowsMassRemoval = false
  /// The items that a stopped refresh would have removed are sent to the server again.
  package var sendsRemovalsBack = false
  /// The decision if another account owns the list; nil to ask the user.
  package var accountChange: AccountChange?
  /// The decision about items that are newer here than on a server that went back; nil to ask the user.
  package var afterRestore: RestoreAnswer?
  /// The longest wait for another program that syncs the list, in seconds; nil for the limit of the sync lock.
  package var patience: Int?

  package init() {}

  /// The options to continue after the user agreed to the removal.
  package var agreeingToRemoval: RefreshOptions {
    var options = afterRemoval
    options.allowsMassRemoval = true
    return options
  }

  /// The options to continue after the user decided to send the removed items back.
  package var sendingRemovalsBack: RefreshOptions {
    var options = afterRemoval
    options.sendsRemovalsBack = true
    return options
  }

  /// The options to continue with the decision about items that are newer here than on a server that went back. The
  /// account was decided before that question.
  package func answering(_ answer: RestoreAnswer) -> RefreshOptions {
    var options = self
    options.accountChange = nil
    options.afterRestore = answer
    return options
  }

  private var afterRemoval: RefreshOptions {
    var options = self
    // The list already belongs to the new account. All that is left is to compare everything.
    options.isFull = isFull || accountChange == .sameList
    options.accountChange = nil
    return options
  }
}
