import Logging
import Synchronization
import TableProtocol
import TableStorage

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
    var saidOnce: Set<String> = []
  }

  init(_ logger: Logger, clock: @escaping @Sendable () -> Timestamp, database: String = "the database") {
    self.logger = logger
    self.database = database
    self.clock = clock
  }

  func notice(_ line: @autoclosure () -> String) { write(.notice, line()) }

  func error(_ line: @autoclosure () -> String) { write(.error, line()) }

  /// Writes a line about how the server is set up, the first time alone.
  func errorOnce(_ line: StaticString) {
    let text = "\(line)"
    if state.withLock({ $0.saidOnce.insert(text).inserted }) { show(.error, text) }
  }

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
