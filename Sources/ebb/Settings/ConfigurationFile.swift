import Configuration
import Synchronization

/// The configuration file, read once. Keys are named with dots between their parts, as in `sync.when`.
struct ConfigurationFile {
  let path: String
  /// Every key that has a value, in alphabetical order.
  let keys: [String]
  private let snapshot: YAMLSnapshot

  /// Why a configuration file can't be used.
  enum Problem: Equatable, Sendable {
    case unreadable
    /// It is no YAML, or not of keys and values; from this line on, where that can be told.
    case notYAML(line: Int?)
    /// These keys are in it more than once.
    case duplicates(String)
  }

  /// Nil for a file with nothing but comments in it. Throws `CommandFailure`.
  init?(path: String, bytes: [UInt8]) throws {
    let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
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
      throw CommandFailure.unreadableConfiguration(path, Self.problem(said: String(describing: error)))
    }
    self.path = path
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

  private func value(_ key: String, _ type: ConfigType) -> ConfigContent? {
    let parts = key.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    return try? snapshot.value(forKey: AbsoluteConfigKey(parts), type: type).value?.content
  }

  /// The parser's own errors begin with `12:3: error:`, line and column. Of a key that is there twice it only has the name.
  private static func problem(said description: String) -> Problem {
    if let duplicates = description.firstMatch(of: /duplicated key\(s\): (.+)\.\n/) {
      return .duplicates(String(duplicates.1.filter { $0 != "'" }))
    }
    return .notYAML(line: description.firstMatch(of: /(\d+):\d+: error/).flatMap { Int($0.1) })
  }

  private final class Found: Sendable {
    let keys = Mutex<[String]>([])
  }
}
