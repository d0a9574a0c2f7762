/// Which life of a server's database this is: a restored backup has the same identity as before, and lacks what
/// devices were told since (``ZumoHeader/epoch``). An epoch begins also when whole lists are removed on purpose; the
/// other lists then have all that they had.
///
/// A device that knew another epoch of the same database trusts no token of it. `from` is only about the step from
/// the epoch before: a device that missed one in between must not use it, unless all steps since the known epoch were
/// removals (``removals(since:)``).
package struct DatabaseEpoch: Sendable, Hashable {
  /// Bytes of a nonce. It goes back to the server with each request, and earlier versions read no longer one.
  private static let longestNonce = 64

  /// 1 for a new database; one more each time the server goes on from an older state, or lists are removed. A backup
  /// that is put back gets one more than the database in whose place it comes.
  package let number: Int
  /// The newest `updatedAt` of the state the server goes on from: rows of a device that are newer are lost there.
  /// Nil if that state has no rows, and in the first epoch.
  package let from: Timestamp?
  /// The name of this epoch, then those of the epochs before it, the newest first, with commas between:
  /// `7f3a9c01,00c2f1aa,1`. They go back as far as each step was a removal and there is room. An epoch that begins with
  /// an older state has its own name alone. Nil in the first epoch, and in those of early versions of the program.
  ///
  /// A name is a random text: it differs if the same backup is put back twice. The first epoch is named `1`. Earlier
  /// versions of the program compare the nonce as a whole, and give each epoch its own name alone.
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
    guard nonce?.isHeaderWord(atMost: Self.longestNonce) != false else { return nil }
  }
}

/// The epochs before this one, as far as nothing was lost since.
extension DatabaseEpoch {
  /// None if this epoch has no name, or one of them can't be read.
  private var names: [Substring] {
    guard let nonce else { return number == 1 ? ["1"] : [] }
    let names = nonce.split(separator: ",", omittingEmptySubsequences: false)
    return names.contains("") ? [] : names
  }

  /// True if a later epoch can say whether it came to be from this one.
  package var isNamed: Bool { !names.isEmpty }

  /// True if the last step was a removal, by which the lists that are there lost nothing.
  package var beganWithRemoval: Bool { names.count > 1 }

  /// The number of removals by which this epoch came to be from an earlier one: 0 for itself. Nil if it came to be
  /// in another way, or if its names do not tell.
  package func removals(since earlier: DatabaseEpoch) -> Int? {
    guard let name = earlier.names.first, let steps = names.firstIndex(of: name), number - steps == earlier.number
    else { return nil }
    return steps
  }

  /// True if this is the epoch of that name, or came to be from it by removals.
  package func goesBack(to name: String) -> Bool { names.contains { $0 == name } }

  /// The nonce of the epoch that begins after this one with a removal. `name` is a random text without a comma. If
  /// `endsHere` is true, the names go back to this epoch and no further.
  package func nonce(afterRemoval name: String, endsHere: Bool) -> String {
    var nonce = name
    for earlier in endsHere ? Array(names.prefix(1)) : names {
      let longer = "\(nonce),\(earlier)"
      guard longer.utf8.count <= Self.longestNonce else { break }
      nonce = longer
    }
    return nonce
  }
}
