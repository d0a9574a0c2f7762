import OfflineSync
import TableProtocol
import Testing
import TodoCore

@testable import Terminal
@testable import TodoUI

@Suite("The screen as text")
struct ViewTests {
  private let items = [
    TodoItem(id: "1", text: "(A) Buy oat milk +home due:2026-12-24", state: .waiting),
    TodoItem(id: "2", text: "買牛奶和雞蛋給媽媽，還有麵包", state: .conflict),
    TodoItem(id: "3", text: "Call 👨‍👩‍👧 ❤️ today, not tomorrow", state: .inFlight),
    TodoItem(id: "4", text: "evil \u{1B}[2J", state: .refused(reason: "no")),
  ]

  private func desk(_ columns: Int, _ rows: Int, charset: Charset = .utf8) -> Desk {
    var desk = Desk(items: items, columns: columns, rows: rows, charset: charset)
    (desk.sync.pending, desk.sync.conflicts, desk.sync.refused) = (4, 1, 1)
    desk.survey()
    return desk
  }

  @Test("at 80 by 24 every row shows its box, its state and its text")
  func wide() {
    #expect(
      desk(80, 24).screen == """
        Open                                                                      1 of 4
        > [ ] ↑ (A) Buy oat milk +home due:2026-12-24
          [ ] ≠ 買牛奶和雞蛋給媽媽，還有麵包
          [ ] ↑ Call 👨‍👩‍👧 ❤️ today, not tomorrow
          [ ] ! evil ␛[2J
        \(String(repeating: "\n", count: 16))
        2 to send · 1 conflict · 1 refused · never synced
        ? help  c decide  a add  Space done  r refresh  q quit  Enter edit  not yet sent
        """)
  }

  @Test("at 40 by 10 long rows are cut")
  func middle() {
    #expect(
      desk(40, 10).screen == """
        Open                              1 of 4
        > [ ] ↑ (A) Buy oat milk +home due:2026…
          [ ] ≠ 買牛奶和雞蛋給媽媽，還有麵包
          [ ] ↑ Call 👨‍👩‍👧 ❤️ today, not tomorrow
          [ ] ! evil ␛[2J



        ↑2 · ≠1 · !1 · never synced
        ? help  c decide  a add  Space done
        """)
  }

  @Test("at 20 by 5 there is still a list, a status and a way to the help")
  func small() {
    #expect(
      desk(20, 5).screen == """
        Open          1 of 4
        > [ ] ↑ (A) Buy oat…
          [ ] ≠ 買牛奶和雞…
        ↑2 · ≠1 · !1 · neve…
        ? help  c decide
        """)
  }

  @Test("below that only a word", arguments: [(19, 24), (80, 4), (3, 1)])
  func tooSmall(columns: Int, rows: Int) {
    let frame = desk(columns, rows).frame
    #expect(frame.lines.count == rows)
    #expect(frame.text.hasPrefix(String("too small".prefix(columns))))
  }

  @Test("outside UTF-8 the signs are ASCII")
  func ascii() {
    let screen = desk(80, 24, charset: .ascii)
    #expect(screen.row(1).hasPrefix("> [ ] ^ (A)"))
    #expect(screen.row(2).hasPrefix("  [ ] # "))
    #expect(screen.row(3).hasPrefix("  [ ] ^ "))
    #expect(screen.status == "2 to send - 1 conflict - 1 refused - never synced")
  }

  @Test(
    "a change sent without an answer is in flight only while a refresh runs here", arguments: [Charset.utf8, .ascii])
  func inFlight(charset: Charset) {
    let (waiting, flying) = charset == .utf8 ? ("↑", "…") : ("^", "~")
    var desk = desk(80, 24, charset: charset)
    #expect(desk.row(3).hasPrefix("  [ ] \(waiting) "))
    desk.press(.character("r"))
    #expect(desk.row(3).hasPrefix("  [ ] \(flying) "))
    desk.tell(.refresh(.finished(RefreshResult(failure: .cancelled))))
    #expect(desk.row(3).hasPrefix("  [ ] \(waiting) "))
  }

  @Test("in every state and size no row is wider than the screen and no row is missing")
  func bounds() {
    for columns in [20, 21, 39, 40, 59, 60, 80] {
      for rows in [5, 6, 10] {
        for keys in ["", "a", "e", "/", "?", "q", "a買買買買買買買買買買買買買買買買買買👨‍👩‍👧", "/zzz"] {
          var desk = desk(columns, rows)
          desk.tell(.refresh(.finished(RefreshResult(failure: .remote(.unreachable("name not found"))))))
          desk.type(keys)
          let frame = desk.frame
          #expect(frame.lines.count == rows, "\(keys) at \(columns)x\(rows)")
          #expect(frame.lines.allSatisfy { $0.columns <= columns }, "\(keys) at \(columns)x\(rows)")
          #expect((frame.cursor?.column ?? 0) < columns && (frame.cursor?.row ?? 0) < rows)
        }
      }
    }
  }

  @Test("the cursor stands behind what was typed, in wide text too, and stays in the field when that is full")
  func cursor() {
    var desk = Desk([], columns: 20, rows: 5)
    desk.press(.character("a"))
    desk.type("買é👨‍👩‍👧")
    #expect(desk.frame.cursor == Frame.Cursor(row: 1, column: 8 + 5, isVisible: true))
    desk.type("abcdefghijklm")
    #expect(desk.row(1) == "> [ ]   ghijklm")
    #expect(desk.frame.cursor?.column == 15)
  }

  @Test("the editor for a new item is on the screen also when the last row is chosen")
  func editorAtEnd() {
    var desk = Desk.long(50, columns: 40, rows: 8)
    desk.press(.character("G"), .character("a"))
    desk.type("new")
    #expect(desk.row(5) == "> [ ]   new")
    #expect(desk.row(4) == "  [ ]   item 49")
  }

  @Test("the words of todo.txt are styled where they mean something, and a date is said as people say it")
  func words() {
    let desk = Desk([])
    let view = ScreenView(desk.model).listView
    let line = { (text: String) in view.words(of: TodoItem(id: "1", text: text), base: .plain) }
    let styled = { (text: String) in line(text).spans.filter { $0.style != .plain }.map(\.text) }
    #expect(styled("(A) call @home +kids due:2026-12-24") == ["(A)", "@home", "+kids", "due:2026-12-24"])
    #expect(styled("call (A) a@b.com 2+2 + @ due: (a)") == [])
    #expect(line(" two  spaces ").text == " two  spaces ")
    #expect(line("pay due:2026-11-21 now").text == "pay due:today now")
    #expect(line("pay due:2026-11-22").text == "pay due:tomorrow")
    #expect(line("pay due:2026-11-27").text == "pay due:fri")
    #expect(line("pay due:2026-11-28").text == "pay due:2026-11-28")
    #expect(line("pay due:2026-11-20").text == "pay overdue:2026-11-20")
  }
}
