/// The header and parameter names of the table protocol (wire 3 and 4).
package enum ZumoHeader {
  package static let apiVersion = "ZUMO-API-VERSION"
  /// The token of a signed-in user, without a scheme.
  package static let authentication = "X-ZUMO-AUTH"
  package static let installationID = "X-ZUMO-INSTALLATION-ID"
  /// Telemetry of the old clients; tells which form of next link one of them can read.
  package static let clientVersion = "X-ZUMO-VERSION"
  package static let features = "X-ZUMO-FEATURES"
  package static let options = "X-ZUMO-Options"
  /// Which server answers; `node-` or `net-` at its start means protocol 2.0.0.
  package static let serverVersion = "x-zumo-server-version"
  /// How a server announces that it takes batches (wire 18.4).
  package static let batch = "x-zumo-batch"
  /// An extension of Ebb: `true` on a list says that rows become visible in the order of their
  /// `updatedAt`, with no two alike, so that a client needs no overlap between pulls.
  package static let ordered = "x-ebb-ordered"
  /// An extension of Ebb: the permanent identity of a server's database, a UUID in lower case, on its
  /// answers. On a request it says which database is meant: another one answers 421 and runs nothing of
  /// it (RFC 9110 15.5.20), so that changes never go into a database that took the place of theirs.
  package static let database = "x-ebb-database"
  /// An extension of Ebb: `PUSH;N` on batches that one client sends at the same time over several
  /// connections says in which order it made them. PUSH is a name that no other push has, of 1 to 64 of
  /// `a`–`z`, `0`–`9` and `-`; N counts the batches of the push from 0, in at most nine digits.
  ///
  /// A server that announces ``ordered`` acts on batch N of a push once batch N-1 is answered, if only
  /// with an error, or after some seconds without it: the order is a courtesy, not a lock. Other servers
  /// pass the header over. One that can't be read is answered 400, and nothing of its batch is run.
  package static let sequence = "x-ebb-sequence"

  /// An extension of Ebb, on an answer to a list that has no further page: how many rows of the table are not
  /// deleted, in decimal digits, and a checksum of the ids and versions of all of them, in 16 hexadecimal digits in
  /// lower case (``TableDigest``). They are of the state the page was read from and of the whole table, whatever
  /// the list was asked for: a client that brought in all changes up to there can compare what it has.
  package static let count = "x-ebb-count"
  package static let checksum = "x-ebb-checksum"

  /// An extension of Ebb: `true` on a request for a list asks the server to look at every row before it answers the
  /// last page. ``count`` and ``checksum`` are then counted from the rows of that moment, not read from what the
  /// server keeps, and ``damaged`` goes with them.
  package static let verify = "x-ebb-verify"
  /// How many rows of the table, deleted ones too, have another content than the server wrote, in decimal digits.
  package static let damaged = "x-ebb-damaged"

  /// An extension of Ebb, on answers to lists: which state of the database the server goes on from
  /// (``DatabaseEpoch``).
  package static let epoch = "x-ebb-epoch"
  /// The newest `updatedAt` in the table, of deleted rows too; not there for an empty table.
  package static let newest = "x-ebb-newest"
  /// `true` when the list asks for rows after a moment that the server has never reached: the database was replaced
  /// by an older copy, or the moment is from somewhere else.
  package static let behind = "x-ebb-behind"

  /// The query parameter that may stand in for ``apiVersion``; read without regard to case.
  package static let apiVersionParameter = "zumo-api-version"
}

/// Which of the two living forms of the table protocol is spoken (wire 3).
package enum ProtocolVersion: String, Sendable, Hashable, CaseIterable, Codable {
  /// Azure Mobile Apps: PATCH merges, a list is an array, `Link` continues it.
  case v2 = "2.0.0"
  /// Datasync: PUT replaces, a list is an object with `items` and `nextLink`.
  case v3 = "3.0.0"

  /// Reads the value of `ZUMO-API-VERSION`: `2.0`, `2.0.N`, `3.0` or `3.0.N`. Nil for anything else.
  package init?(header: some StringProtocol) {
    let parts = header.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2 || parts.count == 3, parts[1] == "0",
      parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy { $0.isASCII && $0.isNumber } })
    else { return nil }
    switch parts[0] {
    case "2": self = .v2
    case "3": self = .v3
    default: return nil
    }
  }
}

extension Timestamp {
  /// Reads a date of HTTP in any of its three forms (RFC 9110 5.6.7), as in `Sun, 06 Nov 1994 08:49:37 GMT`,
  /// `Sunday, 06-Nov-94 08:49:37 GMT` and `Sun Nov  6 08:49:37 1994`. Nil for anything else. A year of two digits
  /// is one from 1970 to 2069.
  package init?(httpDate text: some StringProtocol) {
    guard text.utf8.count <= 40 else { return nil }
    let parts = text.split { " ,-:".contains($0) }
    // The oldest form begins with the month and ends with the year.
    let order = parts.count == 7 ? [2, 1, 6, 3, 4, 5] : [1, 2, 3, 4, 5, 6]
    guard parts.count == 7 || (parts.count == 8 && parts[7] == "GMT"),
      let month = Self.months.firstIndex(of: String(parts[order[1]]))
    else { return nil }
    let numbers = order.map { index in
      let part = parts[index]
      return part.utf8.count <= 4 ? part.utf8.reduce(Int64?(0)) { $0?.followed(by: $1) } : nil
    }
    guard let day = numbers[0], var year = numbers[2], let hour = numbers[3], let minute = numbers[4],
      let second = numbers[5], hour < 24, minute < 60, second < 61
    else { return nil }
    if parts[order[2]].utf8.count == 2 { year += year < 70 ? 2_000 : 1_900 }
    guard let date = CivilDate(year: year, month: Int64(month + 1), day: day) else { return nil }
    let time = hour * 3_600 + minute * 60 + min(second, 59)
    self.init(milliseconds: (date.daysSinceEpoch * 86_400 + time) * 1_000)
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
}

extension Int64 {
  fileprivate func followed(by digit: UInt8) -> Int64? {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) ? self * 10 + Int64(digit - UInt8(ascii: "0")) : nil
  }
}
