import OfflineSync
import TodoCore
import Words

extension Announcer {
  /// That a refresh began, every few seconds how far it is, and what came of it. One that nobody asked for is told only
  /// when the connection is lost or found again.
  func refresh() -> [String] {
    switch (before.refresh.isRunning, after.refresh.isRunning) {
    case (false, true): return isAsked ? [now.progressWords] : []
    case (true, true): return progress()
    case (true, false): return isAsked ? receipt() : connection()
    case (false, false): return comparison()
    }
  }

  /// What came and was not looked at yet, and the keys that show it; what waits for a decision.
  func arrivals() -> [String] {
    guard before.status != nil, let status = after.status else { return [] }
    var lines: [String] = []
    if after.arrived > before.arrived {
      let keys = [Command.digest, .nextArrival].map { "\(now.key($0)) \(text.hint($0))" }
      lines.append(joined([text.away(status.arrivals)] + keys))
    }
    if after.undecided > before.undecided { lines.append(spoken(now.status())) }
    return lines
  }

  /// What pulling once more would do.
  func pull() -> [String] {
    guard after.mode == .list, after.pull.isOpen, !before.pull.isOpen else { return [] }
    return [spoken(now.pullHint())]
  }

  private var isAsked: Bool { after.refresh.origin != .automatic }

  /// Pictures of the spinner from one line to the next.
  private static let stepsBetweenLines = 3_000 / Refresh.stepTime

  private func progress() -> [String] {
    let isLate = after.refresh.step / Self.stepsBetweenLines != before.refresh.step / Self.stepsBetweenLines
    switch after.refresh.progress {
    case .waitingForOtherProgram, .stopping:
      return after.refresh.progress == before.refresh.progress ? [] : [now.progressWords]
    case .moving: return isLate && isAsked ? [now.progressWords] : []
    case .starting, nil: return []
    }
  }

  /// A failure is told as a notice, or asked.
  private func receipt() -> [String] {
    guard let result = after.refresh.result, result.failure == nil else { return [] }
    return [text.receipt(of: result, after.refresh.comparison, separator: text.text(.listSeparator))]
  }

  /// The comparison may come a moment after the receipt. What differs is told as a notice.
  private func comparison() -> [String] {
    guard isAsked, let comparison = after.refresh.comparison, before.refresh.comparison == nil,
      comparison.isSame
    else { return [] }
    return [text.words(for: comparison)]
  }

  private func connection() -> [String] {
    let isLost = after.automatic.failures == 1
    let isFound = before.automatic.failures > 0 && after.automatic.failures == 0
    guard isLost || isFound, let connection = after.connection else { return [] }
    return [text.words(for: connection, isWhole: true, refresh: now.key(.refresh))]
  }
}
