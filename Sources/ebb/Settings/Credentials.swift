import TableClient
import TableProtocol
import Words

/// The sign-in of this device, and where it is kept.
struct Credentials: Equatable {
  let signIn: SignIn
  /// Where they were read from; nil if the environment has the token.
  let file: String?

  /// Reads a file that `ebb join` writes: the token, and the name of its user as the second word. Both are in one file,
  /// so that neither is replaced without the other. Lines may end as on other systems. Nil if the file can't be read,
  /// or if its first word can't be a token.
  init?(file: String) {
    self.init(String(decoding: SettingsFile.bytes(file) ?? [], as: UTF8.self).headerWords, file: file)
  }

  /// A header carries the token: visible ASCII, at most 16 KiB.
  fileprivate init?(_ words: [Substring], file: String?) {
    guard let token = words.first, token.isHeaderWord(atMost: ZumoHeader.longestToken) else { return nil }
    let userName = words.dropFirst().first.flatMap {
      $0.isHeaderWord(atMost: ZumoHeader.longestUserName) ? String($0) : nil
    }
    signIn = SignIn(token: String(token), userName: userName)
    self.file = file
  }
}

extension SettingLayers {
  /// The server of the configuration, if its token is not for the one that is asked: a flag or the environment names
  /// that, and no token. A server must not learn a token by being asked once.
  func otherServerOfToken(_ flags: SettingFlags, _ asked: ServerAddress?) -> ServerAddress? {
    guard flags.tokenFile == nil, environment["EBB_TOKEN"]?.isEmpty != false, file?.text("tokenFile")?.isEmpty == false,
      let configured = file?.text("server").flatMap(ServerAddress.init), let asked, asked != configured
    else { return nil }
    return configured
  }

  /// Nil if there is no token. The environment holds the token itself, the other places the name of a file that holds
  /// it. A token that the configuration has for its own server is for no other. Throws `CommandFailure` for a token
  /// that can't be read.
  func credentials(_ flags: SettingFlags, _ paths: DefaultPaths, for server: ServerAddress?) throws -> Credentials? {
    if otherServerOfToken(flags, server) != nil { return nil }
    if flags.tokenFile == nil, let given = environment["EBB_TOKEN"]?.headerWords.first {
      guard let found = Credentials([given], file: nil) else { throw CommandFailure.unreadableToken("EBB_TOKEN") }
      return found
    }
    guard let file = try path(flag: flags.tokenFile, variable: nil, key: "tokenFile", paths) else { return nil }
    guard let found = Credentials(file: file) else { throw CommandFailure.unreadableToken(file) }
    return found
  }
}

extension String {
  /// The words of the text. An editor may have written a byte order mark before the first: that is no part of it.
  fileprivate var headerWords: [Substring] { split { $0.isWhitespace || $0 == "\u{FEFF}" } }
}
