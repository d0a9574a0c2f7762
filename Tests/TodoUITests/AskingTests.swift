import OfflineSync
import TableProtocol
import Testing
import TodoCore

@testable import Terminal
@testable import TodoUI
@testable import Words

@Suite("What a refresh asks")
struct AskingTests {
  private let other = OtherAccount(owner: "http://home.example", current: "http://work.example", pending: 3)

  private func desk(columns: Int = 80, rows: Int = 12, _ failure: SyncFailure) -> Desk {
    var desk = Desk(["a", "b"], columns: columns, rows: rows)
    desk.sync.pending = 3
    desk.survey()
    desk.press(.character("r"))
    desk.tell(.refresh(.finished(RefreshResult(failure: failure))))
    desk.effects = []
    return desk
  }

  private func options(_ change: (inout RefreshOptions) -> Void) -> RefreshOptions {
    var options = RefreshOptions()
    change(&options)
    return options
  }

  @Test("a question meets nobody's fingers: who went on pressing keys is only told")
  func busyHands() {
    var desk = Desk(["a", "b"])
    desk.survey()
    desk.press(.character("r"), .character("j"))
    let other = OtherAccount(owner: "http://a.example", current: "http://b.example", pending: 1)
    desk.tell(.refresh(.finished(RefreshResult(failure: .otherAccount(other)))))
    #expect(desk.model.mode == .list)
    #expect(desk.screen.contains("This list belongs to http://a.example"))
    desk.press(.character("r"))
    desk.tell(.refresh(.finished(RefreshResult(failure: .otherAccount(other)))))
    #expect(desk.model.mode == .prompt(.account(other)))
  }

  @Test("the list of another account: whose it is, how many changes wait, that nothing was sent, and the keys")
  func accountScreen() {
    #expect(
      desk(.otherAccount(other)).screen == """
         Agenda 2   Open 2   All 2   Done 0                           ↑3 · never synced
        ▌  [ ]   a
           [ ]   b





         This list belongs to http://home.example. 3 changes wait for it. Nothing was
         sent to http://work.example. Is the list there the same, or are all items sent
         there as new?
         s same list  t send as new  Esc leave it
        """)
  }

  @Test(
    "s and t refresh with the answer",
    arguments: zip(["s", "t"] as [Character], [AccountChange.sameList, .takeAlong]))
  func accountAnswers(key: Character, change: AccountChange) {
    var desk = desk(.otherAccount(other))
    desk.press(.character(key))
    #expect(desk.effects.contains(.sync(.refresh(options { $0.accountChange = change }))))
    #expect(desk.model.mode == .list && desk.model.sync.refresh.isRunning)
  }

  @Test("Escape leaves all as it is, and the next refresh asks again")
  func declined() {
    for failure in [SyncFailure.otherAccount(other), .massRemoval(rows: 15, total: 20)] {
      var desk = desk(failure)
      desk.press(.character("x"), .character("d"), .enter, .escape)
      #expect(desk.effects == [])
      #expect(desk.model.mode == .list && !desk.model.sync.refresh.isRunning)
      desk.press(.character("r"))
      #expect(desk.effects == [.sync(.refresh(RefreshOptions()))])
    }
  }

  @Test("how much the server would take away, and y goes on")
  func removal() {
    var desk = desk(.massRemoval(rows: 15, total: 20))
    #expect(desk.row(10) == " The server would take away 15 of 20 items here. Let them go, or send 15 back?")
    #expect(desk.bottom == "y let go  b send back  Esc leave it")
    desk.press(.character("y"))
    #expect(desk.effects.contains(.sync(.refresh(options { $0.allowsMassRemoval = true }))))
  }

  @Test("b sends back what is still here, and names how many that is")
  func sentBack() {
    var desk = desk(.massRemoval(MassRemoval(rows: 15, here: 9, total: 20)))
    #expect(desk.row(10) == " The server would take away 15 of 20 items here. Let them go, or send 9 back?")
    desk.press(.character("b"))
    #expect(desk.effects.contains(.sync(.refresh(options { $0.sendsRemovalsBack = true }))))
    #expect(desk.model.mode == .list && desk.model.sync.refresh.isRunning)
  }

  @Test("items of the server that can't be stored are named, with the receipt")
  func leftOut() {
    var desk = Desk(["a", "b"])
    desk.survey()
    desk.press(.character("r"))
    var result = RefreshResult()
    result.leftOut = 3
    result.firstLeftOut = "odd/id"
    desk.tell(.refresh(.finished(result)))
    #expect(desk.screen.contains("3 items of the server") && desk.screen.contains("odd/id"))
    #expect(desk.model.sync.refresh.showsReceipt)
  }

  @Test("deletions that went to no account are counted, with the receipt, and also if the refresh failed after that")
  func droppedDeletions() {
    for failure in [nil, SyncFailure.remote(.unreachable("cut"))] {
      var desk = desk(.otherAccount(other))
      desk.press(.character("t"))
      var result = RefreshResult(failure: failure)
      result.droppedDeletions = 2
      desk.tell(.refresh(.finished(result)))
      let words = desk.screen.split { $0.isWhitespace }.joined(separator: " ")
      #expect(words.contains("2 deletions are not sent any more"))
      #expect(words.contains("Can't reach the server (cut).") == (failure != nil), "\(words)")
    }
  }

  @Test(
    "they are counted at the end of the next refresh if this one is started again, or leads to a question",
    arguments: [SyncFailure.cancelled, .massRemoval(rows: 15, total: 20)])
  func droppedDeletionsLater(failure: SyncFailure) {
    var desk = desk(.otherAccount(other))
    desk.press(.character("t"))
    if failure == .cancelled { for event in [Message.suspended, .resumed] { desk.tell(event) } }
    var result = RefreshResult(failure: failure)
    result.droppedDeletions = 2
    desk.tell(.refresh(.finished(result)))
    #expect(!desk.screen.contains("2 deletions"))
    if failure != .cancelled { desk.press(.character("b")) }
    desk.tell(.refresh(.finished(RefreshResult())))
    #expect(desk.screen.contains("2 deletions are not sent any more"), "\(desk.screen)")
    desk.press(.character("r"))
    desk.tell(.refresh(.finished(RefreshResult())))
    #expect(!desk.screen.contains("2 deletions"))
  }

  @Test("a list that moved is sent back as a whole: the account was answered before")
  func sentBackAfterMoving() {
    var desk = desk(.otherAccount(other))
    desk.press(.character("s"))
    desk.tell(.refresh(.finished(RefreshResult(failure: .massRemoval(rows: 15, total: 20)))))
    desk.press(.character("b"))
    let expected = options {
      $0.sendsRemovalsBack = true
      $0.isFull = true
    }
    #expect(desk.effects.contains(.sync(.refresh(expected))))
  }

  @Test("a list that moved is still compared as a whole after a word about what goes")
  func removalAfterMoving() {
    var desk = desk(.otherAccount(other))
    desk.press(.character("s"))
    desk.tell(.refresh(.finished(RefreshResult(failure: .massRemoval(rows: 15, total: 20)))))
    desk.press(.character("y"))
    let expected = options {
      $0.allowsMassRemoval = true
      $0.isFull = true
    }
    #expect(desk.effects.contains(.sync(.refresh(expected))))
  }

  @Test("nothing is asked where keys have another meaning: it is said there, and asked by the next refresh")
  func elsewhere() {
    for keys in ["a", "/", "?", "q"] {
      var desk = Desk(["a"])
      desk.sync.pending = 3
      desk.survey()
      desk.press(.character("r"))
      desk.type(keys)
      let mode = desk.model.mode
      desk.tell(.refresh(.finished(RefreshResult(failure: .otherAccount(other)))))
      #expect(desk.model.mode == mode)
      desk.press(.escape)
      #expect(desk.model.mode == .list)
    }
  }

  @Test("all the items that would go can be looked at before the answer")
  func scrolling() {
    var desk = Desk(["a", "b"], rows: 12)
    desk.survey()
    desk.press(.character("r"))
    var result = RefreshResult(failure: .massRemoval(rows: 30, total: 31))
    result.removals = (10...39).map { "item \($0)" }
    desk.tell(.refresh(.finished(result)))
    #expect(desk.screen.contains("- item 10") && !desk.screen.contains("item 20"))
    #expect(desk.screen.contains("and 22 more  j down"))
    desk.press(.character("j"), .pageDown)
    #expect(!desk.screen.contains("item 10") && desk.screen.contains("- item 20"))
    desk.press(.character("G"), .down, .up)
    #expect(desk.screen.contains("- item 37") && desk.screen.contains("and 2 more"))
    desk.press(.down)
    #expect(desk.screen.contains("- item 39") && !desk.screen.contains("more"))
    desk.effects = []
    desk.press(.character("y"))
    #expect(desk.effects.contains(.sync(.refresh(options { $0.allowsMassRemoval = true }))))
  }

  @Test("every answer to a question is on a small screen, in each language", arguments: Language.allCases)
  func answers(language: Language) throws {
    var desk = Desk(["a"], columns: 40, rows: 10, preferences: Preferences(catalogue: Catalogue.of(language)))
    let keys: [Key] = [.character("s"), .character("C"), .paste("milk\neggs")]
    for key in keys {
      desk.press(key)
      let hints = HintsView(model: desk.model, brush: Brush(desk.model.screen))
      let answers = hints.lines(columns: 1_000, atMost: 1)[0].text.split(separator: "  ")
      #expect(answers.count >= 3)
      for answer in answers {
        #expect(desk.screen.contains(answer), "\(answer)\n\(desk.screen)")
      }
      desk.press(.escape)
    }
  }

  @Test("in every size the questions fit, and their keys are on the screen")
  func bounds() {
    for (columns, rows) in [(20, 5), (40, 10), (80, 24)] {
      for failure in [SyncFailure.otherAccount(other), .massRemoval(rows: 15, total: 20)] {
        let frame = desk(columns: columns, rows: rows, failure).frame
        #expect(frame.lines.count == rows && frame.lines.allSatisfy { $0.columns <= columns })
        #expect(frame.lines.last?.text.isEmpty == false)
      }
    }
  }
}
