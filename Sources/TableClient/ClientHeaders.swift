import Crypto
import FoundationEssentials
import NIOHTTP1
import TableProtocol

/// The headers of every request.
struct ClientHeaders: Sendable {
  let version: ProtocolVersion
  let token: String?
  /// The name of the user that the token is of, if the server said it.
  var user: String?
  /// The database that the request is meant for, if it is known.
  var database: String?
  /// The epoch of that database.
  var epoch: DatabaseEpoch?
  /// The newest `updatedAt` that this device has read: a server that never reached it went back.
  var reached: Timestamp?
  /// Columns have this device's names. A server that was given other names for its own is asked not to use them.
  var hasOwnNames = true

  func fields(hasBody: Bool) -> HTTPHeaders {
    var fields = HTTPHeaders([
      (ZumoHeader.apiVersion, version.rawValue), ("Accept", "application/json"), ("User-Agent", "ebb"),
    ])
    if hasOwnNames { fields.add(name: ZumoHeader.columns, value: "own") }
    if let token {
      fields.add(name: ZumoHeader.authentication, value: token)
      fields.add(name: "Authorization", value: "Bearer \(token)")
    }
    if let user { fields.add(name: ZumoHeader.user, value: user) }
    if let database { fields.add(name: ZumoHeader.database, value: database) }
    if let epoch { fields.add(name: ZumoHeader.epoch, value: epoch.text) }
    if epoch != nil, let reached { fields.add(name: ZumoHeader.newest, value: reached.text) }
    if hasBody { fields.add(name: "Content-Type", value: "application/json") }
    return fields
  }
}

/// An identifier of the user, from the token.
enum TokenOwner {
  /// The name of the user stays when the token is another; it counts if the server has said it, and is asked to refuse a
  /// token of somebody else.
  static func identifier(of token: String?, named user: String?) -> String {
    user.map { "name " + $0 } ?? identifier(of: token)
  }

  /// Returns the subject of a token that is a JWT (RFC 7519 4.1.2), which stays when the token is renewed; otherwise a
  /// digest of the token, which does not reveal it. Empty for no token.
  static func identifier(of token: String?) -> String {
    guard let token, !token.isEmpty else { return "" }
    if let subject = subject(of: token) { return "user " + subject }
    return "token " + token.shortDigest
  }

  private struct Claims: Decodable {
    var sub: String?
    var iss: String?
  }

  private static func subject(of token: String) -> String? {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3 else { return nil }
    guard let data = Base64URL.decode(parts[1]), let claims = try? JSONDecoder().decode(Claims.self, from: data),
      let subject = claims.sub, !subject.isEmpty
    else { return nil }
    return claims.iss.map { $0 + " " + subject } ?? subject
  }
}

extension String {
  /// Tells one secret from another, and does not reveal it: 64 bits of its SHA-256.
  var shortDigest: String { Array(SHA256.hash(data: Array(utf8)).prefix(8)).hexadecimalText }
}
