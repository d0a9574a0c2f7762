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
    case wrong(TokenFlaw)
  }

  /// For clocks that differ, in milliseconds.
  private static let leeway: Int64 = 60_000
  /// Keys that a line of the log names, and characters of a name.
  private static let mostNamed = 20
  private static let longestName = 60
  /// A header carries no more.
  private static let longest = ZumoHeader.longestToken

  private let configuration: SignInConfiguration
  private let file: Mutex<KeyFile>
  private let teller = Mutex<(@Sendable (String) -> Void)?>(nil)

  init(_ configuration: SignInConfiguration) async throws(KeyFileProblem) {
    self.configuration = configuration
    file = Mutex(try await Self.load(configuration.keys))
  }

  /// Reads the keys again. If that fails they stay.
  func renew() async throws(KeyFileProblem) {
    let renewed = try await Self.load(configuration.keys)
    file.withLock { $0 = renewed }
    tellPassedOver()
  }

  /// Calls `tell` with a line about the keys that are passed over, now and after each ``renew()``. Not if there are none.
  func report(_ tell: @escaping @Sendable (String) -> Void) {
    teller.withLock { $0 = tell }
    tellPassedOver()
  }

  private func tellPassedOver() {
    let names = file.withLock(\.passedOver)
    guard !names.isEmpty, let tell = teller.withLock({ $0 }) else { return }
    let shown = names.prefix(Self.mostNamed).map(Self.shown) + (names.count > Self.mostNamed ? ["…"] : [])
    tell(
      """
      Keys of \(configuration.keys) that are passed over, not understood or not for signatures: \(names.count) \
      (\(shown.joined(separator: ", ")))
      """)
  }

  /// True for a text that has the form of a JWT. Tokens of our own have not.
  static func isSigned(_ token: String) -> Bool {
    !token.hasPrefix(AccessToken.prefix) && token.utf8.count { $0 == UInt8(ascii: ".") } == 2
  }

  func judge(_ token: String, at now: Timestamp) async -> Verdict {
    do throws(TokenFlaw) {
      return try verdict(on: try await claims(of: token), at: now)
    } catch {
      return .wrong(error)
    }
  }

  private func verdict(on claims: Claims, at now: Timestamp) throws(TokenFlaw) -> Verdict {
    guard claims.iss == configuration.issuer else { throw .issuer }
    guard claims.aud?.names.contains(configuration.audience) == true else { throw .audience }
    guard let user = claims.sub.flatMap({ UserName($0) }) else { throw .subject }
    guard let end = claims.exp else { throw .end }
    let last = try Self.moment(end).advanced(byMilliseconds: Self.leeway)
    if let start = claims.nbf, try Self.moment(start) > now.advanced(byMilliseconds: Self.leeway) { throw .start }
    return last <= now ? .expired : .user(user, until: last)
  }

  /// The claims of a token that a key has signed.
  private func claims(of token: String) async throws(TokenFlaw) -> Claims {
    // There is no padding in a token (RFC 7515, 2).
    guard token.isHeaderWord(atMost: Self.longest), !token.utf8.contains(UInt8(ascii: "=")),
      let bytes = Base64URL.decode(token.prefix { $0 != "." }),
      let header = try? JSONDecoder().decode(Header.self, from: bytes)
    else { throw .form }
    guard header.algorithm != "none" else { throw .unsigned }
    guard !header.hasExtensions else { throw .extensions }
    guard token.split(separator: ".").prefix(2).allSatisfy(Self.hasEachNameOnce) else { throw .names }
    let fitting = keys(for: header).filter { $0.algorithm == header.algorithm }
    guard !fitting.isEmpty else { throw .algorithm }
    var flaw = TokenFlaw.signature
    for key in fitting {
      do {
        return try await key.collection.verify(token, as: Claims.self)
      } catch {
        // The claims are read after the signature.
        if (error as? JWTError)?.errorType == .malformedToken { flaw = .claims }
      }
    }
    throw flaw
  }

  /// False for a part of a token in which a name is there twice: programs differ on which of the two counts (RFC 7519,
  /// 4).
  static func hasEachNameOnce(_ part: Substring) -> Bool {
    guard let bytes = Base64URL.decode(part) else { return false }
    do {
      var reader = try JSONReader(Array(bytes))
      var names: Set<String> = []
      try reader.beginObject()
      while let name = try reader.nextName() {
        guard names.insert(name).inserted else { return false }
        _ = try reader.raw()
      }
      return true
    } catch {
      return false
    }
  }

  /// The keys with the name that is in the token (RFC 7515, 4.1.4). If there is no such key, all of them, and the
  /// signature decides: keys in PEM have no names.
  private func keys(for header: Header) -> [Key] {
    let keys = file.withLock(\.keys)
    guard let name = header.keyName else { return keys }
    let named = keys.filter { $0.name == name }
    return named.isEmpty ? keys : named
  }

  /// The JOSE header of a token.
  private struct Header: Decodable {
    let algorithm: String
    /// The name of the key that has signed it, if it says so.
    let keyName: String?
    /// It has something that must be understood, and that this server does not (RFC 7515, 4.1.11).
    let hasExtensions: Bool

    private enum CodingKeys: String, CodingKey { case alg, kid, crit }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      algorithm = try container.decode(String.self, forKey: .alg)
      keyName = try? container.decode(String.self, forKey: .kid)
      hasExtensions = container.contains(.crit)
    }
  }

  /// Of seconds since 1970, perhaps with a fraction, up to the year 9999.
  private static func moment(_ seconds: Double) throws(TokenFlaw) -> Timestamp {
    guard (0...253_402_300_799).contains(seconds) else { throw .time }
    return Timestamp(milliseconds: Int64(seconds * 1_000))
  }
}

/// Keys.
extension JWTVerifier {
  /// A key for one algorithm, in a collection of its own: a collection of several lets a token choose among them.
  private struct Key: Sendable {
    let algorithm: String
    /// Nil if the file gives it none.
    let name: String?
    let collection: JWTKeyCollection

    /// Nil for a key that can't be used: not public, or not for signatures.
    init?(_ collection: JWTKeyCollection, named name: String? = nil) async {
      guard let algorithm = try? await collection.getKey().name else { return nil }
      self.algorithm = algorithm
      self.name = name
      self.collection = collection
    }
  }

  /// The content of a file of keys.
  private struct KeyFile: Sendable {
    var keys: [Key] = []
    /// The names of those that can't be used; nil for one without a name.
    var passedOver: [String?] = []
  }

  private static let algorithms: [JWK.Algorithm] = [
    .rs256, .rs384, .rs512, .ps256, .ps384, .ps512, .es256, .es384, .es512, .eddsa,
  ]

  private static func load(_ path: String) async throws(KeyFileProblem) -> KeyFile {
    guard access(path, R_OK) == 0, let data = try? Data(contentsOf: URL(filePath: path)) else {
      throw .cannotRead(path: path, reason: String(cString: strerror(errno)).lowercased())
    }
    let text = String(decoding: data, as: UTF8.self)
    let file = text.contains("-----BEGIN ") ? KeyFile(keys: await keys(pem: text)) : await keyFile(jwks: data)
    guard !file.keys.isEmpty else { throw .noKey(path: path) }
    return file
  }

  /// A key that can't be used does no harm to the others (RFC 7517, 5).
  private static func keyFile(jwks data: Data) async -> KeyFile {
    var file = KeyFile()
    let listed = (try? JSONDecoder().decode(ListedKeys.self, from: data))?.keys ?? []
    for key in listed {
      let usable = await keys(key)
      if usable.isEmpty { file.passedOver.append(key.name) }
      file.keys += usable
    }
    return file
  }

  /// One for each algorithm: a key that names none counts for each that fits it.
  private static func keys(_ listed: ListedKey) async -> [Key] {
    guard let key = listed.key else { return [] }
    var keys: [Key] = []
    for algorithm in key.algorithm.map({ [$0] }) ?? algorithms {
      var single = key
      single.algorithm = algorithm
      // A collection wants a name. It has this key alone, whatever the name is that a token gives its key.
      single.keyIdentifier = JWKIdentifier(string: "key")
      let collection = JWTKeyCollection()
      guard (try? await collection.add(jwk: single)) != nil, let usable = await Key(collection, named: listed.name)
      else { continue }
      keys.append(usable)
    }
    return keys
  }

  /// A name from the file for a line of the log, in which no sign of it looks like something else.
  private static func shown(_ name: String?) -> String {
    guard let name else { return "without a name" }
    let signs = name.unicodeScalars.prefix(longestName).map { sign -> Unicode.Scalar in
      (0x20...0x7E).contains(sign.value) ? sign : "?"
    }
    return String(String.UnicodeScalarView(signs)).debugDescription
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

/// A JWKS of which each key is read by itself.
private struct ListedKeys: Decodable {
  let keys: [ListedKey]
}

/// One key of it.
private struct ListedKey: Decodable {
  let name: String?
  /// Nil for a key that is not understood, as a shared one, or that is not for signatures.
  let key: JWK?

  private enum CodingKeys: String, CodingKey {
    case kid, use
    case operations = "key_ops"
  }

  init(from decoder: any Decoder) {
    let members = try? decoder.container(keyedBy: CodingKeys.self)
    name = try? members?.decode(String.self, forKey: .kid)
    let isForSignatures = members.flatMap { try? Self.isForSignatures($0) } ?? false
    key = isForSignatures ? (try? JWK(from: decoder)) : nil
  }

  /// False if the key says that it is for something else (RFC 7517, 4.2 and 4.3). Throws if that can't be read.
  private static func isForSignatures(_ members: KeyedDecodingContainer<CodingKeys>) throws -> Bool {
    let use = try members.decodeIfPresent(String.self, forKey: .use)
    let operations = try members.decodeIfPresent([String].self, forKey: .operations)
    return (use == nil || use == "sig") && operations?.contains("verify") != false
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
