import FoundationEssentials
import TableClient
import TodoCore
import TodoUI
import Words

/// All that is wrong with a configuration file, each with its line: data for `ebb config check`.
struct ConfigurationReview {
  struct Mistake: Equatable {
    /// Counted from 1; nil if it can't be said.
    let line: Int?
    /// The setting that does not have its value; nil if there is none such.
    var key: String?
    /// Its value in force if that is not the default.
    var inForce: String?
    let sentence: String
  }

  private let path: String
  private let lines: ConfigurationLines
  /// In the order of the file.
  private(set) var mistakes: [Mistake] = []

  init(path: String, bytes: [UInt8], environment: EnvironmentVariables) {
    self.path = path
    let text = String(decoding: bytes, as: UTF8.self)
    lines = ConfigurationLines(text)
    if let file = readable(text, bytes) { review(file, environment) }
    mistakes.sort { ($0.line ?? 0) < ($1.line ?? 0) }
  }

  /// The file without its repeated keys and the lines that are no YAML, which are noted: so the rest is looked at too.
  private mutating func readable(_ text: String, _ bytes: [UInt8]) -> ConfigurationFile? {
    var bytes = bytes
    var rows = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
    while let line = ConfigurationFile.lineNotUTF8(bytes), bytes.count > 0 {
      note(line, .configLineNotUTF8Here, [:])
      bytes = Self.blanking(line, in: bytes)
      rows[line - 1] = ""
    }
    for (key, repeats) in lines.repeated {
      for line in repeats {
        note(line, .configRepeated, ["key": key, "line": String(lines.line(of: key) ?? 0)])
        rows[line - 1] = ""
      }
    }
    for _ in 0..<Self.mostBadLines {
      do {
        return try ConfigurationFile(path: path, bytes: Array(rows.joined(separator: "\n").utf8))
      } catch CommandFailure.unreadableConfiguration(_, .tab(let line)) where rows.indices.contains(line - 1) {
        note(line, .configTabHere, [:])
        rows[line - 1] = ""
      } catch CommandFailure.unreadableConfiguration(_, .unclosed(let line?)) where rows.indices.contains(line - 1) {
        note(line, .configUnclosedHere, [:])
        rows[line - 1] = ""
      } catch CommandFailure.unreadableConfiguration(_, .sign(let sign, let line)) {
        note(line, .configSignHere, ["sign": String(sign)])
        rows[line - 1] = ""
      } catch CommandFailure.unreadableConfiguration(_, .notYAML(let line?)) where rows.indices.contains(line - 1) {
        // A problem that is found at an empty line began before it.
        let place = rows[..<line].lastIndex { $0.contains { !$0.isWhitespace } } ?? line - 1
        guard !rows[place].isEmpty else { break }
        note(place + 1, .configBadYAML, [:])
        rows[place] = ""
      } catch {
        mistakes.append(Mistake(line: nil, sentence: ErrorMessages.anySentence(for: error)))
        return nil
      }
    }
    return nil
  }

  private static let mostBadLines = 50

  /// The file with nothing in this line.
  private static func blanking(_ line: Int, in bytes: [UInt8]) -> [UInt8] {
    var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    lines[line - 1] = []
    return Array(lines.joined(separator: [UInt8(ascii: "\n")]))
  }

  private mutating func review(_ file: ConfigurationFile, _ environment: EnvironmentVariables) {
    for key in SettingKey.unknown(in: file) { noteUnknown(key, file) }
    var bad: [BadSetting] = []
    let preferences = try? ListPreferences(SettingFlags(), file, environment: environment)
      .preferences(ErrorMessages.catalogue) { bad.append($0) }
    for problem in bad { note(problem) }
    for collision in preferences?.collisions ?? [] {
      let line = lines.line(of: "keys." + collision.second.name) ?? lines.line(of: "keys." + collision.first.name)
      let key = collision.isInFirstPlace ? "keys." + collision.second.name : nil
      note(line, [.sharedKey(collision, path: place(line))], key)
      mistakes[mistakes.count - 1].inForce = key == nil ? nil : collision.kept.joined(separator: " ")
    }
    for warning in SettingWarning.badFilters(in: file, today: CalendarDay(Date())) {
      guard case .badFilter(let key, let problem, _) = warning else { continue }
      let line = lines.line(of: key)
      note(line, [.badFilter(key: key, problem, path: place(line))], key)
    }
    reviewServer(file, environment)
  }

  private mutating func reviewServer(_ file: ConfigurationFile, _ environment: EnvironmentVariables) {
    do {
      _ = try file.columnNames()
    } catch CommandFailure.badSetting(let problem) {
      note(problem)
    } catch {
      mistakes.append(Mistake(line: lines.line(of: "columns"), sentence: ErrorMessages.anySentence(for: error)))
    }
    let paths = DefaultPaths(environment)
    if let server = file.text("server"), !server.isEmpty, ServerAddress(server) == nil {
      note("server", CommandFailure.badServerInFile(server))
    }
    check("store") { _ = try file.absolutePath(of: "store", paths) }
    check("tokenFile") { _ = try file.absolutePath(of: "tokenFile", paths).map { try Credentials(file: $0) } }
    check("caFile") { _ = try SettingLayers(file: file, environment: [:]).authorities(SettingFlags(), paths) }
  }

  /// Notes what the body throws as a mistake of the key.
  private mutating func check(_ key: String, _ body: () throws -> Void) {
    do {
      try body()
    } catch {
      note(key, error)
    }
  }

  // MARK: Noting

  private func place(_ line: Int?) -> String { line.map { "\(path):\($0)" } ?? path }

  private mutating func note(_ key: String, _ error: any Error) {
    let line = lines.line(of: key)
    let sentence = ErrorMessages.anySentence(for: error)
    if case CommandFailure.badPath = error {
      // The sentence begins with the place, and no default counts: a command ends there.
      mistakes.append(Mistake(line: line, key: key, inForce: "", sentence: sentence))
    } else {
      mistakes.append(Mistake(line: line, key: key, sentence: place(line) + ": " + sentence))
    }
  }

  private mutating func note(_ line: Int?, _ warnings: [SettingWarning], _ key: String?) {
    mistakes.append(Mistake(line: line, key: key, sentence: ErrorMessages.sentence(for: warnings)))
  }

  private mutating func note(_ problem: BadSetting) {
    let line = lines.line(of: problem.key)
    var placed = BadSetting(place: place(line), key: problem.key, value: problem.value).allowing(problem.allowed)
    placed.flaw = problem.flaw
    note(line, [.badValue(placed)], problem.key)
  }

  private mutating func note(_ line: Int, _ key: CommandKey, _ values: KeyValuePairs<String, String>) {
    let sentence = ErrorMessages.catalogue.text(key, values)
    mistakes.append(Mistake(line: line, sentence: (place(line) + ": " + sentence).printable))
  }

  private mutating func noteUnknown(_ key: String, _ file: ConfigurationFile) {
    let line = lines.line(of: key)
    if let warning = SettingWarning.misplaced(key, in: file, path: place(line)) { return note(line, [warning], key) }
    guard let nearest = SettingKey.nearest(to: key) else {
      return note(line, [.unknownKeys([key], path: place(line))], key)
    }
    let values: KeyValuePairs = ["path": place(line), "key": key, "nearest": nearest]
    let sentence = ErrorMessages.catalogue.text(.configUnknownNear, values).printable
    mistakes.append(Mistake(line: line, key: key, sentence: sentence))
  }
}

extension SettingKey {
  /// The setting that a mistyped key was meant to be; nil if none is near.
  static func nearest(to key: String) -> String? {
    let parts = key.split(separator: ".", maxSplits: 1).map(String.init)
    guard parts.count == 2 else { return Nearest.word(to: key, among: topLevel) }
    guard let names = namesBelow(parts[0]) else {
      let group = Nearest.word(to: parts[0], among: topLevel).flatMap { namesBelow($0) == nil ? nil : $0 }
      return group.map { $0 + "." + parts[1] }
    }
    return Nearest.word(to: parts[1], among: names).map { parts[0] + "." + $0 }
  }

  private static let topLevel = [
    "store", "server", "tokenFile", "caFile", "theme", "mouse", "ascii", "color", "sync", "quit", "keys", "filters",
    "colors", "columns",
  ]

  private static func namesBelow(_ group: String) -> [String]? {
    switch group {
    case "sync": ["when"]
    case "quit": ["ask"]
    case "keys": Command.allCases.map(\.name)
    case "filters": (1...9).map(String.init)
    case "colors": ThemeColors.Role.allCases.map(\.rawValue)
    case "columns": ["text", "complete"]
    default: nil
    }
  }
}
