import FoundationEssentials
import OfflineSync
import Terminal
import TodoCore
import Words

extension ViewContext {
  /// The line above the first row while the list is pulled: what a second pull does, then how far it is, then what came
  /// of it.
  func pullLine() -> Line {
    if model.refresh.isRunning, model.refresh.origin == .pull { return cut(Line("  ") + progressLine()) }
    if model.pull.isOpen { return cut(Line("  ") + pullHint()) }
    return cut(Line("  ") + receipt())
  }

  func pullHint() -> Line {
    var line = Line(glyphs.pull + " " + text.text(.pullHint), theme.title)
    let sync = model.status?.sync
    let waits = model.pending > 0 ? text.text(.statusToSend, count: model.pending) : text.text(.statusNothingToSend)
    line.append(glyphs.separator + waits, theme.quiet)
    if let last = sync?.lastSync {
      line.append(glyphs.separator + text.text(.pullLast, ["ago": text.ago(since: last, model.now.date)]), theme.quiet)
    }
    return line
  }

  /// What the last refresh moved, and that both sides agree.
  func receipt() -> Line {
    guard let result = model.refresh.result, result.failure == nil else { return Line() }
    return Line(text.receipt(of: result, model.refresh.comparison, separator: glyphs.separator), theme.good)
  }

  func progressLine() -> Line {
    Line(Glyphs.spinner(model.refresh.step) + " " + progressWords, theme.title)
  }

  var progressWords: String {
    switch model.refresh.progress {
    case .waitingForOtherProgram: text.text(.statusWaiting)
    case .moving(let moved): words(moved)
    case .stopping: text.text(.statusStopping)
    case .starting, nil: text.text(.statusStarting)
    }
  }

  /// Nothing is counted that has not begun.
  private func words(_ moved: SyncProgress) -> String {
    let sent = text.text(.statusSentOf, ["sent": text.number(moved.sent), "toSend": text.number(moved.toSend)])
    let received = text.text(.statusReceived, ["received": text.number(moved.received)])
    if moved.toSend == 0 { return moved.received == 0 ? text.text(.statusStarting) : received }
    return sent + glyphs.separator + received
  }
}

extension SyncStatus {
  /// When the last push or pull ended well, whichever was later.
  var lastSync: Date? {
    [lastPush, lastPull].compactMap(\.self).max()
  }
}

extension Line {
  static func + (left: Line, right: Line) -> Line {
    var line = left
    line.append(right)
    return line
  }
}
