import FoundationEssentials
import OfflineSync
import TableProtocol
import Testing

@testable import Terminal
@testable import TodoCore
@testable import TodoUI

@Suite("Groups of the list")
struct GroupTests {
  private let items = [
    TodoItem(id: "none", text: "plants"), TodoItem(id: "late", text: "rent due:2026-11-18"),
    TodoItem(id: "b", text: "(B) call due:2026-11-21"), TodoItem(id: "a", text: "(A) milk due:2026-11-21"),
    TodoItem(id: "week", text: "report due:2026-11-27"), TodoItem(id: "later", text: "passport due:2026-11-28"),
    TodoItem(id: "done", text: "door due:2026-11-21", complete: true),
  ]

  private func desk(_ items: [TodoItem]? = nil, columns: Int = 80, rows: Int = 24) -> Desk {
    var desk = Desk(items: items ?? self.items, columns: columns, rows: rows)
    desk.survey()
    return desk
  }

  @Test("on a narrow screen the heading of what is overdue says so, and its rows do not say it again")
  func narrowOverdue() {
    let narrow = desk(columns: 40)
    #expect(narrow.row(1).contains("Overdue"), "\(narrow.screen)")
    #expect(narrow.row(2) == "▌  [ ]   rent" + String(repeating: " ", count: 17) + "3 days ago", "\(narrow.screen)")
    #expect(narrow.screen.contains("report due:fri"), "\(narrow.screen)")
  }

  @Test("the list opens with the agenda when an open item has a date: groups with their counts, the urgent first")
  func agenda() {
    let rows = desk().screen.split(separator: "\n", omittingEmptySubsequences: false).prefix(18)
    #expect(
      rows.joined(separator: "\n")
        == """
         Agenda 6   Open 6   All 7   Done 1                                never synced
          Overdue  1 -----------------------------------------------------------------
        ▌  [ ]   rent                                                       3 days ago

          Today  2 -------------------------------------------------------------------
           [ ] A milk                                                            today
           [ ] B call                                                            today

          Next 7 days  1 -------------------------------------------------------------
           [ ]   report                                                            Fri

          Later  1 -------------------------------------------------------------------
           [ ]   passport                                                       28 Nov

          No date  1 -----------------------------------------------------------------
           [ ]   plants


        """.replacing("-", with: "─"))
  }

  @Test("without a date, or with done ones alone, it opens with the open items, and 0 shows the agenda")
  func firstView() {
    #expect(desk([TodoItem(id: "1", text: "plants")]).tab == "Open")
    var desk = desk([TodoItem(id: "1", text: "plants"), TodoItem(id: "2", text: "x due:2026-11-21", complete: true)])
    #expect(desk.tab == "Open")
    desk.press(.character("0"))
    desk.survey()
    #expect(desk.tab == "Agenda")
    #expect(desk.row(1).hasPrefix("  No date  1 ─"))
  }

  @Test("on a small screen no room is left between groups, and what scrolls keeps its heading above it")
  func small() {
    var desk = desk(columns: 40, rows: 10)
    #expect(desk.row(1).hasPrefix("  Overdue"))
    #expect(desk.row(3).hasPrefix("  Today"))
    desk.press(.down, .down, .down)
    #expect(desk.selected == "report due:2026-11-27")
    #expect(desk.row(1).hasPrefix("  Overdue") || desk.row(1).hasPrefix("  Today"))
    desk.press(.character("G"))
    #expect(desk.row(7) == "▌  [ ]   plants")
    #expect(desk.row(6).hasPrefix("  No date"))
    #expect(desk.row(1) == "  3 above", "room that no row has is above, where it says what is hidden")
  }

  private func dated(late: Int, today: Int, week: Int, later: Int) -> [TodoItem] {
    let days = [("2026-11-20", late), ("2026-11-21", today), ("2026-11-25", week), ("2026-12-24", later)]
    return days.flatMap { day, count in
      (0..<count).map { TodoItem(id: RecordID("\(day) \($0)"), text: "item \(day) \($0) due:\(day)") }
    }
  }

  @Test("the agenda opens at its top wherever one was before, as long as the chosen row is in sight then")
  func startsAtTop() {
    let items = dated(late: 4, today: 0, week: 9, later: 11)
    var desk = Desk(items: items.reversed(), columns: 100, rows: 30, opensAgenda: false)
    desk.survey()
    #expect(desk.tab == "Open")
    for _ in 0..<13 { desk.press(.character("j")) }
    let chosen = desk.selected
    desk.press(.character("0"))
    desk.survey()
    #expect(desk.row(1).hasPrefix("  Overdue  4 ─"), "\(desk.screen)")
    #expect(desk.selected == chosen)
  }

  @Test("a heading above which items are out of sight says how many")
  func above() {
    var desk = desk(dated(late: 4, today: 2, week: 30, later: 5), columns: 100, rows: 20)
    #expect(desk.row(1).hasPrefix("  Overdue  4 ─") && !desk.row(1).contains("above"))
    for _ in 0..<25 { desk.press(.character("j")) }
    // Below the heading 16 lines are left: the 26th item is chosen, and the 11th is the first in sight.
    #expect(desk.row(1).hasPrefix("  Next 7 days  30 ─") && desk.row(1).hasSuffix(" 10 above"), "\(desk.screen)")
    desk.press(.character("g"))
    #expect(!desk.screen.contains("above"))
  }

  @Test("at the end of the list no row is left empty below while others are hidden above", arguments: 8...30)
  func endAtBottom(rows: Int) {
    var desk = desk(dated(late: 4, today: 2, week: 9, later: 9), columns: 100, rows: rows)
    desk.press(.character("G"))
    desk.survey()
    #expect(desk.row(rows - 3).hasPrefix("▌"), "\(desk.screen)")
    #expect(desk.row(1).hasSuffix(" above"), "\(desk.screen)")
  }

  @Test("what comes above the first row, where the cursor still is, is shown and not hidden")
  func comesAbove() {
    var desk = desk(dated(late: 0, today: 1, week: 30, later: 0), rows: 20)
    desk.items += dated(late: 3, today: 0, week: 0, later: 0)
    desk.tell(.storeChanged(.rows))
    desk.survey()
    #expect(desk.row(1).hasPrefix("  Overdue  3 ─"), "\(desk.screen)")
    #expect(desk.selected == "item 2026-11-21 0 due:2026-11-21")
  }

  @Test(
    "the list becomes the agenda when the typing that brought the first dates ends", arguments: [Key.escape, .enter])
  func firstDates(end: Key) {
    var desk = desk([TodoItem(id: "1", text: "plants")])
    desk.press(.character("a"))
    desk.type("milk due:today")
    desk.press(.enter)
    #expect(desk.tab == "Open", "never while one types")
    desk.type("rent due:2026-11-18")
    desk.press(.enter, end)
    desk.survey()
    #expect(desk.tab == "Agenda" && desk.model.mode == .list)
    #expect(desk.row(1).hasPrefix("  Overdue  1 ─") && desk.selected == "rent due:2026-11-18", "\(desk.screen)")
  }

  @Test("a view or an order that was chosen stays, also when dates come")
  func chosenView() {
    for keys: [Key] in [[.backTab, .tab], [.character("s"), .character("t")]] {
      var desk = desk([TodoItem(id: "1", text: "plants")])
      for key in keys { desk.press(key) }
      let tab = desk.tab
      desk.press(.character("a"))
      desk.type("milk due:today")
      desk.press(.enter, .escape)
      #expect(desk.tab == tab && tab == "Open", "\(keys)")
    }
  }

  @Test("dates that came from elsewhere or by a key leave the view as it is, also when an item with a date is added")
  func laterDates() {
    var pulled = desk([TodoItem(id: "1", text: "plants")])
    pulled.items.append(TodoItem(id: "2", text: "rent due:2026-11-18"))
    pulled.tell(.storeChanged(.rows))
    var postponed = desk([TodoItem(id: "1", text: "plants"), TodoItem(id: "2", text: "tea")])
    postponed.press(.character("t"))
    postponed.type("fri")
    postponed.press(.enter)
    #expect(postponed.items.contains { $0.text.contains("due:2026-11-27") })
    for var desk in [pulled, postponed] {
      #expect(desk.tab == "Open")
      for end in [Key.escape, .enter] {
        desk.press(.character("a"))
        desk.type("milk due:today")
        desk.press(.enter, end)
        #expect(desk.tab == "Open" && desk.model.mode == .list, "\(desk.screen)")
      }
    }
  }

  @Test("a list that can't be read by date at once does not become the agenda either")
  func slowAgenda() {
    var desk = Desk(items: [TodoItem(id: "1", text: "plants")], opensAgenda: false)
    desk.press(.character("a"))
    desk.type("milk due:today")
    desk.press(.enter, .escape)
    #expect(desk.tab == "Open")
  }

  @Test("pasted items with dates, and the first fetch of a device, show the agenda too")
  func firstFetch() {
    var desk = desk([])
    desk.press(.paste("milk due:2026-11-21\ntea"), .enter)
    #expect(desk.tab == "Agenda" && desk.selected == "tea")
    var other = self.desk([])
    #expect(other.tab == "Open")
    other.items = items
    other.tell(.storeChanged(.rows))
    other.survey()
    #expect(other.tab == "Agenda" && other.row(1).hasPrefix("  Overdue  1 ─"), "\(other.screen)")
  }

  @Test("j and k pass over headings, braces go from group to group, also where the next is out of sight")
  func moving() {
    let many = (0..<200).map { TodoItem(id: RecordID("i\($0)"), text: "item \($0) due:2026-11-21") }
    var desk = desk(items + many)
    desk.press(.character("j"))
    #expect(desk.selected == "(A) milk due:2026-11-21")
    desk.press(.character("}"))
    #expect(desk.selected == "report due:2026-11-27")
    desk.press(.character("}"), .character("}"), .character("}"))
    #expect(desk.selected == "plants")
    desk.press(.character("{"), .character("{"))
    #expect(desk.selected == "report due:2026-11-27")
    desk.press(.character("{"))
    #expect(desk.selected == "(A) milk due:2026-11-21")
    desk.press(.character("j"), .character("{"))
    #expect(desk.selected == "(A) milk due:2026-11-21", "the first of its own group")
    desk.press(.character("{"), .character("{"))
    #expect(desk.selected == "rent due:2026-11-18")
  }

  @Test("a press on a heading chooses the first item below it")
  func pressing() {
    var desk = desk()
    desk.tell(.mouse(MouseEvent(.press, column: 5, row: 8)))
    #expect(desk.selected == "report due:2026-11-27")
    desk.tell(.mouse(MouseEvent(.press, column: 5, row: 10)))
    #expect(desk.selected == "report due:2026-11-27", "between groups there is nothing to choose")
  }

  @Test("a filter keeps the groups, and counts in them")
  func filtering() {
    var desk = desk()
    desk.press(.character("/"))
    desk.type("due:2026-11-21")
    desk.survey()
    #expect(desk.row(1).hasPrefix("  Today  2 ─"))
    #expect(desk.tab == "Agenda" && desk.row(0).contains("/due:2026-11-21"))
  }

  @Test("the orders by priority and by project have groups too, and in the agenda they lead to the open items")
  func orders() {
    var desk = desk()
    desk.items.append(TodoItem(id: "p", text: "paint +home"))
    desk.press(.character("s"), .character("p"))
    desk.survey()
    #expect(desk.tab == "Open" && desk.row(0).contains("by priority"))
    #expect(desk.screen.contains("  Priority A  1 ─"))
    #expect(desk.screen.contains("  No priority  5 ─"))
    desk.press(.character("s"), .character("j"))
    desk.survey()
    #expect(desk.screen.contains("  +home  1 ─"))
    #expect(desk.screen.contains("  No project  6 ─"))
  }

  @Test("done items stand by the day they were done, the last first; those of which it is not known stand at the end")
  func done() {
    let day = { (text: String) in Timestamp(text + "T12:00:00.000Z") }
    var items = items
    for (id, at) in [("x", "2026-11-21"), ("y", "2026-11-20"), ("z", "2026-11-17"), ("w", "2026-11-21")] {
      var item = TodoItem(id: RecordID(id), text: id, complete: true)
      item.completedAt = day(at)
      items.append(item)
    }
    items.append(TodoItem(id: "v", text: "v", complete: true, updatedAt: day("2026-11-21")))
    items.removeAll { $0.id == "done" }
    var desk = desk(items)
    desk.press(.backTab)
    desk.survey()
    let rows = (1...12).map { desk.row($0) }
    #expect(rows[0].hasPrefix("  Today  2 ─"))
    #expect(rows[4].hasPrefix("  Yesterday  1 ─"))
    #expect(rows[7].hasPrefix("  Tue 17 Nov  1 ─"))
    #expect(rows[8] == "   [x]   z")
    #expect(rows[10].hasPrefix("  Day not known  1 ─") && rows[11] == "   [x]   v")
  }

  @Test("at midnight what was due today is overdue, without a key; where no date is shown nobody is woken")
  func midnight() throws {
    var desk = desk()
    #expect(desk.row(4).hasPrefix("  Today  2"))
    let wake = try #require(desk.model.nextWake)
    desk.wait(milliseconds: wake - desk.now.uptime)
    desk.survey()
    #expect(desk.row(1).hasPrefix("  Overdue  3"))
    #expect(desk.screen.contains("yesterday"))
    #expect(self.desk([TodoItem(id: "1", text: "plants")]).model.nextWake == nil)
  }

  @Test("the list is woken in the moment in which the next day begins, not a minute later")
  func exactMidnight() {
    var screen = desk().model.screen
    screen.now.date += 37.25
    let midnight = screen.now.date + Double(screen.midnight - screen.now.uptime) / 1_000
    #expect(CalendarDay(midnight + 0.01) == screen.today.adding(days: 1))
    #expect(CalendarDay(midnight - 0.01) == screen.today)
  }

  @Test("a machine that slept over midnight shows the new day when it is looked at")
  func focus() {
    var desk = desk()
    var later = desk.now
    later.date += 86_400
    let effects = update(&desk.model, .focused, at: later)
    #expect(desk.row(1).hasPrefix("  Overdue"))
    #expect(!desk.screen.contains("  Today"))
    #expect(effects.contains { if case .read(.rows) = $0 { true } else { false } })
  }

  @Test("in plain mode a group is told where it begins")
  func plain() {
    var desk = desk()
    let before = desk.model
    desk.press(.down)
    #expect(announcements(from: before, to: desk.model) == ["Today, 2 items, 2 of 6, (A) milk, due today"])
    let second = desk.model
    desk.press(.down)
    #expect(announcements(from: second, to: desk.model) == ["3 of 6, (B) call, due today"])
  }
}
