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

/// The header and parameter names of the table protocol (wire 3 and 4).
package enum ZumoHeader {
  package static let apiVersion = "ZUMO-API-VERSION"
  /// The token of a signed-in user, without a scheme.
  package static let authentication = "X-ZUMO-AUTH"
  /// Telemetry of the old clients; tells which form of next link one of them can read.
  package static let clientVersion = "X-ZUMO-VERSION"
  package static let options = "X-ZUMO-Options"
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
  /// pass the header over. A value that can't be read is answered 400, and nothing of its batch is run.
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

  /// An extension of Ebb, on answers to lists: how long the server keeps tombstones, and since when all are there
  /// (``TombstoneRetention``).
  package static let tombstones = "x-ebb-tombstones"

  /// An extension of Ebb, on answers to lists: `sse` says that the table has a stream of notices, for a request that
  /// accepts ``ListLevel/mediaType`` alone or more than JSON.
  package static let live = "x-ebb-live"

  /// An extension of Ebb, on the answer to a change or a batch that named its database: what the request as a whole did
  /// to the table (``ListMove``). Not there if it wrote nothing.
  package static let moved = "x-ebb-moved"

  /// An extension of Ebb: `own` on a request asks a server that was told other names for its columns to answer with
  /// its own names all the same. An answer with other names says `other`.
  package static let columns = "x-ebb-columns"

  /// An extension of Ebb, on answers to clients that know this server: `none` if the request showed no token. A client
  /// that sent one knows by it that something on the way removed it.
  package static let token = "x-ebb-token"

  /// An extension of Ebb. On a request: the name of the user whom it is meant for; a token of another user is answered
  /// 403, none 401, and nothing is run. On answers to clients that know this server: the name of the token's user.
  package static let user = "x-ebb-user"

  /// An extension of Ebb: a name that a client gives a request, other than that of any other one, of 1 to
  /// ``longestRequestName`` bytes of visible ASCII. The answer has the same, whatever its status. A client that gets
  /// another one knows that something on the way gave it the answer to another request: an old one, or one of several
  /// at once.
  package static let request = "x-ebb-request"
  /// Bytes of a request's name.
  package static let longestRequestName = 64

  /// Bytes of a token.
  package static let longestToken = 16_384
  /// Bytes of a user's name.
  package static let longestUserName = 255

  /// The query parameter that may stand in for ``apiVersion``; read without regard to case.
  package static let apiVersionParameter = "zumo-api-version"
}

extension StringProtocol {
  /// True if this can be a word in a header that goes out: 1 to `most` bytes of visible ASCII.
  package func isHeaderWord(atMost most: Int) -> Bool {
    (1...most).contains(utf8.count) && !utf8.contains { $0 < UInt8(ascii: "!") || $0 > UInt8(ascii: "~") }
  }
}
