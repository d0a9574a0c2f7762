import Glibc

/// The terminal's screen: draws frames, sends only what changed. Main thread only.
final class CursesScreen {
  let charset: Charset
  private let inColor: Bool
  private let input: Curses.Input
  private var decoder = KeyDecoder()
  private var shown: Frame?

  /// Nil when ncurses cannot drive this terminal.
  init?(inColor: Bool) {
    charset = Curses.charset()
    self.inColor = inColor
    guard Curses.open(inColor: inColor) else { return nil }
    input = Curses.Input()
    enter()
  }

  func close() {
    Self.send(PasteMode.off)
    Curses.close()
  }

  /// Takes the terminal over again after it was given back or after the whole program was stopped.
  func reopen() {
    Curses.reopen()
    enter()
    redraw()
  }

  /// The next frame is sent whole, whatever the terminal shows now.
  func redraw() {
    shown = nil
    Curses.distrustAll()
  }

  func resize() -> Size {
    let size = Self.size
    Curses.resize(to: size)
    redraw()
    return size
  }

  /// All the keys that are here already.
  func keys() -> [Key] {
    var keys: [Key] = []
    while let token = input.next() { keys += decoder.decode(token) }
    return keys + decoder.flush()
  }

  func draw(_ frame: Frame) {
    let changed = frame.changedRows(since: shown)
    for row in changed {
      if let shown, isDirect(shown.line(row)) { Curses.distrust(row: row) }
      Curses.erase(row: row)
      for span in frame.line(row).spans {
        Curses.write(charset.encode(DirectRow.blanked(span.text, in: charset)), span.style, inColor: inColor)
      }
    }
    Curses.update(cursor: frame.cursor)
    // Where much changed ncurses may have scrolled, and drawn over rows that did not change.
    let direct = (changed.count < 6 ? changed : Array(frame.lines.indices)).filter { isDirect(frame.line($0)) }
    if !direct.isEmpty { send(direct, of: frame) }
    shown = frame
  }

  private func send(_ rows: [Int], of frame: Frame) {
    var bytes = rows.map { DirectRow.bytes(frame.line($0), row: $0, inColor: inColor) }.joined()
    if let cursor = frame.cursor { bytes += DirectRow.move(row: cursor.row, column: cursor.column) }
    Self.send(bytes)
  }

  private func isDirect(_ line: Line) -> Bool {
    charset == .utf8 && !line.isCountedByCurses
  }

  private func enter() {
    Self.send(PasteMode.on)
    let size = Self.size
    Curses.resize(to: size)
  }

  /// The size the terminal has now; 80 by 24 when it does not tell.
  static var size: Size {
    var window = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0 else {
      return Size(columns: 80, rows: 24)
    }
    return Size(columns: Int(window.ws_col), rows: Int(window.ws_row))
  }

  private static func send(_ text: String) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let sent = rest.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      if sent < 0 && errno == EINTR { continue }
      guard sent > 0 else { return }
      rest = rest.dropFirst(sent)
    }
  }
}

/// Bracketed paste: the terminal marks pasted text, so that it cannot act as keys.
enum PasteMode {
  static let on = "\u{1B}[?2004h"
  static let off = "\u{1B}[?2004l"
}
