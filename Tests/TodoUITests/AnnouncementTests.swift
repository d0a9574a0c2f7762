import OfflineSync
import TableProtocol
import Testing
import TodoCore

@testable import Terminal
@testable import TodoUI
@testable import Words

@Suite("The list told line by line")
struct AnnouncementTests {
  /// Someone at the desk who hears what is told.
  private struct Listener {
    var desk: Desk

    init(_ desk: Desk) {
      self.desk = desk
      self.desk.survey()
    }

    /// What is told of what is done.
    mutating func hear(_ action: (inout Desk) -> Void) -> [String] {
      let before = desk.model
      action(&desk)
      return announcements(from: before, to: desk.model)
    }

    mutating func press(_ keys: Key...) -> [String] {
      hear { desk in for key in keys { desk.press(key) } }
    }

    mutating func type(_ text: String) -> [String] {
      hear { $0.type(text) }
    }

    /// Presses a key and lets the rows be counted, each told in its turn.
    mutating func pressAndCount(_ key: Key) -> [String] {
      press(key) + hear { $0.survey() }
    }
  }

  private let items = [
    TodoItem(id: "1", text: "buy milk due:2026-11-21", state: .waiting),
    TodoItem(id: "2", text: "call home +kids"), TodoItem(id: "3", text: "tea due:2026-11-20", state: .inFlight),
    TodoItem(id: "4", text: "water plants", state: .refused(status: 400, reason: "too wet"), hasArrived: true),
  ]

  private func listener(_ preferences: Preferences = Preferences()) -> Listener {
    Listener(Desk(items: items, preferences: preferences, opensAgenda: false))
  }

  @Test("at first the name, what is shown, how to get help, how things stand, and the row")
  func welcome() {
    var desk = Desk(items: items, opensAgenda: false)
    desk.sync.pending = 2
    let before = desk.model
    desk.survey()
    #expect(
      announcements(from: before, to: desk.model) == [
        "Ebb. Open, 4 items. Keys act at once, without Enter; ? lists them.", "2 to send, never synced",
        "1 of 4, buy milk, due today, not yet sent",
      ])
  }

  @Test("moving tells the place, the text, the date as people say it, and the state in words")
  func moving() {
    var listener = listener()
    #expect(listener.press(.character("j")) == ["2 of 4, call home +kids"])
    #expect(listener.press(.down) == ["3 of 4, tea, overdue since yesterday, not yet sent"])
    #expect(listener.press(.down) == ["4 of 4, water plants, Refused by the server: too wet, just arrived"])
    #expect(listener.press(.down) == [])
    #expect(listener.press(.character("g")) == ["1 of 4, buy milk, due today, not yet sent"])
  }

  @Test("in a long list the place is told where it is known, and never a wrong one")
  func placeInLongList() {
    var listener = Listener(Desk.long(300))
    #expect(listener.press(.pageDown) == ["22 of 300, item 21"])
    #expect(listener.press(.character("G")) == ["item 299"])
    #expect(listener.hear { $0.survey() } == [])
    #expect(listener.press(.up) == ["299 of 300, item 298"])
  }

  @Test("adding, completing, editing, deleting and undoing say so, with the text")
  func changing() {
    var listener = listener()
    #expect(listener.press(.character("a")) == [])
    #expect(listener.type("bread") == [])
    #expect(TypedLine(listener.desk.model) == TypedLine(text: "add: bread", cursorColumn: 10))
    #expect(listener.pressAndCount(.enter) == ["Added: bread"])
    #expect(TypedLine(listener.desk.model) == TypedLine(text: "add: ", cursorColumn: 5))
    #expect(listener.press(.enter) == ["5 of 5, bread, not yet sent"])
    #expect(TypedLine(listener.desk.model) == nil)
    #expect(
      listener.pressAndCount(.character(" ")) == [
        "Done: bread", "water plants, Refused by the server: too wet, just arrived",
      ])
    // Until then the key may have been meant for the row that went.
    _ = listener.hear { $0.wait(milliseconds: LostRow.secondPressTime) }
    #expect(listener.pressAndCount(.character("+")) == ["Changed: (C) water plants"])
    #expect(
      listener.pressAndCount(.character("d")) == [
        "Deleted: (C) water plants; u brings it back", "tea, overdue since yesterday, not yet sent",
      ])
    #expect(listener.press(.character("u")) == ["Nothing to undo."])
    #expect(listener.press(.character("u")) == ["Nothing to undo."])
  }

  @Test("where done and open items are together each says which it is")
  func completeness() {
    var listener = Listener(Desk(items: [TodoItem(id: "1", text: "a"), TodoItem(id: "2", text: "b", complete: true)]))
    #expect(listener.press(.tab) == [])
    #expect(listener.hear { $0.survey() } == ["All, 2 items", "1 of 2, a, open"])
    #expect(listener.press(.down) == ["2 of 2, b, done"])
    #expect(listener.press(.character(" ")) == ["Open again: b"])
  }

  @Test("a filter says how much is left as it is typed, and then what is shown")
  func filtering() {
    var listener = listener()
    #expect(listener.press(.character("/")) == [])
    #expect(listener.type("te") == [])
    #expect(TypedLine(listener.desk.model) == TypedLine(text: "/te", cursorColumn: 3))
    #expect(listener.hear { $0.survey() } == ["2 items"])
    #expect(listener.press(.down) == ["2 of 2, water plants, Refused by the server: too wet, just arrived"])
    #expect(
      listener.press(.enter) == [
        "Open, /te, 2 items", "2 of 2, water plants, Refused by the server: too wet, just arrived",
      ])
    #expect(
      listener.pressAndCount(.escape) == [
        "Open, 4 items", "4 of 4, water plants, Refused by the server: too wet, just arrived",
      ])
    _ = listener.type("/zzz")
    #expect(listener.hear { $0.survey() } == ["0 items"])
    #expect(listener.press(.enter) == ["Open, /zzz, 0 items", "No item here matches “zzz”. Esc shows the list again."])
  }

  @Test("a new order is announced with the selected item")
  func sorting() {
    var listener = listener()
    #expect(
      listener.press(.character("s")) == [
        "In which order?", "c created, t text, d date, p priority, j project, u updated, Esc leave it",
      ])
    #expect(listener.press(.character("t")) == ["Open, by text, 4 items", "1 of 4, buy milk, due today, not yet sent"])
  }

  @Test("a refresh says once that it began, every few seconds how far it is, and what came of it")
  func refreshing() {
    var listener = listener()
    #expect(listener.press(.character("r")) == ["refreshing"])
    let moved = SyncProgress(sent: 1, toSend: 3, received: 2)
    #expect(listener.hear { $0.tell(.refresh(.progress(moved))) } == [])
    var told: [[String]] = []
    for _ in 0..<70 { told.append(listener.hear { $0.wait(milliseconds: 100) }) }
    #expect(told.filter { !$0.isEmpty } == [["sent 1/3, received 2"], ["sent 1/3, received 2"]])
    let result = RefreshResult(pushed: 3, pulled: 2, seconds: 1.23)
    #expect(listener.hear { $0.tell(.refresh(.finished(result))) } == ["sent 3, received 2, 1.2 s"])
    #expect(listener.hear { $0.survey() } == [])
    #expect(listener.hear { $0.wait(milliseconds: 10_000) } == [])
  }

  @Test("a refresh that fails says why and what waits; one that nobody asked for only that the connection is lost")
  func failing() {
    var listener = listener()
    _ = listener.press(.character("r"))
    let failure = Message.refresh(.finished(RefreshResult(failure: .remote(.unreachable("no route")))))
    #expect(
      listener.hear { $0.tell(failure) } == [
        "Can't reach the server (no route). Nothing waits to be sent; r tries again."
      ])
    var preferences = Preferences()
    preferences.automatic = AutomaticSync(minutes: 1)
    listener = self.listener(preferences)
    #expect(listener.hear { $0.wait(milliseconds: 61_000) } == [])
    #expect(listener.desk.model.sync.refresh.isRunning)
    let lines = listener.hear { $0.tell(failure) }
    #expect(lines.count == 1 && lines[0].hasPrefix("offline, no route"), "\(lines)")
  }

  @Test("what came is told, with the keys that show it")
  func arriving() {
    var listener = listener()
    listener.desk.arrivals = [
      Arrival(id: "4", before: nil, after: TodoCopy(text: "water plants"), arrivedAt: listener.desk.now.date)
    ]
    #expect(listener.hear { $0.survey() } == ["1 change: 1 new, w show, ] next"])
    #expect(listener.hear { $0.survey() } == [])
    let lines = listener.press(.character("w"))
    #expect(lines.prefix(2) == ["While you were away, 1 of 1", "new: water plants"])
  }

  @Test("what waits to be sent is told entry by entry, and closing it tells the row again")
  func panes() {
    var listener = listener()
    listener.desk.outbox = [
      WaitingChange(id: "1", before: TodoCopy(text: "milk"), after: TodoCopy(text: "oat milk")),
      WaitingChange(id: "3", before: TodoCopy(text: "gone"), after: nil, reason: .noAnswer),
    ]
    #expect(
      listener.press(.character("o")) == [
        "Unsent changes, 1 of 2", "“milk” to “oat milk”", "Waits for the next refresh.",
      ])
    #expect(
      listener.press(.down) == [
        "2 of 2, delete “gone”", "It was sent, and no answer came; the next refresh sends it again.",
      ])
    #expect(listener.press(.escape) == ["1 of 4, buy milk, due today, not yet sent"])
  }

  @Test("a story tells each version, what it was and what changed")
  func story() {
    var listener = listener()
    listener.desk.versions = [
      ItemVersion(number: 2, copy: TodoCopy(text: "oat milk", complete: true), madeAt: nil, origin: .server),
      ItemVersion(number: 1, copy: TodoCopy(text: "milk"), madeAt: nil, origin: .here),
    ]
    #expect(
      listener.press(.character("h")) == [
        "History of “buy milk due:2026-11-21”, 1 of 2", "earlier, server, oat milk, done", "text {+oat+} milk",
        "state open → done",
      ])
    #expect(listener.press(.down) == ["2 of 2, earlier, here, milk, open"])
  }

  @Test("the details are told all at once")
  func details() {
    var listener = listener()
    let lines = listener.press(.character("i"))
    #expect(lines.prefix(4) == ["Details", "buy milk due:2026-11-21", "state: open", "due: today, Sat 21 Nov"])
    #expect(lines.contains("server: not yet sent"))
  }

  @Test("a conflict says why, and the base, mine and theirs with the words that differ in brackets")
  func deciding() {
    var listener = listener()
    listener.desk.conflicts = ["milk", "tea"].map { text in
      TodoConflict(
        id: RecordID(text), base: TodoCopy(text: text), mine: TodoCopy(text: "oat \(text)"),
        theirs: TodoCopy(text: "\(text) now")
      )
    }
    let first = listener.press(.character("c"))
    #expect(
      first.dropLast() == [
        "To decide, 1 of 2", "Changed here and on the server.", "before: milk", "here: {+oat+} milk",
        "there: milk {+now+}", "merged: oat milk now",
      ])
    #expect(first.last?.hasPrefix("Enter merged, h here, t there, b both") == true)
    #expect(
      listener.press(.character("j")).prefix(2) == ["To decide, 2 of 2", "Changed here and on the server."])
    _ = listener.press(.character("k"))
    let next = listener.press(.character("m"))
    #expect(next.prefix(2) == ["Kept what is here: “oat milk”. u undoes it.", "To decide, 1 of 1"])
    #expect(
      listener.press(.character("t")) == [
        "Kept what is there: “tea now”. u undoes it. All decided. Press r to send.",
        "buy milk, due today, not yet sent",
      ])
  }

  @Test("the dates of a conflict are told in words, also in the merged text and in what it lacks")
  func decidingAboutDates() {
    var listener = listener()
    listener.desk.conflicts = [
      TodoConflict(
        id: "milk", base: TodoCopy(text: "milk"), mine: TodoCopy(text: "oat milk due:2026-12-01"),
        theirs: TodoCopy(text: "rice milk due:2026-12-02"))
    ]
    let told = listener.press(.character("c"))
    #expect(told.contains("merged: oat rice milk due:Tue 1 Dec, without due:Wed 2 Dec"), "\(told)")
    #expect(!told.contains { $0.contains("2026-12") }, "\(told)")
  }

  @Test("a conflict with a deletion names the side that deleted the item, once")
  func decidingAboutDeletion() {
    var listener = listener()
    listener.desk.conflicts = [
      TodoConflict(
        id: "milk", base: TodoCopy(text: "milk"), mine: nil, theirs: TodoCopy(text: "milk", complete: true))
    ]
    #expect(
      listener.press(.character("c")).dropLast() == [
        "To decide, 1 of 1", "Deleted here, changed on the server.", "text", "before: milk", "here: deleted",
        "there: milk", "state", "before: open", "there: done",
      ])
  }

  @Test("the question before leaving comes with its keys")
  func leaving() {
    var preferences = Preferences()
    preferences.asksBeforeLeaving = true
    var listener = listener(preferences)
    listener.desk.sync.pending = 1
    _ = listener.hear { $0.survey() }
    #expect(
      listener.press(.character("q")) == [
        "1 change is not sent yet. It is kept here. Leave?", "q leave, Esc stay",
      ])
  }

  @Test("the links that can be opened are told with their numbers, page by page")
  func links() {
    var listener = Listener(Desk([(1...11).map { "https://a.example/\($0)" }.joined(separator: " ")]))
    let told = listener.press(.character("O"))
    #expect(told.first == "Open which link?")
    #expect(told.contains("9 https://a.example/9"), "\(told)")
    #expect(told.contains("and 2 more, j down"), "\(told)")
    #expect(
      listener.press(.character("j")) == ["1 https://a.example/10", "2 https://a.example/11", "k up"])
  }

  @Test("the help tells every command of the place")
  func help() {
    var listener = listener()
    let lines = listener.press(.character("?"))
    #expect(lines.first == "Keys")
    #expect(lines.dropFirst().dropLast().count == CommandTable.commands(in: .list).count)
    #expect(lines.contains("a n: add an item"))
    #expect(listener.press(.down) == ["A: add to the same group"])
    #expect(listener.press(.escape) == ["1 of 4, buy milk, due today, not yet sent"])
  }

  @Test("without a screen the help is only read: Enter closes it, and a key of the list acts there")
  func helpIsRead() {
    var preferences = Preferences()
    preferences.isPlain = true
    var listener = listener(preferences)
    let lines = listener.press(.character("?"))
    #expect(lines.last == "/ filter, Esc back")
    #expect(!lines.contains { $0.contains("panel") }, "there is none")
    #expect(listener.press(.enter) == ["1 of 4, buy milk, due today, not yet sent"])
    #expect(listener.desk.model.mode == .list)
    _ = listener.press(.character("?"), .character("a"))
    #expect(TypedLine(listener.desk.model)?.text == "add: ")
  }

  @Test("the palette tells the command that is chosen")
  func palette() {
    var listener = listener()
    #expect(listener.press(.character(":")).first == "Commands")
    #expect(listener.type("sort") == ["s: choose the order"])
    #expect(TypedLine(listener.desk.model)?.text == ":sort")
  }

  @Test("rows that are found later than the filter is typed are told with their count, not before")
  func searching() {
    var listener = listener()
    _ = listener.press(.character("/"))
    listener.desk.searchesAreSlow = true
    #expect(listener.type("water") == [])
    #expect(listener.hear { $0.find() } == [])
    #expect(listener.hear { $0.survey() } == ["1 item"])
    #expect(
      listener.press(.enter) == [
        "Open, /water, 1 item", "1 of 1, water plants, Refused by the server: too wet, just arrived",
      ])
  }

  @Test("marks and ranges are told")
  func marking() {
    var listener = listener()
    #expect(listener.press(.character("m")) == ["1 marked", "2 of 4, call home +kids"])
    #expect(listener.press(.up) == ["1 of 4, buy milk, due today, not yet sent, marked"])
    #expect(listener.press(.escape) == ["0 marked"])
    #expect(listener.press(.character("v")) == ["A range begins here; v ends it."])
  }

  @Test("what was asked to be told once more is all of where one is")
  func recapitulating() {
    var listener = listener()
    #expect(
      recapitulation(of: listener.desk.model) == [
        "Open, 4 items", "0 to send, never synced", "1 of 4, buy milk, due today, not yet sent",
      ])
    _ = listener.press(.character("?"))
    #expect(recapitulation(of: listener.desk.model).first == "Keys")
  }

  @Test("nothing that is told has a sign of the screen in it, in any language", arguments: Language.allCases)
  func signs(language: Language) {
    let preferences = Preferences(catalogue: .of(language))
    var told: [String] = []
    var listener = listener(preferences)
    listener.desk.sync.conflicts = 1
    listener.desk.outbox = [WaitingChange(id: "1", before: nil, after: TodoCopy(text: "a"))]
    told += listener.hear { $0.survey() }
    for key in "jjgo" { told += listener.press(.character(key)) }
    told += listener.press(.escape) + listener.press(.character("r"))
    told += listener.hear { $0.tell(.refresh(.finished(RefreshResult(pushed: 1)))) }
    for sign in ["↑", "≠", "●", "·", "…", "  ", "\u{1B}"] {
      #expect(told.allSatisfy { !$0.contains(sign) }, "\(sign) in \(told)")
    }
    #expect(told.count > 5)
  }
}
