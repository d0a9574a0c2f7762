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
    TodoItem(id: "4", text: "evil \u{1B}[2J", state: .refused(status: 400, reason: "no")),
  ]

  private func desk(_ columns: Int, _ rows: Int, charset: Charset = .utf8) -> Desk {
    var desk = Desk(items: items, columns: columns, rows: rows, charset: charset, opensAgenda: false)
    (desk.sync.pending, desk.sync.conflicts, desk.sync.refused) = (4, 1, 1)
    desk.survey()
    return desk
  }

  @Test("several lines about the preferences take a third of the screen at most, and go with the next key")
  func warnings() {
    var preferences = Preferences()
    preferences.warnings = ["9 mistakes"] + (1...9).map { "mistake \($0)" + String(repeating: " is long", count: 20) }
    for key in [Key.character("j"), .escape, .character("a")] {
      var desk = Desk(items: [TodoItem(id: "a", text: "milk")], preferences: preferences)
      #expect(desk.row(15).hasPrefix(" 9 mistakes"))
      for number in 1...6 {
        #expect(desk.row(15 + number).hasPrefix(" mistake \(number) is") && desk.row(15 + number).hasSuffix("…"))
      }
      #expect(desk.row(22).hasPrefix(" and 3 more"))
      #expect(Array(recapitulation(of: desk.model).prefix(10)) == preferences.warnings)
      desk.press(key)
      #expect(!desk.screen.contains("mistake"))
    }
  }

  @Test("one line about the preferences is shown whole")
  func oneWarning() {
    var preferences = Preferences()
    preferences.warnings = ["This can't be" + String(repeating: " so", count: 40) + " at all."]
    let desk = Desk(items: [TodoItem(id: "a", text: "milk")], preferences: preferences)
    #expect(desk.row(22).hasPrefix(" so so") && desk.row(22).contains("at all."))
  }

  @Test("at 80 by 24 every row shows its box, its state and its text")
  func wide() {
    #expect(
      desk(80, 24).screen == """
         Agenda 4   Open 4   All 4   Done 0                   ↑2  ≠1  !1 · never synced
        ▌↑ [ ] A Buy oat milk                                       +home       24 Dec
         ≠ [ ]   買牛奶和雞蛋給媽媽，還有麵包
         ↑ [ ]   Call 👨‍👩‍👧 ❤️ today, not tomorrow
         ! [ ]   evil ␛[2J
        \(String(repeating: "\n", count: 16))
         not yet sent                                                            1 of 4
         ? help  c decide  a add  Space done  r refresh  q quit  Enter edit  / filter
        """)
  }

  @Test("at 40 by 10 long rows are cut")
  func middle() {
    #expect(
      desk(40, 10).screen == """
         Open 4       ↑2  ≠1  !1 · never synced
        ▌↑ [ ] A Buy oat milk +home due:24 Dec
         ≠ [ ]   買牛奶和雞蛋給媽媽，還有麵包
         ↑ [ ]   Call 👨‍👩‍👧 ❤️ today, not tomorrow
         ! [ ]   evil ␛[2J



         not yet sent                    1 of 4
         ? help  c decide  a add  Space done
        """)
  }

  @Test("where a row is too narrow for its text, the words give way to the date")
  func narrowDates() {
    let texts = ["(A) Pay the electricity bill of the flat +home due:2026-11-18", "Walk due:2026-11-21"]
    let items = texts.map { TodoItem(id: RecordID($0), text: $0) }
    var desk = Desk(items: items, columns: 40, rows: 10, opensAgenda: false)
    #expect(desk.row(1) == "▌  [ ] A Pay the electricity… 3 days ago")
    #expect(desk.row(2) == "   [ ]   Walk due:today")
    desk.tell(.resized(Size(columns: 20, rows: 10)))
    #expect(desk.row(1) == "▌  [ ] A Pay the el…")
  }

  @Test("at 20 by 5 there is still a list, a status and a way to the help")
  func small() {
    #expect(
      desk(20, 5).screen == """
         Open 4    ↑2 ≠1 !1
        ▌↑ [ ] A Buy oat mi…
         ≠ [ ]   買牛奶和雞…
         not yet sent
         ? help  c decide
        """)
  }

  @Test("the title of the window says the list and what waits, once that is known")
  func windowTitle() throws {
    var desk = Desk(items: items)
    #expect(WindowTitle(desk.model) == nil)
    (desk.sync.pending, desk.sync.conflicts) = (4, 1)
    desk.survey()
    #expect(try #require(WindowTitle(desk.model)).text(desk.model) == "Ebb: Agenda 4 · ↑3 ≠1")
    desk.sync.server = nil
    desk.survey()
    #expect(try #require(WindowTitle(desk.model)).text(desk.model) == "Ebb: Agenda 4")
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
    #expect(screen.row(1).hasPrefix("|^ [ ] (A) Buy"))
    #expect(screen.row(2).hasPrefix(" # [ ]     "))
    #expect(screen.row(3).hasPrefix(" ^ [ ]     "))
    #expect(screen.row(0).hasPrefix(" Agenda 4  [Open 4]  All 4   Done 0 "))
    #expect(screen.syncState == "^2  #1  !1 - never synced")
  }

  @Test(
    "a change sent without an answer is in flight only while a refresh runs here", arguments: [Charset.utf8, .ascii])
  func inFlight(charset: Charset) {
    let (waiting, flying) = charset == .utf8 ? ("↑", "…") : ("^", "~")
    var desk = desk(80, 24, charset: charset)
    #expect(desk.row(3).hasPrefix(" \(waiting) [ ]   "))
    desk.press(.character("r"))
    #expect(desk.row(3).hasPrefix(" \(flying) [ ]   "))
    desk.tell(.refresh(.finished(RefreshResult(failure: .cancelled))))
    #expect(desk.row(3).hasPrefix(" \(waiting) [ ]   "))
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
    #expect(desk.frame.cursor == Frame.Cursor(row: 1, column: 9 + 5, isVisible: true))
    desk.type("abcdefghijklm")
    #expect(desk.row(1) == "▌  [ ]   fghijklm")
    #expect(desk.frame.cursor?.column == 17)
  }

  @Test("the editor for a new item is on the screen also when the last row is chosen")
  func editorAtEnd() {
    var desk = Desk.long(50, columns: 40, rows: 8)
    desk.press(.character("G"), .character("a"))
    desk.type("new")
    #expect(desk.row(5) == "▌  [ ]   new")
    #expect(desk.row(4) == "   [ ]   item 49")
  }

  private func row(_ text: String, columns: Int, isSelected: Bool = false) -> Line {
    let desk = Desk([], columns: columns)
    let row = RowView(brush: Brush(desk.model.screen), marks: RowMarks(isSelected: isSelected))
    return row.line(TodoItem(id: "1", text: text))
  }

  @Test("on a narrow screen the words of todo.txt are styled in the text, and a date is said as people say it")
  func words() {
    let styled = { (text: String) in
      row(text, columns: 59).spans.dropFirst(4).filter { $0.style != .plain }.map(\.text)
    }
    let text = { (text: String) in String(row(text, columns: 59).text.dropFirst(9)) }
    #expect(styled("(A) call @home +kids due:2026-12-24") == ["A", "@home", "+kids", "due:24 Dec"])
    #expect(styled("call (A) a@b.com 2+2 + @ due: (a)") == [])
    #expect(text(" two  spaces ") == " two  spaces ")
    #expect(text("pay due:2026-11-21 now") == "pay due:today now")
    #expect(text("pay due:2026-11-22") == "pay due:tomorrow")
    #expect(text("pay due:2026-11-27") == "pay due:fri")
    #expect(text("pay due:2026-11-28") == "pay due:28 Nov")
    #expect(text("pay due:2026-11-20") == "pay overdue:yesterday")
    #expect(text("pay due:2026-11-18 now") == "pay overdue:3 days ago now")
    #expect(text("pay due:2026-10-01") == "pay overdue:1 Oct 2026")
    #expect(text("pay due:2027-01-15") == "pay due:15 Jan 2027")
  }

  @Test("on a wide one tags stand at the right of the text, and dates in a column at the right edge")
  func columns() {
    let text = { (text: String) in row(text, columns: 70).text }
    #expect(
      text("(A) Buy oat milk +shop due:2026-11-21")
        == "   [ ] A Buy oat milk                             +shop        today")
    #expect(
      text("+home @phone call due:2026-11-18 Maria +kids")
        == "   [ ]   call Maria                  +home @phone +kids   3 days ago")
    #expect(
      text("Pay due:2027-01-15 the rent") == "   [ ]   Pay the rent                                    15 Jan 2027")
    #expect(text("Buy +shop milk") == "   [ ]   Buy +shop milk", "a tag in the middle is a word of the sentence")
    #expect(
      text("+home due:2026-11-24").hasSuffix("   Tue") && text("+home due:2026-11-24").hasPrefix("   [ ]   +home "))
    #expect(
      text("A text that is so long that no tag has room +beside it +home due:2026-12-24").hasSuffix(
        "room +…       24 Dec"))
  }

  @Test("the chosen row is a bar from edge to edge", arguments: ["terminal", "light", "dark", "plain"])
  func bar(name: String) throws {
    let theme = try #require(ThemeChoice(rawValue: name)?.theme)
    var preferences = Preferences()
    preferences.theme = theme
    let screen = Desk([], preferences: preferences).model.screen
    let line = RowView(brush: Brush(screen), marks: RowMarks(isSelected: true)).line(
      TodoItem(id: "1", text: "(A) milk +shop @home due:2026-11-20", state: .conflict))
    #expect(line.columns == 80)
    #expect(line.spans.allSatisfy { $0.style.background == theme.selected.background })
    #expect(line.spans.allSatisfy { $0.style.reverse == theme.selected.reverse })
    if theme.selected.reverse { #expect(Set(line.spans.map(\.style)).count == 1, "one colour") }
  }
}
