import FoundationEssentials
import OfflineSync
import TableProtocol
import Testing

@testable import Terminal
@testable import TodoCore
@testable import TodoUI

@Suite("What stands beside the list")
struct PanelTests {
  private let items = [
    TodoItem(id: "1", text: "rent +home due:2026-11-18"), TodoItem(id: "2", text: "milk +shop due:2026-11-21"),
    TodoItem(id: "3", text: "call +home @phone"), TodoItem(id: "4", text: "door +home", complete: true),
  ]

  private func desk(columns: Int, rows: Int = 24, memory: Memory = Memory()) -> Desk {
    var preferences = Preferences()
    preferences.savedFilters = [2: "milk"]
    var desk = Desk(items: items, columns: columns, rows: rows, preferences: preferences, memory: memory)
    desk.survey()
    return desk
  }

  /// The lines of the panel.
  private func panel(_ desk: Desk, _ count: Int = 10) -> [String] {
    (1...count).map { row in
      let text = String(desk.frame.lines[row].text.prefix(24))
      return text.hasSuffix("│") ? String(text.dropLast().reversed().drop { $0 == " " }.reversed()) : "no panel"
    }
  }

  @Test("its hints say that Enter filters")
  func hints() {
    var desk = Desk(["rent +home"], columns: 120)
    desk.survey()
    desk.press(.tab)
    #expect(desk.bottom.hasPrefix("Enter filter  Esc back"))
  }

  @Test("from 110 columns on it has the days, projects, contexts and saved filters, with counts and what is late")
  func shown() {
    #expect(
      panel(desk(columns: 110)) == [
        "   Today            1", "   Overdue          1", "   Next 7 days      0", "   ──────────────────",
        "   +home     1 late 2", "   +shop            1", "   ──────────────────", "   @phone           1",
        "   ──────────────────", "   2 milk           1",
      ])
    #expect(panel(desk(columns: 109), 1) == ["no panel"])
  }

  @Test("what is late is marked in every row that has it: in words if all of them have room, else by a sign")
  func late() {
    let items = ["+a-project-with-a-long-name", "+home", "+conference"].map {
      TodoItem(id: RecordID($0), text: "x \($0) due:2026-11-18")
    }
    var desk = Desk(items: items, columns: 110)
    desk.survey()
    #expect(
      panel(desk, 7).suffix(3) == [
        "   +a-project-w… !1 1", "   +conference   !1 1", "   +home         !1 1",
      ])
    desk.items.removeFirst()
    desk.survey()
    #expect(panel(desk, 6).suffix(2) == ["   +conference   !1 1", "   +home         !1 1"])
    desk.tell(.resized(Size(columns: 180, rows: 24)))
    #expect(desk.row(5).hasPrefix("   +conference") && desk.row(5).dropFirst(21).hasPrefix("1 late 1  │"))
    #expect(desk.row(6).dropFirst(21).hasPrefix("1 late 1  │"), "\(desk.screen)")
  }

  @Test("its seven days are the items under that heading, from tomorrow on: none is counted twice")
  func sevenDays() throws {
    let items = (20...29).map { TodoItem(id: RecordID("\($0)"), text: "day-\($0) due:2026-11-\($0)") }
    var desk = Desk(items: items, columns: 120)
    desk.survey()
    #expect(panel(desk, 3) == ["   Today            1", "   Overdue          1", "   Next 7 days      6"])
    #expect(desk.screen.contains("  Next 7 days  6 ─"), "\(desk.screen)")
    desk.press(.left, .character("g"), .down, .down, .enter)
    let dates = try TodoFilter(desk.model.list.query.filter, today: desk.model.screen.today).dates
    #expect(dates.map { $0.first?.text } == ["2026-11-22"] && dates.map { $0.last?.text } == ["2026-11-27"])
  }

  @Test("a saved filter that is not understood is marked, says why when it is chosen, and takes no count away")
  func wrongFilter() {
    var preferences = Preferences()
    preferences.savedFilters = [1: "+work due:wek", 2: "milk"]
    var desk = Desk(items: items, columns: 110, preferences: preferences)
    desk.survey()
    #expect(panel(desk, 9) == panel(self.desk(columns: 110), 9))
    #expect(panel(desk, 11).suffix(2) == ["   1 +work due:wek  !", "   2 milk           1"])
    desk.press(.left, .character("G"), .up, .enter)
    #expect(desk.model.mode == .list && desk.model.list.query.filter.isEmpty)
    #expect(desk.screen.contains("“due:wek” (character 7) is no date"))
  }

  @Test("Tab and the left arrow go into it, Enter filters, Escape returns, and the same entry again shows all")
  func choosing() {
    var desk = desk(columns: 110)
    desk.press(.tab)
    #expect(desk.model.mode == .panel)
    desk.press(.escape)
    #expect(desk.model.mode == .list)
    desk.press(.left, .down, .down, .down)
    #expect(panel(desk)[4].hasPrefix("▌  +home"))
    desk.press(.enter)
    #expect(desk.model.mode == .list)
    #expect(desk.model.list.query.filter == "'+home")
    #expect(panel(desk)[4].hasPrefix(" ▌ +home"), "what filters the list is marked")
    desk.press(.left, .enter)
    #expect(desk.model.list.query.filter.isEmpty)
  }

  @Test("adding, filters and undo are the same keys in it: the first two lead back to the list")
  func keysOfTheList() {
    var desk = desk(columns: 110)
    desk.press(.left, .character("a"))
    #expect(desk.model.editor.editing?.target == .new)
    desk.press(.escape, .left, .character("/"))
    #expect(desk.model.mode == .filter(LineEditor()))
    desk.press(.escape, .left, .character("2"))
    #expect(desk.model.mode == .list && desk.model.list.query.filter == "milk")
    desk.press(.left)
    desk.effects = []
    desk.press(.character("u"), .control("r"))
    #expect(desk.effects.contains(.change(.undo)) && desk.effects.contains(.change(.redo)))
    #expect(desk.model.mode == .panel)
  }

  @Test("a key that means nothing in it says which do, until the next one", arguments: ["S", "d", "x"])
  func otherKeys(key: Character) {
    var desk = desk(columns: 120)
    desk.press(.left)
    desk.effects = []
    desk.press(.character(key))
    let said = "This key does nothing in the panel. Enter filters, Esc goes back to the list, ? shows the others."
    #expect(desk.said == said && desk.model.mode == .panel && desk.effects.isEmpty)
    desk.press(.escape)
    #expect(desk.model.mode == .list && desk.model.screen.notice == nil)
  }

  @Test("where it has no room Tab shows the next view, and the key that shows it says how much it needs")
  func narrow() {
    var desk = desk(columns: 80)
    desk.press(.tab)
    #expect(desk.tab == "Open")
    desk.press(.left)
    #expect(desk.said == "The panel needs 110 columns. This terminal has 80.")
    desk.tell(.resized(Size(columns: 120, rows: 24)))
    #expect(desk.model.mode == .list, "it was not entered where nobody saw it")
    desk.tell(.resized(Size(columns: 80, rows: 24)))
    desk.press(.escape)
    desk.effects = []
    desk.press(.character("p"))
    #expect(desk.said == "The panel needs 110 columns. This terminal has 80.")
    #expect(desk.effects.isEmpty && desk.model.panel.isOn, "nobody would see it go")
  }

  @Test("the help says what Tab does where the panel shows, and where it does not")
  func help() {
    for (columns, words) in [(110, "into the panel"), (109, "agenda, open, all, done")] {
      var desk = desk(columns: columns, rows: 60)
      desk.press(.character("?"))
      let row = desk.frame.lines.first { $0.text.hasPrefix("  Tab  ") }?.text
      #expect(row?.hasSuffix(words) == true, "\(columns)")
    }
  }

  @Test("the help says beside the keys of the panel how many columns they need, where there are fewer")
  func helpWhereNarrow() {
    for (columns, isTold) in [(109, true), (110, false)] {
      var desk = desk(columns: columns, rows: 60)
      desk.press(.character("?"))
      for words in ["into the panel", "show or hide the panel"] {
        #expect(desk.screen.contains(words + " (from 110 columns)") == isTold, "\(columns)")
      }
    }
  }

  @Test("it can be switched off, and that is remembered")
  func toggling() {
    var desk = desk(columns: 110)
    desk.press(.character("p"))
    #expect(panel(desk, 1) == ["no panel"])
    #expect(desk.effects.contains(.note(.memory(.panel, "off"))))
    #expect(panel(self.desk(columns: 110, memory: Memory(values: [.panel: "off"])), 1) == ["no panel"])
    desk.press(.character("p"))
    #expect(desk.effects.contains(.note(.memory(.panel, nil))))
  }

  @Test("a press on an entry filters, a press on a row beside it chooses the row")
  func pressing() {
    var desk = desk(columns: 110)
    desk.tell(.mouse(MouseEvent(.press, column: 5, row: 5)))
    #expect(desk.model.list.query.filter == "'+home")
    desk.press(.escape)
    desk.tell(.mouse(MouseEvent(.press, column: 40, row: 5)))
    #expect(desk.selected == "milk +shop due:2026-11-21")
    desk.tell(.mouse(MouseEvent(.press, column: 24 + 4, row: 5)))
    #expect(desk.effects.contains(.change(.setComplete(ids: ["2"], true))))
  }

  @Test("from 150 columns on the details of the chosen item follow the cursor, and come late without holding it up")
  func details() {
    var desk = desk(columns: 150)
    #expect(desk.row(1).contains("│  rent +home due:2026-11-18"))
    #expect(desk.screen.contains("3 days ago, Wed 18 Nov"))
    desk.effects = []
    desk.press(.down)
    #expect(desk.effects.contains(.read(.side(id: "2"))))
    #expect(desk.row(1).contains("│  milk +shop due:2026-11-21"))
    let late = SideContents(detail: ItemDetail(item: items[0], handle: "1"), versions: [])
    desk.tell(.read(.side(late)))
    #expect(desk.model.side.contents?.detail.item.id == "2", "what came too late is dropped")
    #expect(!self.desk(columns: 149).screen.contains("versions seen"))
  }
}
