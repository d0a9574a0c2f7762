import Glibc

/// The list as whole lines, one after the other, for screen readers and slow lines. Main thread only.
///
/// It never moves the cursor but to the beginning of the line, sets no colours and leaves everything it wrote where it
/// is, so it works on any terminal, `TERM=dumb` among them. Keys come as they do in `TerminalSession`.
package final class PlainSession: Session {
  package let charset: Charset
  private let port: TerminalPort
  private let knowsPrivateModes: Bool
  private var line = PromptLine()
  private var wanted: (text: String, cursorColumn: Int)?

  /// Takes over the terminal. `wake` interrupts `wait` from other threads. When it throws, nothing was changed. Of the
  /// options only the character set counts.
  package convenience init(wake: Wake, options: TerminalOptions = TerminalOptions()) throws(TerminalProblem) {
    if let problem = TerminalCheck.plainProblem() { throw problem }
    guard let modes = TerminalModes(STDIN_FILENO) else { throw .inputIsNoTerminal }
    let charset = Curses.charset()
    let isKnown = TerminalCheck.environment("TERM").map { !$0.isEmpty && Curses.knowsTerminal($0) } ?? false
    let knowsPrivateModes = isKnown && Curses.knowsPrivateModes
    CrashGuard.rememberModes()
    SignalRelay.start(wake)
    let keys = KeySequences(described: isKnown ? Curses.describedKeys() : [])
    let port = TerminalPort(
      modes: modes, output: STDOUT_FILENO, wake: wake, keys: keys, marksPastes: isKnown && Curses.marksPastes())
    CrashGuard.arm(
      Array((knowsPrivateModes ? ScreenMode.paste.off : "").utf8), descriptor: port.output.descriptor)
    self.init(port, options.charset ?? charset, knowsPrivateModes: knowsPrivateModes)
  }

  init(_ port: TerminalPort, _ charset: Charset, knowsPrivateModes: Bool) {
    self.port = port
    self.charset = charset
    self.knowsPrivateModes = knowsPrivateModes
    sendModes(on: true)
  }

  package var size: Size { port.size }
  package var wake: Wake { port.wake }

  /// Writes a whole line above the prompt. A line longer than the terminal is wide is broken by the terminal.
  package func say(_ line: String) {
    port.output.send(self.line.clear() + shown(line) + "\r\n")
    showPrompt()
  }

  /// Shows the line being edited, with the cursor `cursorColumn` columns from its left edge. It stays, below all that
  /// is said, until the next one; an empty one takes it away.
  package func prompt(_ text: String, cursorColumn: Int) {
    wanted = text.isEmpty ? nil : (text, cursorColumn)
    if wanted == nil { port.output.send(line.clear()) }
    showPrompt()
  }

  /// Writes the prompt once more, on a line of its own.
  package func redraw() {
    leaveLine()
    showPrompt()
  }

  package func copy(_ text: String) {
    if knowsPrivateModes { port.output.send(TerminalString.clipboard(text)) }
  }

  /// The title of the shell stays: nothing here is a screen of its own.
  package func setTitle(_ title: String) {}

  /// Without colours there is nothing to ask.
  package func askBackground() -> Bool { false }

  package func wait(milliseconds: Int32?) -> [TerminalEvent] {
    let (signals, events) = port.wait(milliseconds: milliseconds)
    if signals.contains(SIGCONT) { takeOverAgain() }
    return signals.map { TerminalEvent(signal: $0, size: size) } + events
  }

  private func showPrompt() {
    guard let wanted else { return }
    port.output.send(
      line.rewrite(shown(wanted.text), cursorColumn: wanted.cursorColumn, columns: size.columns))
  }

  private func leaveLine() {
    if wanted != nil { port.output.send("\r\n") }
    line = PromptLine()
  }

  private func shown(_ text: String) -> String {
    charset.encode(Printable.text(text))
  }

  package func giveBack() {
    leaveLine()
    sendModes(on: false)
    port.close()
  }

  package func takeOverAgain() {
    port.reopen()
    sendModes(on: true)
    // After a stop that was asked for here, this is done a second time when the signal to go on is heard.
    port.output.send(line.clear())
    showPrompt()
  }

  private func sendModes(on: Bool) {
    if knowsPrivateModes { port.output.send(on ? ScreenMode.paste.on : ScreenMode.paste.off) }
  }
}

/// The one line that a plain terminal shows for editing, rewritten with carriage returns and spaces alone.
struct PromptLine {
  private var shown = ""
  private var cursor = 0

  /// The bytes that show this text with the cursor `cursorColumn` columns from its left edge. Text that does not fit
  /// in `columns` is shown around the cursor. Letters added at the end are sent alone, and so are read out alone.
  mutating func rewrite(_ text: String, cursorColumn: Int, columns: Int) -> String {
    let room = max(1, columns - 1)
    let start = max(0, cursorColumn - room)
    let visible = TextWidth.slice(text, from: start, columns: room)
    let width = TextWidth.columns(of: visible)
    let place = min(max(0, cursorColumn - start), width)
    defer { (shown, cursor) = (visible, place) }
    if visible == shown && place == cursor { return "" }
    let wasAtEnd = cursor == TextWidth.columns(of: shown)
    if place == width && wasAtEnd && visible.hasPrefix(shown) { return String(visible.dropFirst(shown.count)) }
    let whole = visible == shown ? "" : clear() + visible
    return place == width && !whole.isEmpty ? whole : whole + "\r" + TextWidth.prefix(visible, columns: place)
  }

  /// The bytes that leave the line empty, with the cursor at its beginning.
  mutating func clear() -> String {
    let columns = TextWidth.columns(of: shown)
    self = PromptLine()
    return columns == 0 ? "" : "\r" + String(repeating: " ", count: columns) + "\r"
  }
}
