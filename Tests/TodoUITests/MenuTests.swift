import TableProtocol
import Testing
import TodoCore

@testable import Terminal
@testable import TodoUI

@Suite("The help and the palette")
struct MenuTests {
  @Test(
    "the palette narrows down as one types and runs what is chosen", arguments: [Key.character(":"), .control("p")])
  func palette(key: Key) {
    var desk = Desk(["a"])
    desk.press(key)
    #expect(desk.tab == "Commands")
    desk.type("done or")
    #expect(desk.row(1).hasPrefix("> Space x"))
    desk.press(.enter)
    #expect(desk.effects.contains(.change(.setComplete(ids: ["a"], true))))
    #expect(desk.model.mode == .list)
  }

  @Test("the help is filtered after /, and Enter runs the line where the help was opened")
  func help() {
    var desk = Desk(["a"])
    desk.press(.character("?"), .character("/"))
    desk.type("delete the item")
    #expect(desk.row(2).hasPrefix("> d Delete"))
    desk.press(.enter)
    #expect(desk.effects.contains(.change(.delete(ids: ["a"]))))
  }

  @Test("a line of another place only says so")
  func otherPlace() {
    var desk = Desk(["a"])
    desk.press(.character("?"), .character("/"))
    desk.type("keepMine")
    desk.press(.enter)
    #expect(desk.screen.contains("That is for another place: keep what is here."))
  }

  @Test("the help shows first what is valid where it was opened")
  func place() {
    var desk = Desk(["a"])
    desk.outbox = [WaitingChange(id: "a", before: nil, after: TodoCopy(text: "a"))]
    desk.press(.character("o"), .character("?"))
    #expect(desk.row(1) == "In what waits")
    desk.press(.escape)
    #expect(desk.tab == "Waits to be sent")
  }

  @Test("Escape closes the palette and nothing was done")
  func escape() {
    var desk = Desk(["a"])
    desk.press(.character(":"))
    desk.type("quit")
    desk.press(.escape)
    #expect(desk.model.mode == .list)
    #expect(desk.effects.isEmpty)
  }

  @Test(
    "in the palette a name, a key, or what other programs call it comes first",
    arguments: [
      ("q", "quit"), ("w", "send, then fetch"), ("sync", "send, then fetch"), ("wq", "quit"), ("done", "done, or open"),
      ("x", "quit"), ("S", "save the filter"), ("sort", "order"), ("u", "undo"), ("h", "keys"),
    ])
  func wholeWord(typed: String, words: String) {
    var desk = Desk(["a"])
    desk.press(.character(":"))
    desk.type(typed)
    #expect(desk.row(1).contains(words), "\(desk.row(1))")
  }

  @Test(":q Enter leaves")
  func vim() {
    var desk = Desk(["a"])
    desk.press(.character(":"), .character("q"), .enter)
    #expect(desk.effects == [.screen(.quit)])
  }

  @Test("where nothing fits that is said, and Enter does nothing")
  func nothing() {
    var desk = Desk(["a"])
    desk.press(.character(":"))
    desk.type("xyzzy")
    #expect(desk.row(1) == "  No such command.")
    desk.press(.enter)
    #expect(desk.effects.isEmpty)
  }
}
