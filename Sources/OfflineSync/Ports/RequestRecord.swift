package import TableProtocol

/// One request as the sync log keeps it. It never holds a token.
package struct RequestRecord: Sendable, Hashable {
  package enum Outcome: Sendable, Hashable {
    case status(Int)
    /// No answer came: a few words that say why.
    case failed(String)
  }

  /// Characters of the path that are kept.
  package static let longestPath = 200

  /// UTC.
  package let startedAt: Timestamp
  /// In capital letters.
  package let verb: String
  /// The path from the server's root, with the query, cut to ``longestPath`` characters.
  package let path: String
  package let outcome: Outcome
  package let milliseconds: Int
  /// Bytes of the body.
  package let bytesSent: Int
  package let bytesReceived: Int

  package init(
    startedAt: Timestamp, verb: String, path: String, outcome: Outcome, milliseconds: Int, bytesSent: Int,
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
}
