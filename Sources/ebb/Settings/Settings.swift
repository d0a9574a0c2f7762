import Glibc
import TableClient
import TableProtocol
import Words

/// Where the list is and which server it belongs to: flag, environment, configuration file, default,
/// in this order of precedence.
struct Settings {
  let store: String
  /// The file was named, by a flag, the environment or the configuration.
  let isStoreNamed: Bool
  /// Nil if there is none, and for a command that works offline.
  let server: ServerAddress?
  /// A server was named, whether or not the name can be used. Without one nothing waits to be sent.
  let namesServer: Bool
  /// What proves to the server who is asking.
  let token: String?
  /// Whose it is, if the file says so.
  let userName: String?
  /// Where it was read from, when that was a file.
  let tokenFile: String?
  /// The names that the server has for columns.
  let columnNames: ColumnNames
  /// A file with certificates of authorities to trust beside those of the system.
  let caFile: String?
  /// Nil when there is none.
  let file: ConfigurationFile?

  /// Throws `CommandFailure` for a setting that can't be used.
  init(_ flags: SettingFlags, environment: EnvironmentVariables, offline: Bool) throws {
    let paths = DefaultPaths(environment)
    let layers = try SettingLayers(flags, environment: environment, paths: paths)
    file = layers.file
    let named = layers.text(flag: flags.store, variable: "EBB_STORE", key: "store").map(paths.absolute)
    store = DefaultPaths.resolved(named ?? paths.data("ebb.sqlite"))
    isStoreNamed = named != nil
    let serverName = layers.text(flag: flags.server, variable: "EBB_SERVER", key: "server")
    namesServer = serverName != nil
    guard !offline else {
      server = nil
      token = nil
      userName = nil
      tokenFile = nil
      columnNames = .none
      caFile = nil
      return
    }
    columnNames = try file?.columnNames() ?? .none
    caFile = try layers.authorities(flags, paths)
    server = try serverName.map { text in
      guard let address = ServerAddress(text) else { throw CommandFailure.badServer(text) }
      return address
    }
    if let given = environment["EBB_TOKEN"]?.split(whereSeparator: \.isWhitespace).first, flags.tokenFile == nil {
      guard Self.isToken(given) else { throw CommandFailure.unreadableToken("EBB_TOKEN") }
      token = String(given)
      userName = nil
      tokenFile = nil
    } else {
      // The environment holds the token itself, the other places the name of a file that holds it.
      let file = layers.text(flag: flags.tokenFile, variable: nil, key: "tokenFile").map(paths.absolute)
      token = try file.map { file in
        guard let token = Self.token(in: file) else { throw CommandFailure.unreadableToken(file) }
        return token
      }
      userName = file.flatMap(Self.userName)
      tokenFile = file
    }
  }

  var hasStore: Bool { access(store, F_OK) == 0 }
  var hasStoreFolder: Bool {
    guard let slash = store.lastIndex(of: "/"), slash != store.startIndex else { return true }
    return access(String(store[..<slash]), F_OK) == 0
  }

  /// The first word of the file; nil if there is none, or it is no token.
  static func token(in file: String) -> String? {
    words(of: file).first.flatMap { isToken($0) ? String($0) : nil }
  }

  /// The second word, which `ebb join` writes: the name of the user. It is in one file with the token, so that one is not
  /// replaced without the other.
  static func userName(in file: String) -> String? {
    words(of: file).dropFirst().first.flatMap { $0.isHeaderWord(atMost: 255) ? String($0) : nil }
  }

  private static func words(of file: String) -> [Substring] {
    String(decoding: SettingsFile.bytes(file) ?? [], as: UTF8.self).split(whereSeparator: \.isWhitespace)
  }

  /// A header carries it: visible ASCII, at most 16 KiB.
  private static func isToken(_ word: Substring) -> Bool {
    word.isHeaderWord(atMost: 16_384)
  }
}

extension ConfigurationFile {
  /// What `columns` says. Throws `CommandFailure`: with a wrong name the texts of a list would go into a wrong column.
  func columnNames() throws -> ColumnNames {
    let pairs = keys.reduce(into: [String: String]()) { pairs, key in
      guard let column = SettingKey.column(key), let name = text(key), !name.isEmpty else { return }
      pairs[column] = name
    }
    guard let names = ColumnNames(pairs) else {
      let value = pairs.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
      throw CommandFailure.badSetting(
        BadSetting(place: path, key: "columns", value: value).allowing("text: title, complete: isComplete"))
    }
    return names
  }
}

/// The places a setting may come from, the one that wins first: flag, environment, file.
struct SettingLayers {
  let file: ConfigurationFile?
  private let environment: EnvironmentVariables

  init(_ flags: SettingFlags, environment: EnvironmentVariables, paths: DefaultPaths) throws {
    self.environment = environment
    let named = [flags.config, environment["EBB_CONFIG"]].lazy.compactMap(Self.present).first
    file = try Self.file(named.map(paths.absolute), paths)
  }

  /// A file that was named must be there; the default one need not.
  private static func file(_ named: String?, _ paths: DefaultPaths) throws -> ConfigurationFile? {
    let path = named ?? paths.configuration("config.yaml")
    // The usual way to say that there is none.
    if path == "/dev/null" { return nil }
    guard let bytes = SettingsFile.bytes(path) else {
      guard named == nil else { throw CommandFailure.unreadableConfiguration(path, .unreadable) }
      return nil
    }
    return try ConfigurationFile(path: path, bytes: bytes)
  }

  /// The value of the first place that has one. An empty text counts as none.
  func text(flag: String?, variable: String?, key: String) -> String? {
    Self.present(flag) ?? Self.present(variable.flatMap { environment[$0] }) ?? Self.present(file?.text(key))
  }

  /// The file of authorities to trust. Throws `CommandFailure` if it has no certificate in it.
  func authorities(_ flags: SettingFlags, _ paths: DefaultPaths) throws -> String? {
    guard let path = text(flag: flags.caFile, variable: "EBB_CA_FILE", key: "caFile").map(paths.absolute) else {
      return nil
    }
    let mark = "-----BEGIN CERTIFICATE-----"
    guard let bytes = SettingsFile.bytes(path), String(decoding: bytes, as: UTF8.self).contains(mark) else {
      throw CommandFailure.unreadableAuthorities(path)
    }
    return path
  }

  private static func present(_ text: String?) -> String? {
    text?.isEmpty == false ? text : nil
  }
}
