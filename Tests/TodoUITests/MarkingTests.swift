import OfflineSync
import TableProtocol
import Testing
import TodoCore

@testable import Terminal
@testable import TodoUI

@Suite("Marking several, acting on all")
struct MarkingTests {
  @Test("marked rows show a sign, the title their number, and the next command acts on all of them")
  func marks() {
    var desk = Desk(["a", "b", "c", "d"])
    desk.press(.character("m"), .down, .character("m"))
    #expect(desk.row(1) == "  *[ ]   a")
    #expect(desk.row(3) == "  *[ ]   c")
    #expect(desk.status.contains("2 marked"))
    desk.press(.character("x"))
    #expect(desk.effects.contains(.change(.setComplete(ids: ["a", "c"], true))))
    #expect(desk.model.list.marks.isEmpty)
    #expect(desk.screen.contains("completed 2 items · u undoes"))
  }

  @Test("how far a long change has come stands above the hints, and goes when it is done")
  func progress() {
    var desk = Desk(["a", "b"])
    let before = desk.said
    desk.model.screen.progress = BulkProgress(done: 30_000, all: 60_000)
    #expect(desk.said == "| 30,000 of 60,000  ━━━━━━━━━━──────────")
    desk.model.screen.progressStops = true
    #expect(desk.said.hasSuffix("  Esc stop"))
    desk.model.screen.progress = nil
    #expect(desk.said == before)
  }

  @Test("a range reaches from where it was begun to the chosen row, upwards and downwards")
  func range() {
    var desk = Desk(["a", "b", "c", "d"])
    desk.press(.down, .character("v"), .down, .down)
    #expect(desk.row(2) == "  *[ ]   b")
    #expect(desk.row(4) == "▌ *[ ]   d")
    #expect(desk.status.contains("3 marked"))
    desk.press(.character("d"))
    #expect(desk.effects.contains(.change(.delete(ids: ["b", "c", "d"]))))
    #expect(desk.items.map(\.text) == ["a"])
  }

  @Test("v again keeps the range, and more rows can be marked")
  func keptRange() {
    var desk = Desk(["a", "b", "c", "d"])
    desk.press(.character("v"), .down, .character("v"), .down, .down, .character("m"))
    desk.press(.character("d"))
    #expect(desk.effects.contains(.change(.delete(ids: ["a", "b", "d"]))))
  }

  @Test("a range over a list longer than the screen has every row of it")
  func longRange() {
    var desk = Desk.long(1_000, rows: 10)
    desk.press(.down, .character("v"), .character("G"))
    #expect(desk.row(2).hasPrefix("  *"))
    desk.press(.character("x"))
    #expect(desk.items.count(where: \.complete) == 999)
  }

  @Test("* marks all that the filter shows, and none the second time")
  func all() {
    var desk = Desk(["milk", "bread", "oat milk"])
    desk.press(.character("/"))
    desk.type("milk")
    desk.press(.enter, .character("*"))
    #expect(desk.status.contains("2 marked"))
    desk.press(.character("*"))
    #expect(desk.model.list.marks.isEmpty)
  }

  @Test("marked items are changed in the order in which they were marked; * marks in the order of the list")
  func order() {
    var desk = Desk(items: [
      TodoItem(id: "c", text: "one"), TodoItem(id: "a", text: "two"), TodoItem(id: "b", text: "three"),
    ])
    desk.press(.character("*"))
    #expect(desk.model.list.marks.ids == ["c", "a", "b"])
    desk.press(.escape, .character("G"), .character("m"), .character("g"), .character("m"))
    #expect(desk.model.list.marks.ids == ["b", "c"])
  }

  @Test("marks on rows that a filter or a view hides are told, for a command acts on them too")
  func hiddenMarks() {
    var desk = Desk(items: [
      TodoItem(id: "a", text: "milk"), TodoItem(id: "b", text: "bread"),
      TodoItem(id: "c", text: "oat milk", complete: true),
    ])
    desk.press(.character("m"), .character("m"), .character("/"))
    desk.type("milk")
    desk.press(.enter)
    #expect(desk.status.contains("2 marked, 1 not shown"))
    desk.press(.tab)
    #expect(desk.model.list.query.view == .all)
    #expect(desk.status.contains("2 marked, 1 not shown"))
    desk.press(.character("G"), .character("m"))
    #expect(desk.status.contains("3 marked, 1 not shown"))
    #expect(desk.bottom.hasPrefix("Space done: 3 marked  d delete: 3 marked  t date"))
    desk.press(.escape)
    #expect(!desk.status.contains("marked"))
  }

  @Test("the marks that were hidden are as before once the filter is gone, and a marked item that was deleted is none")
  func shownAgain() {
    var desk = Desk(["milk", "bread"])
    desk.press(.character("*"), .character("/"))
    desk.type("milk")
    #expect(desk.status.contains("2 marked, 1 not shown"))
    desk.press(.escape)
    #expect(desk.status.contains("2 marked") && !desk.status.contains("not shown"))
    desk.items.removeLast()
    desk.tell(.storeChanged(.rows))
    #expect(desk.status.contains("1 marked"))
  }

  @Test("marks that are not shown are said whatever else is said, and however narrow the screen is")
  func hiddenMarksFirst() {
    var desk = Desk(["milk", "bread", "rent"], columns: 40, rows: 12)
    desk.press(.character("*"), .character("/"))
    desk.type("milk")
    desk.press(.enter)
    #expect(desk.status.contains("3 marked, 2 not shown"))
    desk.press(.character("7"))
    #expect(desk.screen.contains("No filter is kept under 7") && desk.status.contains("3 marked, 2 not shown"))
    desk.press(.character("*"))
    #expect(desk.status.contains("2 marked, 2 not shown"))
  }

  @Test("Escape takes the marks away before the filter")
  func escape() {
    var desk = Desk(["milk"])
    desk.press(.character("/"))
    desk.type("m")
    desk.press(.enter, .character("m"), .escape)
    #expect(desk.model.list.marks.isEmpty)
    #expect(desk.model.list.query.filter == "m")
  }

  @Test("with all of them done x opens them again; the hint row says what can be done")
  func reopen() {
    var desk = Desk(items: [TodoItem(id: "a", text: "a", complete: true), TodoItem(id: "b", text: "b", complete: true)])
    desk.press(.tab, .character("*"))
    #expect(desk.bottom.hasPrefix("Space done  d delete  t date"))
    desk.press(.character(" "))
    #expect(desk.effects.contains(.change(.setComplete(ids: ["a", "b"], false))))
  }

  @Test("a date is asked for once and set on all")
  func due() {
    var desk = Desk(["a", "b"])
    desk.press(.character("*"), .character("t"))
    #expect(desk.bottom.hasPrefix("Due: "))
    desk.type("fri")
    desk.press(.enter)
    #expect(
      desk.effects.contains(.change(.rewrite(ids: ["a", "b"], .due(CalendarDay(year: 2026, month: 11, day: 27))))))
    #expect(desk.model.mode == .list)
  }

  @Test("no date typed for several items keeps every date; a word takes them away, and of one item nothing typed does")
  func noDue() {
    var desk = Desk(["a due:2026-11-24", "b", "c due:2026-11-25"])
    desk.press(.character("0"), .tab, .character("*"), .character("t"), .enter)
    #expect(desk.screen.contains("Nothing was typed, so every item keeps its date."))
    #expect(desk.items.map(\.text) == ["a due:2026-11-24", "b", "c due:2026-11-25"])
    desk.type("none")
    desk.press(.enter)
    #expect(desk.items.map(\.text) == ["a", "b", "c"])
    desk.items[0].text = "a due:2026-11-24"
    desk.tell(.storeChanged([.rows]))
    desk.press(.home, .character("t"), .control("u"), .enter)
    #expect(desk.items.map(\.text) == ["a", "b", "c"])
  }

  @Test("what was stopped says how much of it was done, and that undo takes that back")
  func stopped() {
    var desk = Desk(["a", "b", "c"], columns: 120)
    desk.press(.character("*"))
    desk.model.list.lastChange.request(.deleted, [])
    desk.tell(.done(.stopped(40_000, rest: 20_000)))
    #expect(desk.said == "deleted 40,000 items; stopped, 20,000 are unchanged · u undoes")
    #expect(desk.model.list.marks.isEmpty)
  }

  @Test("what was done to several items is said as it was done")
  func wording() {
    var desk = Desk(["a", "b", "c"])
    desk.press(.character("*"), .character("d"))
    #expect(desk.screen.contains("deleted 3 items · u undoes"))
  }

  @Test("how many of the marked items were so already is said too")
  func soAlready() {
    var desk = Desk(["a", "(A) b", "c"], columns: 100)
    desk.type("vjj+")
    #expect(desk.items.map(\.text) == ["(C) a", "(A) b", "(C) c"])
    #expect(desk.said == "changed 2 items; 1 was so already · u undoes")
  }

  @Test("a range that is being drawn outlives a filter that nothing matches")
  func rangeOfNothing() {
    var desk = Desk(["a", "b"])
    desk.press(.character("v"), .character("/"), .character("z"))
    #expect(desk.screen.contains("No item here matches “z”."))
    desk.press(.escape)
    #expect(desk.visible == ["a", "b"])
  }

  @Test("a range ends when the list is shown otherwise, and does nothing when one end has gone")
  func brokenRange() {
    var desk = Desk(["milk", "bread", "oat milk", "rent"])
    desk.press(.end, .character("v"), .character("/"))
    desk.type("milk")
    desk.press(.enter, .character("x"))
    #expect(desk.items.count(where: \.complete) == 1)
    desk.press(.escape, .escape, .home, .character("v"), .down)
    desk.tell(.read(.marks(nil, then: .toggle)))
    #expect(desk.screen.contains("One end of the range is no longer in the list, so nothing was done."))
    #expect(desk.items.count(where: \.complete) == 1)
  }

  @Test("a range over a list that is empty now is no range")
  func emptyRange() {
    var desk = Desk(["milk", "bread"])
    desk.press(.character("v"))
    desk.items = []
    desk.tell(.storeChanged(.rows))
    #expect(desk.tab == "Open")
  }

  @Test("a date goes to the item it was begun for, whatever the list does meanwhile")
  func dueOfGone() {
    var desk = Desk(["a", "b"])
    desk.press(.character("t"))
    desk.items.removeFirst()
    desk.tell(.storeChanged(.rows))
    desk.type("fri")
    desk.press(.enter)
    #expect(desk.effects.contains(.change(.rewrite(ids: ["a"], .due(CalendarDay(year: 2026, month: 11, day: 27))))))
  }

  @Test("with nothing to change nothing is said to be undone")
  func nothingChanged() {
    var desk = Desk(["a", "b"])
    desk.press(.character("*"), .character("+"))
    #expect(desk.screen.contains("changed 2 items"))
    desk.press(.character("*"), .character("+"))
    desk.tell(.done(.changed(0)))
    #expect(!desk.screen.contains("0 items"))
  }

  @Test("y copies all that is marked, in the order of the list, and the marks stay; of a range too")
  func copying() {
    var desk = Desk(["a", "b +x\nnote", "c", "d"])
    desk.press(.character("m"), .character("m"), .character("y"))
    #expect(desk.effects.last == .screen(.copy("a\nb +x\nnote")))
    #expect(desk.said == "copied 2 items")
    #expect(desk.model.list.marks.ids.count == 2)
    desk.press(.escape, .escape, .character("v"), .down, .character("y"))
    #expect(desk.effects.last == .screen(.copy("c\nd")))
  }

  @Test("O asks which of the links of all that is marked is opened")
  func links() {
    var desk = Desk(["see https://a.example/1", "and https://b.example/2", "c"])
    desk.press(.character("*"), .character("O"))
    #expect(desk.screen.contains("\n 1 https://a.example/1\n 2 https://b.example/2\n"), "\(desk.screen)")
    desk.press(.character("2"))
    #expect(desk.effects.last == .screen(.open(link: "https://b.example/2")))
  }

  @Test("more than a terminal takes is not copied, and that is said")
  func tooMuch() {
    var desk = Desk([String(repeating: "a", count: 60_000), String(repeating: "b", count: 20_000)])
    desk.press(.character("*"), .character("y"))
    #expect(desk.said == "So much can't be copied at once: mark fewer items.")
    #expect(!desk.effects.contains { if case .screen(.copy) = $0 { true } else { false } })
  }
}
