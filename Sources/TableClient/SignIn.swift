import Crypto
import FoundationEssentials
package import OfflineSync
import TableProtocol

/// The proof for a server of who asks, and whose it is.
package struct SignIn: Sendable, Hashable {
  package let token: String
  /// The name of the user, as the server said it. Each request carries it, and the server refuses the token of somebody
  /// else.
  package let userName: String?

  package init(token: String, userName: String? = nil) {
    self.token = token
    self.userName = userName
  }

  /// Of the user. The name stays when the token is another; without a name the token tells.
  var identifier: String { userName.map { "name " + $0 } ?? TokenOwner.identifier(of: token) }
}

/// A server that is asked nothing as long as this device has no sign-in, although one is configured. A server that lets
/// anybody in would answer with the list of no user, and the sync would take that for this one.
///
/// The sign-in is looked for before each sync. Once there is one, everything goes on as with any server.
package struct RequiredSignIn: ForwardingTable {
  package let base: any RemoteTable

  package init(_ base: any RemoteTable) {
    self.base = base
  }

  /// Throws `.noSignIn` as long as there is none.
  package func renewSignIn(of user: SignInUser) throws(RemoteFailure) -> Bool {
    // There was no user yet with whom another could be mixed up.
    let isNew = try base.renewSignIn(of: base.user.isEmpty ? .anybody : user)
    if base.user.isEmpty { throw RemoteFailure(.noSignIn, mayHaveActed: false) }
    return isNew
  }

  /// Opens no connection as long as there is none: it ends at once with `.noSignIn`.
  package func listen(
    to table: String, _ receive: @escaping @Sendable (NoticeEvent) -> Void
  ) -> (any NoticeConnection)? {
    guard base.user.isEmpty else { return base.listen(to: table, receive) }
    receive(.ended(.noSignIn))
    return EndedConnection()
  }

  private struct EndedConnection: NoticeConnection {
    func close() {}
    func waitUntilClosed(milliseconds: Int) -> Bool { true }
  }
}

/// An identifier of the user, from the token.
enum TokenOwner {
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
  /// The first 64 bits of the SHA-256 of a secret, by which it is known again and not revealed.
  var shortDigest: String { Array(SHA256.hash(data: Array(utf8)).prefix(8)).hexadecimalText }
}
