import OfflineSync
import TableProtocol
import Testing
import TodoCore

@testable import Terminal
@testable import TodoUI

@Suite("Adding, editing, completing, deleting")
struct ChangingTests {
  @Test("a opens an editor, Enter saves and the new item is chosen", arguments: [Key.character("a"), .character("n")])
  func add(key: Key) {
    var desk = Desk(["a", "b"])
    desk.press(key)
    desk.type("買 milk?")
    desk.press(.enter)
    #expect(desk.effects.contains(.change(.add(["買 milk?"]))))
    #expect(desk.selected == "買 milk?")
    #expect(desk.model.mode == .list)
  }

  @Test("empty text and Escape add nothing", arguments: [Key.enter, .escape, .control("c")])
  func addNothing(key: Key) {
    var desk = Desk(["a"])
    desk.press(.character("a"), .character(" "), key)
    #expect(desk.effects.isEmpty)
    #expect(desk.model.mode == .list)
  }

  @Test("letters that are commands in the list are text in the editor")
  func commandsAreText() {
    var desk = Desk(["a"])
    desk.press(.character("a"))
    desk.type("q?/rdx jk")
    #expect(desk.row(2) == "▌  [ ]   q?/rdx jk")
    #expect(desk.effects.isEmpty)
  }

  @Test("Enter edits the item in its row, with the cursor at the end", arguments: [Key.enter, .character("e")])
  func edit(key: Key) {
    var desk = Desk(["a", "b"])
    desk.press(.down, key)
    #expect(desk.frame.cursor == Frame.Cursor(row: 2, column: 10, isVisible: true))
    desk.type("!")
    desk.press(.enter)
    #expect(desk.effects.contains(.change(.edit(id: "b", text: "b!", seen: "b"))))
    #expect(desk.selected == "b!")
  }

  @Test("an edit that changes nothing is not saved")
  func editNothing() {
    var desk = Desk(["a"])
    desk.press(.enter, .enter)
    #expect(desk.effects.isEmpty)
  }

  @Test("Space completes, and the next open item is chosen", arguments: [Key.character(" "), .character("x")])
  func complete(key: Key) {
    var desk = Desk(["a", "b", "c"])
    desk.press(.down, key)
    #expect(desk.effects.contains(.change(.setComplete(ids: ["b"], true))))
    #expect(desk.selected == "c")
    desk.press(.tab)
    #expect(desk.row(2) == " ↑ [x]   b")
    desk.press(.character("k"), key)
    #expect(desk.effects.contains(.change(.setComplete(ids: ["b"], false))))
    #expect(desk.selected == "b")
  }

  @Test("d deletes without asking and the next item is chosen")
  func delete() {
    var desk = Desk(["a", "b"])
    desk.press(.character("d"))
    #expect(desk.effects.contains(.change(.delete(ids: ["a"]))))
    #expect(desk.selected == "b")
    desk.press(.character("d"), .character("d"))
    #expect(desk.items.isEmpty)
  }

  @Test("when a write fails, the reason is shown and the editor keeps what was typed")
  func failure() {
    var desk = Desk(["a"])
    desk.failure = "The disk is full."
    desk.press(.character("a"))
    desk.type("precious")
    desk.press(.enter)
    #expect(desk.screen.contains("The disk is full."))
    #expect(desk.row(2) == "▌  [ ]   precious")
    desk.failure = nil
    desk.press(.enter)
    #expect(desk.selected == "precious")
    #expect(!desk.screen.contains("The disk is full."))
  }

  @Test("an item that the view hides is said to be saved, and the place is kept")
  func outOfSight() {
    var desk = Desk(["a", "b"])
    desk.press(.character("/"), .character("b"), .enter, .character("a"))
    desk.type("milk")
    desk.press(.enter)
    #expect(desk.selected == "b")
    #expect(desk.screen.contains("The new item is saved."))
  }

  @Test("a pasted line is text, and never commands")
  func pasteOne() {
    var desk = Desk(["a"])
    desk.press(.paste("one q\td\n"))
    #expect(desk.row(2) == "▌  [ ]   one q d")
    desk.press(.paste("!"), .enter)
    #expect(desk.effects.contains(.change(.add(["one q d!"]))))
  }

  @Test("pasted lines are shown before they are added, each as an item")
  func pasteSeveral() {
    var desk = Desk(["a"])
    desk.press(.paste("one\r\nq\n\nthree\n"))
    #expect(desk.row(0) == "Add 3 items?")
    #expect(desk.row(2) == "   [ ]   q")
    desk.press(.enter)
    #expect(desk.effects.contains(.change(.add(["one", "q", "three"]))))
    #expect(desk.selected == "three")
  }

  @Test("lines pasted while a new item is typed are shown with it, and leaving them brings the typing back")
  func pasteWhileTyping() {
    var desk = Desk(["a"])
    desk.press(.character("a"))
    desk.type("buy ")
    desk.press(.paste("milk\nbread"))
    #expect(desk.row(1) == "   [ ]   buy milk")
    desk.press(.escape)
    #expect(desk.row(2) == "▌  [ ]   buy")
    desk.press(.paste("milk\nbread"), .enter)
    #expect(desk.effects.contains(.change(.add(["buy milk", "bread"]))))
  }

  @Test("pasted lines stay on the screen when they can't be saved")
  func pasteFails() {
    var desk = Desk(["a"])
    desk.failure = "the disk is full"
    desk.press(.paste("one\ntwo"), .enter)
    #expect(desk.row(0) == "Add 2 items?")
    #expect(desk.screen.contains("the disk is full"))
  }

  @Test("pasted lines may become one item, or nothing")
  func pasteAsOne() {
    var desk = Desk(["a"])
    desk.press(.paste("one\ntwo"), .character("1"))
    #expect(desk.row(2) == "▌  [ ]   one two")
    desk.press(.escape, .paste("one\ntwo"), .escape)
    #expect(desk.model.mode == .list)
    #expect(desk.items.count == 1)
  }

  @Test("rows that arrive while an item is edited leave the text alone")
  func arrivals() {
    var desk = Desk(["a", "b"])
    desk.press(.down, .enter)
    desk.type("c")
    desk.items.insert(TodoItem(id: "new", text: "new"), at: 0)
    desk.tell(.storeChanged(.rows))
    desk.type("d")
    desk.press(.enter)
    #expect(desk.effects.contains(.change(.edit(id: "b", text: "bcd", seen: "b"))))
  }

  @Test("a text that was changed meanwhile is shown before mine replaces it")
  func overtaken() {
    var desk = Desk(["milk"])
    desk.press(.enter)
    desk.type("!")
    desk.tell(.done(.overtaken(text: "bread")))
    #expect(desk.screen.contains("Changed meanwhile to “bread”."))
    desk.press(.enter)
    #expect(desk.effects.contains(.change(.edit(id: "milk", text: "milk!", seen: "bread"))))
  }

  @Test("an item deleted elsewhere while it is edited keeps its editor on the screen")
  func deletedElsewhere() {
    var desk = Desk(["a", "b"])
    desk.press(.enter)
    desk.type("!")
    desk.items.removeFirst()
    desk.tell(.storeChanged(.rows))
    #expect(desk.screen.contains("a!"))
    #expect(desk.frame.cursor?.isVisible == true)
  }
}
