/// How long a server keeps the tombstones of deleted rows (``ZumoHeader/tombstones``).
package struct TombstoneRetention: Sendable, Hashable {
  /// At least so long it keeps them.
  package let days: Int
  /// All tombstones that are later than this are there: it is the newest `updatedAt` of one that was removed. Nil if none
  /// was.
  package let after: Timestamp?

  package init(days: Int, after: Timestamp? = nil) {
    self.days = days
    self.after = after
  }

  /// As in the header: `180;after=2026-05-26T02:00:00.000Z`. The parameter may be absent.
  package var text: String { "\(days)" + (after.map { ";after=\($0.text)" } ?? "") }

  /// Reads ``text``. Passes over parameters that it does not know. Nil if the number or the moment can't be read.
  package init?(_ text: some StringProtocol) {
    let parts = text.split(separator: ";", omittingEmptySubsequences: false)
    guard let digits = parts.first, (1...9).contains(digits.utf8.count),
      digits.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains), let days = Int(digits)
    else { return nil }
    self.days = days
    let moment = parts.dropFirst().first { $0.hasPrefix("after=") }.map { String($0.dropFirst("after=".count)) }
    after = moment.flatMap { Timestamp($0) }
    if moment != nil, after == nil { return nil }
  }

  /// True if a client that has read everything up to `token` can learn of all deletions since.
  package func reaches(back token: Timestamp?) -> Bool {
    guard let after else { return true }
    return token.map { after <= $0 } ?? false
  }
}
