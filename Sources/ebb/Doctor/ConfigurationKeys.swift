import Configuration
import FoundationEssentials
import Synchronization
import TodoUI

/// The keys that have a value in a configuration file, those that mean something and the others, each in
/// alphabetical order. Keys are named with dots between their parts, as in `sync.when`.
struct ConfigurationKeys {
  let known: [String]
  let unknown: [String]

  private static let single: Set = ["store", "server", "tokenFile", "sync.when", "theme", "mouse", "ascii", "color"]
  /// Keys with more keys below them, which may be left empty.
  private static let groups: Set = ["sync", "keys", "filters"]

  /// None of a file that is not there, or can't be used.
  init(path: String) {
    let found = Found()
    // The library tells nobody which keys there are, but asks of each whether it is a secret.
    let options = YAMLSnapshot.ParsingOptions(
      secretsSpecifier: .dynamic { key, _ in
        found.keys.withLock { $0.append(key) }
        return false
      })
    if let data = try? Data(contentsOf: URL(filePath: path)) {
      _ = try? YAMLSnapshot(data: data.bytes, providerName: path, parsingOptions: options)
    }
    let keys = found.keys.withLock { $0.sorted() }
    known = keys.filter(Self.isKnown)
    unknown = keys.filter { !Self.isKnown($0) }
  }

  private static func isKnown(_ key: String) -> Bool {
    if single.contains(key) || groups.contains(key) { return true }
    let parts = key.split(separator: ".", maxSplits: 1)
    guard parts.count == 2 else { return false }
    switch parts[0] {
    case "keys": return Command(rawValue: String(parts[1])) != nil
    case "filters": return Int(parts[1]).map((1...9).contains) ?? false
    default: return false
    }
  }

  private final class Found: Sendable {
    let keys = Mutex<[String]>([])
  }
}
