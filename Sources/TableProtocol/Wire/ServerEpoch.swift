/// The state that a server's database goes on from, as the header ``ZumoHeader/epoch`` announces it: raised when an
/// older state was put back in its place (server-storage 7).
package struct ServerEpoch: Sendable, Hashable {
  /// 1 or more.
  package let number: Int
  /// The last moment of the state that was put back, in UTC; nil if the server does not know it.
  package let from: Timestamp?

  package init(number: Int, from: Timestamp? = nil) {
    self.number = number
    self.from = from
  }
}

/// As text: `3`, or `3;from=2026-11-21T02:00:00.000Z`.
extension ServerEpoch {
  package var text: String { "\(number)" + (from.map { ";from=\($0.text)" } ?? "") }

  /// Reads ``text``, with spaces around the semicolon. Nil for anything else.
  package init?(_ text: some StringProtocol) {
    let parts = text.split(separator: ";", omittingEmptySubsequences: false).map(\.trimmingSpaces)
    guard let digits = parts.first, (1...15).contains(digits.utf8.count),
      digits.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains), let number = Int(digits), number > 0
    else { return nil }
    switch parts.count {
    case 1:
      self.init(number: number)
    case 2:
      guard parts[1].hasPrefix("from="), let moment = Timestamp(parts[1].dropFirst("from=".count)) else { return nil }
      self.init(number: number, from: moment)
    default:
      return nil
    }
  }
}
