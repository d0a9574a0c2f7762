import Glibc
import Synchronization
import TableClient
import TableProtocol
import Words

/// The sign-in of this device, and where it is kept.
struct Credentials: Equatable {
  let signIn: SignIn
  /// Where they were read from; nil if the environment has the token.
  let file: String?

  /// Why a place that should have a token has none.
  enum Flaw: Equatable {
    /// There is no such file.
    case absent
    /// The file is there, and the user of this program may not read it.
    case notAllowed
    case empty
    /// The file can't be read, or its first word can't be a token.
    case unreadable
    /// The text in a variable of the environment can't be a token.
    case variable
  }

  /// Reads a file that `ebb join` writes: the token, and the name of its user as the second word. Both are in one file,
  /// so that neither is replaced without the other. Lines may end as on other systems. Throws
  /// `CommandFailure.unreadableToken`.
  init(file: String) throws(CommandFailure) {
    guard let bytes = SettingsFile.bytes(file) else {
      throw CommandFailure.unreadableToken(file, Self.flaw(ofUnread: file))
    }
    let words = String(decoding: bytes, as: UTF8.self).headerWords
    guard !words.isEmpty else { throw CommandFailure.unreadableToken(file, .empty) }
    guard let found = Credentials(words, file: file) else { throw CommandFailure.unreadableToken(file, .unreadable) }
    self = found
  }

  private static func flaw(ofUnread file: String) -> Flaw {
    guard access(file, R_OK) != 0 else { return .unreadable }
    return errno == ENOENT ? .absent : errno == EACCES ? .notAllowed : .unreadable
  }

  /// Nil if the first word can't be a token.
  fileprivate init?(_ words: [Substring], file: String?) {
    guard let token = words.first, token.isToken else { return nil }
    let userName = words.dropFirst().first.flatMap {
      $0.isHeaderWord(atMost: ZumoHeader.longestUserName) ? String($0) : nil
    }
    signIn = SignIn(token: String(token), userName: userName)
    self.file = file
  }
}

/// The file of the token, which is read again before each sync: `ebb join` may have written another one meanwhile.
final class TokenFile: Sendable {
  /// Nil if there is none: no file was named, or the environment has the token.
  private let path: String?
  private let latestProblem: Mutex<SettingWarning?>

  /// `problem` is why the token could not be read when the program began; nil if it could, or if there is none.
  init(_ path: String?, problem: SettingWarning?) {
    self.path = path
    latestProblem = Mutex(problem)
  }

  /// Why the token could not be read the last time; nil if it could.
  var problem: SettingWarning? { latestProblem.withLock(\.self) }

  /// Reads the file. Returns nil if it has no token now.
  func signIn() -> SignIn? {
    guard let path else { return nil }
    do {
      let found = try Credentials(file: path).signIn
      latestProblem.withLock { $0 = nil }
      return found
    } catch {
      latestProblem.withLock { $0 = SettingWarning(ofToken: error) }
      return nil
    }
  }
}

extension SettingLayers {
  /// The server of the configuration, if its token is not for the one that is asked: a flag or the environment names
  /// that, and no token. A server must not learn a token by being asked once.
  func otherServerOfToken(_ flags: SettingFlags, _ asked: ServerAddress?) -> ServerAddress? {
    let isGiven = environment["EBB_TOKEN"].map { !$0.headerWords.isEmpty } ?? false
    guard flags.tokenFile == nil, !isGiven, file?.text("tokenFile")?.isEmpty == false,
      let configured = file?.text("server").flatMap(ServerAddress.init), let asked, asked != configured
    else { return nil }
    return configured
  }

  /// Nil if there is no token. The environment holds the token itself, the other places the name of a file that holds
  /// it. A token that the configuration has for its own server is for no other. Throws `CommandFailure` for a token
  /// that can't be read.
  func credentials(_ flags: SettingFlags, _ paths: DefaultPaths, for server: ServerAddress?) throws -> Credentials? {
    if otherServerOfToken(flags, server) != nil { return nil }
    if flags.tokenFile == nil, let given = environment["EBB_TOKEN"]?.headerWords, !given.isEmpty {
      // As in a file, the name of the user may stand behind the token.
      guard given.count <= 2, let found = Credentials(given, file: nil) else {
        throw CommandFailure.unreadableToken("EBB_TOKEN", .variable)
      }
      return found
    }
    return try path(flag: flags.tokenFile, variable: nil, key: "tokenFile", paths).map { try Credentials(file: $0) }
  }
}

extension Substring {
  /// A header carries the token: visible ASCII, at most 16 KiB. Quotes come from a file for a shell, and are in no token
  /// (RFC 6750, 2.1); of other signs than its own a server of another make may know more.
  fileprivate var isToken: Bool {
    isHeaderWord(atMost: ZumoHeader.longestToken) && !utf8.contains { Self.quotes.contains($0) }
  }

  private static let quotes = Array("\"'`".utf8)
}

extension String {
  /// The words of the text. An editor may have written a byte order mark before the first: that is no part of it.
  fileprivate var headerWords: [Substring] { split { $0.isWhitespace || $0 == "\u{FEFF}" } }
}
