import TodoUI

/// Something in the configuration file that is not as it was meant, and stops nobody.
enum SettingWarning: Equatable, Sendable {
  /// Keys that mean nothing.
  case unknownKeys([String], path: String)
  /// Two commands are on one key in one place.
  case sharedKey(KeyCollision, path: String)

  static func unknownKeys(in file: ConfigurationFile?) -> [SettingWarning] {
    guard let file else { return [] }
    let keys = SettingKey.unknown(in: file)
    return keys.isEmpty ? [] : [.unknownKeys(keys, path: file.path)]
  }

  static func sharedKeys(_ preferences: Preferences, _ file: ConfigurationFile?) -> [SettingWarning] {
    guard let file else { return [] }
    return preferences.collisions.map { .sharedKey($0, path: file.path) }
  }
}
