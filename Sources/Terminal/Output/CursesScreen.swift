/// The terminal's screen: turns frames into the bytes that change what is shown. Main thread only.
///
/// It writes nothing itself, so that its owner can wait for a terminal that takes nothing.
final class CursesScreen {
  let charset: Charset
  private let depth: ColorDepth
  private let curses: Curses
  private let knowsPrivateModes: Bool
  private var size: Size
  private var shown: Frame?

  /// More than this is shown at once, where the terminal can: it is a few rows.
  private static let largeFrame = 1024

  /// Nil when ncurses cannot drive this terminal. `takeOver` has the bytes that begin.
  init?(size: Size, depth: ColorDepth, charset: Charset) {
    guard let curses = Curses(size: size, depth: depth) else { return nil }
    self.curses = curses
    self.size = size
    self.depth = depth
    self.charset = charset
    knowsPrivateModes = Curses.knowsPrivateModes
  }

  /// The bytes that take the terminal over, for the first time.
  func takeOver() -> [UInt8] {
    curses.takeBytes()
  }

  func giveBack() -> [UInt8] {
    curses.close()
    return curses.takeBytes()
  }

  /// Takes the terminal over again after it was given back or after the whole program was stopped.
  func takeOverAgain(size: Size) -> [UInt8] {
    curses.reopen()
    resize(to: size)
    // ncurses also sets the palette back. No colour of it was changed here, but the user may have changed some.
    return curses.takeBytes().removing(Curses.described("oc") ?? [])
  }

  /// The next frame is sent whole, whatever the terminal shows now.
  func redraw() {
    shown = nil
    curses.distrustAll()
  }

  func resize(to size: Size) {
    self.size = size
    curses.resize(to: size)
    redraw()
  }

  /// The bytes that make the terminal show this frame.
  func draw(_ frame: Frame) -> [UInt8] {
    let changed = frame.changedRows(since: shown).filter { $0 < size.rows }
    for row in changed {
      if let shown, isDirect(shown.line(row)) { curses.distrust(row: row) }
      curses.erase(row: row)
      for span in frame.line(row).spans {
        curses.write(charset.encode(DirectRow.blanked(span.text, in: charset)), span.style)
      }
    }
    curses.update(cursor: frame.cursor)
    // Where much changed ncurses may have scrolled, and drawn over rows that did not change.
    let suspects = changed.count < 6 ? changed : Array(frame.lines.indices.prefix(size.rows))
    let drawn = shown == nil ? curses.takeBytes() : OutputTrimmer.trimmed(curses.takeBytes())
    let bytes = drawn + direct(suspects.filter { isDirect(frame.line($0)) }, of: frame)
    shown = frame
    return bytes.count > Self.largeFrame && knowsPrivateModes ? atOnce(bytes) : bytes
  }

  private func direct(_ rows: [Int], of frame: Frame) -> [UInt8] {
    if rows.isEmpty { return [] }
    var text = rows.map { DirectRow.bytes(frame.line($0), row: $0, depth: depth) }.joined()
    if let cursor = frame.cursor { text += DirectRow.move(row: cursor.row, column: cursor.column) }
    return Array(text.utf8)
  }

  private func atOnce(_ bytes: [UInt8]) -> [UInt8] {
    Array(ScreenMode.synchronised.on.utf8) + bytes + Array(ScreenMode.synchronised.off.utf8)
  }

  private func isDirect(_ line: Line) -> Bool {
    charset == .utf8 && !line.isCountedByCurses
  }
}

extension [UInt8] {
  /// Without the first place where these bytes stand in a row.
  func removing(_ bytes: [UInt8]) -> [UInt8] {
    guard !bytes.isEmpty, let range = firstRange(of: bytes) else { return self }
    return Array(self[..<range.lowerBound] + self[range.upperBound...])
  }
}
