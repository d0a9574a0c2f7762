import OfflineSync
import TableProtocol
import Testing
import TodoCore

@testable import Terminal
@testable import TodoUI

@Suite("A row that goes away under the cursor")
struct LostRowTests {
  private func desk() -> Desk {
    var desk = Desk(["a", "b", "c", "d"])
    desk.press(.down)
    return desk
  }

  /// Another device deletes the item, and a sync brings that.
  private func delete(_ text: String, _ desk: inout Desk) {
    desk.items.removeAll { $0.text == text }
    desk.tell(.storeChanged(.rows))
  }

  private func changes(_ desk: Desk) -> Int {
    desk.effects.count { if case .change = $0 { true } else { false } }
  }

  @Test("keeps the first key that acts from its neighbour, and says so; the next one acts", arguments: ["x", "d", "+"])
  func firstKey(key: String) throws {
    var desk = desk()
    delete("b", &desk)
    desk.wait(milliseconds: LostRow.time)
    desk.press(.character(try #require(key.first)))
    #expect(changes(desk) == 0)
    #expect(desk.said == "The row you were on is gone, so nothing was done. The cursor is now on “c”.")
    desk.press(.character(try #require(key.first)))
    #expect(changes(desk) == 1)
  }

  @Test("opens no editor and marks nothing either", arguments: ["e", "m", "v"])
  func noEditor(key: String) throws {
    var desk = desk()
    delete("b", &desk)
    desk.press(.character(try #require(key.first)))
    #expect(desk.model.mode == .list && desk.model.list.marks.isEmpty && desk.model.list.marks.anchor == nil)
    #expect(desk.selected == "c")
  }

  @Test("is forgotten after a key that moves, and after three seconds")
  func forgotten() {
    for moves in [true, false] {
      var desk = desk()
      delete("b", &desk)
      if moves { desk.press(.down) } else { desk.wait(milliseconds: LostRow.time + 1) }
      desk.press(.character("x"))
      #expect(changes(desk) == 1)
    }
  }

  @Test("is not one that was changed here, or another row")
  func own() {
    var desk = desk()
    desk.press(.character("d"))
    desk.wait(milliseconds: LostRow.secondPressTime)
    desk.press(.character("d"))
    #expect(desk.items.map(\.text) == ["a", "d"])
    desk.wait(milliseconds: LostRow.secondPressTime)
    delete("a", &desk)
    desk.press(.character("d"))
    #expect(desk.items.isEmpty)
  }

  @Test("keeps the palette from the neighbour, however long it was open")
  func palette() {
    var desk = desk()
    desk.press(.character(":"))
    desk.type("toggle")
    delete("b", &desk)
    desk.wait(milliseconds: 60_000)
    desk.press(.enter)
    #expect(desk.model.mode == .list && changes(desk) == 0)
    #expect(desk.said.hasPrefix("The row you were on is gone"))
  }

  @Test("closes its details with a word, and the key that follows does not meet the neighbour")
  func details() {
    var desk = desk()
    desk.press(.character("i"))
    desk.wait(milliseconds: 60_000)
    delete("b", &desk)
    #expect(desk.model.mode == .list)
    #expect(desk.said == "This item is gone: a sync or another program deleted it.")
    desk.press(.character("x"))
    #expect(changes(desk) == 0)
  }

  @Test("leaves the details of an item that is only out of sight, and keeps the keys after them from the neighbour")
  func hidden() throws {
    var desk = desk()
    desk.press(.character("i"))
    let place = try #require(desk.items.firstIndex { $0.text == "b" })
    desk.items[place].complete = true
    desk.tell(.storeChanged(.rows))
    desk.wait(milliseconds: 60_000)
    desk.press(.escape, .character("x"))
    #expect(changes(desk) == 0)
    desk.press(.character("x"))
    #expect(desk.items.filter(\.complete).map(\.text) == ["b", "c"])
  }

  @Test("leaves the marks to the keys: they are of other rows")
  func marks() {
    var desk = desk()
    desk.press(.character("m"))
    delete("c", &desk)
    desk.press(.character("x"))
    #expect(desk.effects.contains(.change(.setComplete(ids: ["b"], true))))
  }

  @Test("is not counted among the marked any more")
  func marked() {
    var desk = desk()
    desk.press(.character("m"), .character("m"), .character("k"), .character("k"))
    #expect(desk.status.contains("2 marked"))
    delete("c", &desk)
    #expect(desk.status.contains("1 marked"))
  }

  @Test("that is being edited is added as a new one by the second Enter")
  func edited() {
    var desk = desk()
    desk.press(.character("e"))
    desk.type("!")
    desk.items.removeAll { $0.text == "b" }
    desk.tell(.done(.editedGone))
    let said = desk.screen.split { $0.isWhitespace }.joined(separator: " ")
    #expect(said.contains("deleted it. Enter adds your text as a new item; Esc puts it aside, and R brings it back."))
    #expect(desk.model.editor.editing?.line.text == "b!")
    desk.press(.escape, .character("R"))
    #expect(desk.model.editor.editing?.line.text == "b!", "as the words said")
    desk.press(.enter)
    #expect(desk.items.map(\.text).contains("b!"))
  }
}

@Suite("A key that is pressed twice at once")
struct SecondPressTests {
  @Test(
    "deletes or completes one item, and says which one and what the next press would meet",
    arguments: [
      ("dd", "deleted “one”. For “two”, press d again"),
      ("xx", "completed “one”. For “two”, press x again"),
      ("x ", "completed “one”. For “two”, press Space again"),
      ("xd", "completed “one”. For “two”, press d again"),
      ("ddd", "deleted “one”. For “two”, press d again"),
    ])
  func once(keys: String, said: String) {
    var desk = Desk(["one", "two", "three"])
    desk.type(keys)
    #expect(desk.effects.count { if case .change = $0 { true } else { false } } == 1)
    #expect(desk.said == said && desk.selected == "two")
  }

  @Test("acts again after a moment")
  func slower() {
    var desk = Desk(["one", "two", "three"])
    for _ in 1...2 {
      desk.press(.character("d"))
      desk.wait(milliseconds: LostRow.secondPressTime)
    }
    #expect(desk.items.map(\.text) == ["three"])
  }

  @Test("acts at once if another key came in between", arguments: ["djd", "xjx", "dkd"])
  func other(keys: String) {
    var desk = Desk(["one", "two", "three", "four"])
    desk.type(keys)
    #expect(desk.effects.count { if case .change = $0 { true } else { false } } == 2)
  }

  @Test(
    "that changes the text, so that the filter shows the item no more, does not meet the next one",
    arguments: [
      ("++", "(C)", "changed “(B) one”. For “two”, press + again"),
      ("--", "(C)", "changed “one”. For “two”, press - again"),
      ("+t", "(C)", "changed “(B) one”. For “two”, press t again"),
      ("+d", "(C)", "changed “(B) one”. For “two”, press d again"),
    ])
  func outOfTheFilter(keys: String, filter: String, said: String) {
    var desk = Desk(["(C) one", "(C) two"])
    desk.press(.character("/"))
    desk.type(filter)
    desk.press(.enter)
    desk.effects = []
    desk.type(keys)
    #expect(desk.effects.count { if case .change = $0 { true } else { false } } == 1)
    #expect(desk.model.mode == .list && desk.selected == "(C) two")
    #expect(desk.said == said)
  }

  @Test("of a text that was edited out of the filter does not meet the next item")
  func editedOutOfTheFilter() {
    var desk = Desk(["milk", "milk too"])
    desk.press(.character("/"))
    desk.type("milk")
    desk.press(.enter, .enter, .control("u"))
    desk.type("bread")
    desk.press(.enter, .character("d"))
    #expect(desk.items.map(\.text) == ["bread", "milk too"] && desk.selected == "milk too")
    desk.wait(milliseconds: LostRow.secondPressTime)
    desk.press(.character("d"))
    #expect(desk.items.map(\.text) == ["bread"])
  }

  @Test("raises the priority twice if the item stays under the cursor")
  func raisedTwice() {
    var desk = Desk(["(C) one", "(C) two"])
    desk.type("++")
    #expect(desk.items.map(\.text) == ["(A) one", "(C) two"])
  }

  @Test("acts at once on an item that stays under the cursor")
  func stays() {
    var desk = Desk(["one", "two"])
    desk.press(.tab)
    desk.type("xx")
    #expect(desk.items[0].complete == false)
    #expect(desk.effects.count { if case .change = $0 { true } else { false } } == 2)
  }

  @Test("deletes the marked items and not the one that took their place")
  func marked() {
    var desk = Desk(["one", "two", "three"])
    desk.type("mmkd")
    desk.press(.character("d"))
    #expect(desk.items.map(\.text) == ["three"])
    #expect(desk.said == "deleted 2 items. For “three”, press d again")
  }
}

@Suite("What was answered, and what comes after it")
struct AnswerTests {
  @Test("an undo is not offered any more once another program made a change, and is while only a sync ran")
  func undo() {
    for (changes, isOffered) in [(StoreChanges.all, false), ([.rows, .journal], true)] {
      var desk = Desk(["a", "b"])
      desk.press(.character("x"))
      #expect(desk.said.hasSuffix("u undoes"))
      desk.tell(.storeChanged(changes))
      #expect(desk.said.hasSuffix("u undoes") == isOffered)
    }
  }

  @Test("a long text gives way to the place of the row, which stays at the right")
  func place() {
    var desk = Desk([String(repeating: "very ", count: 30) + "long", "b"])
    desk.press(.character("d"))
    desk.survey()
    #expect(desk.status.contains("…” · u undoes ") && desk.status.hasSuffix("1 of 1"), "\(desk.status)")
  }

  @Test("a receipt that has to be cut is cut before the place of the conflict, and a sentence that fits is whole")
  func placeOfConflict() {
    // On fewer rows it does not wrap.
    var desk = Desk(["a", "b"], columns: 80, rows: 7)
    desk.conflicts = ["a", "b"].map {
      TodoConflict(
        id: RecordID($0), base: TodoCopy(text: $0), mine: TodoCopy(text: $0 + "1"), theirs: TodoCopy(text: $0 + "2"))
    }
    desk.press(.character("c"), .character("r"))
    desk.tell(.refresh(.finished(RefreshResult(pushed: 1_000_000, pulled: 1_000_000, seconds: 0.42))))
    let side = TableDigest(count: 1_000_000, checksum: 1)
    desk.tell(.refresh(.compared(TableComparison(here: side, there: side))))
    #expect(desk.status.hasPrefix(" sent 1,000,000 · ") && desk.status.hasSuffix("…  1 of 2"), "\(desk.status)")
    desk.tell(.failed("The disk is so full that one more letter can't be written, not even a dot."))
    #expect(desk.status.hasSuffix("can't be written, not even a dot."), "\(desk.screen)")
  }

  @Test("an answer makes room for what has come, after a while")
  func arrivals() {
    var desk = Desk(["a", "b"])
    desk.press(.character("x"))
    desk.arrivals = [
      Arrival(id: "b", before: nil, after: TodoCopy(text: "b"), arrivedAt: desk.now.date)
    ]
    desk.survey()
    #expect(desk.said.hasSuffix("u undoes"))
    desk.wait(milliseconds: Refresh.receiptTime)
    #expect(!desk.said.contains("u undoes"), "\(desk.said)")
  }
}
