/// How long a server keeps the tombstones of deleted rows (``ZumoHeader/tombstones``).
package struct TombstoneRetention: Sendable, Hashable {
  /// The server keeps each of them for at least this time.
  package let days: Int
  /// The newest `updatedAt` of a tombstone that the server has removed. Nil if it has removed none. It has all
  /// tombstones that are later.
  package let after: Timestamp?

  package init(days: Int, after: Timestamp? = nil) {
    self.days = days
    self.after = after
  }

  /// As in the header: `180;after=2026-05-26T02:00:00.000Z`. The parameter may be absent.
  package var text: String { "\(days)" + (after.map { ";after=\($0.text)" } ?? "") }

  /// Reads ``text``, and ignores parameters that it does not know. Nil if the number or the moment can't be read.
  package init?(_ text: some StringProtocol) {
    let parameters = HeaderParameters(text)
    guard let days = Int(digits: parameters.first) else { return nil }
    self.days = days
    let moment = parameters.value("after")
    after = moment.flatMap { Timestamp($0) }
    if moment != nil, after == nil { return nil }
  }

  /// True if a client that has read everything up to `token` can learn of all deletions since.
  package func reaches(back token: Timestamp?) -> Bool {
    guard let after else { return true }
    return token.map { after <= $0 } ?? false
  }
}
