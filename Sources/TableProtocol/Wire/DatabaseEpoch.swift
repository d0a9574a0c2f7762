/// Which life of a server's database this is: a restored backup has the same identity as before, and lacks what
/// devices were told since (``ZumoHeader/epoch``).
///
/// A device that knew another epoch of the same database trusts no token of it. `from` is only about the step from
/// the epoch before: a device that missed one in between must not use it.
package struct DatabaseEpoch: Sendable, Hashable {
  /// 1 for a new database; one more each time the server goes on from an older state.
  package let number: Int
  /// The newest `updatedAt` of the state the server goes on from: rows of a device that are newer are lost there.
  /// Nil if that state has no rows, and in the first epoch.
  package let from: Timestamp?

  package init(number: Int, from: Timestamp? = nil) {
    self.number = number
    self.from = from
  }

  /// As in the header: `3;from=2026-11-21T02:00:00.000Z`, or only the number.
  package var text: String {
    from.map { "\(number);from=\($0.text)" } ?? String(number)
  }

  /// Reads ``text``. Passes over parameters that it does not know. Nil if the number or the moment can't be read.
  package init?(_ text: some StringProtocol) {
    let parts = text.split(separator: ";", omittingEmptySubsequences: false)
    guard let digits = parts.first, (1...9).contains(digits.utf8.count),
      digits.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains), let number = Int(digits), number > 0
    else { return nil }
    self.number = number
    guard let parameter = parts.dropFirst().first(where: { $0.hasPrefix("from=") }) else {
      from = nil
      return
    }
    guard let moment = Timestamp(parameter.dropFirst(5)) else { return nil }
    from = moment
  }
}
