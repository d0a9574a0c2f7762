import Glibc

/// The list on the whole screen, from the first frame until the terminal is given back. Main thread only.
package final class TerminalSession: Session {
  private let screen: CursesScreen
  private let port: TerminalPort
  private var hasMouse: Bool
  /// The window has a title of this program.
  private var hasTitle = false
  private let depth: ColorDepth
  /// When the terminal was asked for its background, until it has answered.
  private var asked: ContinuousClock.Instant?
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
    self.depth = depth
    hasMouse = options.mouse
    port = TerminalPort(
      modes: modes, output: STDOUT_FILENO, wake: wake, keys: KeySequences(described: Curses.describedKeys()),
      marksPastes: Curses.marksPastes())
    CrashGuard.arm(
      Array(ScreenMode.allOff.utf8) + Curses.closingSequences(), descriptor: port.output.descriptor)
    port.output.send(screen.takeOver())
    sendModes()
  }

  package var size: Size { port.size }
  package var wake: Wake { port.wake }
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

  package func wait(milliseconds: Int32?) -> [TerminalEvent] {
    let (signals, events) = port.wait(milliseconds: milliseconds)
    for signal in signals {
      if signal == SIGWINCH { screen.resize(to: size) }
      if signal == SIGCONT { takeOverAgain() }
    }
    if let late { draw(late) }
    return signals.map { TerminalEvent(signal: $0, size: size) } + events.filter(isAwaited)
  }

  /// The time in which an answer counts as one.
  private static let patience = Duration.seconds(1)

  /// Asks only terminals of xterm's kind, which know the question or skip it, and where the answer makes a difference.
  package func askBackground() -> Bool {
    guard depth >= .palette256, Curses.knowsPrivateModes else { return false }
    asked = .now
    port.output.send(TerminalAnswer.question)
    return true
  }

  package func copy(_ text: String) {
    guard Curses.knowsPrivateModes, text.utf8.count <= TerminalOptions.longestCopy else { return }
    port.output.send(TerminalString.clipboard(text))
  }

  package func setTitle(_ title: String) {
    guard Curses.knowsPrivateModes, port.output.isIdle else { return }
    if !hasTitle { port.output.send(ScreenMode.title.on) }
    hasTitle = true
    port.output.send(TerminalString.title(title, charset))
  }

  private func isAwaited(_ event: TerminalEvent) -> Bool {
    guard case .answered(let answer) = event else { return true }
    let isInTime = asked.map { $0.duration(to: .now) < Self.patience } ?? false
    if answer == .attributes { asked = nil }
    return isInTime
  }

  /// An answer that is still on its way would be typed into what has the terminal next.
  private func awaitAnswers() {
    guard let asked else { return }
    self.asked = nil
    let end = min(asked + Self.patience, .now + .milliseconds(100))
    while ContinuousClock.now < end {
      let left = Int32(ContinuousClock.now.duration(to: end) / .milliseconds(1)) + 1
      let (_, events) = port.wait(milliseconds: left)
      if events.contains(.answered(.attributes)) || events.contains(.gone) { return }
    }
  }

  package func giveBack() {
    awaitAnswers()
    if hasTitle { port.output.send(ScreenMode.title.off) }
    hasTitle = false
    port.output.send(ScreenMode.mouse.off + ScreenMode.focus.off + ScreenMode.paste.off)
    port.output.send(screen.giveBack())
    port.close()
  }

  package func takeOverAgain() {
    port.reopen()
    port.output.send(screen.takeOverAgain(size: size))
    sendModes()
  }

  private func sendModes() {
    port.output.send(ScreenMode.paste.on + ScreenMode.focus.on + (hasMouse ? ScreenMode.mouse.on : ""))
  }
}

/// Settings of the user that override the surroundings.
package struct TerminalOptions: Sendable, Hashable {
  /// Bytes that go to the clipboard at once: more than this many terminals refuse.
  package static let longestCopy = 70_000

  package enum ColorChoice: Sendable, Hashable {
    /// As `NO_COLOR`, `COLORTERM` and the terminal's description say.
    case auto
    case never
    /// As many as the surroundings say, and eight where they say none.
    case always
    /// This many, whatever the surroundings say.
    case depth(ColorDepth)
  }

  package var color: ColorChoice
  /// Nil for what the locale says.
  package var charset: Charset?
  /// Whether presses of the mouse are told from the beginning. The terminal then selects text only with Shift held.
  package var mouse: Bool

  package init(color: ColorChoice = .auto, charset: Charset? = nil, mouse: Bool = false) {
    self.color = color
    self.charset = charset
    self.mouse = mouse
  }

  func depth(described colors: Int, environment: (String) -> String?) -> ColorDepth {
    switch color {
    case .auto: ColorDepth.found(described: colors, environment: environment)
    case .never: .none
    case .always:
      max(.eight, ColorDepth.found(described: colors) { $0 == "NO_COLOR" ? nil : environment($0) })
    case .depth(let depth): depth
    }
  }
}

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

extension Charset {
  /// The charset of the locale that the environment names, found as for the list. Main thread only.
  package static func ofLocale() -> Charset {
    let names = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { TerminalCheck.environment($0) }
    guard let name = names.first(where: { !$0.isEmpty })?.lowercased() else { return .utf8 }
    // Most names end so, and then the files of the locale need not be read. Every start comes by here.
    return name.hasSuffix("utf-8") || name.hasSuffix("utf8") ? .utf8 : Curses.charset()
  }
}

/// The terminal as the surroundings describe it, whether or not one is there.
package struct TerminalSurroundings: Sendable, Hashable {
  /// The value of `TERM`; nil when it says nothing.
  package let term: String?
  /// Why no list can be drawn on a terminal of that kind; nil when one can.
  package let problem: TerminalProblem?
  package let charset: Charset
  package let colors: ColorDepth

  /// Reads the environment and the description of the terminal, and draws nothing. Main thread only.
  package static func found() -> TerminalSurroundings {
    let term = TerminalCheck.environment("TERM")
    let problem = TerminalCheck.termProblem(term, isKnown: Curses.knowsTerminal)
    return TerminalSurroundings(
      term: term?.isEmpty == false ? term : nil, problem: problem, charset: Curses.charset(),
      colors: problem == nil
        ? ColorDepth.found(described: Curses.describedColors, environment: TerminalCheck.environment) : .none)
  }
}
