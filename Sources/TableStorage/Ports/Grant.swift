package import TableProtocol

/// The SHA-256 of a token: all that is kept of it, so that a stolen database lets nobody in.
package struct TokenDigest: Hashable, Sendable {
  let bytes: [UInt8]

  /// `hash` has 32 bytes.
  package init(hash: [UInt8]) { bytes = hash }

  /// As it is stored; nil for bytes that are none.
  init?(bytes: [UInt8]) {
    guard bytes.count == 32 else { return nil }
    self.bytes = bytes
  }

  /// By which people name the token: its first eight digits.
  var id: String { bytes.prefix(4).hexadecimalText }
}

/// The rights of a token's holder. An invitation is kept as a token is.
package enum AccessScope: String, Hashable, Sendable, CaseIterable {
  /// Read and change the lists of its user, as devices do.
  case sync
  /// Read them.
  case read
  /// Read the calendar of what is due.
  case feed
  /// Read the server's figures.
  case metrics
  /// Get a token of scope ``sync``, once: an invitation, which `ebb token` does not give out.
  case invite
}

extension AccessScope {
  /// The scopes of which no grant may have been given out before, so that one of this scope gets the list of those who
  /// needed not sign in (wire 13): the first user who is invited or gets a token for a device. Nil if it never gets the
  /// list: a reader, a calendar or a program for figures is no owner of it.
  package var scopesBeforeOwner: [AccessScope]? {
    switch self {
    case .sync: [.sync]
    // Otherwise it would be the one of several invited users who is the quickest to join.
    case .invite: [.invite, .sync]
    case .read, .feed, .metrics: nil
    }
  }

  /// As a condition of SQL: true for a grant of one of these scopes.
  static func condition(of scopes: [AccessScope]) -> String {
    "scope IN (\(scopes.map { "'\($0.rawValue)'" }.joined(separator: ", ")))"
  }
}

/// A token as the server knows it.
package struct Grant: Hashable, Sendable {
  /// The first digits of the token's hash. A longer beginning where two would be alike.
  package var id: String
  package var user: UserName
  /// The user's name for the device; may be empty.
  package var label: String
  package var scope: AccessScope
  package var createdAt: Timestamp
  /// From this moment on it lets nobody in; nil for one that lasts.
  package var expiresAt: Timestamp?
  /// To the minute; nil if it was never used.
  package var lastUsedAt: Timestamp?
  /// It was taken back. It is kept, so that a server whose last token was taken back does not let in everybody.
  package var isRevoked = false

  package init(
    id: String, user: UserName, label: String = "", scope: AccessScope = .sync, createdAt: Timestamp,
    expiresAt: Timestamp? = nil
  ) {
    self.id = id
    self.user = user
    self.label = label
    self.scope = scope
    self.createdAt = createdAt
    self.expiresAt = expiresAt
  }

  package func hasExpired(at now: Timestamp) -> Bool { expiresAt.map { $0 <= now } ?? false }
}

/// The tokens that a database has, read in one state of it.
struct StoredTokens: Hashable, Sendable {
  struct Token: Hashable, Sendable {
    let digest: TokenDigest
    let grant: Grant
  }

  /// Those that can be read, in the order they were given out.
  var sound: [Token] = []
  /// The ids of those that can't be read, of which none lets anybody in.
  var damaged: [String] = []
}
