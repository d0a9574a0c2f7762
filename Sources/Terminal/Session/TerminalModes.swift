import Glibc

/// The modes of the terminal's line: as they were found, and raw, so that every key comes at once and as it is.
struct TerminalModes {
  let descriptor: Int32
  private let found: termios

  /// Nil when the descriptor is no terminal.
  init?(_ descriptor: Int32) {
    var modes = termios()
    guard tcgetattr(descriptor, &modes) == 0 else { return nil }
    self.descriptor = descriptor
    found = modes
  }

  func setRaw() {
    var modes = found
    cfmakeraw(&modes)
    set(modes)
  }

  func restore() {
    set(found)
  }

  /// At once: to wait until the terminal has taken all output is to wait for ever on one that takes nothing.
  private func set(_ modes: termios) {
    var modes = modes
    while tcsetattr(descriptor, TCSANOW, &modes) != 0 && errno == EINTR {}
  }
}
