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

  @Test("a press beside the rows does nothing", arguments: [5, 22, 23, 500, -1])
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
    #expect(desk.row(8) == " the disk is full")
    desk.tell(.mouse(MouseEvent(.press, column: 12, row: 8)))
    #expect(desk.selected == "item 39")
    #expect(desk.row(3) == "   [ ]   item 35")
    desk.tell(.mouse(MouseEvent(.press, column: 12, row: 3)))
    #expect(desk.selected == "item 35")
  }

  @Test("a press on a tab shows its view, also in place of a pane, and never while one types")
  func tabs() throws {
    var desk = Desk(items: [TodoItem(id: "a", text: "a"), TodoItem(id: "b", text: "b", complete: true)], columns: 120)
    desk.survey()
    let press = { (desk: inout Desk, name: String) in
      let title = desk.row(0)
      let place = try #require(title.firstRange(of: name))
      let column = title.distance(from: title.startIndex, to: place.lowerBound)
      desk.tell(.mouse(MouseEvent(.press, column: column, row: 0)))
    }
    try press(&desk, "Done")
    #expect(desk.tab == "Done" && desk.visible == ["b"])
    desk.press(.character("i"))
    #expect(desk.tab == "Details")
    try press(&desk, "Agenda")
    #expect(desk.tab == "Agenda" && desk.model.mode == .list)
    desk.press(.character("a"))
    try press(&desk, "All")
    #expect(desk.tab == "Agenda" && desk.model.editor.editing != nil)
    desk.press(.escape)
    desk.tell(.mouse(MouseEvent(.press, column: 119, row: 0)))
    #expect(desk.tab == "Agenda")
  }

  @Test("a press on the empty part of the panel does nothing to the row beside it")
  func emptyPanel() {
    var desk = Desk((0..<40).map { "item \($0)" }, columns: 120)
    desk.survey()
    for kind in [MouseEvent.Kind.press, .doublePress] {
      desk.tell(.mouse(MouseEvent(kind, column: 5, row: 15)))
      #expect(desk.selected == "item 0" && desk.model.mode == .list)
    }
  }

  @Test("the wheel over the panel moves in the panel, and elsewhere in the list")
  func wheelOverPanel() {
    var desk = Desk((0..<40).map { "item \($0) +p\($0 % 9)" }, columns: 120)
    desk.survey()
    desk.tell(.mouse(MouseEvent(.wheelDown, column: 5, row: 4)))
    #expect(desk.model.panel.index == 3 && desk.selected == "item 0 +p0" && desk.model.mode == .list)
    desk.tell(.mouse(MouseEvent(.wheelDown, column: 40, row: 4)))
    #expect(desk.model.panel.index == 3 && desk.selected == "item 3 +p3")
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
