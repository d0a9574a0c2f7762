import TableProtocol
import Testing
import TodoCore

@testable import Terminal
@testable import TodoUI
@testable import Words

@Suite("Filters, views, help, leaving")
struct FilteringTests {
  @Test("the list narrows with each letter and the title counts")
  func asYouType() {
    var desk = Desk(["oat milk", "bread", "milk"])
    desk.press(.character("/"))
    desk.type("mi")
    desk.survey()
    #expect(desk.visible == ["oat milk", "milk"])
    #expect(desk.tab == "Open" && desk.row(0).contains("/mi"))
    #expect(desk.row(0).contains("Open 2/3"))
    #expect(desk.bottom.hasPrefix("/mi"))
    #expect(desk.frame.cursor == Frame.Cursor(row: 23, column: 3, isVisible: true))
  }

  @Test("Enter keeps the filter; Escape in the list clears it and the chosen item stays")
  func keep() {
    var desk = Desk(["oat milk", "bread", "milk"])
    desk.press(.character("/"))
    desk.type("milk")
    desk.press(.enter, .character("j"))
    #expect(desk.selected == "milk")
    desk.press(.escape)
    #expect(desk.visible.count == 3)
    #expect(desk.selected == "milk")
  }

  @Test("Escape while typing clears the filter")
  func clear() {
    var desk = Desk(["oat milk", "bread"])
    desk.press(.character("/"))
    desk.type("bre")
    desk.press(.escape)
    #expect(desk.model.list.query.filter == "")
    #expect(desk.visible.count == 2)
  }

  @Test("commands are letters in the filter, and a paste is text")
  func letters() {
    var desk = Desk(["a"])
    desk.press(.character("/"))
    desk.type("q?")
    desk.press(.paste("\nd"))
    #expect(desk.model.list.query.filter == "q? d")
    #expect(!desk.effects.contains(.screen(.quit)))
  }

  @Test("a filter that is not understood is marked, and the rows stay as they were; Enter says what is wrong with it")
  func notUnderstood() {
    var desk = Desk(["oat milk", "bread", "milk"])
    desk.press(.character("/"))
    desk.type("milk")
    desk.type(" )")
    #expect(desk.visible == ["oat milk", "milk"])
    #expect(desk.bottom.contains(") closes nothing"))
    #expect(desk.said == "Still shown: what matches “milk”.")
    let marked = desk.frame.lines[23].spans.filter { $0.style.bold && $0.style.underline }.map(\.text).joined()
    #expect(marked == ")")
    desk.press(.enter)
    let said = "The parenthesis at character 6 closes nothing."
    let words = desk.screen.split { $0.isWhitespace }.joined(separator: " ")
    #expect(words.contains(said + " Still shown: what matches “milk”."))
    #expect(desk.model.mode.place == .filter)
    desk.press(.backspace)
    #expect(!desk.screen.contains(said) && desk.visible == ["oat milk", "milk"])
    desk.press(.enter)
    #expect(desk.model.mode == .list)
  }

  @Test(
    "what may still become a filter is no mistake before Enter", arguments: ["(milk", "milk |", "!"])
  func unfinished(filter: String) {
    var desk = Desk(["milk"])
    desk.press(.character("/"))
    desk.type(filter)
    #expect(desk.bottom.contains("Enter apply"))
    #expect(desk.visible == ["milk"])
    desk.press(.enter)
    #expect(desk.screen.lowercased().contains("still shown"))
    desk.press(.escape)
    #expect(desk.model.mode == .list && !desk.screen.lowercased().contains("still shown"))
  }

  @Test("a saved filter that is not understood says so and changes nothing")
  func badSavedFilter() {
    var preferences = Preferences()
    preferences.savedFilters = [3: "due:blah"]
    var desk = Desk(["milk"], preferences: preferences)
    desk.press(.character("3"))
    #expect(desk.visible == ["milk"] && desk.model.list.query.filter == "")
    #expect(desk.screen.contains("“due:blah” (character 1) is no date."))
  }

  @Test("dates are proposed behind the key that was typed")
  func proposedDates() {
    var desk = Desk(["milk"], columns: 130)
    desk.press(.character("/"))
    desk.type("milk done:soon")
    desk.press(.enter)
    #expect(desk.screen.contains("is no date. Try done:fri, done:<="), "\(desk.screen)")
  }

  @Test(
    "the days that a filter means are shown while it is typed",
    arguments: [
      ("due:fri", "→ Fri 27 Nov  Enter"), ("milk due:mon..fri", "→ Mon 23 Nov..Fri 27 Nov"),
      ("due:<=fri", "→ ..Fri 27 Nov"), ("done:>=12", nil), ("due:fri milk", nil), ("done:yesterday", "→ Fri 20 Nov"),
    ] as [(String, String?)])
  func days(filter: String, said: String?) {
    var desk = Desk(["milk"])
    desk.press(.character("/"))
    desk.type(filter)
    #expect(desk.bottom.contains("→") == (said != nil))
    #expect(desk.bottom.contains(said ?? ""), "\(desk.bottom)")
  }

  @Test("the day that t sets is shown while it is typed, also where there is no room beside the field")
  func typedDay() {
    for columns in [40, 80] {
      var desk = Desk(["milk"], columns: columns)
      desk.press(.character("t"))
      desk.type("wed 2 dec")
      #expect(desk.screen.contains("→ Wed 2 Dec"))
      desk.press(.enter)
      #expect(
        desk.effects.contains(.change(.rewrite(ids: ["milk"], .due(CalendarDay(year: 2026, month: 12, day: 2))))))
    }
  }

  @Test("what is typed takes the place of what is set; behind a space or a move it goes on from it")
  func replacesWhatIsSet() {
    var desk = Desk(["oat milk due:2026-11-28", "rye bread", "milk"])
    for (keys, filter) in [("milk", "milk"), ("bread", "bread"), (" rye", "bread rye")] {
      desk.press(.character("/"))
      desk.type(keys)
      desk.press(.enter)
      #expect(desk.model.list.query.filter == filter)
    }
    desk.press(.character("/"), .home)
    desk.type("!")
    #expect(desk.model.list.query.filter == "!bread rye")
    desk.press(.escape, .escape, .home, .character("t"))
    #expect(desk.bottom.hasPrefix("Due: 2026-11-28"))
    desk.type("fri")
    #expect(desk.bottom.hasPrefix("Due: fri") && desk.bottom.contains("→ Fri 27 Nov"))
  }

  @Test("Escape while a filter is typed brings back the one that was set before")
  func givenUp() {
    var desk = Desk(["oat milk", "bread", "milk"])
    desk.press(.character("/"))
    desk.type("milk")
    desk.press(.enter, .character("/"), .control("u"))
    desk.type("bread")
    #expect(desk.visible == ["bread"])
    desk.press(.escape)
    #expect(desk.visible == ["oat milk", "milk"])
    #expect(desk.model.list.query.filter == "milk")
    desk.press(.escape)
    #expect(desk.visible == ["oat milk", "bread", "milk"])
  }

  @Test("Ctrl-P brings the filters typed before into the field, Ctrl-N goes back to what is typed")
  func history() {
    let memory = Memory(history: ["an item"], filters: ["milk", "bread"])
    var desk = Desk(items: ["oat milk", "bread", "rye"].map { TodoItem(id: RecordID($0), text: $0) }, memory: memory)
    desk.press(.character("/"))
    desk.type("r")
    desk.press(.control("p"))
    #expect(desk.bottom.hasPrefix("/bread") && desk.visible == ["bread"])
    desk.press(.control("p"), .control("p"))
    #expect(desk.bottom.hasPrefix("/milk") && desk.visible == ["oat milk"])
    desk.press(.control("n"), .control("n"), .control("n"))
    #expect(desk.bottom.hasPrefix("/r ") && desk.visible == ["bread", "rye"])
  }

  @Test("a filter that is set is remembered once; one that is given up, and no filter, are not")
  func remembered() {
    var desk = Desk(items: [TodoItem(id: "a", text: "milk")], memory: Memory(filters: ["milk", "bread"]))
    desk.press(.character("/"))
    desk.type("milk")
    desk.press(.enter)
    #expect(desk.effects.contains(.note(.line("milk", of: .filter))))
    desk.press(.character("/"), .enter)
    desk.press(.character("/"), .control("u"), .enter)
    desk.press(.character("/"))
    desk.type("rye")
    desk.press(.escape)
    #expect(desk.effects.count { if case .note(.line) = $0 { true } else { false } } == 1)
    // The newest stands in the field already, as the filter in force would.
    desk.press(.character("/"))
    desk.type("milk")
    desk.press(.control("p"))
    #expect(desk.bottom.hasPrefix("/bread"))
  }

  @Test("when nothing matches a filter with a small or between words, the sign for either is named")
  func smallOr() {
    for (filter, isNamed) in [("zz or yy", true), ("zz Or yy", true), ("or zz", false), ("zz OR yy", false)] {
      var desk = Desk(["a"])
      desk.press(.character("/"))
      desk.type(filter)
      let words = desk.screen.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(words.contains("No item here matches “\(filter)”"), "\(filter)")
      #expect(words.contains("OR in capitals means either") == isNamed, "\(filter)")
    }
  }

  @Test("when nothing matches it is said how to get the list back")
  func nothing() {
    var desk = Desk(["a"])
    desk.press(.character("/"))
    desk.type("zz")
    #expect(desk.screen.contains("No item here matches “zz”. Esc shows the list again."))
  }

  @Test("Tab goes round open, all and done")
  func views() {
    var desk = Desk(items: [TodoItem(id: "a", text: "a"), TodoItem(id: "b", text: "b", complete: true)])
    #expect(desk.visible == ["a"])
    desk.press(.tab)
    #expect(desk.visible == ["a", "b"])
    desk.press(.tab)
    #expect(desk.visible == ["b"])
    #expect(desk.tab == "Done")
    desk.press(.tab)
    #expect(desk.visible == ["a"])
  }

  @Test("an empty list says which keys help")
  func empty() {
    #expect(Desk([]).screen.contains("Nothing to do. Press a to add an item, r to fetch the server's items."))
  }

  @Test("a list of which all is done says so, and where it is")
  func allDone() {
    var desk = Desk(items: [TodoItem(id: "a", text: "a", complete: true)])
    desk.survey()
    #expect(desk.screen.contains("All is done. a adds an item; the view Done shows what was done."), "\(desk.screen)")
  }

  @Test("a survey of another filter than the one shown is not believed")
  func staleSurvey() {
    var desk = Desk(["a", "b"])
    desk.survey()
    desk.press(.character("/"), .character("b"))
    let status = ListStatus(
      sync: SyncStatus(), now: LocalMoment(year: 2026, month: 1, day: 1, hour: 0, minute: 0), arrivals: [:])
    let counts = ListCounts(query: TodoQuery(), matches: Matches(count: 99), overall: 99, status: status)
    desk.tell(.read(.counts(counts)))
    #expect(!desk.row(0).contains("99"))
  }

  @Test(
    "the help scrolls to its end and no further, and closes", arguments: [Key.escape, .character("q"), .character("?")])
  func help(key: Key) {
    var desk = Desk(["a"], columns: 40, rows: 10)
    desk.press(.character("?"))
    #expect(desk.tab == "Keys")
    desk.press(.character("G"), .character("j"))
    #expect(desk.row(7).hasPrefix("▌ ") && desk.row(7).contains("to the shell for now"), "\(desk.screen)")
    desk.press(.character("k"))
    #expect(!desk.row(7).hasPrefix("▌ "))
    desk.press(.character("g"))
    #expect(desk.row(1) == "In the list")
    desk.press(key)
    #expect(desk.row(1) == "▌  [ ]   a")
    #expect(desk.effects.isEmpty)
  }

  private static var asking: Preferences {
    var preferences = Preferences()
    preferences.asksBeforeLeaving = true
    return preferences
  }

  @Test("q leaves at once, also while changes wait, and where a question is wanted but there is no server to send to")
  func quitUnasked() {
    var desk = Desk(["a"])
    desk.sync.pending = 3
    desk.survey()
    desk.press(.character("q"))
    #expect(desk.effects.last == .screen(.quit))
    desk = Desk(["a"], preferences: Self.asking)
    (desk.sync.pending, desk.sync.server) = (3, nil)
    desk.survey()
    desk.press(.character("q"))
    #expect(desk.effects.last == .screen(.quit))
  }

  @Test("q leaves at once when nothing waits", arguments: [Key.character("q"), .control("c")])
  func quit(key: Key) {
    var desk = Desk(["a"])
    desk.survey()
    desk.effects = []
    desk.press(key)
    #expect(desk.effects == [.screen(.quit)])
  }

  @Test(
    "q asks when changes wait, where that is wanted, and says that they are kept",
    arguments: [Key.character("q"), .character("y"), .enter])
  func quitPrompt(key: Key) {
    var desk = Desk(["a"], preferences: Self.asking)
    desk.sync.pending = 3
    desk.survey()
    desk.press(.character("q"))
    #expect(desk.said == "3 changes are not sent yet. They are kept here. Leave?")
    #expect(!desk.effects.contains(.screen(.quit)))
    desk.press(key)
    #expect(desk.effects.contains(.screen(.quit)))
  }

  @Test("n and Escape stay", arguments: [Key.character("n"), .escape])
  func stay(key: Key) {
    var desk = Desk(["a"], preferences: Self.asking)
    desk.sync.pending = 1
    desk.survey()
    desk.press(.character("q"), key)
    #expect(!desk.effects.contains(.screen(.quit)))
    #expect(desk.model.mode == .list)
  }

  @Test("Ctrl-L and Ctrl-Z work everywhere", arguments: ["", "a", "/", "?"])
  func everywhere(key: String) {
    var desk = Desk(["a"])
    desk.type(key)
    let mode = desk.model.mode
    desk.press(.control("l"), .control("z"))
    #expect(desk.effects.suffix(2) == [.screen(.redraw), .screen(.suspend)])
    #expect(desk.model.mode == mode)
  }

  @Test("a new item that the filter hides is said to be saved, also where the filter hides all others")
  func addedBehindAFilter() {
    var desk = Desk(["a"])
    desk.press(.character("/"), .character("z"), .enter, .character("a"), .character("b"), .enter)
    #expect(desk.items.map(\.text) == ["a", "b"])
    #expect(desk.said == "added “b” · the filter hides it")
    desk.press(.enter)
    #expect(desk.said == "added “b” · the filter hides it · u undoes", "also when Enter ends the adding")
  }
}
