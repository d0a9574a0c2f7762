import Glibc

/// The bytes of an open file, or of a pipe, to its end.
///
/// The system is asked directly, since the configuration is on the way to the first picture of every start.
enum InputBytes {
  enum Problem: Error, Equatable {
    /// The number of the system's error.
    case unreadable(Int32)
    case tooLong
  }

  /// Throws if there are more than `most`: an input that never ends is cut off there.
  static func all(of descriptor: Int32, atMost most: Int) throws(Problem) -> [UInt8] {
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = read(descriptor, &part, part.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .unreadable(errno) }
      guard count > 0 else { return bytes }
      bytes += part[..<count]
      guard bytes.count <= most else { throw .tooLong }
    }
  }
}

/// The bytes of a small file that settings are kept in: the configuration, a token.
enum SettingsFile {
  /// More than anybody writes by hand, and little enough to read; a device that never ends is cut off here.
  private static let largest = 4_194_304

  /// Nil if it can't be read, or is too long, and for a named pipe, a folder or a disk. A pipe of the shell, as
  /// `<(command)`, is read to its end.
  ///
  /// This is on the way to the first picture of every start: Foundation takes most of a millisecond to find that a file
  /// is not there.
  static func bytes(_ path: String) -> [UInt8]? {
    // Opening a named pipe would wait for a program that writes to it.
    let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    guard comesToAnEnd(file) else { return nil }
    return try? InputBytes.all(of: file, atMost: largest)
  }

  /// False for a file that might never end. A terminal and a pipe of the shell are waited for from here on.
  private static func comesToAnEnd(_ file: Int32) -> Bool {
    // Pipes and terminals have no places to go to. A device that never ends is cut off, and a folder has no bytes.
    let isStream = lseek(file, 0, SEEK_CUR) < 0
    if isStream, isatty(file) == 0, !isWithoutName(file) { return false }
    return fcntl(file, F_SETFL, 0) == 0
  }

  /// The pipe is in no folder: a shell made it, with a program that writes to it.
  private static func isWithoutName(_ pipe: Int32) -> Bool {
    var target = [CChar](repeating: 0, count: 5)
    let count = readlink("/proc/self/fd/\(pipe)", &target, target.count)
    return count == target.count && target.elementsEqual("pipe:".utf8CString.dropLast())
  }
}
