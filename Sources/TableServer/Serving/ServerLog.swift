import Logging
import Synchronization
import TableProtocol
import TableStorage

/// How many of something came within a minute, which begins with the first of them. A clock that steps back begins
/// another.
struct MinuteCount: Sendable {
  private static let minute: Int64 = 60_000

  private(set) var count = 0
  private var began: Timestamp?

  /// Counts one more. True if a minute begins with it.
  mutating func add(at now: Timestamp) -> Bool {
    let isNew = began.map { now < $0 || $0.advanced(byMilliseconds: Self.minute) <= now } ?? true
    if isNew { self = MinuteCount(count: 0, began: now) }
    count += 1
    return isNew
  }

  /// Until the minute is over, rounded up.
  func secondsLeft(at now: Timestamp) -> Int {
    Int((Self.minute - (now.milliseconds - (began ?? now).milliseconds) + 999) / 1_000)
  }
}

/// The log of a server, which no client can fill: a limited number of lines a minute, and how many were left out.
/// Refusals of an address have a limit of their own, so that one address can't hide another from fail2ban.
final class ServerLog: Sendable {
  static let mostInAMinute = 20
  /// As many as the example for fail2ban waits for.
  static let mostOfAnAddress = 10
  private static let mostAddresses = 100

  private let logger: Logger
  private let clock: @Sendable () -> Timestamp
  /// As people know it; never with a password.
  private let database: String
  private let state = Mutex(State())

  private struct State {
    var lines = MinuteCount()
    var leftOut = 0
    var refusals = MinuteCount()
    var refusalsByAddress: [String: Int] = [:]
  }

  init(_ logger: Logger, clock: @escaping @Sendable () -> Timestamp, database: String = "the database") {
    self.logger = logger
    self.database = database
    self.clock = clock
  }

  func notice(_ line: @autoclosure () -> String) { write(.notice, line()) }

  func error(_ line: @autoclosure () -> String) { write(.error, line()) }

  /// Writes why the storage failed; nothing for what is no fault of the server's.
  func failure(_ error: StorageError) {
    if let line = error.logLine(of: database) { self.error(line) }
  }

  /// A line about an address that was refused. Those of more addresses than a log should have in a minute are counted
  /// with the other lines. `reason` goes with the line and not into it: fail2ban looks for the address at its end.
  func refusal(_ words: String, from address: String, because reason: String? = nil) {
    let now = clock()
    let isOwn = state.withLock { state -> Bool? in
      if state.refusals.add(at: now) { state.refusalsByAddress = [:] }
      let count = state.refusalsByAddress[address, default: 0]
      if count == 0, state.refusalsByAddress.count >= Self.mostAddresses { return nil }
      state.refusalsByAddress[address] = count + 1
      return count < Self.mostOfAnAddress
    }
    switch isOwn {
    case true?: show(.error, "\(words) from \(address)", because: reason)
    case false?: state.withLock { $0.leftOut += 1 }
    case nil: write(.error, "\(words) from \(address)", because: reason)
    }
  }

  private func show(_ level: Logger.Level, _ line: String, because reason: String? = nil) {
    var details: Logger.Metadata = [:]
    details["request"] = RequestID.current.map { .string($0) }
    details["reason"] = reason.map { .string($0) }
    logger.log(level: level, "\(line)", metadata: details)
  }

  private func write(_ level: Logger.Level, _ line: @autoclosure () -> String, because reason: String? = nil) {
    guard level >= logger.logLevel else { return }
    let now = clock()
    let (isShown, leftOut) = state.withLock { state -> (Bool, Int) in
      var leftOut = 0
      if state.lines.add(at: now) { swap(&leftOut, &state.leftOut) }
      let isShown = state.lines.count <= Self.mostInAMinute
      if !isShown { state.leftOut += 1 }
      return (isShown, leftOut)
    }
    if leftOut > 0 { logger.error("Lines that were left out, since there were too many in a minute: \(leftOut)") }
    if isShown { show(level, line(), because: reason) }
  }
}

extension StorageError {
  /// The words for the log: never a text of a row, never SQL. Nil for what is no fault of the server's.
  func logLine(of database: String) -> String? {
    switch self {
    case .damagedRow(let id, let column):
      "A stored row is damaged: \(id?.text.debugDescription ?? "its id"), column \(column)."
    case .busy: "The database is in use by another program."
    case .waitedTooLong:
      "A request waited too long for those before it, which the database did not answer in time, and was not carried out."
    case .full: "There is no room left on the disk of \(database). Writes are refused (507) until there is."
    case .tooSlow: "A request took the database too long and was stopped."
    case .fileGone:
      """
      The file of the database was removed or replaced while the server runs. Nothing is read or written. Stop the \
      server, put the file back, and start it again.
      """
    case .unreachable(let words): "The database can't be reached: \(words)"
    case .outcomeUnknown:
      "The database did not answer a commit. Its outcome is not known, and the client was answered so (504)."
    case .notAllowed: "The database does not let the server's user do what a request needs. Give it back its rights."
    case .refused(let words), .failed(let words): "A request failed in the database: \(words)"
    case .valueTooLarge, .interrupted: nil
    }
  }
}
