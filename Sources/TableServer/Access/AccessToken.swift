import Crypto
import FoundationEssentials
import TableProtocol
import TableStorage

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

  /// The token that an invitation gives for one attempt of a device. It is the same each time and follows from nothing
  /// that the server keeps, so that a device whose answer was lost can be given it again.
  init(secret: String, attempt: String) {
    let code = HMAC<SHA256>.authenticationCode(
      for: Array(attempt.utf8), using: SymmetricKey(data: Array(secret.utf8)))
    text = Self.prefix + Base64URL.encode(Array(code))
  }

  var digest: TokenDigest { TokenDigest(of: text) }
}

extension TokenDigest {
  /// Of whatever a client shows as one.
  init(of text: String) { self.init(hash: Array(SHA256.hash(data: Array(text.utf8)))) }
}
