import TableProtocol
import Testing
import TodoCore

@testable import Terminal
@testable import TodoUI

@Suite("Saved filters and orders")
struct SavedFilterTests {
  @Test("a filter is kept under a number and comes back with it")
  func saved() {
    var desk = Desk(["milk", "bread"])
    desk.press(.character("/"))
    desk.type("milk")
    desk.press(.enter, .character("S"))
    #expect(desk.screen.contains("Save the filter “milk” under which number?"))
    desk.press(.character("3"))
    #expect(desk.effects.contains(.note(.memory(.savedFilter(3), "milk"))))
    desk.press(.escape, .escape)
    #expect(desk.visible == ["milk", "bread"])
    desk.press(.character("3"))
    #expect(desk.visible == ["milk"])
  }

  @Test("one that is kept in place of another in the configuration says so, then and where it is shown")
  func replaces() {
    var preferences = Preferences()
    preferences.savedFilters = [4: "+shop", 5: "+home"]
    var desk = Desk(items: [TodoItem(id: "a", text: "milk")], columns: 100, preferences: preferences)
    desk.press(.character("/"))
    desk.type("milk")
    desk.press(.enter, .character("S"), .character("4"), .character("4"))
    #expect(desk.said == "The filter is kept under 4 and used in place of “+shop” from the settings.")
    #expect(desk.row(0).contains("/milk  4, in place of +shop from the settings"))
    desk.press(.escape, .escape, .character("5"))
    #expect(!desk.row(0).contains("in place of"))
  }

  @Test("a saved filter that is emptied is named, so that it can be typed again")
  func emptied() {
    var desk = Desk(items: [TodoItem(id: "a", text: "a")], memory: Memory(values: [.savedFilter(4): "+shop milk"]))
    desk.press(.character("S"), .character("4"))
    #expect(desk.said == "4 again removes “+shop milk”.")
    desk.press(.character("4"))
    #expect(desk.screen.contains("“+shop milk” is no longer kept under 4."))
    desk.press(.character("S"))
    #expect(desk.said == "No filter is set: type one with /, then S saves it.")
    #expect(desk.model.mode == .list)
  }

  @Test("the numbers that are taken are shown, and one is asked for again before its filter is replaced")
  func taken() {
    let memory = Memory(values: [.savedFilter(2): "+shop", .savedFilter(4): "due:"])
    var desk = Desk(items: [TodoItem(id: "a", text: "milk")], memory: memory)
    desk.press(.character("/"))
    desk.type("milk")
    desk.press(.enter, .character("S"))
    #expect(desk.screen.contains("Save the filter “milk” under which number? Taken: 2 +shop, 4 due:."))
    desk.effects = []
    desk.press(.character("4"))
    #expect(desk.said == "4 has “due:”. 4 again replaces it with “milk”.")
    desk.press(.escape)
    #expect(desk.effects.isEmpty && desk.model.list.saved[4] == "due:")
    desk.press(.character("S"), .character("4"), .character("x"), .character("4"))
    #expect(desk.model.list.saved[4] == "due:", "another key came between")
    desk.press(.escape, .character("/"))
    desk.type("milk")
    desk.press(.enter, .character("S"), .character("4"), .character("2"), .character("2"))
    #expect(desk.model.list.saved.byNumber == [2: "milk", 4: "due:"])
    desk.press(.character("S"), .character("2"))
    #expect(desk.said == "The filter is kept under 2.")
  }

  @Test("a number that holds none says how to keep one")
  func none() {
    var desk = Desk(["a"])
    desk.press(.character("4"))
    #expect(desk.screen.contains("No filter is kept under 4: type one with /, then press S and 4."))
  }

  @Test("an order is chosen by its letter, shown in the title and remembered")
  func order() {
    var desk = Desk(["b", "a"])
    desk.press(.character("s"))
    #expect(desk.bottom.hasPrefix("(c)reated  (t)ext  (d)ate  (p)riority  pro(j)ect  (u)pdated  Esc leave it"))
    desk.press(.character("d"))
    #expect(desk.model.list.query.order == .due)
    #expect(desk.effects.contains(.note(.memory(.order, "due"))))
    #expect(desk.tab == "Open" && desk.row(0).contains("by date"))
    desk.press(.character("s"), .escape)
    #expect(desk.model.list.query.order == .due)
  }

  @Test("what was remembered is there again")
  func remembered() {
    var desk = Desk(
      items: [TodoItem(id: "a", text: "a")], memory: Memory(values: [.order: "priority", .savedFilter(1): "x"]))
    #expect(desk.model.list.query.order == .priority)
    desk.press(.character("1"))
    #expect(desk.model.list.query.filter == "x")
  }
}
