import FoundationEssentials
import OfflineSync
import Terminal
import TodoCore
import Words

/// The refresh in words: what a pull would do, how far it is, and what came of it.
struct RefreshView: View {
  let sync: Syncing
  let brush: Brush

  /// The line above the first row while the list is pulled: what a second pull does, then how far it is, then what came
  /// of it.
  func pullLine() -> Line {
    if sync.refresh.isRunning, sync.refresh.origin == .pull { return cut(Line("  ") + progressLine()) }
    if sync.pull.isOpen { return cut(Line("  ") + pullHint()) }
    return cut(Line("  ") + receipt())
  }

  func pullHint() -> Line {
    var line = Line(glyphs.pull + " " + text.text(.pullHint), theme.title)
    let status = sync.status?.sync
    let waits = sync.pending > 0 ? text.text(.statusToSend, count: sync.pending) : text.text(.statusNothingToSend)
    line.append(glyphs.separator + waits, theme.quiet)
    if let last = status?.lastSync {
      line.append(glyphs.separator + text.text(.pullLast, ["ago": text.ago(since: last, brush.now.date)]), theme.quiet)
    }
    return line
  }

  /// What the last refresh moved, and that both sides agree.
  func receipt() -> Line {
    guard let result = sync.refresh.result, result.failure == nil else { return Line() }
    return Line(text.receipt(of: result, sync.refresh.comparison, separator: glyphs.separator), theme.good)
  }

  func progressLine() -> Line {
    Line(Glyphs.spinner(sync.refresh.step) + " " + progressWords, theme.title)
  }

  var progressWords: String {
    switch sync.refresh.progress {
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
