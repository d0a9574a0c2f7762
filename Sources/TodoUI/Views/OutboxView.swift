import Terminal
import TodoCore
import Words

extension ViewContext {
  /// A change that waits, in words: `"milk" to "oat milk"`.
  func line(of change: WaitingChange) -> Line {
    var line = Line()
    line.append(badge(change.badge))
    line.append(" " + text.words(for: change))
    return line
  }

  func whole(_ change: WaitingChange) -> [Line] {
    wrapped(text.words(for: change), after: Line())
      + wrapped(text.reason(for: change.reason), after: Line(), theme.quiet)
  }
}

extension WaitingChange {
  fileprivate var badge: Badge {
    switch reason {
    case .nextRefresh: .waiting
    case .noAnswer: .inFlight
    case .conflict, .held: .conflict
    case .refused: .refused
    }
  }
}
