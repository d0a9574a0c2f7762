import FoundationEssentials
import OfflineSync
import TableProtocol
import Testing
import TodoCore

@testable import Terminal
@testable import TodoUI

@Suite("What can be looked at in place of the list")
struct PaneTests {
  private func desk() -> Desk {
    var desk = Desk(["a", "b", "c"])
    desk.outbox = [
      WaitingChange(id: "a", before: TodoCopy(text: "milk"), after: TodoCopy(text: "oat milk")),
      WaitingChange(
        id: "b", before: nil, after: TodoCopy(text: "b"),
        reason: .refused(status: 400, reason: "too short")),
      WaitingChange(id: "z", before: TodoCopy(text: "gone"), after: nil, reason: .noAnswer),
    ]
    return desk
  }

  @Test("the outbox tells each change in words, and of the chosen one why it waits")
  func outbox() {
    var desk = desk()
    desk.press(.character("o"))
    #expect(desk.tab == "Unsent changes")
    #expect(desk.status.hasSuffix("1 of 3"))
    #expect(desk.row(1) == "▌ ↑ “milk” to “oat milk”")
    #expect(desk.row(2) == "  ! add “b”")
    #expect(desk.row(3) == "  … delete “gone”")
    #expect(desk.screen.contains("Waits for the next refresh."))
    desk.press(.down)
    #expect(desk.screen.contains("Refused by the server (400): too short"))
  }

  @Test("d gives a change up and the next one takes its place; Enter edits the item in the list")
  func outboxActs() {
    var desk = desk()
    desk.press(.character("o"), .down, .character("d"))
    #expect(desk.effects.contains(.change(.drop(id: "b"))))
    #expect(desk.row(2) == "▌ … delete “gone”")
    desk.press(.up, .enter)
    guard case .editor(let editing) = desk.model.mode else {
      Issue.record("\(desk.model.mode)")
      return
    }
    #expect(editing.target == .item(id: "a", seen: "oat milk"))
  }

  @Test("an item edited from the outbox leads back to its row there, also if nothing was changed")
  func outboxAgain() {
    var desk = desk()
    for keys in [[Key.character("!"), .enter], [.character("?"), .escape], [.enter], [.escape]] {
      if desk.model.mode == .list { desk.press(.character("o"), .down) }
      #expect(desk.model.panes.pane?.position == 1)
      desk.press(.enter)
      #expect(desk.model.editor.editing?.target == .item(id: "b", seen: "b"))
      for key in keys { desk.press(key) }
      #expect(desk.model.mode.place == .outbox && desk.model.panes.pane?.position == 1, "\(keys)")
    }
    #expect(desk.items.contains { $0.text == "b!" })
    desk.press(.escape)
    #expect(desk.model.mode == .list)
  }

  @Test("a text that was dropped in the outbox is resumed there, and saved it is not offered again")
  func resumedInOutbox() {
    var desk = desk()
    desk.press(.character("o"), .down, .enter, .character("!"), .escape)
    #expect(desk.said == "“b!” was not saved. R resumes it.")
    desk.press(.character("R"))
    #expect(desk.model.editor.editing?.line.text == "b!")
    desk.press(.enter)
    #expect(desk.model.mode.place == .outbox && desk.items.contains { $0.text == "b!" })
    desk.press(.character("R"))
    #expect(desk.model.mode.place == .outbox && desk.said == "No unsaved line is left.")
  }

  @Test("a text that was dropped and then typed and saved all the same is not offered again")
  func savedAfterAll() {
    var desk = Desk(["a"])
    desk.press(.character("a"), .character("m"), .escape)
    desk.press(.character("a"), .character("m"), .enter, .escape)
    desk.press(.character("R"))
    #expect(desk.said == "No unsaved line is left.")
  }

  @Test("a change that is dropped can be had again where it was dropped; one that adds an item deletes it and says so")
  func dropped() {
    var desk = desk()
    desk.press(.character("o"), .character("d"))
    #expect(desk.said == "The change is dropped; u brings it back.")
    desk.press(.character("d"))
    #expect(desk.said == "deleted “b” · u undoes")
    desk.press(.character("u"))
    #expect(desk.effects.contains(.change(.undo)))
    desk.press(.character("d"), .character("d"))
    #expect(desk.model.mode.place == .outbox && desk.items.count == 3, "the next key is not one of the list")
    #expect(desk.row(1) == "  Nothing waits to be sent.")
    #expect(desk.said == "The change is dropped; u brings it back.")
  }

  @Test("a version that was restored can be taken back where it was restored")
  func restoredAndUndone() {
    var desk = desk()
    desk.versions = [
      ItemVersion(number: 2, copy: TodoCopy(text: "oat milk"), madeAt: desk.now.date, origin: .here),
      ItemVersion(number: 1, copy: TodoCopy(text: "milk"), madeAt: nil, origin: .here),
    ]
    desk.press(.character("h"), .down, .enter)
    #expect(desk.said == "The version is restored; u undoes that.")
    desk.press(.character("u"))
    #expect(desk.effects.contains(.change(.undo)))
    #expect(desk.model.mode != .list)
  }

  @Test("a version in which the item is deleted is not restored, and the list does not repeat why")
  func deletedVersion() {
    var desk = desk()
    desk.versions = [
      ItemVersion(number: 3, copy: TodoCopy(text: "a"), madeAt: desk.now.date, origin: .here),
      ItemVersion(number: 2, copy: nil, madeAt: desk.now.date, origin: .here),
      ItemVersion(number: 1, copy: TodoCopy(text: "a"), madeAt: nil, origin: .here),
    ]
    desk.press(.character("h"), .down, .enter)
    #expect(desk.said == "This version is a deletion. To delete the item, press d in the list.")
    #expect(!desk.effects.contains { if case .change = $0 { true } else { false } })
    desk.press(.escape)
    #expect(desk.model.mode == .list && desk.model.screen.notice == nil)
  }

  @Test("the chosen entry has all the rows that the others leave, and says where it is cut")
  func roomForOne() {
    var desk = Desk(["a"])
    let lines = (1...30).map { "line \($0)" }
    desk.versions = [
      ItemVersion(number: 2, copy: TodoCopy(text: lines.joined(separator: "\n")), madeAt: desk.now.date, origin: .here),
      ItemVersion(number: 1, copy: TodoCopy(text: "milk"), madeAt: nil, origin: .here),
    ]
    desk.press(.character("h"), .down)
    #expect(desk.screen.contains("milk"))
    desk.press(.up)
    #expect(desk.screen.contains("line 15") && desk.row(21) == "…", "\(desk.screen)")
  }

  @Test("an item whose adding was undone in its history is not said to be deleted by others")
  func undoneAdding() {
    var desk = Desk(["milk"])
    desk.versions = [ItemVersion(number: 1, copy: TodoCopy(text: "milk"), madeAt: nil, origin: .here)]
    desk.press(.character("h"))
    desk.items = []
    desk.reversal = UndoResult(.undo, .add, text: "milk", itemID: "milk")
    desk.press(.character("u"))
    #expect(desk.model.mode == .list && desk.said == "undone: add “milk”")
  }

  @Test("an undo goes to the change that waits again")
  func undoneDrop() {
    var desk = Desk(["milk", "bread", "tea"])
    let changes = ["milk", "bread", "tea"].map {
      WaitingChange(id: RecordID($0), before: nil, after: TodoCopy(text: $0))
    }
    desk.outbox = changes
    desk.press(.character("o"), .character("d"))
    #expect(desk.outbox.map(\.id) == ["bread", "tea"])
    desk.outbox = Array(changes.dropFirst()) + changes.prefix(1)
    desk.reversal = UndoResult(.undo, .add, text: "milk", itemID: "milk")
    desk.press(.character("u"))
    #expect(desk.model.panes.pane?.position == 2)
  }

  @Test("an undo in the list moves nothing in a pane that is opened later")
  func undoneInList() {
    var desk = Desk(["milk", "bread", "tea"])
    desk.outbox = ["milk", "bread", "tea"].map {
      WaitingChange(id: RecordID($0), before: nil, after: TodoCopy(text: $0))
    }
    desk.reversal = UndoResult(.undo, .edit, text: "tea", itemID: "tea")
    desk.press(.character("u"), .character("o"), .down)
    desk.tell(.storeChanged([.rows]))
    desk.wait(milliseconds: 1_000)
    #expect(desk.model.panes.pane?.position == 1)
  }

  @Test("paging past the end of the details does not wind up")
  func endOfDetails() {
    let note = (1...60).map { "line \($0)" }.joined(separator: "\n")
    var desk = Desk(items: [TodoItem(id: "a", text: "milk\n" + note)])
    desk.press(.character("i"))
    for _ in 0..<8 { desk.press(.pageDown) }
    let end = desk.screen
    desk.press(.up)
    #expect(desk.screen != end && !desk.screen.contains("line 1\n"))
  }

  @Test("without a server the outbox speaks of no refresh")
  func outboxAlone() {
    var preferences = Preferences()
    preferences.hasServer = false
    var desk = Desk(items: [TodoItem(id: "a", text: "milk")], preferences: preferences)
    desk.outbox = [WaitingChange(id: "a", before: nil, after: TodoCopy(text: "milk"))]
    desk.press(.character("o"))
    #expect(desk.screen.contains("Stays here: the list has no server yet."))
    #expect(!desk.bottom.contains("refresh"))
  }

  @Test(
    "with nothing to show a pane does not open, and says why",
    arguments: [("o", "Nothing waits"), ("w", "Nothing new"), ("L", "Nothing was asked")])
  func empty(key: String, words: String) {
    var desk = Desk(["a"])
    desk.press(.character(Character(key)))
    #expect(desk.model.mode == .list)
    #expect(desk.screen.contains(words))
  }

  @Test("every pane closes with Escape, q and its own key", arguments: ["o", "h", "i", "L", "w"])
  func closes(key: Character) {
    for closing in [Key.escape, .character("q"), .character(key), .control("c")] {
      var desk = desk()
      desk.arrivals = [Arrival(id: "b", before: nil, after: TodoCopy(text: "b"), arrivedAt: desk.now.date)]
      desk.requests = [request(status: 200)]
      desk.press(.character(key))
      #expect(desk.model.mode != .list)
      desk.press(closing)
      #expect(desk.model.mode == .list, "\(closing)")
      #expect(!desk.effects.contains(.screen(.quit)))
    }
  }

  @Test("what changed meanwhile is told in a quiet line, and gone when it was read")
  func digest() {
    var desk = desk()
    desk.arrivals = [
      Arrival(id: "a", before: TodoCopy(text: "milk"), after: TodoCopy(text: "oat milk"), arrivedAt: desk.now.date),
      Arrival(id: "b", before: nil, after: TodoCopy(text: "b"), arrivedAt: desk.now.date),
      Arrival(id: "y", before: TodoCopy(text: "y"), after: nil, arrivedAt: desk.now.date),
    ]
    desk.survey()
    #expect(desk.said == "● 3 changes: 1 new, 1 edited, 1 deleted  w show  ] next")
    desk.press(.character("/"))
    #expect(desk.said == "● 3 changes: 1 new, 1 edited, 1 deleted", "where its keys are text they are no hints")
    desk.press(.escape)
    desk.press(.character("w"))
    #expect(desk.tab == "While you were away")
    #expect(desk.row(1) == "▌ edited    oat milk")
    #expect(desk.screen.contains("{+oat+} milk"))
    desk.press(.down, .enter)
    #expect(desk.selected == "b")
    desk.press(.character("w"), .escape)
    #expect(desk.effects.contains(.note(.seen(["a", "b", "y"]))))
  }

  @Test("] and [ go to the rows that came, and one that was left is noted as seen at the next pause")
  func arrivals() {
    var desk = Desk(["a", "b", "c"])
    for index in [1, 2] {
      desk.items[index].hasArrived = true
      desk.arrivals.append(
        Arrival(id: desk.items[index].id, before: nil, after: TodoCopy(text: "x"), arrivedAt: desk.now.date))
    }
    desk.tell(.storeChanged(.rows))
    #expect(desk.row(2) == " ● [ ]   b")
    desk.press(.character("]"))
    #expect(desk.selected == "b")
    desk.press(.character("]"))
    #expect(desk.selected == "c")
    #expect(desk.row(2) == "   [ ]   b")
    desk.press(.character("["))
    desk.wait(milliseconds: 300)
    #expect(desk.effects.contains(.note(.seen(["b", "c"]))))
  }

  @Test("the story of an item tells each version, and what changed in it; Enter restores one")
  func story() {
    var desk = desk()
    desk.versions = [
      ItemVersion(number: 3, copy: TodoCopy(text: "oat milk", complete: true), madeAt: desk.now.date, origin: .server),
      ItemVersion(number: 2, copy: TodoCopy(text: "oat milk"), madeAt: desk.now.date, origin: .here),
      ItemVersion(number: 1, copy: TodoCopy(text: "milk"), madeAt: nil, origin: .here),
    ]
    desk.press(.character("h"))
    #expect(desk.tab == "History of “a”")
    #expect(desk.row(1).hasSuffix("server  [x] oat milk"))
    #expect(desk.screen.contains("open → done"))
    desk.press(.enter)
    #expect(!desk.effects.contains { if case .change(.restore) = $0 { true } else { false } })
    desk.press(.end, .enter)
    #expect(desk.effects.contains(.change(.restore(id: "a", number: 1))))
  }

  @Test("the times in a story end below each other, with a date or without")
  func storyColumns() {
    var desk = desk()
    desk.versions = [
      ItemVersion(number: 2, copy: TodoCopy(text: "oat milk"), madeAt: desk.now.date, origin: .here),
      ItemVersion(number: 1, copy: TodoCopy(text: "milk"), madeAt: desk.now.date - 30 * 86_400, origin: .here),
    ]
    desk.press(.character("h"))
    let rows = [desk.row(1), desk.row(2)]
    let starts = rows.map { row in
      row.firstRange(of: "here").map { row.distance(from: row.startIndex, to: $0.lowerBound) }
    }
    #expect(starts[0] != nil && starts[0] == starts[1], "\(rows)")
    #expect(rows[1].contains(/\d{4}-\d\d-\d\d \d\d:\d\d  here/))
  }

  @Test("of a completion whose day alone is known no time is shown, in the story and in the details")
  func dayAlone() throws {
    var desk = desk()
    let day = try #require(CalendarDay("2026-11-01"))
    let moment = PortableTime.day(day).timestamp
    desk.items[0].complete = true
    desk.items[0].completedAt = moment
    desk.versions = [
      ItemVersion(number: 2, copy: TodoCopy(text: "a", complete: true), madeAt: moment.date, origin: .here),
      ItemVersion(number: 1, copy: TodoCopy(text: "a"), madeAt: moment.date + 60, origin: .here),
    ]
    desk.press(.character("h"))
    #expect(desk.row(1).contains("2026-11-01  here"), "\(desk.screen)")
    #expect(desk.row(2).contains(/2026-11-01 \d\d:\d\d  here/), "\(desk.screen)")
    desk.press(.escape, .character("i"))
    #expect(desk.screen.contains(/done since +2026-11-01\n/), "\(desk.screen)")
  }

  @Test("the sync log tells every request, the newest first")
  func log() {
    var desk = desk()
    desk.requests = [request(status: 200), request(status: 503)]
    desk.press(.character("L"))
    #expect(desk.row(1).hasSuffix("200           42 ms  GET /tables/TodoItem"))
    #expect(desk.screen.contains("sent 0 B, received 2 kB"))
  }

  @Test("the details say everything known about the item")
  func detail() {
    var desk = Desk(items: [TodoItem(id: "0123456", text: "buy milk", state: .waiting)])
    desk.press(.character("i"))
    for words in ["buy milk", "open", "not yet sent", "0123456", "handle"] {
      #expect(desk.screen.contains(words), "\(words)")
    }
  }

  private func request(status: Int) -> RequestRecord {
    RequestRecord(
      startedAt: Timestamp(Desk.morning.date), verb: "GET", path: "/tables/TodoItem", outcome: .status(status),
      milliseconds: 42,
      bytesSent: 0, bytesReceived: 2_100)
  }
}
