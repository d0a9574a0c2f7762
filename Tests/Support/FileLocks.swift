import Foundation
import Glibc

/// The locks of the system on files, for what SQLite holds there (`/proc/locks`).
package enum FileLocks {
  /// The number of locks on the bytes where SQLite has its locks of a database (its file format, 1.2.1), whoever has
  /// them.
  ///
  /// The system hands its list out in parts: if another process takes or gives back a lock between two of them, some
  /// are left out, or come twice. So it is read several times, and the longest reading counts.
  package static func ofDatabase(at path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    guard let node = (attributes[.systemFileNumber] as? NSNumber)?.uint64Value else { return 0 }
    return try (0..<5).map { _ in try lines(ofNode: node).count }.max() ?? 0
  }

  /// Without the numbers that they begin with.
  private static func lines(ofNode node: UInt64) throws -> Set<[Substring]> {
    let locks = try list().split(separator: "\n").map { $0.split(separator: " ") }.filter { words in
      guard words.count >= 8, words[1] == "POSIX", let start = UInt64(words[6]) else { return false }
      return words[5].hasSuffix(":\(node)") && start >= 0x4000_0000
    }
    return Set(locks.map { Array($0.dropFirst()) })
  }

  /// To its end, which only a read of nothing shows: each part is shorter than there is room for, and Foundation takes
  /// the first such part for the whole.
  private static func list() throws -> String {
    let file = open("/proc/locks", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw CocoaError(.fileReadUnknown) }
    defer { close(file) }
    var (bytes, part) = ([UInt8](), [UInt8](repeating: 0, count: 65_536))
    while case let count = read(file, &part, part.count), count > 0 { bytes += part.prefix(count) }
    return String(decoding: bytes, as: UTF8.self)
  }
}
