import Crypto
import FoundationEssentials
package import TableProtocol

/// A secret that lets a client in. The server keeps a hash of it, so that a stolen database lets nobody in.
///
///     ebb_3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
///
/// Made of 32 random bytes, which nobody guesses: a hash that is quick to make keeps them as well as a slow one. By the
/// beginning tools find tokens that were published by mistake.
package struct AccessToken: Hashable, Sendable {
  package static let prefix = "ebb_"
  private static let bytes = 32

  package let text: String

  /// `random` makes bytes that nobody can foresee. The prefix of an invitation's secret is another.
  package init(prefix: String = prefix, using random: inout some RandomNumberGenerator) {
    let bytes = (0..<Self.bytes).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    text = prefix + Base64URL.encode(bytes)
  }

  package init(prefix: String = prefix) {
    var random = SystemRandomNumberGenerator()
    self.init(prefix: prefix, using: &random)
  }

  var digest: TokenDigest { TokenDigest(of: text) }
}

/// The SHA-256 of a token.
struct TokenDigest: Hashable, Sendable {
  let bytes: [UInt8]

  /// Of whatever a client shows as one.
  init(of text: String) {
    bytes = Array(SHA256.hash(data: Array(text.utf8)))
  }

  /// As it is stored; nil for bytes that are none.
  init?(bytes: [UInt8]) {
    guard bytes.count == SHA256.byteCount else { return nil }
    self.bytes = bytes
  }

  /// By which people name the token: its first eight digits.
  var id: String {
    bytes.prefix(4).map { byte in
      let digits = String(byte, radix: 16)
      return digits.utf8.count == 1 ? "0" + digits : digits
    }.joined()
  }
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
}
