import Logging
import Synchronization
import TableProtocol

/// The log of a server, which no client can fill: so many lines a minute, and the number of those that were left out.
final class ServerLog: Sendable {
  static let mostInAMinute = 20
  private static let minute: Int64 = 60_000

  private let logger: Logger
  private let clock: @Sendable () -> Timestamp
  private let state = Mutex(State())

  private struct State {
    var minuteBegan: Timestamp?
    var lines = 0
    var leftOut = 0
  }

  init(_ logger: Logger, clock: @escaping @Sendable () -> Timestamp) {
    self.logger = logger
    self.clock = clock
  }

  func error(_ line: @autoclosure () -> String) {
    let now = clock()
    let (isShown, leftOut) = state.withLock { state -> (Bool, Int) in
      var leftOut = 0
      if let began = state.minuteBegan, began <= now, now < began.advanced(byMilliseconds: Self.minute) {
        state.lines += 1
      } else {
        leftOut = state.leftOut
        state = State(minuteBegan: now, lines: 1)
      }
      let isShown = state.lines <= Self.mostInAMinute
      if !isShown { state.leftOut += 1 }
      return (isShown, leftOut)
    }
    if leftOut > 0 { logger.error("Lines that were left out, since there were too many in a minute: \(leftOut)") }
    if isShown { logger.error("\(line())") }
  }
}

extension StorageError {
  /// What the log says of it: never a text of a row, never SQL. Nil for what is no fault of the server's.
  var logLine: String? {
    switch self {
    case .damagedRow(let id, let column):
      "A stored row is damaged: \(id?.text.debugDescription ?? "its id"), column \(column)."
    case .busy: "The database is in use by another program."
    case .full: "There is no room left for the database."
    case .tooSlow: "A request took the database too long and was stopped."
    case .fileGone:
      """
      The file of the database was removed or replaced while the server runs. Nothing is read or written. Stop the \
      server, put the file back, and start it again.
      """
    case .refused(let words), .failed(let words): "A request failed in the database: \(words)"
    case .valueTooLarge, .interrupted: nil
    }
  }
}
