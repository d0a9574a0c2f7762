import FoundationEssentials
import OfflineSync
import TableProtocol
import Testing
import TodoCore

@testable import Terminal
@testable import TodoUI

@Suite("What waits for a decision")
struct ConflictBrowserTests {
  private let conflicts = [
    TodoConflict(
      id: "milk", base: TodoCopy(text: "milk"), mine: TodoCopy(text: "oat milk"), theirs: TodoCopy(text: "rice milk")),
    TodoConflict(
      id: "plants", status: 410, base: TodoCopy(text: "water plants"), mine: TodoCopy(text: "water the plants"),
      theirs: nil),
    TodoConflict(
      id: "long", kind: .refused(reason: "too long"), status: 400, base: TodoCopy(text: "short", complete: true),
      mine: TodoCopy(text: "very long"), theirs: TodoCopy(text: "short", complete: true)),
  ]

  private func desk(_ columns: Int = 80, _ rows: Int = 12, charset: Charset = .utf8) -> Desk {
    let items = conflicts.map { TodoItem(id: $0.id, text: $0.text, state: .conflict) }
    var desk = Desk(items: items, columns: columns, rows: rows, charset: charset)
    desk.conflicts = conflicts
    (desk.sync.conflicts, desk.sync.refused) = (2, 1)
    desk.survey()
    return desk
  }

  @Test("c shows why, and the three copies with the words that differ in brackets")
  func shows() {
    var desk = desk()
    desk.press(.character("c"))
    #expect(
      desk.screen == """
         Agenda 3   Open 3   All 3   Done 0   To decide 3         ≠2  !1 · never synced
        ≠ Changed here and on the server.
        before milk
        here   {+oat+} milk
        there  {+rice+} milk

        merged oat rice milk



         Nothing is sent for this item until you decide.                         1 of 3
         Enter merged  h here  t there  b both  e edit  Esc back  u undo  j next  ? help
        """)
  }

  @Test("an item that goes since its change was taken back is said to stay deleted, and not to be done")
  func letGo() throws {
    for keys: [Key] in [
      [.character("x")], [.character("v"), .character("x")], [.character("e"), .character("!"), .enter],
    ] {
      var desk = desk()
      desk.gone = [try #require(desk.items.first).id]
      for key in keys { desk.press(key) }
      #expect(desk.screen.contains(" stays deleted. u undoes it."), "\(keys): \(desk.screen)")
      #expect(desk.model.list.marks.isEmpty)
    }
  }

  @Test("a change that lets the text from elsewhere stand says so, and an edit is told as it was stored")
  func toldAsStored() throws {
    var desk = desk()
    let item = try #require(desk.items.first)
    desk.stored = [item.id: "rye and milk"]
    desk.press(.character("e"), .character("!"), .enter)
    #expect(desk.screen.contains("changed “rye and milk”"), "\(desk.screen)")
    (desk.stored, desk.overruled) = ([:], [item.id: "rice milk"])
    desk.press(.character("e"), .character("!"), .enter)
    #expect(desk.screen.contains("Kept what is there: “rice milk”. u undoes it."), "\(desk.screen)")
  }

  @Test("an undo goes to the conflict that is open again, wherever it stands now")
  func undone() {
    var desk = desk()
    let milk = desk.conflicts[0]
    desk.press(.character("c"), .character("t"))
    #expect(desk.model.panes.conflicts?.current?.id == "plants")
    desk.conflicts.append(milk)
    desk.reversal = UndoResult(.undo, .decide, text: "milk", itemID: "milk")
    desk.press(.character("u"))
    #expect(desk.model.panes.conflicts?.current?.id == "milk")
  }

  @Test("Enter saves the merged text that is shown on the bar, e opens it to be edited")
  func merged() {
    var desk = desk()
    desk.press(.character("c"))
    #expect(desk.row(6) == "merged oat rice milk")
    #expect(desk.bottom.hasPrefix("Enter merged  h here  t there  b both  e edit"))
    desk.effects = []
    desk.press(.character("e"))
    #expect(!desk.screen.contains("merged oat rice milk"))
    desk.press(.escape, .enter)
    #expect(desk.effects.contains(.change(.resolve([conflicts[0]], .text("oat rice milk")))))
    #expect(desk.screen.contains("Saved for both sides: “oat rice milk”. u undoes it."))
  }

  @Test("where there is nothing to merge Enter opens the text", arguments: [1, 2])
  func notMerged(steps: Int) {
    var desk = desk()
    desk.press(.character("c"))
    for _ in 0..<steps { desk.press(.down) }
    #expect(!desk.screen.contains("merged") && !desk.bottom.contains("Enter"))
    desk.press(.enter)
    #expect(desk.model.editor.editing?.isMerge == true)
  }

  @Test("if both sides replaced the same word, no text with both is offered, and Enter opens the one here")
  func choice() {
    var desk = desk()
    desk.conflicts[0] = TodoConflict(
      id: "milk", base: TodoCopy(text: "buy milk"), mine: TodoCopy(text: "order milk"),
      theirs: TodoCopy(text: "get milk"))
    desk.press(.character("c"))
    #expect(!desk.screen.contains("merged") && desk.bottom.hasPrefix("h here  t there  b both  e edit"))
    desk.press(.enter)
    #expect(desk.row(1) == "> order milk")
  }

  @Test("its own key does not close it, so that the next key is not meant for the list; u undoes there")
  func staysOpen() {
    var desk = desk()
    desk.press(.character("c"), .character("c"), .character("M"))
    #expect(desk.model.mode == .conflicts)
    #expect(!desk.effects.contains { if case .screen(.setMouse) = $0 { true } else { false } })
    desk.effects = []
    desk.press(.character("u"))
    #expect(desk.effects.starts(with: [.change(.undo)]))
    #expect(desk.effects.contains(.read(.conflicts)))
  }

  @Test("each side says since when, by day where that is not today, and where there is room")
  func times() {
    var desk = desk()
    desk.conflicts[0].mineAt = Desk.morning.date.addingTimeInterval(-3_600)
    desk.conflicts[0].theirsAt = Desk.morning.date.addingTimeInterval(-100 * 3_600)
    desk.press(.character("c"))
    #expect(desk.row(2) == "before                  milk")
    #expect(desk.row(3).hasPrefix("here, ") && desk.row(3).hasSuffix(":30             {+oat+} milk"), "\(desk.row(3))")
    #expect(desk.row(4).hasPrefix("there, 2026-11-17 ") && desk.row(4).hasSuffix(":30 {+rice+} milk"), "\(desk.row(4))")
    desk.tell(.resized(Size(columns: 40, rows: 12)))
    #expect(desk.row(4) == "there, 2026-11-17 {+rice+} milk")
    desk.tell(.resized(Size(columns: 24, rows: 12)))
    #expect(desk.row(5) == "there  {+rice+} milk", "\(desk.screen)")
  }

  @Test("after a decision it is said which, and that u takes it back", arguments: ["h", "t", "b"] as [Character])
  func said(key: Character) {
    var desk = desk()
    desk.press(.character("c"), .character(key))
    let words = [
      "h": "Kept what is here: “oat milk”.", "t": "Kept what is there: “rice milk”.", "b": "Kept both: “oat milk” is",
    ]
    #expect(desk.screen.contains(words[String(key)] ?? "?"), "\(desk.screen)")
    #expect(desk.screen.contains("u undoes it."))
  }

  @Test(
    "where one side deleted the item, it is said what became of it",
    arguments: [
      (true, "h", "“rice milk” stays deleted."), (true, "t", "Kept what is there: “rice milk”."),
      (true, "b", "Kept what is there: “rice milk”."), (false, "h", "Kept what is here: “oat milk”."),
      (false, "t", "“oat milk” stays deleted."), (false, "b", "Kept what is here: “oat milk”."),
    ])
  func saidOfDeletion(isHere: Bool, key: String, words: String) {
    let (mine, theirs) = (TodoCopy(text: "oat milk"), TodoCopy(text: "rice milk"))
    var desk = desk()
    desk.conflicts = [
      TodoConflict(
        id: "milk", base: TodoCopy(text: "milk"), mine: isHere ? nil : mine, theirs: isHere ? theirs : nil)
    ]
    desk.survey()
    desk.press(.character("c"), .character(Character(key)))
    #expect(desk.screen.contains(words), "\(desk.screen)")
  }

  @Test("below the merged text stand the words that it lacks, such as the second date")
  func leftOut() {
    var desk = desk()
    desk.conflicts[0] = TodoConflict(
      id: "milk", base: TodoCopy(text: "milk"), mine: TodoCopy(text: "oat milk due:2026-12-01"),
      theirs: TodoCopy(text: "rice milk due:2026-12-02"))
    desk.press(.character("c"))
    #expect(desk.row(6) == "merged oat rice milk due:Tue 1 Dec", "\(desk.screen)")
    #expect(desk.row(7) == "       without due:Wed 2 Dec")
  }

  @Test("dates are said in words, also where they differ")
  func datesInWords() {
    var desk = desk(120, 12)
    desk.conflicts[0] = TodoConflict(
      id: "milk", base: TodoCopy(text: "milk due:2026-12-01"), mine: TodoCopy(text: "milk due:2026-12-02"),
      theirs: TodoCopy(text: "milk due:2026-12-03 overdue:2026-12-01 due:2026-12-99"))
    desk.press(.character("c"))
    #expect(desk.screen.contains("milk due:Tue 1 Dec\n"), "\(desk.screen)")
    #expect(desk.screen.contains("milk [-due:Tue 1 Dec-]{+due:Wed 2 Dec+}"))
    #expect(desk.screen.contains("due:Thu 3 Dec overdue:2026-12-01 due:2026-12-99"))
  }

  @Test("it fits 40 by 10 and 20 by 5, where what has no room is reached by paging")
  func small() {
    var desk = desk(40, 10)
    desk.press(.character("c"), .character("j"), .character("j"))
    #expect(
      desk.screen
        == """
         To decide 3      ≠2  !1 · never synced
        ! Refused by the server (400): too long
        text
        here  [-short-]{+very long+}
        there short
        state
        here  open
        there done
                                         3 of 3
         h here  t there  e edit  Esc back
        """)
    var tiny = self.desk(20, 5)
    tiny.press(.character("c"))
    #expect(tiny.row(1) == "≠ Changed here and")
    tiny.press(.pageDown)
    #expect(tiny.row(1) == "before milk")
    tiny.press(.pageDown)
    #expect(tiny.row(1) == "there  {+rice+} milk")
    tiny.press(.pageDown, .pageDown)
    #expect(tiny.row(2) == "merged oat rice milk")
    tiny.press(.character("j"))
    #expect(tiny.row(1) == "≠ Changed here,")
  }

  @Test("a copy that is gone says so, there and in a deletion here")
  func deleted() {
    var desk = desk()
    desk.press(.character("c"), .character("j"))
    #expect(desk.row(1) == "≠ Changed here, deleted on the server.")
    #expect(desk.row(3) == "here   water {+the+} plants")
    #expect(desk.row(4) == "there  deleted")
  }

  @Test("a deletion is said once, also if the other side completed the item")
  func deletedAndDone() {
    var desk = desk()
    desk.conflicts[0] = TodoConflict(
      id: "milk", base: TodoCopy(text: "milk"), mine: nil, theirs: TodoCopy(text: "milk", complete: true))
    desk.press(.character("c"))
    #expect(
      (1...7).map { desk.row($0) } == [
        "≠ Deleted here, changed on the server.", "text", "before milk", "here   deleted", "there  milk", "state",
        "before open",
      ])
    #expect(desk.row(8) == "there  done", "\(desk.screen)")
  }

  @Test(
    "m, t and b decide, the next one comes, and after the last the list with a word about the refresh",
    arguments: zip(["m", "t", "b"] as [Character], [TodoDecision.mine, .theirs, .both]))
  func decide(key: Character, decision: TodoDecision) {
    var desk = desk()
    desk.press(.character("c"), .character(key))
    #expect(desk.effects.contains(.change(.resolve([conflicts[0]], decision))))
    #expect(desk.status.hasSuffix("1 of 2") && desk.row(4) == "there  deleted")
    desk.press(.character(key))
    if decision == .both { desk.press(.character("m")) } else { desk.press(.character(key)) }
    #expect(desk.model.mode == .list)
    #expect(desk.screen.contains("All decided. Press r to send."))
    #expect(desk.row(1) == "▌↑ [ ]   oat milk")
  }

  @Test("where changes go out by themselves, the last decision asks for no key")
  func decidedByItself() {
    var preferences = Preferences()
    preferences.automatic = AutomaticSync(onChange: true)
    let items = [TodoItem(id: conflicts[0].id, text: conflicts[0].text, state: .conflict)]
    var desk = Desk(items: items, preferences: preferences)
    desk.conflicts = [conflicts[0]]
    desk.sync.conflicts = 1
    desk.survey()
    desk.press(.character("c"), .character("m"))
    #expect(desk.model.mode == .list)
    #expect(desk.screen.contains("All decided. Ebb sends") && !desk.screen.contains("Press r"), "\(desk.screen)")
  }

  @Test("b on a refused change decides nothing and says what can be kept", arguments: ["b", "B"] as [Character])
  func bothRefused(key: Character) {
    var desk = desk()
    desk.press(.character("c"), .character("j"), .character("j"))
    desk.effects = []
    desk.press(.character(key))
    #expect(desk.effects.isEmpty)
    #expect(desk.status.hasSuffix("3 of 3"))
    #expect(desk.screen.contains("would refuse a copy of it too"))
  }

  @Test("the keys that decide all conflicts alike say how many those are")
  func countsAlike() {
    var desk = desk(140)
    desk.press(.character("c"))
    #expect(!desk.bottom.contains("like it"))
    desk.press(.escape)
    desk.conflicts.append(
      TodoConflict(
        id: "tea", base: TodoCopy(text: "tea due:2026-12-01"), mine: TodoCopy(text: "tea due:2026-12-02"),
        theirs: TodoCopy(text: "tea due:2026-12-03")))
    desk.press(.character("c"))
    let hints = "H here for all like it (2)  T there for all like it (2)  B both for all like it (2)"
    #expect(desk.bottom.contains(hints), "\(desk.bottom)")
    let alike = [desk.conflicts[0], desk.conflicts[3]]
    desk.press(.character("B"))
    #expect(desk.effects.contains(.change(.resolve(alike, .both))))
  }

  @Test("e edits the two texts as one, and Enter decides; Escape goes back to the three copies")
  func merge() {
    var desk = desk()
    desk.press(.character("c"), .character("e"))
    #expect(desk.row(1) == "> oat rice milk")
    #expect(desk.frame.cursor == Frame.Cursor(row: 1, column: 15, isVisible: true))
    #expect(desk.row(4) == "here   {+oat+} milk")
    desk.press(.escape)
    #expect(desk.model.mode == .conflicts && desk.conflicts.count == 3)
    desk.press(.character("e"))
    desk.type("!")
    desk.press(.enter)
    #expect(desk.effects.contains(.change(.resolve([conflicts[0]], .text("oat rice milk!")))))
    #expect(desk.model.mode == .conflicts)
    #expect(desk.status.hasSuffix("1 of 2"))
  }

  /// The first conflict is one of texts with notes.
  private func deskWithNotes() -> (desk: Desk, conflict: TodoConflict) {
    var desk = desk()
    let conflict = TodoConflict(
      id: "milk", base: TodoCopy(text: "milk\nsoon"), mine: TodoCopy(text: "oat milk\nsoon"),
      theirs: TodoCopy(text: "rice milk\nsoon\ntwo litres"))
    desk.conflicts[0] = conflict
    desk.press(.character("c"))
    return (desk, conflict)
  }

  @Test("while the line is typed, the note that is saved with it stands below it")
  func mergeWithNote() {
    let (start, conflict) = deskWithNotes()
    var desk = start
    #expect(desk.bottom.contains("e edit  E edit in $EDITOR"))
    desk.press(.character("e"))
    #expect((1...3).map { desk.row($0) } == ["> oat rice milk", "  soon", "  two litres"])
    #expect(desk.frame.cursor == Frame.Cursor(row: 1, column: 15, isVisible: true))
    desk.type("!")
    desk.press(.enter)
    #expect(
      desk.effects.contains(.change(.resolve([conflict], .text("oat rice milk!\nsoon\ntwo litres")))))
  }

  @Test("E opens the two in one in the user's editor, with the note; the text that comes back decides")
  func mergeInEditor() {
    let (start, conflict) = deskWithNotes()
    var desk = start
    desk.press(.character("E"))
    let proposed = "oat rice milk\nsoon\ntwo litres"
    #expect(desk.effects.contains(.screen(.edit(.merge(id: "milk"), text: proposed))))
    desk.tell(.edited(.merge(id: "milk"), seen: proposed, .text(proposed + "\n")))
    #expect(desk.screen.contains("The editor changed nothing.") && desk.model.mode == .conflicts)
    desk.tell(.edited(.merge(id: "milk"), seen: proposed, .text("oat milk\nthree litres\n")))
    #expect(desk.effects.contains(.change(.resolve([conflict], .text("oat milk\nthree litres")))))
    #expect(desk.model.mode == .conflicts && desk.status.hasSuffix("1 of 2"))
    #expect(desk.screen.contains("Saved for both sides: “oat milk”."))
  }

  @Test("a text from the user's editor for a conflict that was decided meanwhile becomes an edit of the item")
  func mergeInEditorDecidedElsewhere() {
    let (start, conflict) = deskWithNotes()
    var desk = start
    desk.press(.character("E"))
    desk.conflicts.removeFirst()
    desk.items[0] = TodoItem(id: "milk", text: "rice milk")
    desk.tell(.storeChanged(.rows))
    desk.tell(.edited(.merge(id: "milk"), seen: conflict.proposal, .text("oat milk\nthree litres\n")))
    #expect(desk.model.editor.editing?.target == Self.milk)
    #expect(desk.model.editor.editing?.text == "oat milk\nthree litres")
    #expect(desk.screen.contains("Decided elsewhere meanwhile: the item is “rice milk” now."))
  }

  @Test("it begins with the chosen item; j and k go on and back; Escape leaves everything as it was")
  func moves() {
    var desk = desk()
    desk.press(.down, .character("c"))
    #expect(desk.status.hasSuffix("2 of 3"))
    desk.press(.character("k"), .character("k"))
    #expect(desk.status.hasSuffix("1 of 3"))
    desk.press(.character("?"), .escape)
    #expect(desk.status.hasSuffix("1 of 3"))
    desk.press(.escape)
    #expect(desk.model.mode == .list && desk.model.panes.conflicts == nil)
    #expect(!desk.effects.contains { if case .change(.resolve) = $0 { true } else { false } })
  }

  @Test("what another program decides leaves the screen, and the one looked at stays")
  func elsewhere() {
    var desk = desk()
    desk.press(.character("c"), .character("j"))
    desk.conflicts.removeFirst()
    desk.tell(.storeChanged(.rows))
    #expect(desk.status.hasSuffix("1 of 2") && desk.row(4) == "there  deleted")
    desk.conflicts = []
    desk.tell(.storeChanged(.rows))
    #expect(desk.model.mode == .list)
  }

  /// The text for the first conflict is typed, and another program decides `count` conflicts for the other side.
  private func typing(decidedElsewhere count: Int) -> Desk {
    var desk = desk()
    desk.press(.character("c"), .character("e"))
    desk.type(" bread")
    desk.conflicts.removeFirst(count)
    desk.items[0] = TodoItem(id: "milk", text: "rice milk")
    return desk
  }

  private static let milk = Editing.Target.item(id: "milk", seen: "rice milk")

  @Test("a text for a conflict that another program decides becomes an edit of the item; then the others are shown")
  func decidedElsewhere() {
    var desk = typing(decidedElsewhere: 1)
    desk.tell(.storeChanged(.rows))
    #expect(desk.model.editor.editing?.target == Self.milk)
    #expect(desk.row(1) == "▌  [ ]   oat rice milk bread")
    #expect(desk.screen.contains("Decided elsewhere meanwhile: the item is “rice milk” now."))
    #expect(!desk.screen.contains("To decide"))
    desk.press(.enter)
    #expect(desk.effects.contains(.change(.edit(id: "milk", text: "oat rice milk bread", seen: "rice milk"))))
    #expect(desk.model.mode == .conflicts && desk.status.hasSuffix("1 of 2"))
    #expect(desk.screen.contains("changed “oat rice milk bread”"))
  }

  @Test("Escape keeps such a text for R, and with nothing left to decide the list is there")
  func decidedElsewhereGivenUp() {
    var desk = typing(decidedElsewhere: 3)
    desk.tell(.storeChanged(.rows))
    desk.press(.escape)
    #expect(desk.model.mode == .list && desk.model.panes.conflicts == nil)
    #expect(desk.said == "“oat rice milk bread” was not saved. R resumes it.")
    desk.press(.character("R"))
    #expect(desk.model.editor.editing?.target == Self.milk)
    desk.press(.enter)
    #expect(desk.items[0].text == "oat rice milk bread" && desk.model.mode == .list)
    desk.press(.character("R"))
    #expect(desk.said == "No unsaved line is left.")
  }

  @Test("a text for a conflict whose item another program deletes becomes a new item")
  func deletedElsewhere() {
    var desk = typing(decidedElsewhere: 3)
    desk.items.removeFirst()
    desk.tell(.storeChanged(.rows))
    #expect(desk.screen.contains("This item is gone"))
    desk.press(.enter)
    #expect(desk.effects.contains(.change(.add(["oat rice milk bread"]))))
    #expect(desk.model.mode == .list && desk.screen.contains("All decided. Press r to send."))
  }

  @Test("Enter on a text for a conflict that was just decided elsewhere says so, and Enter again saves it")
  func decidedJustNow() {
    var desk = typing(decidedElsewhere: 1)
    desk.press(.enter)
    #expect(desk.model.editor.editing?.target == Self.milk)
    #expect(desk.screen.contains("Decided elsewhere meanwhile"))
    desk.press(.enter)
    #expect(desk.items[0].text == "oat rice milk bread")
  }

  @Test("the draft of a text that became an edit of the item is of the item, and goes when that is saved")
  func draftDecidedElsewhere() {
    var desk = typing(decidedElsewhere: 3)
    desk.wait(milliseconds: 300)
    desk.tell(.storeChanged(.rows))
    desk.effects = []
    desk.wait(milliseconds: 300)
    let target = TodoDraft.Target.item(id: "milk", seen: "rice milk")
    #expect(desk.effects.contains(.note(.drafts([TodoDraft(target: target, before: "oat rice milk bread")]))))
    desk.press(.enter)
    desk.wait(milliseconds: 0)
    #expect(desk.effects.last { if case .note = $0 { true } else { false } } == .note(.drafts([])))
  }

  @Test("a decision about a conflict that was just decided elsewhere says that nothing waits for it")
  func decidedTwice() {
    var desk = desk()
    desk.press(.character("c"))
    desk.conflicts.removeFirst()
    desk.press(.character("h"))
    #expect(desk.screen.contains("This item waits for no decision any more."))
    #expect(desk.model.list.lastChange.confirmed == nil && desk.status.hasSuffix("1 of 2"))
    desk.conflicts = []
    desk.press(.character("h"))
    #expect(desk.model.mode == .list && desk.screen.contains("All decided. Press r to send."))
  }

  @Test("a merge that is being typed stays when a write fails")
  func typing() {
    var desk = desk()
    desk.press(.character("c"), .character("e"))
    desk.type(" bread")
    desk.failure = "The disk is full."
    desk.press(.enter)
    #expect(desk.row(1) == "> oat rice milk bread" && desk.screen.contains("The disk is full."))
    desk.press(.escape, .escape)
    #expect(desk.model.mode == .list)
  }

  @Test("a decision about copies that are others by now is not applied: the pane says so and shows them")
  func outdated() {
    var desk = desk()
    desk.press(.character("c"))
    desk.conflicts[0] = TodoConflict(
      id: "milk", base: TodoCopy(text: "milk"), mine: TodoCopy(text: "oat milk"), theirs: TodoCopy(text: "soy milk"))
    desk.press(.character("t"))
    #expect(desk.status.hasSuffix("1 of 3") && desk.row(4) == "there  {+soy+} milk")
    #expect(desk.screen.contains("1 conflict changed meanwhile and was not decided. Look at it again."))
    #expect(desk.model.list.lastChange.confirmed == nil)
    desk.press(.character("t"))
    #expect(desk.status.hasSuffix("1 of 2"))
  }

  @Test("a merge about copies that are others by now stays in the editor, above the new ones")
  func outdatedMerge() {
    var desk = desk()
    desk.press(.character("c"), .character("e"))
    desk.type("!")
    desk.conflicts[0] = TodoConflict(
      id: "milk", base: TodoCopy(text: "milk"), mine: TodoCopy(text: "oat milk"), theirs: TodoCopy(text: "soy milk"))
    desk.press(.enter)
    #expect(desk.row(1) == "> oat rice milk!" && desk.screen.contains("there  {+soy+} milk"))
    #expect(desk.screen.contains("was not decided"))
    desk.press(.enter)
    #expect(desk.model.mode == .conflicts && desk.status.hasSuffix("1 of 2"))
  }

  @Test("a difference in the state alone is shown with the text of the item")
  func stateAlone() {
    var desk = desk()
    desk.conflicts[0] = TodoConflict(
      id: "milk", base: TodoCopy(text: "oat milk"), mine: TodoCopy(text: "oat milk", complete: true),
      theirs: TodoCopy(text: "oat milk"))
    desk.press(.character("c"))
    #expect((2...5).map { desk.row($0) } == ["oat milk", "before open", "here   done", "there  open"])
  }

  @Test("with nothing to decide c says so")
  func nothing() {
    var desk = Desk(["a"])
    desk.press(.character("c"))
    #expect(desk.model.mode == .list)
    #expect(desk.screen.contains("Nothing waits for a decision."))
  }

  @Test("r refreshes meanwhile, and new conflicts join")
  func refreshes() {
    var desk = desk()
    desk.press(.character("c"), .character("r"))
    #expect(desk.effects.contains(.sync(.refresh(RefreshOptions()))))
    desk.conflicts.append(TodoConflict(id: "new", base: nil, mine: TodoCopy(text: "a"), theirs: TodoCopy(text: "b")))
    desk.tell(.refresh(.finished(RefreshResult())))
    #expect(desk.status.hasSuffix("1 of 4"))
  }

  @Test("in every size no row is wider than the screen and none is missing, whatever the texts")
  func bounds() {
    let wide = TodoCopy(text: "買牛奶和雞蛋給媽媽，還有麵包 👨‍👩‍👧 \u{1B}[2J " + String(repeating: "x", count: 90))
    for columns in [20, 21, 40, 80] {
      for rows in [5, 6, 10] {
        for keys in ["", "e", "?"] {
          var desk = desk(columns, rows, charset: .ascii)
          desk.conflicts = [TodoConflict(id: "w", base: TodoCopy(text: "買"), mine: wide, theirs: nil)]
          desk.type("c" + keys)
          let frame = desk.frame
          #expect(frame.lines.count == rows && frame.lines.allSatisfy { $0.columns <= columns })
          #expect((frame.cursor?.column ?? 0) < columns && (frame.cursor?.row ?? 0) < rows)
        }
      }
    }
  }
}
