import Crypto
import FoundationEssentials

/// Whom a sign-in token stands for, as far as can be told from the token itself.
enum TokenOwner {
  /// The subject of a token that is a JWT (RFC 7519 4.1.2), which stays when the token is renewed; otherwise a
  /// digest of the token, from which it can't be found again. Empty for no token.
  static func mark(of token: String?) -> String {
    guard let token, !token.isEmpty else { return "" }
    if let subject = subject(of: token) { return "user " + subject }
    let digest = SHA256.hash(data: Array(token.utf8))
    return "token " + digest.prefix(8).map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
  }

  private struct Claims: Decodable {
    var sub: String?
    var iss: String?
  }

  private static func subject(of token: String) -> String? {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3 else { return nil }
    var base64 = String(parts[1].map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
    base64 += String(repeating: "=", count: (4 - base64.count % 4) % 4)
    guard let data = Data(base64Encoded: base64), let claims = try? JSONDecoder().decode(Claims.self, from: data),
      let subject = claims.sub, !subject.isEmpty
    else { return nil }
    return claims.iss.map { $0 + " " + subject } ?? subject
  }
}
