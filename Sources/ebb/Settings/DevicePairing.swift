import FoundationEssentials
import Glibc
import TableClient
import TableProtocol
import Words

/// Where it is kept with which server this device syncs, and the token for it: the configuration file, and a file
/// beside it.
struct DevicePairing {
  private let configuration: String
  /// Of the two one is in use at most. The token of another server goes into the one that is not: so the configuration,
  /// which names server and file, changes both at once, and no server is ever shown the token of the other.
  private let tokenFiles: [String]
  /// The one that the configuration names.
  private let usedTokenFile: String?
  private let file: ConfigurationFile?
  /// Authorities that are trusted; the file is set too.
  let caFile: String?

  /// Of the flags only the one that names the configuration file counts. Throws `CommandFailure` for a file that can't
  /// be used.
  init(_ flags: SettingFlags, environment: EnvironmentVariables) throws {
    let paths = DefaultPaths(environment)
    let layers = try SettingLayers(flags, environment: environment, paths: paths)
    file = layers.file
    caFile = try layers.authorities(flags, paths)
    // Behind a link, so that the link stays.
    let path = DefaultPaths.resolved(ConfigurationPlace(flags, environment: environment, paths).path)
    configuration = path
    let folder = path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex)
    let name = path.dropFirst(folder.count + 1).prefix { $0 != "." }
    let tokenFile = String(folder) + (name == "config" || name.isEmpty ? "/token" : "/\(name).token")
    tokenFiles = [tokenFile, tokenFile + "-2"]
    // A file that can't be used is replaced too.
    usedTokenFile = try? file?.absolutePath(of: "tokenFile", paths)
  }

  private func tokenFile(for server: String) -> String {
    let isOfAnother = file?.text("server").map { ServerAddress($0) != ServerAddress(server) } ?? false
    return tokenFiles.first { ($0 == usedTokenFile) != isOfAnother } ?? tokenFiles[0]
  }

  /// The server whose setting or token would be replaced; nil if nothing would.
  func replaced(by address: ServerAddress) -> String? {
    guard let server = file?.text("server"), !server.isEmpty else { return nil }
    let isSame = ServerAddress(server)?.text == address.text
    let hasToken = file?.text("tokenFile")?.isEmpty == false || tokenFiles.contains { access($0, F_OK) == 0 }
    return isSame && !hasToken ? nil : ServerAddress(server)?.text ?? server.printable
  }

  /// Writes the new files beside those that they will replace. The secret is that of the invitation.
  func prepare(server: String, secret: String) throws -> Change {
    let old = SettingsFile.bytes(configuration)
    let tokenFile = tokenFile(for: server)
    var configured = ConfigurationText(String(decoding: old ?? [], as: UTF8.self))
      .setting("server", to: server).setting("tokenFile", to: tokenFile)
    if let caFile, file?.text("caFile") == nil { configured = configured.setting("caFile", to: caFile) }
    let new = Array(configured.text.utf8)
    // A file that is there and can't be read must not be replaced.
    let isReadable = old != nil || access(configuration, F_OK) != 0
    let edited = isReadable ? try? ConfigurationFile(path: configuration, bytes: new) : nil
    guard edited?.text("server") == server, edited?.text("tokenFile") == tokenFile else {
      throw CommandFailure.pairing(.notEditable(path: configuration, server: server, tokenFile: tokenFile))
    }
    if let code = FileFolder(of: configuration).make() { throw Change.notWritten(configuration, code) }
    let change = Change(
      configuration: configuration, tokenFile: tokenFile,
      unusedTokenFile: tokenFiles.first { $0 == usedTokenFile && $0 != tokenFile },
      invitation: RemoteInvitation.mark(of: secret))
    do {
      if change.isFirstAttempt {
        try change.write(Array("\(change.invitation) \(change.attempt)".utf8), to: change.attemptFile, mode: 0o600)
      }
      try change.write(new, to: change.configurationDraft, mode: mode(of: configuration))
      try change.write([], to: change.tokenDraft, mode: 0o600)
    } catch {
      change.discard()
      throw error
    }
    return change
  }

  private func mode(of path: String) -> mode_t { mode_t((FileMode(path)?.mode ?? 0o600) & 0o777) }

  /// Two files that wait to take the places of others.
  struct Change {
    let configuration: String
    let tokenFile: String
    /// The file of the former server's token; nil if there is none of ours.
    fileprivate let unusedTokenFile: String?
    /// Which invitation it is about.
    fileprivate let invitation: String
    /// This device's name for its attempt to join (``JoinRequest/attempt``). It is kept until one has succeeded, or the
    /// server has said that it can't: a device that did not hear the answer, or was killed before it kept the token,
    /// gets the same one again.
    let attempt: String
    fileprivate let isFirstAttempt: Bool

    fileprivate init(configuration: String, tokenFile: String, unusedTokenFile: String?, invitation: String) {
      self.configuration = configuration
      self.tokenFile = tokenFile
      self.unusedTokenFile = unusedTokenFile
      self.invitation = invitation
      let kept = SettingsFile.bytes(Self.attemptFile(tokenFile)).map { String(decoding: $0, as: UTF8.self) }
      let last = kept.flatMap { Self.attempt(in: $0, with: invitation) }
      isFirstAttempt = last == nil
      attempt = last ?? UUID().uuidString.lowercased()
    }

    private static func attempt(in text: String, with invitation: String) -> String? {
      let words = text.split(separator: " ")
      guard words.count == 2, words[0] == invitation, JoinRequest.isAttempt(String(words[1])) else { return nil }
      return String(words[1])
    }

    private static func attemptFile(_ tokenFile: String) -> String { tokenFile + ".joining" }
    fileprivate var attemptFile: String { Self.attemptFile(tokenFile) }
    fileprivate var configurationDraft: String { "\(configuration).\(getpid()).new" }
    fileprivate var tokenDraft: String { "\(tokenFile).\(getpid()).new" }

    /// A name that is none is left out.
    func commit(token: String, user: String) throws {
      let name = user.isHeaderWord(atMost: ZumoHeader.longestUserName) ? " " + user : ""
      try write(Array((token + name + "\n").utf8), to: tokenDraft, mode: 0o600)
      for (draft, place) in [(tokenDraft, tokenFile), (configurationDraft, configuration)] {
        guard rename(draft, place) == 0 else { throw Self.notWritten(place) }
      }
      if let unusedTokenFile { unlink(unusedTokenFile) }
      forgetAttempt()
    }

    func forgetAttempt() { unlink(attemptFile) }

    /// Removes what was not committed.
    func discard() {
      unlink(configurationDraft)
      unlink(tokenDraft)
    }

    /// Writes a new file. It has the mode from its first moment on, so that no other user can read it meanwhile.
    fileprivate func write(_ bytes: [UInt8], to path: String, mode: mode_t) throws {
      unlink(path)
      let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
      guard descriptor >= 0 else { throw Self.notWritten(path) }
      defer { close(descriptor) }
      guard OpenFile.write(bytes, to: descriptor) == nil, fsync(descriptor) == 0 else { throw Self.notWritten(path) }
    }

    /// `code` is that of the system.
    fileprivate static func notWritten(_ path: String, _ code: Int32 = errno) -> CommandFailure {
      let reason = String(cString: strerror(code)).lowercased()
      let place = path.hasSuffix(".\(getpid()).new") ? String(path.dropLast(".\(getpid()).new".count)) : path
      return .pairing(.notWritten(path: place, reason: reason))
    }
  }
}

/// The text of a configuration file, in which single values are set and all else stays.
private struct ConfigurationText {
  let text: String

  init(_ text: String) { self.text = text }

  /// Sets the value of a key that stands by itself on a line, or adds such a line.
  func setting(_ key: String, to value: String) -> ConfigurationText {
    let line = "\(key): '\(value.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''"))'"
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if let index = lines.firstIndex(where: { Self.key(of: $0) == key }) {
      let comment = lines[index].firstRange(of: " #").map { lines[index][$0.lowerBound...] } ?? ""
      lines[index] = line + comment
    } else {
      if lines.last?.isEmpty == true { lines.removeLast() }
      lines += [line, ""]
    }
    return ConfigurationText(lines.joined(separator: "\n"))
  }

  /// The key that a line without indentation sets.
  private static func key(of line: String) -> String? {
    guard let colon = line.firstIndex(of: ":"), line.first?.isWhitespace == false else { return nil }
    let key = line[..<colon].filter { $0 != "\"" && $0 != "'" }
    return String(key.prefix { !$0.isWhitespace })
  }
}
