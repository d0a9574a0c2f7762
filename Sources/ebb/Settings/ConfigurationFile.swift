import Configuration
import Synchronization

/// The configuration file, read once. Keys are named with dots between their parts, as in `sync.when`.
struct ConfigurationFile {
  let path: String
  /// Every key that has a value, in alphabetical order.
  let keys: [String]
  private let snapshot: YAMLSnapshot
  /// The text of the file, kept for the lines of its keys: a pipe can't be read twice.
  private let source: String

  /// Why a configuration file can't be used.
  enum Problem: Equatable, Sendable {
    case absent
    case unreadable
    /// This line has bytes that are not UTF-8.
    case notUTF8(line: Int)
    /// This line begins with a tab.
    case tab(line: Int)
    /// A quote or a bracket of this line, if it is known, is not closed.
    case unclosed(line: Int?)
    /// A value of this line begins with a sign that YAML keeps for itself.
    case sign(Character, line: Int)
    /// It is no YAML, or not of keys and values; from this line on, where that can be told.
    case notYAML(line: Int?)
    /// These keys are in it more than once.
    case duplicates(String)
  }

  /// Nil for a file with nothing but comments in it. Throws `CommandFailure`.
  init?(path: String, bytes: [UInt8]) throws {
    if let line = Self.lineNotUTF8(bytes) { throw CommandFailure.unreadableConfiguration(path, .notUTF8(line: line)) }
    let text = String(decoding: bytes, as: UTF8.self)
    let lines = text.split(whereSeparator: \.isNewline)
    guard lines.contains(where: { $0.contains { !$0.isWhitespace } && $0.first { !$0.isWhitespace } != "#" })
    else { return nil }
    let found = Found()
    // The library tells nobody which keys there are, but asks of each whether it is a secret.
    let options = YAMLSnapshot.ParsingOptions(
      secretsSpecifier: .dynamic { key, _ in
        found.keys.withLock { $0.append(key) }
        return false
      })
    do {
      snapshot = try YAMLSnapshot(data: bytes.span.bytes, providerName: path, parsingOptions: options)
    } catch {
      throw CommandFailure.unreadableConfiguration(path, Self.problem(said: String(describing: error), text))
    }
    if let (line, sign) = YAMLSigns.first(in: bytes) {
      throw CommandFailure.unreadableConfiguration(path, .sign(sign, line: line))
    }
    self.path = path
    source = text
    keys = found.keys.withLock { $0.sorted() }
  }

  /// A single value as it was written; nil when there is none, or several.
  func text(_ key: String) -> String? {
    guard case .string(let text)? = value(key, .string) else { return nil }
    return text
  }

  /// One value or a list of them; nil when there is none.
  func texts(_ key: String) -> [String]? {
    if let text = text(key) { return [text] }
    guard case .stringArray(let texts)? = value(key, .stringArray) else { return nil }
    return texts
  }

  /// The path that is the value of a key, made absolute: a relative one begins in the folder of the file. Nil if there
  /// is none. Throws `CommandFailure` for a path that only a shell would read, one that begins with `$` or `~name`.
  func absolutePath(of key: String, _ paths: DefaultPaths) throws -> String? {
    guard let written = text(key), !written.isEmpty else { return nil }
    let isForShell = written.hasPrefix("$") || written.hasPrefix("~") && written != "~" && !written.hasPrefix("~/")
    if isForShell { throw CommandFailure.badPath(BadSetting(place: place(of: key), key: key, value: written)) }
    return paths.path(written, in: String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]))
  }

  /// The path of the file and the line of a key, as `/home/anna/.config/ebb/config.yaml:3`; without the line if that is
  /// not found.
  func place(of key: String) -> String {
    ConfigurationLines(source).line(of: key).map { "\(path):\($0)" } ?? path
  }

  private func value(_ key: String, _ type: ConfigType) -> ConfigContent? {
    let parts = key.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    return try? snapshot.value(forKey: AbsoluteConfigKey(parts), type: type).value?.content
  }

  /// The parser's own errors begin with `12:3: error:`, line and column. Of a key that is there twice it only has the
  /// name.
  private static func problem(said description: String, _ text: String) -> Problem {
    if let duplicates = description.firstMatch(of: /duplicated key\(s\): (.+)\.\n/) {
      return .duplicates(String(duplicates.1.filter { $0 != "'" }))
    }
    let rows = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    if let tab = rows.firstIndex(where: { $0.first { $0 != " " } == "\t" && !$0.allSatisfy(\.isWhitespace) }) {
      return .tab(line: tab + 1)
    }
    let line = description.firstMatch(of: /(\d+):\d+: error/).flatMap { Int($0.1) }
    let last = rows.lastIndex { !$0.allSatisfy(\.isWhitespace) } ?? 0
    if let open = rows.firstIndex(where: isUnclosed) { return .unclosed(line: open + 1) }
    // An error behind the last line is about something that began before it.
    return line.map { $0 > last + 1 } == true ? .unclosed(line: nil) : .notYAML(line: line)
  }

  /// A quote that begins a value is not closed in this line, or a bracket.
  private static func isUnclosed(_ row: Substring) -> Bool {
    guard let first = row.first(where: { !$0.isWhitespace }), first != "#" else { return false }
    let value = row.firstIndex(of: ":").map { row[row.index(after: $0)...] } ?? row
    guard let sign = value.first(where: { !$0.isWhitespace }) else { return false }
    switch sign {
    case "\"", "'": return value.count { $0 == sign } % 2 == 1
    case "[": return value.count { $0 == "[" } > value.count { $0 == "]" }
    case "{": return value.count { $0 == "{" } > value.count { $0 == "}" }
    default: return false
    }
  }

  /// The first line, from 1, that is not UTF-8; nil if all are.
  static func lineNotUTF8(_ bytes: [UInt8]) -> Int? {
    if String(validating: bytes, as: UTF8.self) != nil { return nil }
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    return lines.firstIndex { String(validating: $0, as: UTF8.self) == nil }.map { $0 + 1 }
  }

  private final class Found: Sendable {
    let keys = Mutex<[String]>([])
  }
}
