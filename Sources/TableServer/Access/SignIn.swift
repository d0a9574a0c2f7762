import FoundationEssentials
import Glibc
import JWTKit
import Synchronization
import TableProtocol

/// What an existing sign-in writes into its tokens, and where its keys are.
package struct SignInConfiguration: Hashable, Sendable {
  /// Who makes the tokens: their `iss`.
  package var issuer: String
  /// Whom they are for: one of their `aud`.
  package var audience: String
  /// A file with the public keys: a JWKS (RFC 7517), or PEM.
  package var keys: String

  package init(issuer: String, audience: String, keys: String) {
    self.issuer = issuer
    self.audience = audience
    self.keys = keys
  }
}

/// Lets in who shows a JWT (RFC 7519) of an existing sign-in. Its `sub` is the user.
///
/// The algorithm comes from the key, and never from the token. A token that is not signed is wrong. So is a token that is
/// signed by another algorithm than that of its key, and a token without an end (`exp`).
final class SignIn: Sendable {
  enum Verdict: Hashable, Sendable {
    case user(UserName, until: Timestamp)
    case expired
    case wrong
  }

  /// For clocks that differ, in milliseconds.
  private static let leeway: Int64 = 60_000
  /// A header carries no more.
  private static let longest = 16_384
  /// Of keys without a name, and of algorithms that tokens may name.
  private static let algorithms: Set = [
    "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA",
  ]

  private let configuration: SignInConfiguration
  private let keys: Mutex<JWTKeyCollection>

  init(_ configuration: SignInConfiguration) async throws(SignInProblem) {
    self.configuration = configuration
    keys = Mutex(try await Self.load(configuration.keys))
  }

  /// Reads the keys again. If that fails they stay.
  func renew() async throws(SignInProblem) {
    let renewed = try await Self.load(configuration.keys)
    keys.withLock { $0 = renewed }
  }

  /// True for a text that has the form of a JWT. Tokens of our own have not.
  static func isSigned(_ token: String) -> Bool {
    !token.hasPrefix(AccessToken.prefix) && token.utf8.count { $0 == UInt8(ascii: ".") } == 2
  }

  func judge(_ token: String, at now: Timestamp) async -> Verdict {
    guard token.isHeaderWord(atMost: Self.longest), let name = Self.algorithm(of: token),
      Self.algorithms.contains(name),
      let claims = try? await keys.withLock(\.self).verify(token, as: Claims.self, iteratingKeys: true),
      claims.iss == configuration.issuer, claims.aud?.names.contains(configuration.audience) == true,
      let user = claims.sub.flatMap({ UserName($0) }), let end = claims.exp.flatMap(Self.moment)
    else { return .wrong }
    if let start = claims.nbf {
      guard let start = Self.moment(start), start <= now.advanced(byMilliseconds: Self.leeway) else { return .wrong }
    }
    let last = end.advanced(byMilliseconds: Self.leeway)
    return last <= now ? .expired : .user(user, until: last)
  }

  private struct Header: Decodable {
    var alg: String?
  }

  private static func algorithm(of token: String) -> String? {
    Base64URL.decode(token.prefix { $0 != "." }).flatMap { try? JSONDecoder().decode(Header.self, from: $0) }?.alg
  }

  /// Nil for what is no time: seconds since 1970, perhaps with a fraction, up to the year 9999.
  private static func moment(_ seconds: Double) -> Timestamp? {
    (0...253_402_300_799).contains(seconds) ? Timestamp(milliseconds: Int64(seconds * 1_000)) : nil
  }
}

/// Keys.
extension SignIn {
  private static func load(_ path: String) async throws(SignInProblem) -> JWTKeyCollection {
    guard access(path, R_OK) == 0, let data = try? Data(contentsOf: URL(filePath: path)) else {
      throw .cannotRead(path: path, reason: String(cString: strerror(errno)).lowercased())
    }
    let text = String(decoding: data, as: UTF8.self)
    let collection = JWTKeyCollection()
    let count =
      text.contains("-----BEGIN ") ? await add(pem: text, to: collection) : await add(jwks: data, to: collection)
    guard count > 0 else { throw .noKey(path: path) }
    return collection
  }

  /// Adds those that can be used: public ones for signatures. Returns how many.
  private static func add(jwks data: Data, to collection: JWTKeyCollection) async -> Int {
    var count = 0
    for var key in ((try? JSONDecoder().decode(JWKS.self, from: data))?.keys ?? []) {
      // A token that names no key may be signed by any of them.
      key.keyIdentifier = key.keyIdentifier ?? JWKIdentifier(string: "key \(count)")
      if (try? await collection.add(jwk: key)) != nil { count += 1 }
    }
    return count
  }

  /// What PEM does not say is taken for the usual: RS256 for a key of RSA.
  private static func add(pem text: String, to collection: JWTKeyCollection) async -> Int {
    let end = "-----END PUBLIC KEY-----"
    var count = 0
    for part in text.split(separator: end) {
      guard let start = part.firstRange(of: "-----BEGIN PUBLIC KEY-----") else { continue }
      let pem = String(part[start.lowerBound...]) + end + "\n"
      let name = JWKIdentifier(string: "key \(count)")
      if let key = try? Insecure.RSA.PublicKey(pem: pem) {
        await collection.add(rsa: key, digestAlgorithm: .sha256, kid: name)
      } else if let key = try? ES256PublicKey(pem: pem) {
        await collection.add(ecdsa: key, kid: name)
      } else if let key = try? ES384PublicKey(pem: pem) {
        await collection.add(ecdsa: key, kid: name)
      } else if let key = try? ES512PublicKey(pem: pem) {
        await collection.add(ecdsa: key, kid: name)
      } else {
        continue
      }
      count += 1
    }
    return count
  }
}

/// What a token says. It is checked by ``SignIn``, with its own clock.
private struct Claims: JWTPayload {
  var iss: String?
  var aud: Audience?
  var sub: String?
  var exp: Double?
  var nbf: Double?

  func verify(using algorithm: some JWTAlgorithm) {}

  /// One name or several.
  struct Audience: Codable {
    let names: [String]

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      names = try (try? container.decode(String.self)).map { [$0] } ?? container.decode([String].self)
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(names)
    }
  }
}
