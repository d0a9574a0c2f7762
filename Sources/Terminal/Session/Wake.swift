import Glibc

/// A pipe that wakes the main thread out of `poll`. It may be rung from any thread and from a signal handler.
package final class Wake: Sendable {
  let readEnd: Int32
  let writeEnd: Int32

  /// Throws when the process has no file descriptors left.
  package init() throws(WakeError) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw WakeError(code: errno) }
    (readEnd, writeEnd) = (ends[0], ends[1])
    for end in ends {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
  }

  deinit {
    close(readEnd)
    close(writeEnd)
  }

  package func ring() {
    Self.send(0, to: writeEnd)
  }

  /// A full pipe is no error: the other end will wake anyway. Safe in a signal handler.
  static func send(_ byte: UInt8, to descriptor: Int32) {
    var byte = byte
    let before = errno
    _ = write(descriptor, &byte, 1)
    errno = before
  }

  /// The bytes since the last time: 0 for a ring, else the number of a signal.
  func drain() -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 256)
    while true {
      let count = read(readEnd, &buffer, buffer.count)
      guard count > 0 else { return bytes }
      bytes += buffer[0..<count]
    }
  }

  /// The signals that came since the last time, each once.
  func signals() -> [Int32] {
    drain().reduce(into: []) { signals, byte in
      if byte != 0 && !signals.contains(Int32(byte)) { signals.append(Int32(byte)) }
    }
  }
}

package struct WakeError: Error, Sendable, Hashable {
  /// The `errno` of `pipe`.
  package let code: Int32
}
