package import TableProtocol

/// What a server's clock said in an answer, beside what ours said when the answer came. Both are UTC.
package struct ServerClock: Sendable, Hashable {
  /// In whole seconds (RFC 9110 6.6.1).
  package let there: Timestamp
  package let here: Timestamp

  /// Milliseconds by which the server's clock is ahead of ours, negative where it is behind; right to a second and
  /// the time the answer took.
  package var ahead: Int64 { there.milliseconds - here.milliseconds }

  /// Nil for an answer that has no date, or none that can be read.
  init?(_ answer: ServerAnswer, now: Timestamp) {
    guard let date = answer.headers["date"].flatMap({ Timestamp(httpDate: $0) }) else { return nil }
    there = date
    here = now
  }
}
