import OfflineSync
import TableProtocol
import Testing
import TodoCore

@testable import Terminal
@testable import TodoUI

@Suite("Drafts and history")
struct DraftTests {
  @Test("what is typed is kept at each pause, and forgotten when it is dropped")
  func draft() {
    var desk = Desk(["a"])
    desk.press(.character("a"))
    desk.type("milk")
    desk.press(.left)
    #expect(!desk.effects.contains { if case .note(.drafts) = $0 { true } else { false } })
    desk.wait(milliseconds: 300)
    #expect(desk.effects.contains(.note(.drafts([TodoDraft(target: .new, before: "mil", after: "k")]))))
    desk.press(.escape)
    #expect(desk.effects.contains(.note(.drafts([]))))
    #expect(desk.model.nextWake == nil)
  }

  @Test("a draft that was kept makes nothing be read again")
  func echo() {
    var desk = Desk(["a"])
    desk.press(.character("a"))
    desk.type("milk")
    desk.wait(milliseconds: 300)
    #expect(update(&desk.model, .storeChanged(.facts), at: desk.now) == [])
    #expect(update(&desk.model, .storeChanged(.rows), at: desk.now) != [])
  }

  @Test("Enter is one write: the line and the end of the draft go with the item")
  func oneWrite() {
    var desk = Desk(["a"])
    desk.press(.character("a"))
    desk.type("milk")
    desk.wait(milliseconds: 300)
    desk.effects = []
    desk.press(.enter)
    let writes = desk.effects.filter { if case .read = $0 { false } else { true } }
    #expect(writes == [.change(.add(["milk"]))])
    #expect(desk.model.editor.history.lines == ["milk"])
    #expect(desk.model.nextWake == nil)
  }

  private static let draft = TodoDraft(target: .item(id: "b", seen: "b"), before: "bet", after: "ter")
  private func deskWithDraft() -> Desk {
    Desk(items: [TodoItem(id: "a", text: "a"), TodoItem(id: "b", text: "b")], memory: Memory(draft: Self.draft))
  }

  @Test("a draft that outlived its program is offered, and the keys are for the list")
  func offered() {
    var desk = deskWithDraft()
    #expect(desk.screen.contains("“better” was not saved. R resumes it, Esc drops it."))
    desk.press(.down, .character(" "))
    #expect(desk.items.map(\.complete) == [false, true])
    #expect(desk.model.mode == .list)
    #expect(desk.bottom.contains("R resume"))
  }

  @Test("a draft that is typed on is in the editor again, the cursor in its place")
  func restored() {
    var desk = deskWithDraft()
    desk.press(.character("R"))
    #expect(desk.effects.first == .change(.takeOverDraft))
    #expect(desk.row(2) == "▌  [ ]   better")
    #expect(desk.frame.cursor?.column == 12)
    desk.press(.enter)
    #expect(desk.items[1].text == "better")
    desk.press(.character("R"))
    #expect(desk.said == "No unsaved line is left.")
  }

  @Test("the text of a conflict that was decided elsewhere opens as an edit of its item, and it is said why")
  func decided() {
    var draft = Self.draft
    draft.isDecided = true
    var desk = Desk(
      items: [TodoItem(id: "a", text: "a"), TodoItem(id: "b", text: "b")], memory: Memory(draft: draft))
    #expect(desk.said == "“better” was not saved. R resumes it.")
    desk.press(.character("R"))
    #expect(desk.row(2) == "▌  [ ]   better")
    #expect(desk.screen.contains("Decided elsewhere meanwhile: the item is “b” now."))
    desk.press(.escape)
    #expect(desk.said == "“better” was not saved. R resumes it.")
    desk.press(.character("R"), .enter)
    #expect(desk.items[1].text == "better")
  }

  @Test("the text of a conflict whose item is gone opens as a new item")
  func decidedGone() {
    var draft = TodoDraft(target: .new, before: "better")
    draft.isDecided = true
    var desk = Desk(items: [TodoItem(id: "a", text: "a")], memory: Memory(draft: draft))
    desk.press(.character("R"))
    #expect(desk.screen.contains("This item is gone"))
    desk.press(.enter)
    #expect(desk.items.map(\.text) == ["a", "better"] && desk.model.mode == .list)
  }

  @Test("the text of a conflict is offered in the list as soon as that is decided elsewhere")
  func decidedLater() {
    var draft = TodoDraft(target: .merge(id: "b"), before: "better")
    var desk = Desk(
      items: [TodoItem(id: "a", text: "a"), TodoItem(id: "b", text: "b")], memory: Memory(draft: draft))
    #expect(desk.model.screen.notice == nil)
    draft = Self.draft
    draft.isDecided = true
    desk.memory.draft = draft
    desk.tell(.storeChanged(.rows))
    #expect(desk.said == "“better” was not saved. R resumes it.")
  }

  @Test("a draft that is dropped can be had again as an older line")
  func refused() {
    var desk = deskWithDraft()
    desk.press(.escape)
    #expect(desk.effects == [.note(.refuseDraft), .note(.line("better", of: .item)), .read(.draft)])
    desk.press(.character("R"))
    #expect(desk.said == "No unsaved line is left.")
    desk.press(.character("a"), .up)
    #expect(desk.screen.contains("▌  [ ]   better"))
  }

  @Test("a text with a note that is given up can be had again, here and after the next start")
  func shelved() {
    var desk = Desk(["milk", "bread"])
    desk.tell(.edited(.item(id: "milk", seen: "milk"), seen: "milk", .text("oat milk\n  two litres")))
    desk.press(.character("e"))
    desk.failure = "The disk is full."
    desk.tell(.edited(.item(id: "milk", seen: "milk"), seen: "milk", .text("soy milk\n  one litre")))
    desk.failure = nil
    desk.tell(.done(.overtaken(text: "goat milk")))
    desk.press(.escape)
    let draft = TodoDraft(target: .item(id: "milk", seen: "goat milk"), before: "soy milk", after: "\n  one litre")
    #expect(desk.effects.last == .note(.drafts([draft])))
    #expect(desk.said == "“soy milk” was not saved. R resumes it.")
    #expect(desk.bottom.contains("R resume"))
    desk.press(.character("R"))
    #expect(desk.model.editor.editing?.text == "soy milk\n  one litre")
    desk.press(.enter)
    #expect(desk.effects.contains(.change(.edit(id: "milk", text: "soy milk\n  one litre", seen: "goat milk"))))
    #expect(!desk.bottom.contains("R resume"))
  }

  @Test("of several texts that were given up none is lost, and the last comes first")
  func severalShelved() {
    var desk = Desk(["milk", "bread"])
    desk.failure = "The disk is full."
    for id in ["milk", "bread"] {
      desk.tell(.edited(.item(id: RecordID(id), seen: id), seen: id, .text("oat \(id)\nnote of \(id)")))
      desk.press(.escape)
    }
    desk.failure = nil
    desk.press(.character("R"))
    #expect(desk.model.editor.editing?.text == "oat bread\nnote of bread")
    desk.press(.enter)
    #expect(desk.bottom.contains("R resume"))
    desk.press(.character("R"))
    #expect(desk.model.editor.editing?.text == "oat milk\nnote of milk")
  }

  @Test("an emptied line, or an older one that was looked at, does not take the place of a text that can be resumed")
  func keptAsItWas() {
    var desk = Desk(["milk"])
    desk.press(.character("a"))
    desk.type("older")
    desk.press(.escape)
    desk.failure = "The disk is full."
    desk.tell(.edited(.item(id: "milk", seen: "milk"), seen: "milk", .text("oat milk\nnote")))
    desk.failure = nil
    for keys in [[Key.control("u"), .escape], [.up, .escape]] {
      for key in keys { desk.press(key) }
      #expect(desk.said == "“oat milk” was not saved. R resumes it.")
      desk.press(.character("R"))
      #expect(desk.model.editor.editing?.text == "oat milk\nnote")
    }
  }

  @Test("a line that met a change of somebody else can be had again with its item")
  func overtakenLine() {
    var desk = Desk(["milk"])
    desk.press(.enter)
    desk.type("!")
    desk.tell(.done(.overtaken(text: "bread")))
    let words = desk.screen.split { $0.isWhitespace }.joined(separator: " ")
    #expect(words.contains("Esc leaves it, and R has yours again."))
    desk.press(.escape, .character("R"), .enter)
    #expect(desk.effects.contains(.change(.edit(id: "milk", text: "milk!", seen: "bread"))))
  }

  @Test("a line of an item that was resumed is kept again by Escape, and dropped by Enter on nothing")
  func resumedAgain() {
    var desk = deskWithDraft()
    desk.press(.character("R"), .escape)
    #expect(desk.said == "“better” was not saved. R resumes it.")
    desk.press(.character("R"), .control("u"), .control("k"), .enter)
    #expect(desk.model.mode == .list && !desk.bottom.contains("R resume"))
    #expect(desk.model.editor.history.lines == ["better"])
  }

  @Test("where only the note was changed by somebody else that is said")
  func overtakenNote() {
    var desk = Desk(["milk"])
    desk.failure = "The disk is full."
    desk.tell(.edited(.item(id: "milk", seen: "milk"), seen: "milk", .text("milk\nmine")))
    desk.failure = nil
    desk.tell(.done(.overtaken(text: "milk\ntheirs")))
    #expect(desk.screen.contains("Its note changed meanwhile."))
  }

  @Test("a text with a note that another run left stays when it is not wanted now")
  func refusedNote() {
    let draft = TodoDraft(target: .item(id: "b", seen: "b"), before: "bet", after: "ter\nnote")
    var desk = Desk(items: [TodoItem(id: "b", text: "b")], memory: Memory(draft: draft))
    desk.press(.escape)
    #expect(desk.effects == [.note(.refuseDraft), .note(.drafts([draft])), .read(.draft)])
    #expect(desk.said == "“better” was not saved. R resumes it.")
    desk.press(.character("R"))
    #expect(desk.model.editor.editing?.text == "better\nnote")
  }

  @Test("the offer of a draft is not in the way where its keys mean something else")
  func offerElsewhere() {
    var desk = deskWithDraft()
    desk.press(.character("/"))
    #expect(!desk.screen.contains("was not saved"))
    desk.press(.escape)
    #expect(desk.said == "“better” was not saved. R resumes it, Esc drops it.")
  }

  @Test("a text that was given up outlives the next item that is typed")
  func shelvedMeanwhile() {
    var desk = Desk(["milk"])
    desk.failure = "The disk is full."
    desk.tell(.edited(.item(id: "milk", seen: "milk"), seen: "milk", .text("oat milk\nnote")))
    desk.failure = nil
    desk.press(.escape)
    let draft = TodoDraft(target: .item(id: "milk", seen: "milk"), before: "oat milk", after: "\nnote")
    desk.press(.character("a"))
    desk.type("bread")
    desk.press(.enter, .escape)
    desk.wait(milliseconds: 300)
    #expect(desk.effects.last { if case .note(.drafts) = $0 { true } else { false } } == .note(.drafts([draft])))
    desk.press(.character("a"))
    desk.type("x")
    desk.wait(milliseconds: 300)
    desk.effects = []
    desk.press(.escape)
    #expect(desk.effects == [.note(.drafts([draft])), .note(.line("x", of: .item))])
  }

  @Test("a draft that another program took meanwhile is not opened")
  func takenElsewhere() {
    var desk = deskWithDraft()
    desk.memory.draft = nil
    desk.press(.character("R"))
    #expect(desk.model.mode == .list)
    #expect(desk.said == "No unsaved line is left.")
  }

  @Test("the arrow up brings older lines, down the one that was being typed")
  func history() {
    var desk = Desk(items: [], memory: Memory(history: ["first", "second"]))
    desk.press(.character("a"))
    desk.type("new")
    desk.press(.up)
    #expect(desk.row(1) == "▌  [ ]   second")
    desk.press(.up, .up)
    #expect(desk.row(1) == "▌  [ ]   first")
    desk.press(.down, .down)
    #expect(desk.row(1) == "▌  [ ]   new")
  }

  @Test("a line that was dropped can be had again")
  func dropped() {
    var desk = Desk(["a"])
    desk.press(.character("a"))
    desk.type("lost?")
    desk.press(.escape, .character("a"), .up)
    #expect(desk.row(2) == "▌  [ ]   lost?")
  }

  @Test("a new line or an edit that Escape drops is named, and R has the last one and then the one before")
  func droppedIsResumed() {
    var desk = Desk(["milk", "bread"])
    desk.press(.character("a"))
    desk.type("lost")
    desk.press(.escape)
    #expect(desk.said == "“lost” was not saved. R resumes it.")
    #expect(!desk.bottom.contains("R resume"), "it was not wanted, and is no reminder")
    desk.press(.down, .character("e"))
    desk.type("!")
    desk.press(.escape)
    #expect(desk.said == "“bread!” was not saved. R resumes it.")
    #expect(desk.effects.allSatisfy { if case .note(.drafts(let drafts)) = $0 { drafts.isEmpty } else { true } })
    desk.press(.character("R"))
    #expect(desk.model.editor.editing?.target == .item(id: "bread", seen: "bread"))
    desk.press(.enter)
    #expect(desk.items.map(\.text) == ["milk", "bread!"])
    desk.press(.character("R"))
    #expect(desk.model.editor.editing?.target == .new && desk.model.editor.editing?.line.text == "lost")
    #expect(desk.said == "Enter adds and goes on · Esc ends")
    desk.press(.enter)
    desk.type("d")
    #expect(desk.items.map(\.text) == ["milk", "bread!", "lost"], "a line is open, as after a")
    #expect(desk.model.editor.editing?.target == .new && desk.model.editor.editing?.line.text == "d")
    desk.press(.backspace, .enter)
    #expect(desk.model.mode == .list)
    desk.press(.character("R"))
    #expect(desk.said == "No unsaved line is left.")
  }

  @Test("Escape says nothing of a text that was not changed", arguments: ["a", "e"])
  func nothingDropped(key: Character) {
    var desk = Desk(["milk"])
    desk.press(.character(key), .character("x"), .backspace, .escape)
    #expect(desk.model.mode == .list && desk.model.screen.notice == nil)
    desk.press(.character("R"))
    #expect(desk.said == "No unsaved line is left.")
  }

  @Test("several pasted lines taken as one item are kept like typed text")
  func pastedAsOne() {
    var desk = Desk(["a"])
    desk.press(.paste("milk\neggs"), .character("1"))
    desk.wait(milliseconds: 300)
    #expect(desk.effects.contains(.note(.drafts([TodoDraft(target: .new, before: "milk␤eggs", after: "")]))))
  }

  @Test("what is being typed is kept at once when the program has to end")
  func keptAtTheEnd() {
    var desk = Desk(["a"])
    desk.press(.character("a"))
    desk.type("milk")
    #expect(desk.model.lastEffects() == [.note(.drafts([TodoDraft(target: .new, before: "milk", after: "")]))])
    desk.wait(milliseconds: 300)
    #expect(desk.model.lastEffects().isEmpty)
  }

  @Test("on five rows with a notice the new item is still to be seen while it is typed")
  func noRoom() {
    var desk = Desk(["a"], columns: 40, rows: 5)
    desk.press(.character("a"))
    desk.type("milk")
    desk.tell(.failed("the disk is full"))
    #expect(desk.row(2) == "▌  [ ]   milk")
    #expect(desk.frame.cursor == Frame.Cursor(row: 2, column: 13, isVisible: true))
  }
}
