/// Which life of a server's database this is: a restored backup has the same identity as before, and lacks what
/// devices were told since (``ZumoHeader/epoch``).
///
/// A device that knew another epoch of the same database trusts no token of it. `from` is only about the step from
/// the epoch before: a device that missed one in between must not use it.
package struct DatabaseEpoch: Sendable, Hashable {
  /// 1 for a new database; one more each time the server goes on from an older state. A backup that is put back gets
  /// one more than the database in whose place it comes.
  package let number: Int
  /// The newest `updatedAt` of the state the server goes on from: rows of a device that are newer are lost there.
  /// Nil if that state has no rows, and in the first epoch.
  package let from: Timestamp?
  /// A random text. It differs if the same backup is put back twice. Nil in the first epoch, and in one that an earlier
  /// version of the program began.
  package let nonce: String?

  package init(number: Int, from: Timestamp? = nil, nonce: String? = nil) {
    self.number = number
    self.from = from
    self.nonce = nonce
  }

  /// As in the header: `3;from=2026-11-21T02:00:00.000Z;nonce=7f3a9c01`. The parameters may be absent.
  package var text: String {
    var text = String(number)
    if let from { text += ";from=\(from.text)" }
    if let nonce { text += ";nonce=\(nonce)" }
    return text
  }

  /// True if a request that names this epoch is meant for the other. An earlier version of the program names no nonce.
  package func isMeant(for other: DatabaseEpoch) -> Bool {
    number == other.number && from == other.from && (nonce == nil || nonce == other.nonce)
  }

  /// Reads ``text``, and ignores parameters that it does not know. Nil if the number or the moment can't be
  /// read, or the nonce is longer than 64 bytes.
  package init?(_ text: some StringProtocol) {
    let parameters = HeaderParameters(text)
    guard let number = Int(digits: parameters.first), number > 0 else { return nil }
    self.number = number
    let moment = parameters.value("from")
    from = moment.flatMap { Timestamp($0) }
    if moment != nil, from == nil { return nil }
    nonce = parameters.value("nonce").flatMap { $0.isEmpty ? nil : String($0) }
    // It goes back to the server with each request.
    guard nonce?.isHeaderWord(atMost: 64) != false else { return nil }
  }
}
