import FoundationEssentials

/// The link by which a device gets a token of its own (wire 13):
///
///     https://list.example/join#ebbjoin_3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
///
/// The secret stands behind the `#`, which no browser sends: opened by mistake, the link leaves it in no log.
package struct InvitationLink: Hashable, Sendable {
  /// Where the secret is exchanged, below the address of the server.
  package static let path = "/join"
  package static let secretPrefix = "ebbjoin_"
  /// Characters after the prefix: 32 bytes in ``Base64URL``.
  private static let secretLength = 43

  /// The address of the server, without a slash at its end.
  package let server: String
  package let secret: String

  package init(server: String, secret: String) {
    self.server = server
    self.secret = secret
  }

  /// Nil if the text is not such a link. Ignores white space around it, and the angle brackets that mails put around
  /// links (RFC 3986, C).
  package init?(_ text: String) {
    var text = text.trimming(while: \.isWhitespace)
    if text.hasPrefix("<"), text.hasSuffix(">") { text = text.dropFirst().dropLast() }
    guard let mark = text.lastIndex(of: "#") else { return nil }
    let secret = String(text[mark...].dropFirst())
    var server = text[..<mark]
    while server.hasSuffix("/") { server.removeLast() }
    guard secret.hasPrefix(Self.secretPrefix), secret.dropFirst(Self.secretPrefix.count).isHeaderWord(atMost: 200),
      server.hasSuffix(Self.path), server.count > Self.path.count, server.isHeaderWord(atMost: 2_000)
    else { return nil }
    self.init(server: String(server.dropLast(Self.path.count)), secret: secret)
  }

  package var text: String { server + Self.path + "#" + secret }

  /// False if something is missing at the end of the link, or was added there: no server knows such a secret.
  package var isWhole: Bool {
    let signs = secret.dropFirst(Self.secretPrefix.count)
    return signs.utf8.count == Self.secretLength
      && signs.utf8.allSatisfy { $0.isIdentifierPart || $0 == UInt8(ascii: "-") }
  }
}

/// The request of a device for a token.
package struct JoinRequest: Codable, Hashable, Sendable {
  /// Characters of a device's name that a server keeps as the label of its token; commands refuse more bytes than that.
  package static let longestLabel = 200

  package let secret: String
  /// The user's name for the device.
  package let device: String?
  /// The device's name for its attempt, which nobody else can know: 16 to 200 visible ASCII characters. The same
  /// attempt with the same secret gets the same token, so a device may ask again when an answer was lost.
  package let attempt: String?

  package init(secret: String, device: String?, attempt: String? = nil) {
    self.secret = secret
    self.device = device
    self.attempt = attempt
  }

  /// Nil for what is no such request.
  package init?(json: [UInt8]) {
    guard let request = try? JSONDecoder().decode(Self.self, from: Data(json)),
      request.attempt.map(Self.isAttempt) ?? true
    else { return nil }
    self = request
  }

  package static func isAttempt(_ text: String) -> Bool { text.utf8.count >= 16 && text.isHeaderWord(atMost: 200) }

  package var json: [UInt8] { (try? JSONEncoder().encode(self)).map(Array.init) ?? [] }
}

/// The answer to it.
package struct JoinAnswer: Codable, Hashable, Sendable {
  package let token: String
  /// Whose lists the token opens.
  package let user: String

  package init(token: String, user: String) {
    self.token = token
    self.user = user
  }

  /// Nil for what is no such answer.
  package init?(json: [UInt8]) {
    guard let answer = try? JSONDecoder().decode(Self.self, from: Data(json)) else { return nil }
    self = answer
  }

  package var json: [UInt8] { (try? JSONEncoder().encode(self)).map(Array.init) ?? [] }
}
