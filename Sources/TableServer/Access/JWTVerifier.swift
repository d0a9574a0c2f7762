import FoundationEssentials
import Glibc
import JWTKit
import Synchronization
import TableProtocol
import TableStorage

/// The claims of an existing sign-in's tokens, and where its keys are.
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
/// The algorithm comes from the key, and never from the token. A token that is not signed is wrong. So is a token that
/// is signed by another algorithm than that of its key, and a token without an end (`exp`).
final class JWTVerifier: Sendable {
  enum Verdict: Hashable, Sendable {
    case user(UserName, until: Timestamp)
    case expired
    case wrong
  }

  /// For clocks that differ, in milliseconds.
  private static let leeway: Int64 = 60_000
  /// A header carries no more.
  private static let longest = ZumoHeader.longestToken

  private let configuration: SignInConfiguration
  private let keys: Mutex<[Key]>

  init(_ configuration: SignInConfiguration) async throws(KeyFileProblem) {
    self.configuration = configuration
    keys = Mutex(try await Self.load(configuration.keys))
  }

  /// Reads the keys again. If that fails they stay.
  func renew() async throws(KeyFileProblem) {
    let renewed = try await Self.load(configuration.keys)
    keys.withLock { $0 = renewed }
  }

  /// True for a text that has the form of a JWT. Tokens of our own have not.
  static func isSigned(_ token: String) -> Bool {
    !token.hasPrefix(AccessToken.prefix) && token.utf8.count { $0 == UInt8(ascii: ".") } == 2
  }

  func judge(_ token: String, at now: Timestamp) async -> Verdict {
    guard token.isHeaderWord(atMost: Self.longest), let claims = await claims(of: token),
      claims.iss == configuration.issuer, claims.aud?.names.contains(configuration.audience) == true,
      let user = claims.sub.flatMap({ UserName($0) }), let end = claims.exp.flatMap(Self.moment)
    else { return .wrong }
    if let start = claims.nbf {
      guard let start = Self.moment(start), start <= now.advanced(byMilliseconds: Self.leeway) else { return .wrong }
    }
    let last = end.advanced(byMilliseconds: Self.leeway)
    return last <= now ? .expired : .user(user, until: last)
  }

  /// Nil for a token that no key has signed.
  private func claims(of token: String) async -> Claims? {
    // There is no padding in a token (RFC 7515, 2).
    guard !token.utf8.contains(UInt8(ascii: "=")), let bytes = Base64URL.decode(token.prefix { $0 != "." }),
      let header = try? JSONDecoder().decode(Header.self, from: bytes), !header.hasExtensions
    else { return nil }
    for key in keys.withLock(\.self) where key.algorithm == header.algorithm {
      if let claims = try? await key.collection.verify(token, as: Claims.self) { return claims }
    }
    return nil
  }

  /// The JOSE header of a token.
  private struct Header: Decodable {
    let algorithm: String
    /// It has something that must be understood, and that this server does not (RFC 7515, 4.1.11).
    let hasExtensions: Bool

    private enum CodingKeys: String, CodingKey { case alg, crit }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      algorithm = try container.decode(String.self, forKey: .alg)
      hasExtensions = container.contains(.crit)
    }
  }

  /// Nil for what is no time: seconds since 1970, perhaps with a fraction, up to the year 9999.
  private static func moment(_ seconds: Double) -> Timestamp? {
    (0...253_402_300_799).contains(seconds) ? Timestamp(milliseconds: Int64(seconds * 1_000)) : nil
  }
}

/// Keys.
extension JWTVerifier {
  /// A key for one algorithm, in a collection of its own: a collection of several lets a token choose among them.
  private struct Key: Sendable {
    let algorithm: String
    let collection: JWTKeyCollection

    /// Nil for a key that can't be used: not public, or not for signatures.
    init?(_ collection: JWTKeyCollection) async {
      guard let algorithm = try? await collection.getKey().name else { return nil }
      self.algorithm = algorithm
      self.collection = collection
    }
  }

  private static let algorithms: [JWK.Algorithm] = [
    .rs256, .rs384, .rs512, .ps256, .ps384, .ps512, .es256, .es384, .es512, .eddsa,
  ]

  private static func load(_ path: String) async throws(KeyFileProblem) -> [Key] {
    guard access(path, R_OK) == 0, let data = try? Data(contentsOf: URL(filePath: path)) else {
      throw .cannotRead(path: path, reason: String(cString: strerror(errno)).lowercased())
    }
    let text = String(decoding: data, as: UTF8.self)
    let keys = text.contains("-----BEGIN ") ? await self.keys(pem: text) : await self.keys(jwks: data)
    guard !keys.isEmpty else { throw .noKey(path: path) }
    return keys
  }

  /// Those that can be used. A key that names no algorithm counts for each that fits it.
  private static func keys(jwks data: Data) async -> [Key] {
    var keys: [Key] = []
    for key in ((try? JSONDecoder().decode(JWKS.self, from: data))?.keys ?? []) {
      for algorithm in key.algorithm.map({ [$0] }) ?? algorithms {
        var single = key
        single.algorithm = algorithm
        // A collection wants a name. The name that a token gives its key does not matter.
        single.keyIdentifier = JWKIdentifier(string: "key")
        let collection = JWTKeyCollection()
        guard (try? await collection.add(jwk: single)) != nil, let usable = await Key(collection) else { continue }
        keys.append(usable)
      }
    }
    return keys
  }

  /// A key of RSA is taken for RS256, since PEM does not say which algorithm it is for.
  private static func keys(pem text: String) async -> [Key] {
    let end = "-----END PUBLIC KEY-----"
    var keys: [Key] = []
    for part in text.split(separator: end) {
      guard let start = part.firstRange(of: "-----BEGIN PUBLIC KEY-----") else { continue }
      let pem = String(part[start.lowerBound...]) + end + "\n"
      let collection = JWTKeyCollection()
      if let key = try? Insecure.RSA.PublicKey(pem: pem) {
        await collection.add(rsa: key, digestAlgorithm: .sha256)
      } else if let key = try? ES256PublicKey(pem: pem) {
        await collection.add(ecdsa: key)
      } else if let key = try? ES384PublicKey(pem: pem) {
        await collection.add(ecdsa: key)
      } else if let key = try? ES512PublicKey(pem: pem) {
        await collection.add(ecdsa: key)
      }
      if let usable = await Key(collection) { keys.append(usable) }
    }
    return keys
  }
}

/// The claims of a token. Checked by ``JWTVerifier``, with its own clock.
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

/// Why the keys of a sign-in can't be used.
package enum KeyFileProblem: Error, Hashable, Sendable {
  case cannotRead(path: String, reason: String)
  /// There is no key in the file, or none that can be used.
  case noKey(path: String)
}
