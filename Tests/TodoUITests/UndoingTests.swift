import FoundationEssentials
import TableProtocol
import Testing
import TodoCore

@testable import Terminal
@testable import TodoUI
@testable import Words

@Suite("Undo and redo in the list")
struct UndoingTests {
  @Test("u undoes, says what, and goes to the item")
  func undo() {
    var desk = Desk(["a", "b", "c"])
    desk.reversal = UndoResult(.undo, .edit, text: "b!", itemID: "b")
    desk.press(.character("u"))
    #expect(desk.effects.contains(.change(.undo)))
    #expect(desk.selected == "b")
    #expect(desk.screen.contains("undone: edit “b!”"))
    desk.press(.escape)
    #expect(!desk.screen.contains("undone"))
  }

  @Test("a long text is cut, so that what was done to it takes a row or two")
  func long() {
    var desk = Desk(["a"])
    desk.reversal = UndoResult(.undo, .complete, text: String(repeating: "word ", count: 200), itemID: "a")
    desk.press(.character("u"))
    #expect(desk.screen.contains("undone: complete “word word") && desk.visible == ["a"])
    #expect(desk.screen.split(separator: "\n").count { $0.contains("word word") } == 1)
  }

  @Test("of a change that was made before the list was opened it is said when")
  func older() {
    var desk = Desk(["a", "b", "c"])
    let opened = desk.now.date
    for (hours, time) in [(-2, "07:30"), (-24, "yesterday 09:30"), (-96, "Tue 17 Nov 09:30")] {
      desk.reversal = UndoResult(.undo, .complete, text: "b", itemID: "b")
      desk.reversal?.madeAt = opened + Double(hours * 3_600)
      desk.press(.character("u"))
      #expect(desk.said == "undone: complete “b” (\(time))")
    }
    desk.wait(milliseconds: 60_000)
    desk.reversal?.madeAt = desk.now.date
    desk.press(.character("u"))
    #expect(desk.said == "undone: complete “b”")
  }

  @Test("Ctrl-R does it again; an item that is gone leaves the choice near its place")
  func redo() {
    var desk = Desk(["a", "b"])
    desk.reversal = UndoResult(.redo, .delete, text: "c", itemID: "c")
    desk.press(.down, .control("r"))
    #expect(desk.effects.contains(.change(.redo)))
    #expect(desk.selected == "b")
    #expect(desk.screen.contains("redone: delete “c”"))
  }

  @Test("with nothing left each says so")
  func nothing() {
    var desk = Desk(["a"])
    desk.press(.character("u"))
    #expect(desk.screen.contains("Nothing to undo."))
    desk.press(.control("r"))
    #expect(desk.screen.contains("Nothing to redo."))
  }

  @Test("when the write fails the reason is shown")
  func failure() {
    var desk = Desk(["a"])
    desk.failure = "The disk is full."
    desk.press(.character("u"))
    #expect(desk.screen.contains("The disk is full."))
  }
}
