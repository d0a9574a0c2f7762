import Glibc

/// The list on the whole screen, from the first frame until the terminal is given back. Main thread only.
package final class TerminalSession: Session {
  private let screen: CursesScreen
  private let port: TerminalPort
  private var hasMouse: Bool
  /// The newest frame that came while the terminal took nothing.
  private var late: Frame?

  /// Takes over the terminal. `wake` interrupts `wait` from other threads. When it throws, nothing was changed.
  package init(wake: Wake, options: TerminalOptions = TerminalOptions()) throws(TerminalProblem) {
    if let problem = TerminalCheck.problem() { throw problem }
    guard let modes = TerminalModes(STDIN_FILENO) else { throw .inputIsNoTerminal }
    let charset = Curses.charset()
    let depth = options.depth(described: Curses.describedColors, environment: TerminalCheck.environment)
    let size = Size(ofTerminal: STDOUT_FILENO)
    CrashGuard.rememberModes()
    // ncurses leaves alone the signals that are handled already.
    SignalRelay.start(wake)
    guard let screen = CursesScreen(size: size, depth: depth, charset: options.charset ?? charset) else {
      SignalRelay.stop()
      throw .termUnknown(name: TerminalCheck.environment("TERM") ?? "")
    }
    self.screen = screen
    hasMouse = options.mouse
    port = TerminalPort(
      modes: modes, output: STDOUT_FILENO, wake: wake, keys: KeySequences(described: Curses.describedKeys()))
    CrashGuard.arm(
      Array(ScreenMode.allOff.utf8) + Curses.closingSequences(), descriptor: port.output.descriptor)
    port.output.send(screen.takeOver())
    sendModes()
  }

  package var size: Size { port.size }
  package var charset: Charset { screen.charset }

  /// Draws what differs from the last frame. While the terminal takes nothing, only the newest frame is kept, and
  /// `wait` draws it as soon as it can be.
  package func draw(_ frame: Frame) {
    guard port.output.isIdle else {
      late = frame
      return
    }
    late = nil
    port.output.send(screen.draw(frame))
  }

  package func redraw() {
    screen.redraw()
  }

  /// Whether presses of the mouse and the wheel come as events. Off, the terminal selects text with it again; on, most
  /// terminals still do so while Shift is held.
  package func setMouse(_ on: Bool) {
    guard on != hasMouse else { return }
    hasMouse = on
    port.output.send(on ? ScreenMode.mouse.on : ScreenMode.mouse.off)
  }

  package func close() {
    giveBack()
    CrashGuard.disarm()
    SignalRelay.stop()
  }

  package func suspend() {
    giveBack()
    SignalRelay.stopJob(port.wake)
    takeOverAgain()
  }

  package func wait(milliseconds: Int32?) -> [TerminalEvent] {
    let (signals, events) = port.wait(milliseconds: milliseconds)
    for signal in signals {
      if signal == SIGWINCH { screen.resize(to: size) }
      if signal == SIGCONT { takeOverAgain() }
    }
    if let late { draw(late) }
    return signals.map { TerminalEvent(signal: $0, size: size) } + events
  }

  private func giveBack() {
    port.output.send(ScreenMode.mouse.off + ScreenMode.paste.off)
    port.output.send(screen.giveBack())
    port.close()
  }

  private func takeOverAgain() {
    port.reopen()
    port.output.send(screen.takeOverAgain(size: size))
    sendModes()
  }

  private func sendModes() {
    port.output.send(ScreenMode.paste.on + (hasMouse ? ScreenMode.mouse.on : ""))
  }
}
