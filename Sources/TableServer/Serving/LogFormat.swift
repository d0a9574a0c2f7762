package import Logging
package import TableProtocol

/// How a server writes its log, on standard error.
package enum LogFormat: String, CaseIterable, Sendable {
  case text, json

  /// `write` writes a line at once, so that those of two threads do not mix. Lines that can't be written are lost: a
  /// log stops no server.
  package func logger(
    _ level: Logger.Level, clock: @escaping @Sendable () -> Timestamp, write: @escaping @Sendable ([UInt8]) -> Void
  ) -> Logger {
    var logger = Logger(label: "ebb.serve") { label in
      switch self {
      case .text: StreamLogHandler.standardError(label: label)
      case .json: JSONLogHandler(clock: clock, write: write)
      }
    }
    logger.logLevel = level
    return logger
  }
}

/// The log of the server as the library of HTTP gets it. That marks each request with a name of its own, which no line
/// of ours has; to keep the mark takes longer than to read a row.
struct UntaggedLogHandler: LogHandler {
  private var logger: Logger

  init(_ logger: Logger) { self.logger = logger }

  var logLevel: Logger.Level {
    get { logger.logLevel }
    set { logger.logLevel = newValue }
  }

  /// Always empty.
  var metadata: Logger.Metadata {
    get { [:] }
    set { _ = newValue }
  }

  subscript(metadataKey _: String) -> Logger.Metadata.Value? {
    get { nil }
    set { _ = newValue }
  }

  func log(event: LogEvent) { logger.handler.log(event: event) }
}

/// Writes each entry as one JSON object on a line: `time` in UTC, `level`, `message`, and what goes with it.
struct JSONLogHandler: LogHandler {
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.info
  private let clock: @Sendable () -> Timestamp
  private let write: @Sendable ([UInt8]) -> Void

  init(clock: @escaping @Sendable () -> Timestamp, write: @escaping @Sendable ([UInt8]) -> Void) {
    self.clock = clock
    self.write = write
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    var writer = JSONWriter()
    writer.raw("{")
    writer.member("time", isFirst: true)
    writer.timestamp(clock())
    writer.member("level")
    writer.string(event.level.rawValue)
    writer.member("message")
    writer.string("\(event.message)")
    let all = metadata.merging(event.metadata ?? [:]) { $1 }
    for (name, value) in all.sorted(by: { $0.key < $1.key }) {
      writer.member(name)
      if case .stringConvertible(let number as Int) = value {
        writer.value(.integer(Int64(number)))
      } else {
        writer.string("\(value)")
      }
    }
    writer.raw("}\n")
    write(writer.bytes)
  }
}
