import Glibc
import SQLiteStore
import TableClient
import TableProtocol
import Words

/// Where the list is and which server it belongs to: flag, environment, configuration file, default,
/// in this order of precedence.
struct Settings {
  let flags: SettingFlags
  let store: String
  /// The file was named, by a flag, the environment or the configuration.
  let isStoreNamed: Bool
  private let isStoreOfFile: Bool
  /// Nil if there is none, and for a command that works offline.
  let server: ServerAddress?
  /// A server was named, whether or not the name can be used. Without one nothing waits to be sent.
  let namesServer: Bool
  /// The proof for the server of who asks; nil if there is none. A failure for one that can't be read: only what asks
  /// the server needs it.
  let credentials: Result<Credentials?, any Error>
  /// The server of the configuration, if its token is not sent to the one that is asked.
  let otherServerOfToken: ServerAddress?
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
    self.flags = flags
    file = layers.file
    if ListPreferences(flags, file, environment: environment).wantsASCII { StandardOutput.restrictToASCII() }
    let named = try layers.path(flag: flags.store, variable: "EBB_STORE", key: "store", paths)
    store = DefaultPaths.resolved(named ?? paths.data("ebb.sqlite"))
    isStoreNamed = named != nil
    isStoreOfFile = named != nil && layers.isOfFile(flag: flags.store, variable: "EBB_STORE")
    let serverName = layers.server(flags)
    namesServer = serverName != nil
    guard !offline else {
      server = nil
      credentials = .success(nil)
      otherServerOfToken = nil
      columnNames = .none
      caFile = nil
      return
    }
    columnNames = try file?.columnNames() ?? .none
    caFile = try layers.authorities(flags, paths)
    let asked = try serverName.map { text in
      guard let address = ServerAddress(text) else {
        throw layers.isOfFile(flag: flags.server, variable: "EBB_SERVER")
          ? CommandFailure.badServerInFile(text) : CommandFailure.badServer(text)
      }
      return address
    }
    server = asked
    otherServerOfToken = layers.otherServerOfToken(flags, asked)
    credentials = asked == nil ? .success(nil) : Result { try layers.credentials(flags, paths, for: asked) }
  }

  /// False only if it is sure that there is none: a list that can't be reached, or whose log alone is left, must not be
  /// taken for an empty one.
  var hasStore: Bool { access(store, F_OK) == 0 || errno != ENOENT || StoreInspection.hasLog(beside: store) }
  /// The configuration file with the line that names the store; nil if the name is from elsewhere.
  var storePlace: String? { isStoreOfFile ? file?.place(of: "store") : nil }
  var hasStoreFolder: Bool {
    guard let slash = store.lastIndex(of: "/"), slash != store.startIndex else { return true }
    return access(String(store[..<slash]), F_OK) == 0
  }
}

extension ConfigurationFile {
  /// The names under `columns`. Throws `CommandFailure`: with a wrong one texts would go into a wrong column.
  func columnNames() throws -> ColumnNames {
    let pairs = keys.reduce(into: [String: String]()) { pairs, key in
      guard let column = SettingKey.column(key), let name = text(key), !name.isEmpty, name != column else { return }
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
  let environment: EnvironmentVariables

  init(_ flags: SettingFlags, environment: EnvironmentVariables, paths: DefaultPaths) throws {
    self.environment = environment
    file = try Self.file(ConfigurationPlace(flags, environment: environment, paths))
  }

  init(file: ConfigurationFile?, environment: EnvironmentVariables) {
    self.environment = environment
    self.file = file
  }

  /// Without a configuration file.
  init(environment: EnvironmentVariables) {
    self.environment = environment
    file = nil
  }

  /// A file that was named must be there; the default one need not.
  private static func file(_ place: ConfigurationPlace) throws -> ConfigurationFile? {
    if place.isNone { return nil }
    guard let bytes = SettingsFile.bytes(place.path) else {
      // A file that is there and can't be read may name another list than the default.
      let isThere = access(place.path, F_OK) == 0
      if place.origin == .standard, !isThere { return nil }
      throw CommandFailure.unreadableConfiguration(place.path, isThere ? .unreadable : .absent)
    }
    return try ConfigurationFile(path: place.path, bytes: bytes)
  }

  /// The value of the first place that has one. An empty text counts as none.
  func text(flag: String?, variable: String?, key: String) -> String? {
    Self.present(flag) ?? Self.present(variable.flatMap { environment[$0] }) ?? Self.present(file?.text(key))
  }

  /// The absolute path of the first place that has one. Throws `CommandFailure` for one of the file that can't be used.
  func path(flag: String?, variable: String?, key: String, _ paths: DefaultPaths) throws -> String? {
    if let typed = Self.present(flag) ?? Self.present(variable.flatMap { environment[$0] }) {
      return paths.absolute(typed)
    }
    return try file?.absolutePath(of: key, paths)
  }

  /// The address as it was given, which may be none.
  func server(_ flags: SettingFlags) -> String? { text(flag: flags.server, variable: "EBB_SERVER", key: "server") }

  /// Neither the flag nor the environment says anything.
  func isOfFile(flag: String?, variable: String) -> Bool {
    Self.present(flag) == nil && Self.present(environment[variable]) == nil
  }

  /// The file of authorities to trust. Throws `CommandFailure` if it has no certificate in it.
  func authorities(_ flags: SettingFlags, _ paths: DefaultPaths) throws -> String? {
    guard let path = try self.path(flag: flags.caFile, variable: "EBB_CA_FILE", key: "caFile", paths) else {
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
