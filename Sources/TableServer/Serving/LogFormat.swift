import FoundationEssentials
import Glibc
package import Logging
import TableProtocol

/// How a server writes its log, on standard error.
package enum LogFormat: String, CaseIterable, Sendable {
  case text, json

  package func logger(_ level: Logger.Level) -> Logger {
    var logger = Logger(label: "ebb.serve") { label in
      switch self {
      case .text: StreamLogHandler.standardError(label: label)
      case .json: JSONLogHandler { line in Self.write(line) }
      }
    }
    logger.logLevel = level
    return logger
  }

  /// A line at once, so that those of two threads do not mix. What can't be written is lost: a log stops no server.
  private static func write(_ line: [UInt8]) {
    line.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let written = Glibc.write(STDERR_FILENO, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if written < 0, errno == EINTR { continue }
        guard written > 0 else { return }
        rest = rest.dropFirst(written)
      }
    }
  }
}

/// Writes each entry as one JSON object on a line: `time` in UTC, `level`, `message`, and what goes with it.
struct JSONLogHandler: LogHandler {
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.info
  var clock: @Sendable () -> Timestamp = {
    Timestamp(milliseconds: Int64((Date().timeIntervalSince1970 * 1_000).rounded(.down)))
  }
  let write: @Sendable ([UInt8]) -> Void

  init(write: @escaping @Sendable ([UInt8]) -> Void) { self.write = write }

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
