import FoundationEssentials

/// The places a setting may come from, the one that wins first: flag, environment, file.
struct SettingLayers {
  let file: ConfigurationFile?
  private let environment: [String: String]

  init(_ flags: SettingFlags, environment: [String: String], paths: DefaultPaths) throws {
    self.environment = environment
    let named = [flags.config, environment["EBB_CONFIG"]].lazy.compactMap(Self.present).first
    file = try Self.file(named.map(paths.absolute), paths)
  }

  /// A file that was named must be there; the default one need not.
  private static func file(_ named: String?, _ paths: DefaultPaths) throws -> ConfigurationFile? {
    let path = named ?? paths.configuration("config.yaml")
    guard let data = try? Data(contentsOf: URL(filePath: path)) else {
      guard named == nil else { throw CommandFailure.unreadableConfiguration(path, .unreadable) }
      return nil
    }
    return try ConfigurationFile(path: path, data: data)
  }

  /// The value of the first place that has one. An empty text counts as none.
  func text(flag: String?, variable: String?, key: String) -> String? {
    Self.present(flag) ?? Self.present(variable.flatMap { environment[$0] }) ?? Self.present(file?.text(key))
  }

  private static func present(_ text: String?) -> String? {
    text?.isEmpty == false ? text : nil
  }
}
