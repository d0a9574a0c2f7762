import Glibc
import Words

/// Where the configuration file is, whether or not it is there.
struct ConfigurationPlace {
  let path: String
  /// The default place unless a flag or the environment names another.
  let origin: SettingOrigin

  init(_ flags: SettingFlags, environment: EnvironmentVariables, _ paths: DefaultPaths) {
    if let named = flags.config, !named.isEmpty {
      (path, origin) = (paths.absolute(named), .flag("--config"))
    } else if let named = environment["EBB_CONFIG"], !named.isEmpty {
      (path, origin) = (paths.absolute(named), .variable("EBB_CONFIG"))
    } else {
      (path, origin) = (paths.configuration("config.yaml"), .standard)
    }
  }

  /// The usual way to say that there is none.
  static let none = "/dev/null"

  var isNone: Bool { path == Self.none }

  var isThere: Bool { access(path, F_OK) == 0 }

  private var isNamed: Bool {
    switch origin {
    case .standard: false
    case .flag, .variable, .file, .list: true
    }
  }

  /// Writes a new file that only its owner can read, and never over another. Throws `CommandFailure`. A folder that was
  /// named and is not there is a slip, and is not made.
  func make(_ text: String) throws {
    guard !isNone else { throw CommandFailure.configuration(.none) }
    let folder = FileFolder(of: path)
    if isNamed, access(folder.path, F_OK) != 0 { throw CommandFailure.configuration(.noFolder(folder.path)) }
    if let code = folder.make() { throw CommandFailure.configuration(failure(code)) }
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw CommandFailure.configuration(errno == EEXIST ? .exists(path) : failure(errno)) }
    defer { close(descriptor) }
    if let code = OpenFile.write(Array(text.utf8), to: descriptor) {
      unlink(path)
      throw CommandFailure.configuration(failure(code))
    }
  }

  private func failure(_ code: Int32) -> ConfigurationProblem { .notWritten(path, code) }
}

/// Why `ebb config` could not do what it was asked.
enum ConfigurationProblem: Error, Equatable {
  /// `/dev/null` was named.
  case none
  case exists(String)
  /// There is no terminal to edit it in.
  case noTerminal(String)
  case noFolder(String)
  /// With the number of the system's error.
  case notWritten(String, Int32)
}
