import OfflineSync
import TodoCore

/// The refresh that runs, or the last one.
struct Refresh: Equatable, Sendable {
  /// Nil while none runs.
  var progress: Progress?
  /// Counts up while one runs; the spinner's picture is taken from it.
  var step = 0
  /// The uptime at which the spinner turns next.
  var stepDue = 0
  /// Rows changed since the spinner turned last.
  var hasNews = false
  /// What the last one in this session was to do, and who asked for it.
  var options = RefreshOptions()
  var origin = Origin.key
  /// Whoever asked for it has pressed nothing since: a question now meets nobody's fingers.
  var isAwaited = false
  /// What was asked for while one ran that nobody had asked for.
  var wanted: RefreshOptions?
  /// How the last one in this session ended, and what the comparison after it said.
  var result: RefreshResult?
  var comparison: TableComparison?
  /// The receipt of the last one folds away at this uptime; nil when it has.
  var receiptUntil: Int?

  /// Milliseconds from one picture of the spinner to the next, and how long a receipt stands.
  static let stepTime = 100
  static let receiptTime = 6_000

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

  /// What the last one did is on the screen.
  var showsReceipt: Bool { !isRunning && receiptUntil != nil }
}

extension RefreshOptions {
  func with(_ change: AccountChange) -> RefreshOptions {
    var options = self
    options.accountChange = change
    return options
  }
}
