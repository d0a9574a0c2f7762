import Glibc
import Testing

@testable import Terminal

/// ncurses knows one terminal at a time: all of this on one thread.
@Suite("What is sent to the terminal")
@MainActor
struct CursesScreenTests {
  private func screen(_ columns: Int = 80, _ rows: Int = 24, depth: ColorDepth = .palette256) throws -> CursesScreen {
    setenv("TERM", "xterm-256color", 1)
    _ = Curses.charset()
    let size = Size(columns: columns, rows: rows)
    let screen = try #require(CursesScreen(size: size, depth: depth, charset: .utf8))
    let begin = String(decoding: screen.takeOver(), as: UTF8.self)
    #expect(begin.contains("\u{1B}[?1049h") && begin.contains("\u{1B}[1;\(rows)r") && !begin.contains("\u{1B}]104"))
    return screen
  }

  private func sent(_ screen: CursesScreen, _ frame: Frame) -> String {
    String(decoding: screen.draw(frame), as: UTF8.self)
  }

  /// A list as it stands when the cursor is on this row.
  private func list(_ selected: Int, rows: Int = 22, columns: Int = 80) -> Frame {
    let lines = (0..<rows).map { row in
      var line = Line((row == selected ? "> " : "  ") + "[ ] Item \(row)", Style(reverse: row == selected))
      line.pad(to: columns, Style(reverse: row == selected))
      return line
    }
    return Frame(lines: lines, cursor: Frame.Cursor(row: selected, column: 0, isVisible: false))
  }

  @Test("one step of the cursor costs less than 300 bytes, and a frame like the last one nothing")
  func bytes() throws {
    let screen = try screen()
    _ = screen.draw(list(3))
    #expect((1..<300).contains(screen.draw(list(4)).count))
    #expect(screen.draw(list(4)) == [])
  }

  @Test("a large frame is shown at once, a small change is not wrapped")
  func atOnce() throws {
    let screen = try screen()
    var frame = Frame(lines: (0..<20).map { Line(String(repeating: "\($0) milk ", count: 9)) })
    let whole = sent(screen, frame)
    #expect(whole.hasPrefix("\u{1B}[?2026h") && whole.hasSuffix("\u{1B}[?2026l"))
    frame.lines[0] = Line("x")
    #expect(!sent(screen, frame).contains("2026"))
  }

  @Test("colours of the palette, of text and of what is behind it")
  func colors() throws {
    let screen = try screen()
    let style = Style(color: .indexed(208), background: .rgb(0, 0, 95))
    #expect(sent(screen, Frame(lines: [Line("x", style)])).contains("38;5;208"))
    #expect(sent(screen, Frame(lines: [Line("x", Style(background: .indexed(17)))])).contains("48;5;17"))
    #expect(sent(screen, Frame(lines: [Line("y", Style(color: .brightRed))])).contains("91m"))
  }

  @Test("without colours none is sent")
  func noColors() throws {
    let screen = try screen(depth: .none)
    let sent = sent(screen, Frame(lines: [Line("x", Style(bold: true, color: .red, background: .blue))]))
    #expect(!sent.contains("31") && !sent.contains("44") && !sent.contains("39;49"))
  }

  @Test("any size will do, and any order of sizes")
  func sizes() throws {
    let screen = try screen(1, 1)
    for (columns, rows) in [(1, 1), (1000, 500), (2, 1), (1, 400), (80, 24), (1024, 512), (3, 3)] {
      screen.resize(to: Size(columns: columns, rows: rows))
      #expect(!screen.draw(list(0, rows: rows, columns: columns)).isEmpty)
      // One that was made for another size.
      _ = screen.draw(list(1, rows: rows + 5, columns: columns + 9))
    }
  }

  @Test("after it was given back everything is sent anew, but the user's palette is left alone")
  func again() throws {
    let screen = try screen()
    _ = screen.draw(list(3))
    #expect(String(decoding: screen.giveBack(), as: UTF8.self).contains("\u{1B}[?1049l"))
    let again = String(decoding: screen.takeOverAgain(size: Size(columns: 80, rows: 24)), as: UTF8.self)
    #expect(again.contains("\u{1B}[?1049h") && !again.contains("\u{1B}]104"))
    #expect(sent(screen, list(3)).contains("Item 21"))
  }
}
