import Testing

@testable import Terminal

@Suite("Frames, rows and what has to be drawn")
struct FrameTests {
  private func frame(_ rows: String...) -> Frame {
    Frame(lines: rows.map { Line($0) })
  }

  @Test("only the rows that differ are drawn")
  func difference() {
    #expect(frame("a", "B", "c").changedRows(since: frame("a", "b", "c")) == [1])
    #expect(frame("a").changedRows(since: frame("a")) == [])
  }

  @Test("a row in another style differs")
  func style() {
    let bold = Frame(lines: [Line("a", Style(bold: true))])
    #expect(bold.changedRows(since: frame("a")) == [0])
  }

  @Test("rows that went away are drawn empty, and with nothing to rely on all are drawn")
  func sizes() {
    #expect(frame("a").changedRows(since: frame("a", "b")) == [1])
    #expect(frame("a", "b").changedRows(since: nil) == [0, 1])
  }

  @Test("a row is cut across its spans, and the ellipsis fits in")
  func cut() {
    var line = Line("> ")
    line.append("買牛奶", Style(bold: true))
    #expect(line.cut(to: 8, ellipsis: "…").text == "> 買牛奶")
    #expect(line.cut(to: 7, ellipsis: "…").text == "> 買牛…")
    #expect(line.cut(to: 6, ellipsis: "…").text == "> 買…")
  }

  @Test("after each emoji in dispute the column is stated anew")
  func directRow() {
    let bytes = DirectRow.bytes(Line("a❤️b"), row: 2, depth: .sixteen)
    #expect(bytes == "\u{1B}[3;1H\u{1B}[0m\u{1B}[Ka❤️\u{1B}[3;4Hb\u{1B}[0m")
  }

  @Test("ncurses draws spaces of the same width where an emoji in dispute will be")
  func blanked() {
    #expect(DirectRow.blanked("a❤️買👨‍👩‍👧b", in: .utf8) == "a  買  b")
  }

  @Test("without colour the other styles stay")
  func noColor() {
    let line = Line("❤️", Style(bold: true, reverse: true, color: .red))
    #expect(DirectRow.bytes(line, row: 0, depth: .sixteen).contains("\u{1B}[0;1;7;31m"))
    #expect(DirectRow.bytes(line, row: 0, depth: .none).contains("\u{1B}[0;1;7m"))
  }
}
