package import FoundationEssentials
import OfflineSync

/// One request to the server, as the sync log remembers it.
package struct LoggedRequest: Sendable, Hashable {
  package let startedAt: Date
  /// In capitals.
  package let verb: String
  /// From the server's root on, with the query; long ones are cut.
  package let path: String
  package let outcome: Outcome
  package let milliseconds: Int
  /// Bytes of the bodies.
  package let bytesSent: Int
  package let bytesReceived: Int

  package enum Outcome: Sendable, Hashable {
    case status(Int)
    /// There was no answer: a few words why.
    case failed(String)
  }

  package init(
    startedAt: Date, verb: String, path: String, outcome: Outcome, milliseconds: Int, bytesSent: Int,
    bytesReceived: Int
  ) {
    self.startedAt = startedAt
    self.verb = verb
    self.path = path
    self.outcome = outcome
    self.milliseconds = milliseconds
    self.bytesSent = bytesSent
    self.bytesReceived = bytesReceived
  }

  init(_ record: RequestRecord) {
    self.init(
      startedAt: record.startedAt.date, verb: record.verb, path: record.path, outcome: Outcome(record.outcome),
      milliseconds: record.milliseconds, bytesSent: record.bytesSent, bytesReceived: record.bytesReceived)
  }
}

extension LoggedRequest.Outcome {
  init(_ outcome: RequestRecord.Outcome) {
    switch outcome {
    case .status(let status): self = .status(status)
    case .failed(let words): self = .failed(words)
    }
  }
}
