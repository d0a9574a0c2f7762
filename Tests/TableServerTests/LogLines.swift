import Logging
import Synchronization

/// Keeps the lines that a server logs.
final class LogLines: Sendable {
  private let kept = Mutex<[String]>([])
  private let details = Mutex<[String]>([])

  var all: [String] { kept.withLock { $0 } }
  /// The same with all that goes with a line.
  var withDetails: [String] { details.withLock { $0 } }
  var logger: Logger { Logger(label: "test") { _ in Handler(lines: self) } }

  private struct Handler: LogHandler {
    let lines: LogLines
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.error

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      lines.kept.withLock { $0.append("\(event.message)") }
      lines.details.withLock { $0.append("\(event.message) \(metadata) \(event.metadata ?? [:])") }
    }
  }
}
