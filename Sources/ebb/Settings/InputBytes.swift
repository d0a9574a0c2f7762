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
