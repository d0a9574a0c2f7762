import Glibc

/// The bytes of a small file that settings are kept in: the configuration, a token.
enum SettingsFile {
  /// More than anybody writes by hand, and little enough to read; a device that never ends is cut off here.
  private static let largest = 4_194_304

  /// Nil if it can't be read, or is too long. A pipe is read to its end.
  ///
  /// The system is asked directly, since this is on the way to the first picture of every start: Foundation takes most of
  /// a millisecond to find that a file is not there.
  static func bytes(_ path: String) -> [UInt8]? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = read(file, &part, part.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0, bytes.count + count <= largest else { return nil }
      guard count > 0 else { return bytes }
      bytes += part[..<count]
    }
  }
}
