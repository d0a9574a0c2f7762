import Glibc

/// What reached the program from its terminal.
package enum TerminalEvent: Sendable, Hashable {
  case key(Key)
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
}

/// The program's hold on its terminal, from the first frame until the terminal is given back. Main thread only.
///
/// However the program ends, crashes included, the terminal is put back as it was found.
package final class TerminalSession {
  private let screen: CursesScreen
  private let wake: Wake

  /// Takes over the terminal. `wake` interrupts `wait` from other threads. When it throws, nothing was changed.
  package init(wake: Wake) throws(TerminalProblem) {
    if let problem = TerminalCheck.problem() { throw problem }
    CrashGuard.rememberModes()
    SignalRelay.start(wake)
    guard let screen = CursesScreen(inColor: Self.wantsColor) else {
      SignalRelay.stop()
      throw .termUnknown(name: getenv("TERM").map { String(cString: $0) } ?? "")
    }
    CrashGuard.arm(Array(PasteMode.off.utf8) + Curses.closingSequences())
    self.screen = screen
    self.wake = wake
  }

  package var size: Size { CursesScreen.size }
  package var charset: Charset { screen.charset }

  /// Draws what differs from the last frame.
  package func draw(_ frame: Frame) {
    screen.draw(frame)
  }

  package func setMouse(_ isOn: Bool) {}

  package func redraw() {
    screen.redraw()
  }

  /// Gives the terminal back. Call it once, as the last thing.
  package func close() {
    screen.close()
    CrashGuard.disarm()
    SignalRelay.stop()
  }

  /// Gives the terminal back, stops the job, and takes the terminal again when the job goes on.
  package func suspend() {
    screen.close()
    SignalRelay.stopJob(wake)
    screen.reopen()
  }

  /// Waits until something happens and returns all of it; nothing after `milliseconds`, or when only `wake` was
  /// rung. Nil waits for ever.
  package func wait(milliseconds: Int32?) -> [TerminalEvent] {
    var descriptors = [
      pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
      pollfd(fd: wake.readEnd, events: Int16(POLLIN), revents: 0),
    ]
    guard poll(&descriptors, 2, milliseconds ?? -1) > 0 else { return [] }
    let signals = descriptors[1].revents == 0 ? [] : Self.unique(wake.drain()).compactMap(event)
    return signals + (descriptors[0].revents == 0 ? [] : input(Int32(descriptors[0].revents)))
  }

  private func input(_ happened: Int32) -> [TerminalEvent] {
    guard happened & POLLIN != 0, !isAtEnd else { return [.gone] }
    return screen.keys().map(TerminalEvent.key)
  }

  /// Readable and yet empty: the other end has hung up.
  private var isAtEnd: Bool {
    var available: Int32 = 0
    return ioctl(STDIN_FILENO, UInt(FIONREAD), &available) != 0 || available == 0
  }

  private func event(_ signal: UInt8) -> TerminalEvent? {
    switch Int32(signal) {
    case 0: return nil
    case SIGWINCH: return .resized(screen.resize())
    case SIGTSTP: return .stopAsked
    case SIGCONT:
      screen.reopen()
      return .continued
    default: return .ended(signal: Int32(signal))
    }
  }

  private static func unique(_ bytes: [UInt8]) -> [UInt8] {
    bytes.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// See https://no-color.org: set and not empty means none.
  private static var wantsColor: Bool {
    guard let setting = getenv("NO_COLOR") else { return true }
    return setting.pointee == 0
  }
}
