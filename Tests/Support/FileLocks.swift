import Foundation

/// The locks of the system on files, for what SQLite holds there (`/proc/locks`).
package enum FileLocks {
  /// The number of locks on the bytes where SQLite has its locks of a database (its file format, 1.2.1), whoever has
  /// them.
  package static func ofDatabase(at path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    guard let node = (attributes[.systemFileNumber] as? NSNumber)?.uint64Value else { return 0 }
    let lines = try String(contentsOfFile: "/proc/locks", encoding: .utf8).split(separator: "\n")
    return lines.count { line in
      let words = line.split(separator: " ")
      guard words.count >= 8, words[1] == "POSIX", let start = UInt64(words[6]) else { return false }
      return words[5].hasSuffix(":\(node)") && start >= 0x4000_0000
    }
  }
}
