import Glibc
import Testing

@testable import Terminal

/// A terminal whose other end is the test.
final class Pty {
  let master: Int32
  let slave: Int32

  init() throws {
    master = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    try #require(master >= 0)
    var (locked, number): (Int32, UInt32) = (0, 0)
    // TIOCSPTLCK and TIOCGPTN, macros that Swift does not import.
    try #require(ioctl(master, 0x4004_5431, &locked) == 0)
    try #require(ioctl(master, 0x8004_5430, &number) == 0)
    slave = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
    try #require(slave >= 0)
    _ = fcntl(master, F_SETFL, O_NONBLOCK)
  }

  deinit {
    close(slave)
    close(master)
  }

  func port(_ wake: Wake) throws -> TerminalPort {
    TerminalPort(modes: try #require(TerminalModes(slave)), output: slave, wake: wake, keys: KeySequences())
  }

  func resize(columns: UInt16, rows: UInt16) {
    var window = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(master, UInt(TIOCSWINSZ), &window)
  }

  func type(_ text: String) {
    let bytes = Array(text.utf8)
    _ = write(master, bytes, bytes.count)
  }

  /// What the program has written and nobody has read.
  func written() -> String {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while case let count = read(master, &buffer, buffer.count), count > 0 { bytes += buffer[..<count] }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The modes of the line, as numbers that can be compared.
  var modes: [UInt32] {
    var modes = termios()
    tcgetattr(slave, &modes)
    return [modes.c_iflag, modes.c_oflag, modes.c_cflag, modes.c_lflag]
  }
}
