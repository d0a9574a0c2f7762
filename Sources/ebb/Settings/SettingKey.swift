import OfflineSync
import TodoCore
import TodoUI

/// The keys that mean something in the configuration file.
enum SettingKey {
  private static let single: Set = [
    "store", "server", "tokenFile", "caFile", "sync.when", "theme", "mouse", "ascii", "color", "quit.ask",
  ]

  /// Keys with more keys below them, which may be left empty.
  private static let groups: Set = ["sync", "quit", "keys", "filters", "colors", "columns"]

  /// A key below one of the groups, for an example.
  static func example(below group: String) -> String? {
    switch group {
    case "sync": "when"
    case "quit": "ask"
    case "keys": "add"
    case "filters": "1"
    case "colors": ThemeColors.Role.allCases[0].rawValue
    case "columns": "text"
    default: nil
    }
  }

  /// Those of the file that mean nothing.
  static func unknown(in file: ConfigurationFile) -> [String] {
    file.keys.filter { key in
      !single.contains(key) && command(key) == nil && filter(key) == nil && color(key) == nil
        && column(key) == nil && !(groups.contains(key) && isNothing(file.text(key)))
    }
  }

  /// The command that `keys.NAME` binds.
  static func command(_ key: String) -> Command? {
    below("keys", key).flatMap { Command(named: String($0)) }
  }

  /// The number of the saved filter that `filters.NUMBER` is, from 1 to 9.
  static func filter(_ key: String) -> Int? {
    below("filters", key).flatMap { Int($0) }.flatMap { (1...9).contains($0) ? $0 : nil }
  }

  /// The part of the screen that `colors.NAME` is for.
  static func color(_ key: String) -> ThemeColors.Role? {
    below("colors", key).flatMap { ThemeColors.Role(rawValue: String($0)) }
  }

  /// The column that `columns.NAME` gives the server's name of.
  static func column(_ key: String) -> String? {
    below("columns", key).map(String.init).flatMap { TodoList.definition.columns[$0] == nil ? nil : $0 }
  }

  private static func below(_ group: String, _ key: String) -> Substring? {
    key.hasPrefix(group + ".") ? key.dropFirst(group.count + 1) : nil
  }

  /// As YAML writes it.
  private static func isNothing(_ text: String?) -> Bool {
    ["", "~", "null"].contains(text?.lowercased())
  }
}

/// A value that a setting can't have.
struct BadSetting: Error, Equatable, Sendable {
  /// The configuration file; nil for a flag.
  let place: String?
  let key: String
  let value: String
  /// The values that it can have, as they would be written.
  private(set) var allowed = ""
  var flaw = Flaw.value

  enum Flaw {
    /// The setting can't have the value.
    case value
    /// The value is one word of several, of which the others may be right.
    case word
    /// `never` stands beside other words of `sync.when`.
    case neverAmongOthers
  }

  init(place: String?, key: String, value: String) {
    self.place = place
    self.key = key
    self.value = value
  }

  func allowing(_ allowed: String) -> BadSetting {
    var problem = self
    problem.allowed = allowed
    return problem
  }
}

/// A mistake in the configuration file that stops nothing.
enum SettingWarning: Equatable, Sendable {
  /// Keys that mean nothing.
  case unknownKeys([String], path: String)
  /// Two commands are on one key in one place.
  case sharedKey(KeyCollision, path: String)
  /// A store that was named was not there, nor was its folder. `namedIn` is the line of the configuration file that
  /// names it, if one does.
  case newStore(String, namedIn: String?)
  /// A value that can't be used; the default counts in its place.
  case badValue(BadSetting)
  /// A key with keys below it has a value of its own.
  case valueOfGroup(String, example: String, path: String)
  /// The list remembers it; the file does not say it.
  case notOfFile(String, path: String)
  /// A saved filter that is not understood.
  case badFilter(key: String, FilterProblem, path: String)
  /// The file that should have the token, or the variable. The list is open, and is not synced.
  case unreadableToken(String, Credentials.Flaw)
  /// The path of that file is one for a shell.
  case badTokenPath(BadSetting)

  /// How many mistakes of the file it names.
  var mistakes: Int {
    switch self {
    case .unknownKeys(let keys, _): keys.count
    case .newStore, .unreadableToken: 0
    case .sharedKey, .badValue, .valueOfGroup, .notOfFile, .badFilter, .badTokenPath: 1
    }
  }

  /// The warning in place of the failure to read a token. Nil for another error.
  init?(ofToken error: any Error) {
    switch error {
    case CommandFailure.unreadableToken(let place, let flaw): self = .unreadableToken(place, flaw)
    case CommandFailure.badPath(let problem): self = .badTokenPath(problem)
    default: return nil
    }
  }

  /// The path of the file in which a token may appear; nil if no file was named.
  var tokenFile: String? {
    guard case .unreadableToken(let place, _) = self, place.hasPrefix("/") else { return nil }
    return place
  }

  static func unknownKeys(in file: ConfigurationFile?) -> [SettingWarning] {
    guard let file else { return [] }
    let unknown = SettingKey.unknown(in: file)
    let known = unknown.compactMap { misplaced($0, in: file, path: file.path) }
    let keys = unknown.filter { misplaced($0, in: file, path: file.path) == nil }
    return (keys.isEmpty ? [] : [.unknownKeys(keys, path: file.path)]) + known
  }

  /// The warning for a key that means something, but not so; nil for one that means nothing.
  static func misplaced(_ key: String, in file: ConfigurationFile, path: String) -> SettingWarning? {
    if key == "order" { return .notOfFile(key, path: path) }
    guard let child = SettingKey.example(below: key) else { return nil }
    let value = file.texts(key)?.joined(separator: ", ").printable ?? ""
    return .valueOfGroup(key, example: "\(key): {\(child): \(value)}", path: path)
  }

  static func badFilters(in file: ConfigurationFile?, today: CalendarDay) -> [SettingWarning] {
    guard let file else { return [] }
    return file.keys.compactMap { key in
      guard SettingKey.filter(key) != nil, let text = file.text(key) else { return nil }
      return TodoFilter.problem(in: text, today: today).map { .badFilter(key: key, $0, path: file.path) }
    }
  }

  static func sharedKeys(_ preferences: Preferences, _ file: ConfigurationFile?) -> [SettingWarning] {
    guard let file else { return [] }
    return preferences.collisions.map { .sharedKey($0, path: file.path) }
  }
}
