import FoundationEssentials
import OfflineSync
import Terminal
import TodoCore
import Words

/// The refresh that runs, or the last one.
struct Refresh: Equatable, Sendable {
  /// Nil while none runs.
  var progress: Progress?
  /// Counts up while one runs; the spinner's picture is taken from it.
  var step = 0
  /// The uptime at which the spinner turns next.
  var stepDue = 0
  /// Rows changed since they were read last.
  var hasNews = false
  /// The uptime of the latest key since it began.
  var keyAt: Int?
  /// The options of the last one in this session, and who asked for it.
  var options = RefreshOptions()
  var origin = Origin.key
  /// True if the user asked for it and has pressed no key since: a question now can't be answered by mistake.
  var isAwaited = false
  /// The options asked for while one ran that nobody had asked for.
  var wanted: RefreshOptions?
  /// The options of one that was ended because the program was to stop: it is started again when the program goes on.
  var interrupted: RefreshOptions?
  /// How many items that wait for a decision since the server went back were told of last, in this session.
  var saidItems = 0
  /// The deletions that went to no account, and that no notice has counted yet. A refresh that is started again, or
  /// after a question, does not know of those before it.
  var droppedDeletions = 0
  /// How the last one in this session ended, and what the comparison after it said.
  var result: RefreshResult?
  var comparison: TableComparison?
  /// The receipt of the last one folds away at this uptime; nil when it has.
  var receiptUntil: Int?

  /// Milliseconds from one picture of the spinner to the next, and how long a receipt stands.
  static let stepTime = 100
  static let receiptTime = 6_000
  /// How long after the last key nobody is pressing keys, in milliseconds.
  private static let keyRest = 300

  enum Progress: Equatable, Sendable {
    case starting
    case waitingForOtherProgram
    case moving(SyncProgress)
    /// It was told to stop and is on its way to a safe point.
    case stopping
  }

  enum Origin: Equatable, Sendable {
    case key
    /// The list was pulled past its first row.
    case pull
    /// By itself, as the configuration says.
    case automatic
  }

  var isRunning: Bool { progress != nil }

  /// Whether rows that came are read at this turn of the spinner: at each one, but while keys come only at each fourth.
  /// A key that is pressed while they are read waits for them.
  var readsNews: Bool {
    let isPressing = keyAt.map { stepDue - $0 < Self.stepTime + Self.keyRest } ?? false
    return hasNews && (!isPressing || step.isMultiple(of: 4))
  }

  /// The receipt of the last one is on the screen.
  var showsReceipt: Bool { !isRunning && receiptUntil != nil }
}

extension RefreshOptions {
  func with(_ change: AccountChange) -> RefreshOptions {
    var options = self
    options.accountChange = change
    return options
  }
}

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
    let waits = sync.toSend > 0 ? text.text(.statusToSend, count: sync.toSend) : text.text(.statusNothingToSend)
    line.append(glyphs.separator + waits, theme.quiet)
    if let last = status?.lastSync {
      line.append(glyphs.separator + text.text(.pullLast, ["ago": text.ago(since: last, brush.now.date)]), theme.quiet)
    }
    return line
  }

  /// Says what the last refresh moved, and that both sides agree.
  func receipt() -> Line {
    guard let result = sync.refresh.result, result.failure == nil else { return Line() }
    return Line(text.receipt(of: result, sync.refresh.comparison, separator: glyphs.separator), theme.good)
  }

  func progressLine() -> Line {
    Line(Glyphs.spinner(sync.refresh.step) + " " + progressWords, theme.title)
  }

  /// `| 1,200/10,000`, or how many came.
  func shortProgressLine() -> Line {
    var line = Line(Glyphs.spinner(sync.refresh.step), theme.inFlight)
    guard case .moving(let moved)? = sync.refresh.progress else { return line }
    if moved.sent < moved.toSend {
      line.append(" " + text.number(moved.sent) + "/" + text.number(moved.toSend), theme.inFlight)
    } else if moved.received > 0 {
      line.append(" " + glyphs.pull + text.number(moved.received), theme.inFlight)
    }
    return line
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
  /// When all that is new on the server was fetched for the last time. A push alone is no proof of that.
  var lastSync: Date? { lastPull }
}
