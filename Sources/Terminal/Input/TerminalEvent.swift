import Glibc

/// What reached the program from its terminal.
package enum TerminalEvent: Sendable, Hashable {
  case key(Key)
  /// Only while the mouse is on.
  case mouse(MouseEvent)
  case resized(Size)
  /// SIGTSTP came from outside.
  case stopAsked
  /// The program was stopped and goes on.
  case continued
  /// SIGINT, SIGTERM, SIGHUP or SIGQUIT.
  case ended(signal: Int32)
  /// The terminal is no longer there.
  case gone

  /// What a signal says; `size` is the terminal's now.
  init(signal: Int32, size: Size) {
    switch signal {
    case SIGWINCH: self = .resized(size)
    case SIGTSTP: self = .stopAsked
    case SIGCONT: self = .continued
    default: self = .ended(signal: signal)
    }
  }
}
