import OfflineSync
import TableProtocol
import Testing
import TodoCore
import Words

@testable import Terminal
@testable import TodoUI

@Suite("Adding, editing, completing, deleting")
struct ChangingTests {
  @Test("lines pasted while one item after the other is typed are added, and the next line is open")
  func pasteWhileCapturing() {
    var desk = Desk(["a due:2026-11-27 +home"])
    desk.press(.character("A"))
    desk.type("one")
    desk.press(.paste("\ntwo\nthree"), .enter)
    #expect(desk.effects.contains(.change(.add(["one", "two", "three +home due:2026-11-27"]))))
    #expect(desk.model.editor.editing?.target == .new && desk.model.editor.editing?.tail == " +home due:2026-11-27")
    desk.type("four")
    desk.press(.enter)
    #expect(desk.effects.contains(.change(.add(["four +home due:2026-11-27"]))))
    // In the list there was no line to go on with.
    desk.press(.escape, .paste("five\nsix"), .enter)
    #expect(desk.model.mode == .list)
  }

  @Test("y copies the text of the item with its note, and says so")
  func copies() {
    var desk = Desk(["milk +shop\nbrown\u{1B}[2J"])
    desk.press(.character("y"))
    #expect(desk.effects.last == .screen(.copy("milk +shop\nbrown\u{1B}[2J")))
    #expect(desk.said == "copied “milk +shop”")
  }

  @Test("O opens the link of the item; of several it asks which, and without one it says so")
  func opensLinks() {
    var desk = Desk(["read https://a.example/x.", "see http://b.example and (https://c.example/d)", "no link"])
    desk.press(.character("O"))
    #expect(desk.effects.last == .screen(.open(link: "https://a.example/x")))
    desk.tell(.linkDone("https://a.example/x", isOpened: true))
    #expect(desk.said == "opened https://a.example/x")
    desk.press(.down, .character("O"))
    let rows = "\n Open which link?\n 1 http://b.example\n 2 https://c.example/d\n"
    #expect(desk.screen.contains(rows), "\(desk.screen)")
    desk.press(.character("2"))
    #expect(desk.effects.last == .screen(.open(link: "https://c.example/d")))
    #expect(desk.model.list.query.filter.isEmpty)
    desk.press(.character("O"), .character("9"))
    #expect(desk.model.mode == .list)
    desk.press(.down, .character("O"))
    #expect(desk.said == "There is no link in this item.")
    desk.tell(.linkDone("https://a.example/x", isOpened: false))
    #expect(desk.said == "copied “https://a.example/x”")
  }

  @Test("more links than there are keys or rows have further pages; a long one is torn only if there is room for all")
  func manyLinks() {
    let links = (1...11).map { "https://a.example/\($0)" }
    var desk = Desk([links.joined(separator: " ")])
    desk.press(.character("O"))
    #expect(desk.screen.contains("\n 9 https://a.example/9\n and 2 more  j down\n"), "\(desk.screen)")
    desk.press(.down)
    let last = "\n Open which link?\n 1 https://a.example/10\n 2 https://a.example/11\n k up\n"
    #expect(desk.screen.contains(last), "\(desk.screen)")
    desk.press(.up, .end, .pageDown)
    #expect(desk.screen.contains(last), "\(desk.screen)")
    desk.press(.character("2"))
    #expect(desk.effects.last == .screen(.open(link: "https://a.example/11")))
    desk.press(.character("O"))
    desk.tell(.resized(Size(columns: 80, rows: 10)))
    #expect(desk.screen.contains("\n 5 https://a.example/5\n and 6 more  j down\n"), "\(desk.screen)")
    desk.press(.character("j"), .character("5"))
    #expect(desk.effects.last == .screen(.open(link: "https://a.example/10")))
    let long = "https://a.example/" + String(repeating: "x", count: 40)
    desk = Desk(["\(long)1 \(long)2"], columns: 40)
    desk.press(.character("O"))
    let rest = String(repeating: "x", count: 21)
    #expect(desk.screen.contains("\n   \(rest)1\n 2 https://a.example/xxx"), "\(desk.screen)")
    #expect(desk.screen.contains("\n   \(rest)2\n"), "\(desk.screen)")
  }

  @Test("each change says what it did to which item, and the key that takes it back")
  func answers() {
    var desk = Desk(["milk", "bread +shop\nbrown", "tea"])
    desk.press(.character(" "))
    #expect(desk.said == "completed “milk” · u undoes")
    desk.press(.down, .character("d"))
    #expect(desk.said == "deleted “tea” · u undoes")
    desk.wait(milliseconds: LostRow.secondPressTime)
    desk.press(.character("+"))
    #expect(desk.said == "changed “(C) bread +shop” · u undoes")
    desk.press(.tab, .character("/"))
    desk.type("milk")
    desk.press(.enter, .character(" "))
    #expect(desk.said == "reopened “milk” · u undoes")
    // It is no news that has to be waved away before Escape clears the filter.
    desk.press(.escape)
    #expect(desk.model.list.query.filter.isEmpty && !desk.said.contains("undoes"))
  }

  @Test("a question, and a place where one types, offer no undo", arguments: ["s", "t", "/"])
  func asked(key: Character) {
    var desk = Desk(["milk", "tea"])
    desk.press(.character("+"), .character(key))
    #expect(!desk.screen.contains("undoes"))
  }

  @Test("a long text gives way to the key that takes the change back")
  func longAnswer() {
    var desk = Desk([String(repeating: "very ", count: 30) + "long"], columns: 40, rows: 10)
    desk.press(.character(" "))
    #expect(desk.said == "completed “very very very …” · u undoes")
    #expect(desk.model.screen.listHeight == 7)
  }

  @Test("what a change answered gives way to the reason of a refusal that one moves to")
  func answerGivesWay() {
    let refused = TodoItem(id: "b", text: "b", state: .refused(status: 400, reason: "too long"))
    var desk = Desk(items: [TodoItem(id: "a", text: "a"), TodoItem(id: "c", text: "c"), refused])
    desk.press(.character(" "))
    #expect(desk.said == "completed “a” · u undoes")
    desk.press(.down)
    #expect(desk.said == "Refused by the server: too long")
  }

  @Test("a opens an editor, Enter saves and the new item is chosen", arguments: [Key.character("a"), .character("n")])
  func add(key: Key) {
    var desk = Desk(["a", "b"])
    desk.press(key)
    desk.type("買 milk?")
    desk.press(.enter)
    #expect(desk.effects.contains(.change(.add(["買 milk?"]))))
    #expect(desk.selected == "買 milk?")
    desk.press(.enter)
    #expect(desk.model.mode == .list)
    #expect(desk.items.count == 3)
  }

  @Test(
    "Enter keeps a new item and opens the next below it; an empty Enter or Escape ends",
    arguments: [Key.enter, .escape])
  func capture(end: Key) {
    var desk = Desk(["a"])
    desk.press(.character("a"))
    for text in ["milk", "bread"] {
      desk.type(text)
      desk.press(.enter)
    }
    #expect(desk.row(2) == " ↑ [ ]   milk")
    #expect(desk.row(3) == " ↑ [ ]   bread")
    #expect(desk.row(4) == "▌  [ ]")
    #expect(desk.frame.cursor == Frame.Cursor(row: 4, column: 9, isVisible: true))
    #expect(
      desk.effects.filter { if case .change = $0 { true } else { false } } == [
        .change(.add(["milk"])), .change(.add(["bread"])),
      ])
    desk.press(end)
    #expect(desk.model.mode == .list)
    #expect(desk.items.map(\.text) == ["a", "milk", "bread"])
    #expect(desk.selected == "bread")
  }

  @Test("A adds with the project and the date of the chosen item, one after the other")
  func addInGroup() {
    var desk = Desk(["paint +home @town due:2026-11-27 +other"])
    desk.press(.character("A"))
    #expect(desk.row(3).hasPrefix("▌  [ ]    +home due:2026-11-27  "))
    #expect(desk.frame.cursor?.column == 9)
    desk.type("sand")
    desk.press(.enter)
    desk.type("glue")
    desk.press(.enter, .enter)
    #expect(desk.items.dropFirst().map(\.text) == ["sand +home due:2026-11-27", "glue +home due:2026-11-27"])
    #expect(desk.model.mode == .list)
    desk.effects = []
    desk.press(.character("A"), .escape)
    #expect(!desk.effects.contains { if case .note = $0 { true } else { false } })
  }

  @Test("a date is shown as it is understood before anything is saved")
  func understoodDate() {
    var desk = Desk(["a"])
    desk.press(.character("a"))
    desk.type("plan due:eow")
    #expect(desk.row(2).hasSuffix("→ Fri 27 Nov"))
    desk.type(" +x")
    #expect(desk.row(2).hasPrefix("▌  [ ]   plan due:eow +x ") && desk.row(2).hasSuffix("→ Fri 27 Nov"))
    desk.press(.escape, .character("a"))
    desk.type("plan due:2027-01-02")
    #expect(desk.row(2).hasSuffix("→ Sat 2 Jan 2027"))
    desk.press(.escape, .character("a"))
    desk.type("plan due:2 jan 2028")
    #expect(desk.row(2).hasSuffix("→ Sun 2 Jan 2028"))
  }

  @Test("a date counts from the day on which the text was typed: the day that is shown after midnight is saved")
  func dateTypedBeforeMidnight() {
    var desk = Desk(["a"])
    desk.press(.character("a"))
    desk.type("plan due:today")
    desk.wait(milliseconds: 86_400_000)
    desk.tell(.tick)
    #expect(desk.row(2).hasSuffix("→ Sat 21 Nov"))
    desk.press(.enter)
    #expect(desk.items.last?.text == "plan due:2026-11-21")
    desk.type("call due:today")
    #expect(desk.row(3).hasSuffix("→ Sun 22 Nov"))
    desk.wait(milliseconds: 86_400_000)
    desk.type(" now")
    #expect(desk.row(3).hasSuffix("→ Mon 23 Nov"))
    desk.press(.enter)
    #expect(desk.items.last?.text == "call due:2026-11-23 now")
  }

  @Test("the date of an item counts from the day on which it was typed")
  func dueTypedBeforeMidnight() {
    var desk = Desk(["a"])
    desk.press(.character("t"))
    desk.type("tomorrow")
    desk.wait(milliseconds: 86_400_000)
    #expect(desk.bottom.contains("→ Sun 22 Nov"))
    desk.press(.enter)
    #expect(desk.effects.contains(.change(.rewrite(ids: ["a"], .due(CalendarDay("2026-11-22"))))))
    desk.press(.character("t"), .control("u"))
    desk.type("tomorrow")
    #expect(desk.bottom.contains("→ Mon 23 Nov"))
  }

  @Test("a date that is none is said once on Enter; the next Enter keeps it as text")
  func noDate() {
    var desk = Desk(["a"])
    desk.press(.character("a"))
    desk.type("keys due:someday")
    desk.press(.enter)
    #expect(desk.screen.contains("due:someday is no date."))
    #expect(desk.items.count == 1)
    desk.press(.backspace)
    #expect(!desk.screen.contains("is no date."))
    desk.type("y")
    desk.press(.enter)
    #expect(desk.items.last?.text == "keys due:someday")
    #expect(desk.said == "added “keys due:someday”")
    desk.press(.escape, .character("e"), .home, .character("*"), .enter)
    #expect(desk.items.last?.text == "*keys due:someday", "\(desk.screen)")
  }

  @Test(
    "typed on without looking up, a line whose date was refused is kept as it is, and the next line begins below it",
    arguments: ["due:banana", "due:12/40"])
  func typedOn(date: String) {
    var desk = Desk(["a"])
    desk.press(.character("a"))
    for text in ["Email Léo \(date)", "Fix the door +home", "Call \(date)", "Water the plants @home"] {
      desk.type(text)
      desk.press(.enter)
    }
    #expect(
      desk.items.dropFirst().map(\.text) == [
        "Email Léo \(date)", "Fix the door +home", "Call \(date)", "Water the plants @home",
      ])
    #expect(desk.model.editor.editing?.line.text == "")
    #expect(!desk.screen.contains("is no date"), "\(desk.screen)")
  }

  @Test("that a date was kept as text is said while the next line is typed, and no more when that one was added")
  func keptAsText() {
    var desk = Desk(["a"])
    desk.press(.character("a"))
    desk.type("call due:banana")
    desk.press(.enter)
    desk.type("tea")
    #expect(desk.screen.contains("due:banana is no date, so it was kept as text."), "\(desk.screen)")
    desk.press(.enter)
    #expect(desk.said == "added “tea”", "\(desk.screen)")
    desk.type("ask due:banana")
    desk.press(.enter)
    desk.type("t")
    desk.press(.backspace, .escape)
    #expect(desk.model.mode == .list && desk.screen.contains("due:banana is no date, so it was kept as text."))
    desk.press(.escape)
    #expect(!desk.screen.contains("is no date"))
  }

  @Test("a refused date is corrected with any key that does not write, and a space goes on with it")
  func correctedDate() {
    var desk = Desk(["a"])
    desk.press(.character("a"))
    desk.type("plan due:next")
    desk.press(.enter)
    #expect(desk.screen.contains("due:next is no date."), "\(desk.screen)")
    desk.type(" fri")
    desk.press(.enter)
    #expect(desk.items.last?.text == "plan due:2026-11-27")
    desk.type("call due:fry")
    desk.press(.enter, .backspace)
    desk.type("i")
    desk.press(.enter)
    #expect(desk.items.last?.text == "call due:2026-11-27" && desk.items.count == 3, "\(desk.items.map(\.text))")
    desk.type("ask due:x and more")
    for _ in " and more" { desk.press(.left) }
    desk.press(.enter)
    desk.type("y")
    #expect(desk.model.editor.editing?.line.text == "ask due:xy and more", "the cursor is at the date")
  }

  @Test("the lines that A opens go on in the same way, each with its project")
  func typedOnInGroup() {
    var desk = Desk(["paint +home"])
    desk.press(.character("A"))
    desk.type("sand due:banana")
    desk.press(.enter)
    desk.type("glue")
    desk.press(.enter, .escape)
    #expect(desk.items.dropFirst().map(\.text) == ["sand due:banana +home", "glue +home"])
  }

  @Test("what is pasted after a refused date is a line of its own, and several lines are shown as items below it")
  func pastedAfterNoDate() {
    var desk = Desk(["a"])
    desk.press(.character("a"))
    desk.type("keys due:banana")
    desk.press(.enter, .paste("milk"))
    #expect(desk.items.last?.text == "keys due:banana" && desk.model.editor.editing?.line.text == "milk")
    desk.type(" due:banana")
    desk.press(.enter, .paste("tea\nrye due:soonish"), .enter)
    #expect(desk.items.suffix(3).map(\.text) == ["milk due:banana", "tea", "rye due:soonish"])
    #expect(desk.screen.contains("due:banana is no date, so it was kept as text."), "\(desk.screen)")
  }

  @Test("a line whose date was refused stays with the letter typed after it if it can't be saved")
  func typedOnFails() {
    var desk = Desk(["a"])
    desk.press(.character("a"))
    desk.type("keys due:banana")
    desk.press(.enter)
    desk.failure = "The disk is full."
    desk.type("F")
    #expect(desk.screen.contains("The disk is full."))
    #expect(desk.model.editor.editing?.line.text == "keys due:banana F")
  }

  @Test("an item that is added is said to be, with its date, and then the key that takes it back")
  func addedAnswer() {
    var desk = Desk(["a"])
    desk.arrivals = [Arrival(id: "a", before: nil, after: TodoCopy(text: "a"), arrivedAt: desk.now.date)]
    desk.survey(last: LocalMoment(year: 2026, month: 11, day: 21, hour: 9, minute: 26))
    desk.press(.character("a"))
    #expect(desk.said == "Enter adds and goes on · Esc ends", "before what came")
    desk.type("Third due:today +home")
    desk.press(.enter)
    #expect(desk.said == "added “Third” · today")
    desk.type("Fourth due:2026-11-19")
    desk.press(.enter, .escape)
    #expect(desk.said == "added “Fourth” · Thu 19 Nov · u undoes")
    desk.wait(milliseconds: Refresh.receiptTime)
    #expect(desk.said.hasPrefix("● 1 change"), "\(desk.said)")
  }

  @Test("a date that was set is said as that of an item which was added, and of several once")
  func datedAnswer() {
    var desk = Desk(["(C) Draft PR #412 +work @errands due:2026-11-19", "Call"])
    desk.press(.character("t"))
    desk.type("tomorrow")
    desk.press(.enter)
    #expect(desk.said == "changed “Draft PR #412” · tomorrow · u undoes")
    desk.press(.character("t"))
    desk.type("2026-11-30")
    desk.press(.enter)
    #expect(desk.said == "changed “Draft PR #412” · 30 Nov · u undoes")
    desk.press(.character("t"))
    desk.type("yesterday")
    desk.press(.enter)
    #expect(desk.said == "changed “Draft PR #412” · Fri 20 Nov · u undoes")
    desk.press(.character("t"), .control("u"), .enter)
    #expect(desk.said == "changed “Draft PR #412” · no date · u undoes")
    desk.press(.character("*"), .character("t"))
    desk.type("tomorrow")
    desk.press(.enter)
    #expect(desk.said == "changed 2 items · tomorrow · u undoes")
  }

  @Test("on a narrow screen the keys of the typing and the receipt of a refresh take a second row instead of being cut")
  func narrow() {
    var desk = Desk(["a"], columns: 40, rows: 10)
    desk.press(.character("a"))
    #expect(desk.screen.contains("Enter adds and goes on") && desk.screen.contains("Esc ends"), "\(desk.screen)")
    desk.press(.escape, .character("r"))
    desk.tell(.refresh(.finished(RefreshResult(pushed: 3, pulled: 12, seconds: 0.42))))
    let side = TableDigest(count: 1_204, checksum: 1)
    desk.tell(.refresh(.compared(TableComparison(here: side, there: side))))
    #expect(desk.screen.contains("sent 3 · received 12") && !desk.screen.contains("…"), "\(desk.screen)")
  }

  @Test("a text without its date would be empty: that is said, and the row is not blank")
  func onlyDate() {
    var desk = Desk(["due:2026-11-21"])
    #expect(desk.screen.contains("(no text)") && desk.screen.contains("today"), "\(desk.screen)")
    for words in ["", "none"] {
      desk.press(.character("t"), .control("u"))
      desk.type(words)
      #expect(desk.bottom.contains("→ no date"))
      desk.press(.enter)
      #expect(desk.said == "An empty text changes nothing. d in the list deletes the item.")
      #expect(desk.items.map(\.text) == ["due:2026-11-21"] && desk.model.mode == .list)
    }
  }

  @Test("of a day to come behind overdue: it is said that it counts as text, and not that it is no date")
  func dayToCome() {
    var desk = Desk(["a"])
    desk.press(.character("a"))
    desk.type("pay overdue:tomorrow")
    desk.press(.enter)
    #expect(desk.screen.contains("counts as text: only a day before today is overdue."), "\(desk.screen)")
    #expect(!desk.screen.contains("is no date"))
    desk.press(.enter)
    #expect(desk.items.last?.text == "pay overdue:tomorrow")
  }

  @Test("of a date with a wrong weekday the right one is said, in the text of an item and in the field of a date")
  func otherWeekday() {
    var desk = Desk(["a"])
    desk.press(.character("a"))
    desk.type("fair due:thu 2 dec")
    desk.press(.enter)
    #expect(desk.screen.contains("2 Dec is a Wed. due:thu 2 dec is no date."), "\(desk.screen)")
    desk.press(.enter)
    #expect(desk.items.last?.text == "fair due:thu 2 dec")
    desk.press(.escape, .character("t"))
    desk.type("thu 2 dec")
    desk.press(.enter)
    #expect(desk.screen.contains("2 Dec is a Wed. thu 2 dec is no date."), "\(desk.screen)")
  }

  @Test("E opens the item in the user's editor; what comes back is saved with its note, which the row shows by a sign")
  func note() {
    var desk = Desk(["milk"])
    desk.press(.character("E"))
    #expect(desk.effects.contains(.screen(.edit(.item(id: "milk", seen: "milk"), text: "milk"))))
    desk.tell(.edited(.item(id: "milk", seen: "milk"), seen: "milk", .text("oat milk\n\ntwo litres\n")))
    #expect(desk.effects.contains(.change(.edit(id: "milk", text: "oat milk\n\ntwo litres", seen: "milk"))))
    #expect(desk.row(1) == "▌↑ [ ]   oat milk ≡")
    #expect(desk.model.mode == .list)
    desk.press(.character("e"))
    #expect(desk.row(1) == "▌↑ [ ]   oat milk")
    desk.type("!")
    desk.press(.enter)
    #expect(desk.items.first?.text == "oat milk!\n\ntwo litres")
    desk.press(.character("i"))
    #expect(desk.row(1) == "oat milk!" && desk.screen.contains("\ntwo litres\n"), "\(desk.screen)")
  }

  @Test("a note is shown as it was written: with its indentation, and a line that is too long goes on below itself")
  func indentedNote() {
    let note = "- paint\n    - two litres\n\t- of the white one that we had the last time we painted"
    var desk = Desk(items: [TodoItem(id: "a", text: "wall\n" + note)], columns: 40)
    desk.press(.character("i"))
    #expect(
      desk.screen.contains(
        "\n- paint\n    - two litres\n    - of the white one that we had the\n    last time we painted"))
  }

  @Test("a first line that is emptied does not make the note the item")
  func emptiedLine() {
    var desk = Desk(items: [TodoItem(id: "a", text: "milk\nnote")])
    desk.press(.character("e"), .control("u"), .enter)
    #expect(desk.items.map(\.text) == ["milk\nnote"])
    #expect(desk.model.mode == .list)
  }

  @Test(
    "an editor that changes nothing, leaves nothing, or fails changes nothing and says so",
    arguments: [
      (.text("milk\n"), "The editor changed nothing."), (.text(" \n\n"), "The editor left no text"),
      (.missing(editor: "vim"), "vim can't be started."),
      (.failed(editor: "vim", keptAt: nil), "vim ended with an error"),
      (.failed(editor: "vim", keptAt: "/tmp/x/item.txt"), "What it wrote is in /tmp/x/item.txt."),
      (.noFile(folder: "/tmp"), "can't be written in /tmp"),
    ] as [(EditedText, String)])
  func noNote(edited: EditedText, said: String) {
    var desk = Desk(["milk"])
    desk.effects = []
    desk.tell(.edited(.item(id: "milk", seen: "milk"), seen: "milk", edited))
    #expect(desk.screen.split { $0.isWhitespace }.joined(separator: " ").contains(said))
    #expect(desk.effects.isEmpty && desk.model.mode == .list)
  }

  @Test("what was written in the editor stays where it can't be saved, and is kept as a draft")
  func keptNote() {
    var desk = Desk(["milk"])
    desk.failure = "The disk is full."
    desk.tell(.edited(.item(id: "milk", seen: "milk"), seen: "milk", .text("oat milk\nnote")))
    #expect(desk.screen.contains("The disk is full."))
    #expect(desk.model.editor.editing?.text == "oat milk\nnote")
    desk.wait(milliseconds: 300)
    let draft = TodoDraft(target: .item(id: "milk", seen: "milk"), before: "oat milk", after: "\nnote")
    #expect(desk.effects.contains(.note(.drafts([draft]))))
    var restored = Desk(items: [TodoItem(id: "milk", text: "milk")], memory: Memory(draft: draft))
    restored.press(.character("R"))
    #expect(restored.model.editor.editing?.text == "oat milk\nnote")
    desk.failure = nil
    desk.press(.enter)
    #expect(desk.items.first?.text == "oat milk\nnote")
  }

  @Test("the line that is typed stands on a bar, its date coloured and in the column of dates", arguments: [80, 120])
  func typedRow(columns: Int) {
    var preferences = Preferences()
    preferences.theme = .dark
    var desk = Desk(["call due:2026-11-23"], columns: columns, preferences: preferences)
    desk.press(.character("a"))
    desk.type("book the table due:next fri")
    let number = desk.frame.cursor?.row ?? 0
    let spans = desk.frame.lines[number].spans.filter { $0.style.background != nil }
    let start = ScreenView(desk.model).listStart
    #expect(spans.reduce(0) { $0 + TextWidth.columns(of: $1.text) } == columns - start)
    #expect(spans.contains { $0.text == "due:next fri" && $0.style.underline })
    let words = desk.frame.lines.map(\.text)
    let ends = words.filter { $0.contains("call") || $0.contains("book") }.map {
      $0.reversed().drop { $0 == " " }.count
    }
    #expect(ends == [columns - 2, columns - 2])
  }

  @Test("a word that is no date is marked once it is finished")
  func markedDate() {
    var desk = Desk(["a"])
    let marked = { (desk: Desk) in desk.frame.lines[2].spans.contains { $0.text == "due:some" && $0.style.bold } }
    desk.press(.character("a"))
    desk.type("x due:some")
    #expect(!marked(desk))
    desk.type(" ")
    #expect(marked(desk))
  }

  @Test("the line that is typed wraps to a third of the screen, and a press puts the cursor")
  func wrapping() {
    var desk = Desk(["a", "b"], columns: 40, rows: 12)
    desk.press(.character("a"))
    desk.type("buy a very long list of things for the house and the garden today")
    #expect(desk.row(2) == "▌  [ ]   buy a very long list of things")
    #expect(desk.row(3) == "▌        for the house and the garden")
    #expect(desk.row(4) == "▌        today")
    #expect(desk.row(5) == "   [ ]   b")
    #expect(desk.frame.cursor == Frame.Cursor(row: 4, column: 14, isVisible: true))
    desk.type(" and more and more and more words")
    #expect(desk.row(4).contains("words"))
    desk.press(.home)
    #expect(desk.row(2) == "▌  [ ]   buy a very long list of things")
    desk.tell(.mouse(MouseEvent(.press, column: 13, row: 3)))
    #expect(desk.frame.cursor == Frame.Cursor(row: 3, column: 13, isVisible: true))
    #expect(desk.model.editor.editing?.line.before == "buy a very long list of things for ")
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

  @Test("an edit that comes to the same text says that it changed nothing, and promises no undo")
  func editToSameText() {
    var desk = Desk(["call due:2026-11-27", "milk"])
    desk.press(.character("e"), .control("w"))
    desk.type("due:fri")
    desk.press(.enter)
    #expect(desk.effects.contains { if case .change(.edit(_, "call due:fri", _)) = $0 { true } else { false } })
    #expect(desk.said == "Nothing to change." && desk.model.mode == .list)
    desk.press(.down, .character("e"), .character(" "), .enter)
    #expect(desk.said == "Nothing to change." && desk.items.map(\.text) == ["call due:2026-11-27", "milk"])
    #expect(desk.model.list.lastChange.count == 0)
  }

  @Test("a change that waited for nothing more, or a version that is the present one, promises no undo")
  func nothingToDropOrRestore() {
    let cases: [(keys: [Key], versions: Int)] = [
      ([.character("o"), .character("d")], 0), ([.character("h"), .down, .enter], 2),
    ]
    for (keys, versions) in cases {
      var desk = Desk(["milk"])
      desk.outbox = [WaitingChange(id: "milk", before: TodoCopy(text: "tea"), after: TodoCopy(text: "milk"))]
      desk.versions = (0..<versions).map {
        ItemVersion(number: Int64(2 - $0), copy: TodoCopy(text: "milk \($0)"), madeAt: nil, origin: .here)
      }
      desk.changesNothing = true
      for key in keys { desk.press(key) }
      #expect(desk.said == "Nothing to change." && desk.model.list.lastChange.count == 0, "\(desk.screen)")
    }
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

  @Test(
    "a priority that can't be raised or lowered is said to be so, and nothing is said to be changed",
    arguments: [
      ("(A) milk", "+", "The item has the highest priority already."),
      ("milk", "-", "The item has no priority that could be lowered."),
    ])
  func priorityAtItsEnd(text: String, key: Character, said: String) {
    var desk = Desk([text])
    desk.press(.character(key))
    #expect(desk.said == said)
    #expect(desk.model.list.lastChange.count == 0)
    desk.press(.character("m"), .character(key))
    #expect(desk.said == "Nothing to change.")
  }

  @Test("a date that stays needs no words")
  func sameDate() {
    var desk = Desk(["milk"])
    desk.press(.character("t"), .enter)
    #expect(desk.model.mode == .list && desk.model.screen.notice == nil)
  }

  @Test("d deletes without asking and the next item is chosen")
  func delete() {
    var desk = Desk(["a", "b"])
    desk.press(.character("d"))
    #expect(desk.effects.contains(.change(.delete(ids: ["a"]))))
    #expect(desk.selected == "b")
    for _ in 1...2 {
      desk.wait(milliseconds: LostRow.secondPressTime)
      desk.press(.character("d"))
    }
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
    #expect(desk.said == "added “milk” · the filter hides it")
    desk.press(.escape)
    #expect(desk.said == "added “milk” · the filter hides it · u undoes")
    desk.press(.escape, .escape, .paste("rice\nrye"), .enter)
    #expect(desk.said == "added 2 items · u undoes")
    desk.press(.tab, .tab, .paste("one\ntwo"), .enter)
    #expect(desk.tab == "Done" && desk.said == "added 2 items · this view hides some of them · u undoes")
    desk.press(.character("a"))
    desk.type("tea due:2026-11-21")
    desk.press(.enter)
    #expect(desk.said == "added “tea” · today · this view hides it")
  }

  @Test("what hides an item is said beside a warning about it too")
  func outOfSightWithWarning() {
    var desk = Desk(["a", "b"], columns: 200)
    desk.press(.character("/"), .character("b"), .enter, .character("a"))
    desk.type("x rent")
    desk.press(.enter)
    #expect(desk.said.hasPrefix("1 item was added as open"), "\(desk.screen)")
    #expect(desk.said.hasSuffix(" · the filter hides it"), "\(desk.screen)")
    desk.press(.escape, .paste("one due:banana\ntwo"), .enter)
    #expect(desk.said.hasPrefix("due:banana is no date, so it was kept as text."), "\(desk.screen)")
    #expect(desk.said.hasSuffix(" · the filter hides some of them"), "\(desk.screen)")
  }

  @Test("a pasted line is text, and never commands")
  func pasteOne() {
    var desk = Desk(["a"])
    desk.press(.paste("one q\td\n"))
    #expect(desk.row(2) == "▌  [ ]   one q d")
    desk.press(.paste("!"), .enter)
    #expect(desk.effects.contains(.change(.add(["one q d!"]))))
  }

  @Test("a line of words that came at once is text where keys are commands, and keys where it is typed")
  func line() {
    var desk = Desk(["a"])
    #expect(desk.model.keys(ofLine: "buy milk\n") == [.paste("buy milk\n")])
    for key in desk.model.keys(ofLine: "abuy milk\n") { desk.press(key) }
    #expect(desk.items.last?.text == "buy milk")
    #expect(desk.model.keys(ofLine: "rye bread\n").last == .enter, "the next line is open")
    desk.press(.escape, .character("i"))
    desk.press(.paste("call Bob\n"))
    #expect(desk.model.editor.editing?.line.text == "call Bob", "from the details too")
    desk.press(.escape, .character("?"))
    #expect(desk.model.keys(ofLine: "buy milk") == [.paste("buy milk")])
    desk.press(.escape, .character(":"))
    #expect(desk.model.keys(ofLine: "buy milk").count == 8)
  }

  @Test("pasted lines are shown before they are added, each as an item")
  func pasteSeveral() {
    var desk = Desk(["a"])
    desk.press(.paste("one\r\nq\n\nthree\n"))
    #expect(desk.tab == "Add 3 items?")
    #expect(desk.row(2) == "   [ ]   q")
    desk.press(.enter)
    #expect(desk.effects.contains(.change(.add(["one", "q", "three"]))))
    #expect(desk.selected == "three")
  }

  @Test(
    "of a pasted list the marks before its entries are left out, if each line has one",
    arguments: [
      ("- [ ] milk\n- [x] bread", ["milk", "bread"]), ("* milk\n  * bread\n", ["milk", "bread"]),
      ("1. milk\n2) 3 loaves", ["milk", "3 loaves"]), ("- milk\nbread", ["- milk", "bread"]),
      ("-milk\n-bread", ["-milk", "-bread"]), ("- [ ]\n- bread", ["[ ]", "bread"]),
      ("☐ milk\n☑ bread\n- ✓ tea", ["milk", "bread", "tea"]), ("☑milk\n- bread", ["☑milk", "- bread"]),
      ("2) [x] pay\n7. [ ] call", ["pay", "call"]), ("2) pay\n7. call", ["2) pay", "7. call"]),
    ])
  func pasteList(text: String, items: [String]) {
    var desk = Desk([])
    desk.press(.paste(text), .enter)
    #expect(desk.items.map(\.text) == items)
  }

  @Test(
    "lines that are marked as done and were added as open are counted, until Escape",
    arguments: [
      ("- [ ] milk\n- [x] bread\n- [X] tea", "2 items were added as open, though their lines are marked as done."),
      ("x 2026-11-01 rent\nmilk", "1 item was added as open, though its line is marked as done."),
      ("- [x] rent\nmilk", "1 item was added as open, though its line is marked as done."),
      ("☐ milk\n✓ bread\n☑ tea", "2 items were added as open, though their lines are marked as done."),
      ("- [x] x rent\n- [ ] x milk", "2 items were added as open, though their lines are marked as done."),
    ])
  func pasteDone(text: String, said: String) {
    var desk = Desk([], columns: 130)
    desk.press(.paste(text), .enter)
    #expect(desk.said.hasPrefix(said + " u undoes that"), "\(desk.screen)")
    desk.press(.escape)
    #expect(!desk.screen.contains("marked as done"))
  }

  @Test(
    "an import is named for lines that are marked as done only if it takes every line",
    arguments: [
      ("- [ ] milk\n- [x] bread", true), ("x 2026-11-01 rent\nmilk", true), ("- [x] rent\nmilk", false),
      ("☐ milk\n☑ bread", true), ("☑ rent\nmilk", false),
      ("Shopping\n- [ ] milk\n- [x] call\nplain", false), ("x rent\n- [ ] milk", false), ("- x rent\n- milk", false),
    ])
  func pasteAdvice(text: String, namesImport: Bool) {
    var desk = Desk([], columns: 130)
    desk.press(.paste(text), .enter)
    #expect(desk.said.contains("as done. u undoes that"), "\(desk.screen)")
    #expect(desk.said.contains("ebb import") == namesImport, "\(desk.screen)")
  }

  @Test("the ticked boxes that are left out of a text with its note are counted")
  func pasteTicksAsOne() {
    var desk = Desk([], columns: 130)
    desk.press(.paste("- [ ] shop\n- [x] milk\n- [X] tea"), .character("1"))
    #expect(desk.said.hasPrefix("2 ticked boxes were left out"), "\(desk.screen)")
    desk.press(.escape, .paste("shop\n- [x] milk"), .character("1"))
    #expect(!desk.screen.contains("left out"), "the note has it")
  }

  @Test("a single pasted line with a ticked box is said to be open too, and keeps its text")
  func pasteTickedLine() {
    var desk = Desk([], columns: 130)
    desk.press(.paste("- [x] rent"), .enter)
    #expect(desk.said.hasPrefix("1 item was added as open, though its line is marked as done."), "\(desk.screen)")
    #expect(desk.items.map(\.text) == ["- [x] rent"])
  }

  @Test("an item that is typed as a done line of a todo.txt is said to be open too")
  func typedDone() {
    var desk = Desk([], columns: 130)
    desk.press(.character("a"))
    desk.type("x rent")
    desk.press(.enter, .escape)
    #expect(desk.said.hasPrefix("1 item was added as open"), "\(desk.screen)")
    desk.press(.character("a"))
    desk.type("xylophone")
    desk.press(.enter)
    #expect(desk.items.map(\.text) == ["x rent", "xylophone"])
    #expect(desk.said == "added “xylophone”", "u would not undo the one before")
    desk.press(.escape)
    #expect(desk.said == "added “xylophone” · u undoes")
  }

  @Test("pasted lines that become one item are its text and its note")
  func pasteWithNote() {
    var desk = Desk([])
    desk.press(.paste("- shop\n  - milk\n- bread"), .character("1"), .enter)
    #expect(desk.effects.contains(.change(.add(["shop␤milk␤bread"]))))
  }

  @Test("blank lines within the pasted text of one item stay in its note")
  func pasteParagraphs() {
    var desk = Desk([])
    desk.press(.paste("\nHead\npara one\n\n \r\npara two\n\n"), .character("1"), .enter)
    #expect(desk.effects.contains(.change(.add(["Head␤para one␤␤␤para two"]))), "\(desk.items.map(\.text))")
    desk.press(.escape, .paste("- shop\n\n- milk\n"), .character("1"), .enter)
    #expect(desk.effects.contains(.change(.add(["shop␤␤milk"]))), "\(desk.items.map(\.text))")
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

  @Test("lines pasted after A go on with its words: the last of the items, or the first line of one item")
  func pasteInGroup() {
    for text in ["one\ntwo\nthree", "one\ntwo\nthree\n"] {
      var desk = Desk(["paint +home due:2026-11-27"])
      desk.press(.character("A"), .paste(text), .character("1"), .enter)
      #expect(desk.effects.contains(.change(.add(["one +home due:2026-11-27␤two␤three"]))), "\(desk.screen)")
      var several = Desk(["paint +home due:2026-11-27"])
      several.press(.character("A"), .paste(text), .enter)
      let texts = ["one", "two", "three +home due:2026-11-27"]
      #expect(several.effects.contains(.change(.add(texts))), "\(several.screen)")
    }
    var refused = Desk(["paint +home"])
    refused.press(.character("A"))
    refused.type("keys due:banana")
    refused.press(.enter, .paste("tea\nrye"), .character("1"))
    #expect(refused.model.editor.editing?.line.text == "keys due:banana +home␤tea␤rye", "\(refused.screen)")
  }

  @Test("pasted lines stay on the screen when they can't be saved")
  func pasteFails() {
    var desk = Desk(["a"])
    desk.failure = "the disk is full"
    desk.press(.paste("one\ntwo"), .enter)
    #expect(desk.tab == "Add 2 items?")
    #expect(desk.screen.contains("the disk is full"))
  }

  @Test("pasted lines may become one item with the later ones as its note, or nothing")
  func pasteAsOne() {
    var desk = Desk(["a"])
    desk.press(.paste("one\ntwo"), .character("1"))
    #expect(desk.row(2) == "▌  [ ]   one␤two")
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
