import Glibc

/// The bytes of a small file that settings are kept in: the configuration, a token.
enum SettingsFile {
  /// More than anybody writes by hand, and little enough to read; a device that never ends is cut off here.
  private static let largest = 4_194_304

  /// Nil if it can't be read, or is too long. A pipe is read to its end.
  ///
  /// This is on the way to the first picture of every start: Foundation takes most of a millisecond to find that a file is
  /// not there.
  static func bytes(_ path: String) -> [UInt8]? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    return try? InputBytes.all(of: file, atMost: largest)
  }
}
