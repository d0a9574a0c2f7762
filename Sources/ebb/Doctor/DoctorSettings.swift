import FoundationEssentials
import TableClient
import Words

/// The settings with the places they come from, as far as they can be read: a bad one is the trouble of one check,
/// and not the end of all.
struct DoctorSettings {
  struct Found {
    let value: String
    let origin: SettingOrigin
  }

  let environment: EnvironmentVariables
  /// The configuration file, whether or not it is there.
  let configuration: Found
  /// A failure for a configuration file that can't be used.
  let layers: Result<SettingLayers, any Error>
  /// Nil if there is no token. A failure for one that can't be read.
  let credentials: Result<Credentials?, any Error>
  /// The file with the authorities to trust; nil if none is set. A failure for one without a certificate in it.
  let authorities: Result<String?, any Error>
  /// The server that the token of the configuration is for, if another one is asked.
  let otherServerOfToken: ServerAddress?
  let flags: SettingFlags
  private let paths: DefaultPaths

  init(_ flags: SettingFlags, environment: EnvironmentVariables) {
    self.flags = flags
    self.environment = environment
    let paths = DefaultPaths(environment)
    self.paths = paths
    let layers = Result { try SettingLayers(flags, environment: environment, paths: paths) }
    self.layers = layers
    let found = (try? layers.get()) ?? SettingLayers(environment: environment)
    let asked = found.server(flags).flatMap(ServerAddress.init)
    credentials = Result { try found.credentials(flags, paths, for: asked) }
    authorities = Result { try found.authorities(flags, paths) }
    otherServerOfToken = found.otherServerOfToken(flags, asked)
    let place = ConfigurationPlace(flags, environment: environment, paths)
    configuration = Found(value: place.path, origin: place.origin)
  }

  /// Nil if only a configuration file that can't be used could tell, or if that names a path that can't be one.
  var store: Found? {
    guard let found = setting(flags.store, "--store", variable: "EBB_STORE", key: "store") else {
      return isUsable ? Found(value: paths.data("ebb.sqlite"), origin: .standard) : nil
    }
    var path: String? = paths.absolute(found.value)
    if case .file = found.origin { path = try? layers.get().file?.absolutePath(of: "store", paths) }
    return path.map { Found(value: DefaultPaths.resolved($0), origin: found.origin) }
  }

  /// Nil where none is set, or where only a configuration file that can't be used could tell.
  var server: Found? { setting(flags.server, "--server", variable: "EBB_SERVER", key: "server") }

  /// Whether the configuration file can be used, or is not there.
  var isUsable: Bool { (try? layers.get()) != nil }

  private func setting(_ flag: String?, _ name: String, variable: String?, key: String) -> Found? {
    if let found = Self.given(flag, name) ?? variable.flatMap({ Self.given(environment[$0], variable: $0) }) {
      return found
    }
    return (try? layers.get())?.text(flag: nil, variable: nil, key: key).map {
      Found(value: $0, origin: .file(configuration.value))
    }
  }

  private static func given(_ value: String?, _ flag: String) -> Found? {
    value.flatMap { $0.isEmpty ? nil : Found(value: $0, origin: .flag(flag)) }
  }

  private static func given(_ value: String?, variable: String) -> Found? {
    value.flatMap { $0.isEmpty ? nil : Found(value: $0, origin: .variable(variable)) }
  }
}

extension Credentials {
  var origin: SettingOrigin { file.map { .file($0) } ?? .variable("EBB_TOKEN") }
}

extension Finding {
  /// The value that was found, and where it is set.
  static func ok(_ check: DoctorCheck, _ found: DoctorSettings.Found) -> Finding {
    .ok(check, .place, ["value": found.value, "origin": found.origin.words])
  }
}

/// Where the value of a setting comes from.
enum SettingOrigin: Equatable {
  case flag(String)
  case variable(String)
  case file(String)
  /// It was set by a key of the list, which remembers it.
  case list
  case standard

  var words: String {
    switch self {
    case .flag(let name), .variable(let name), .file(let name): name
    case .list: ErrorMessages.catalogue.text(.configOfList)
    case .standard: ErrorMessages.catalogue.text(.standard)
    }
  }
}
