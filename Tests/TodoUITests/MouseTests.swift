import TableProtocol
import Testing
import TodoCore

@testable import Terminal
@testable import TodoUI

@Suite("The mouse")
struct MouseTests {
  @Test("a press chooses the row, on the box it completes the item, twice it edits")
  func press() {
    var desk = Desk(["a", "b", "c"])
    desk.tell(.mouse(MouseEvent(.press, column: 9, row: 3)))
    #expect(desk.selected == "c")
    desk.tell(.mouse(MouseEvent(.press, column: 3, row: 2)))
    #expect(desk.effects.contains(.change(.setComplete(ids: ["b"], true))))
    desk.tell(.mouse(MouseEvent(.doublePress, column: 9, row: 1)))
    #expect(desk.row(1) == "▌  [ ]   a")
    guard case .editor = desk.model.mode else {
      Issue.record("\(desk.model.mode)")
      return
    }
  }

  @Test("a press beside the rows does nothing", arguments: [0, 5, 22, 23, 500, -1])
  func beside(row: Int) {
    var desk = Desk(["a", "b"])
    desk.tell(.mouse(MouseEvent(.press, column: 3, row: row)))
    #expect(desk.effects.isEmpty)
    #expect(desk.selected == "a")
  }

  @Test("below a list that makes room for a notice there are no rows to press, and above it those that are shown")
  func besideANotice() {
    var desk = Desk.long(40, rows: 10)
    desk.press(.end)
    for _ in 0..<6 { desk.press(.up) }
    desk.press(.down, .down, .down, .down, .down, .down)
    desk.tell(.failed("the disk is full"))
    #expect(desk.row(8) == "the disk is full")
    desk.tell(.mouse(MouseEvent(.press, column: 12, row: 8)))
    #expect(desk.selected == "item 39")
    #expect(desk.row(3) == "   [ ]   item 35")
    desk.tell(.mouse(MouseEvent(.press, column: 12, row: 3)))
    #expect(desk.selected == "item 35")
  }

  @Test("the wheel moves, and M gives the mouse back to the terminal")
  func wheel() {
    var desk = Desk.long(100)
    desk.tell(.mouse(MouseEvent(.wheelDown, column: 0, row: 0)))
    #expect(desk.selected == "item 3")
    desk.press(.character("M"))
    #expect(desk.effects.contains(.screen(.setMouse(false))))
    #expect(desk.screen.contains("The mouse is off"))
  }
}
