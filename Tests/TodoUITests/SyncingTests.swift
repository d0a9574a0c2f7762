import FoundationEssentials
import OfflineSync
import TableProtocol
import Testing
import TodoCore

@testable import Terminal
@testable import TodoUI
@testable import Words

@Suite("Refreshing, and what the status line says")
struct SyncingTests {
  private func desk(pending: Int, columns: Int = 80) -> Desk {
    var desk = Desk(["a", "b"], columns: columns)
    desk.sync.pending = pending
    desk.survey()
    return desk
  }

  @Test("what waits is counted from the first survey on")
  func pending() {
    #expect(Desk(["a"]).syncState == "")
    #expect(desk(pending: 0).syncState == "never synced")
    #expect(desk(pending: 3).syncState == "↑3 · never synced")
  }

  @Test("conflicts and refusals are counted beside what waits to be sent")
  func trouble() {
    var desk = desk(pending: 4)
    (desk.sync.conflicts, desk.sync.refused) = (1, 2)
    desk.survey()
    #expect(desk.syncState == "↑1  ≠1  !2 · never synced")
    desk.sync.conflicts = 2
    desk.survey()
    #expect(desk.syncState.contains("≠2"))
  }

  @Test("the last sync is told by the clock on the wall, with the date when it was another day")
  func time() {
    var desk = desk(pending: 0)
    desk.sync.lastPull = Date(timeIntervalSince1970: 0)
    desk.survey(last: LocalMoment(year: 2026, month: 11, day: 21, hour: 9, minute: 5))
    #expect(desk.syncState == "synced 09:05")
    desk.survey(last: LocalMoment(year: 2026, month: 11, day: 9, hour: 23, minute: 59))
    #expect(desk.syncState.hasSuffix("synced 2026-11-09 23:59"))
  }

  @Test("what a refresh brings shows while it runs, with the turns of the spinner, and all of it at its end")
  func news() {
    var desk = desk(pending: 0)
    desk.press(.character("r"))
    desk.items.append(TodoItem(id: "c", text: "c"))
    desk.tell(.storeChanged(.rows))
    #expect(desk.visible == ["a", "b"])
    desk.wait(milliseconds: 100)
    #expect(desk.visible == ["a", "b", "c"])
    desk.items.append(TodoItem(id: "d", text: "d"))
    desk.tell(.storeChanged(.rows))
    desk.tell(.refresh(.finished(RefreshResult())))
    #expect(desk.visible == ["a", "b", "c", "d"])
  }

  @Test("while keys are pressed it shows at each fourth turn, so that they need not wait, then at each again")
  func newsBetweenKeys() {
    var desk = desk(pending: 0)
    desk.press(.character("r"))
    var shown: [Int] = []
    for turn in 1...12 {
      desk.items.append(TodoItem(id: RecordID("\(turn)"), text: "\(turn)"))
      desk.tell(.storeChanged(.rows))
      if turn <= 6 { desk.press(.character("j")) }
      let before = desk.visible
      desk.wait(milliseconds: 100)
      if desk.visible != before { shown.append(turn) }
    }
    #expect(shown == [4, 8, 9, 10, 11, 12])
  }

  @Test("r and F5 refresh, one at a time", arguments: [Key.character("r"), .function(5)])
  func once(key: Key) {
    var desk = desk(pending: 3)
    desk.press(key, key)
    #expect(desk.effects.count { $0 == .sync(.refresh(RefreshOptions())) } == 1)
    #expect(desk.said.hasPrefix("| refreshing"))
  }

  @Test("while it runs a spinner turns, counts run, and typing goes on")
  func running() {
    var desk = desk(pending: 40)
    desk.press(.character("r"))
    desk.tell(.refresh(.progress(SyncProgress(sent: 12, toSend: 40, received: 100))))
    desk.wait(milliseconds: 100)
    #expect(desk.said == "/ sent 12/40 · received 100")
    #expect(desk.syncState == "/ 12/40 · ↑40")
    desk.tell(.refresh(.progress(SyncProgress())))
    #expect(desk.said == "/ refreshing")
    #expect(desk.syncState == "/ · ↑40")
    desk.tell(.refresh(.progress(SyncProgress(received: 7))))
    #expect(desk.said == "/ received 7")
    #expect(desk.syncState == "/ ↓7 · ↑40")
    desk.tell(.refresh(.waitingForOtherProgram))
    #expect(desk.status.contains("another ebb is syncing"))
    desk.press(.character("a"))
    desk.type("milk")
    #expect(desk.status.contains("another ebb is syncing"))
    desk.press(.enter)
    #expect(desk.effects.contains(.change(.add(["milk"]))))
  }

  @Test("when it ended well the line says when, and what moved")
  func success() {
    var desk = desk(pending: 3)
    desk.press(.character("r"))
    desk.tell(.refresh(.finished(RefreshResult(pushed: 3, pulled: 12, seconds: 0.42))))
    desk.sync.pending = 0
    desk.survey(last: LocalMoment(year: 2026, month: 11, day: 21, hour: 9, minute: 12))
    #expect(desk.syncState == "synced 09:12")
    #expect(desk.said == "sent 3 · received 12 · 0.4 s")
    #expect(!desk.model.sync.refresh.isRunning)
    let side = TableDigest(count: 1_204, checksum: 7)
    desk.tell(.refresh(.compared(TableComparison(here: side, there: side))))
    #expect(desk.said == "sent 3 · received 12 · 1,204 here, 1,204 there, the same · 0.4 s")
    desk.wait(milliseconds: Refresh.receiptTime)
    #expect(desk.said == "")
    #expect(desk.model.nextWake == nil)
  }

  @Test("when it failed the reason, what waits and the next step are said, until Escape")
  func failure() {
    var desk = desk(pending: 6)
    desk.press(.character("r"))
    desk.tell(.refresh(.finished(RefreshResult(failure: .remote(.unreachable("name not found"))))))
    #expect(desk.said == "Can't reach the server (name not found). 6 changes wait here; r tries again.")
    #expect(desk.syncState == "↑6 · offline")
    desk.press(.escape)
    #expect(!desk.screen.contains("Can't reach"))
    #expect(desk.said == "offline, name not found, r tries again")
  }

  @Test("Escape stops it when there is nothing else to take away, once; that nothing is lost is said")
  func stopping() {
    var desk = desk(pending: 3)
    desk.press(.character("/"))
    desk.type("a")
    desk.press(.enter, .character("r"))
    #expect(!desk.bottom.contains("Esc stop"))
    desk.press(.escape)
    #expect(!desk.effects.contains(.sync(.stopRefresh)))
    #expect(desk.bottom.contains("Esc stop"))
    desk.press(.escape, .escape)
    #expect(desk.effects.count { $0 == .sync(.stopRefresh) } == 1)
    desk.tell(.refresh(.progress(SyncProgress(sent: 1, toSend: 3))))
    #expect(desk.said.hasPrefix("| stopping"))
    desk.tell(.refresh(.finished(RefreshResult(pushed: 1, failure: .cancelled))))
    #expect(desk.said == "Stopped, and nothing is lost. 3 changes wait here; r tries again.")
    desk.press(.escape, .escape)
    #expect(desk.effects.count { $0 == .sync(.stopRefresh) } == 1)
  }

  @Test("stopping the program ends it, so that others can sync, and it is started again when the program goes on")
  func suspended() {
    var desk = desk(pending: 3)
    desk.press(.character("r"))
    desk.tell(.suspended)
    #expect(desk.effects.contains(.sync(.stopRefresh)))
    desk.tell(.resumed)
    desk.tell(.refresh(.finished(RefreshResult(failure: .cancelled))))
    #expect(desk.refreshCount == 2 && desk.model.sync.refresh.isRunning)
    #expect(desk.said == "The list was stopped; its sync is started again.")
    desk.tell(.refresh(.finished(RefreshResult(pushed: 3, seconds: 0.4))))
    #expect(desk.refreshCount == 2 && desk.said.hasPrefix("sent 3"), "\(desk.said)")
  }

  @Test("is not started again if it came to its end before the program stopped, or if Escape had ended it")
  func suspendedAtTheEnd() {
    var ended = desk(pending: 3)
    ended.press(.character("r"))
    ended.tell(.suspended)
    ended.tell(.resumed)
    ended.tell(.refresh(.finished(RefreshResult(pushed: 3, seconds: 0.4))))
    #expect(ended.refreshCount == 1 && ended.said.hasPrefix("sent 3"), "\(ended.said)")
    var stopped = desk(pending: 3)
    stopped.press(.character("r"), .escape)
    stopped.tell(.suspended)
    stopped.tell(.resumed)
    stopped.tell(.refresh(.finished(RefreshResult(failure: .cancelled))))
    #expect(stopped.refreshCount == 1 && stopped.effects.count { $0 == .sync(.stopRefresh) } == 1)
  }

  private static let kept = Message.edited(
    .item(id: "1", seen: "milk"), seen: "milk", .failed(editor: "vi", keptAt: "/home/x/kept"))

  private func isSaidOfEditor(_ desk: Desk) -> Bool {
    let words = desk.screen.split { $0.isWhitespace }.joined(separator: " ")
    return words.contains("What it wrote is in /home/x/kept.")
  }

  @Test("started again, it leaves on the screen what came of the user's editor meanwhile")
  func suspendedForEditor() {
    var desk = desk(pending: 3)
    desk.press(.character("r"))
    for event in [Message.suspended, .resumed, Self.kept] { desk.tell(event) }
    desk.tell(.refresh(.finished(RefreshResult(failure: .cancelled))))
    #expect(desk.refreshCount == 2 && isSaidOfEditor(desk), "\(desk.screen)")
    desk.tell(.refresh(.finished(RefreshResult(failure: .remote(.unreachable("cut"))))))
    #expect(isSaidOfEditor(desk), "\(desk.screen)")
    desk.press(.escape)
    #expect(desk.said.hasPrefix("Can't reach the server (cut)."), "\(desk.screen)")
  }

  @Test("a question about it does not hide what came of the user's editor: the next refresh asks")
  func suspendedForEditorAndAsked() {
    var desk = desk(pending: 3)
    desk.press(.character("r"))
    for event in [Message.suspended, .resumed, Self.kept] { desk.tell(event) }
    desk.tell(.refresh(.finished(RefreshResult(failure: .cancelled))))
    desk.tell(.refresh(.finished(RefreshResult(failure: .massRemoval(rows: 15, total: 20)))))
    #expect(isSaidOfEditor(desk) && desk.model.mode == .list, "\(desk.screen)")
  }

  @Test("that it is started again is said in place of what a change did before")
  func suspendedAfterChange() {
    var desk = desk(pending: 3)
    desk.press(.character("r"), .character("x"))
    for event in [Message.suspended, .resumed] { desk.tell(event) }
    desk.tell(.refresh(.finished(RefreshResult(failure: .cancelled))))
    #expect(desk.said == "The list was stopped; its sync is started again.")
  }

  @Test("a comparison that a stop of the program ended is started again; one that Escape ended is not")
  func suspendedComparison() {
    let count = { (desk: Desk) in desk.effects.count { $0 == .sync(.verify) } }
    let cancelled = Message.verified(.finished(.failure(.cancelled)))
    var left = desk(pending: 3)
    left.press(.character("V"))
    for event in [Message.suspended, .resumed, Self.kept, cancelled] { left.tell(event) }
    #expect(left.effects.contains(.sync(.stopVerifying)) && count(left) == 2)
    left.tell(.verified(.finished(.failure(.remote(.unreachable("cut"))))))
    #expect(isSaidOfEditor(left), "\(left.screen)")
    left.press(.escape)
    #expect(left.said.hasPrefix("Can't reach the server (cut)."), "\(left.screen)")
    var ended = desk(pending: 3)
    ended.press(.character("V"), .escape)
    for event in [Message.suspended, .resumed, cancelled] { ended.tell(event) }
    #expect(count(ended) == 1)
  }

  @Test("what came of a comparison and of a sync while the user's editor ran is said one after the other")
  func severalHeld() {
    var desk = desk(pending: 3)
    desk.press(.character("V"), .character("r"))
    for event in [Message.suspended, .resumed, Self.kept] { desk.tell(event) }
    desk.tell(.verified(.finished(.failure(.cancelled))))
    desk.tell(.refresh(.finished(RefreshResult(failure: .cancelled))))
    desk.tell(.verified(.finished(.failure(.remote(.unreachable("gone"))))))
    desk.tell(.refresh(.finished(RefreshResult(failure: .remote(.unreachable("cut"))))))
    #expect(isSaidOfEditor(desk), "\(desk.screen)")
    desk.press(.down)
    #expect(desk.model.screen.notice == .sync(.verifyFailed(.remote(.unreachable("gone")))), "\(desk.screen)")
    desk.press(.up)
    #expect(desk.said.hasPrefix("Can't reach the server (cut)."), "\(desk.screen)")
    desk.press(.escape)
    #expect(desk.model.screen.notice == nil, "\(desk.screen)")
  }

  @Test("that a comparison is started again is said after the answer about the user's editor, and Escape stops it")
  func comparesAgain() {
    var desk = desk(pending: 3)
    desk.press(.character("V"))
    for event in [Message.suspended, .resumed, Self.kept] { desk.tell(event) }
    desk.tell(.verified(.finished(.failure(.cancelled))))
    #expect(isSaidOfEditor(desk), "\(desk.screen)")
    desk.press(.escape)
    #expect(desk.model.screen.notice == .sync(.verifying), "\(desk.screen)")
    desk.effects = []
    desk.press(.escape)
    #expect(desk.effects == [.sync(.stopVerifying)] && desk.model.screen.notice == nil, "\(desk.screen)")
  }

  @Test("Escape after the program goes on ends it for good, and a key for another one is heard")
  func suspendedAndThenPressed() {
    var ended = desk(pending: 3)
    ended.press(.character("r"))
    ended.tell(.suspended)
    ended.tell(.resumed)
    ended.press(.escape)
    ended.tell(.refresh(.finished(RefreshResult(failure: .cancelled))))
    #expect(ended.refreshCount == 1 && !ended.model.sync.refresh.isRunning)
    var twice = desk(pending: 3)
    twice.press(.character("r"))
    for event in [Message.suspended, .resumed, .suspended, .resumed] { twice.tell(event) }
    twice.tell(.refresh(.finished(RefreshResult(failure: .cancelled))))
    #expect(twice.refreshCount == 2 && twice.said == "The list was stopped; its sync is started again.")
  }

  @Test("on a narrow screen a failure is said whole, in several rows")
  func narrowFailure() {
    var desk = desk(pending: 1, columns: 40)
    desk.tell(.refresh(.finished(RefreshResult(failure: .remote(.unreachable("name not found"))))))
    #expect(desk.row(20) == " Can't reach the server (name not")
    #expect(desk.row(21) == " found). 1 change waits here; r tries")
    #expect(desk.said == "again.")
  }

  @Test("without a server nothing is said of one, until it is asked for: then how to name one")
  func noServer() {
    var preferences = Preferences()
    preferences.hasServer = false
    var desk = Desk(items: [TodoItem(id: "a", text: "a", state: .waiting)], preferences: preferences)
    let isQuiet = { (desk: Desk) in
      !desk.screen.contains("↑") && !desk.screen.contains("sent") && !desk.bottom.contains("refresh")
    }
    #expect(isQuiet(desk) && desk.syncState == "")
    (desk.sync.pending, desk.sync.server) = (2, nil)
    desk.survey()
    #expect(isQuiet(desk) && desk.syncState == "")
    desk.press(.up)
    #expect(!desk.screen.contains("pull"))
    desk.press(.character("r"))
    desk.tell(.refresh(.finished(RefreshResult(failure: .remote(.noServer)))))
    #expect(desk.said == "No server is set. Run ebb join LINK, or start with --server URL.")
    desk.press(.character("0"))
    #expect(!desk.screen.contains("No server is set"), "it is about the key before")
  }

  @Test("a sync that finds no sign-in says why, each time as it is then")
  func noSignIn() {
    var desk = desk(pending: 0)
    let failure = SyncFailure.remote(.noSignIn)
    for reason in ["The file is not there.", "The file is empty."] {
      desk.press(.character("r"))
      desk.tell(.signInMissing(reason))
      desk.tell(.refresh(.finished(RefreshResult(failure: failure))))
      #expect(desk.said == reason)
    }
    desk.tell(.signInMissing("You may not read the file."))
    desk.tell(.verified(.finished(.failure(failure))))
    #expect(desk.said == "You may not read the file.")
  }

  @Test("what does not fit in the title takes its short form")
  func narrow() {
    var desk = desk(pending: 12, columns: 40)
    (desk.sync.conflicts, desk.sync.refused) = (3, 1)
    desk.sync.lastPull = Date(timeIntervalSince1970: 0)
    desk.survey(last: LocalMoment(year: 2026, month: 11, day: 21, hour: 9, minute: 5))
    #expect(desk.row(0) == " Open 2       ↑8  ≠3  !1 · synced 09:05")
    desk.press(.character("/"))
    desk.type("a")
    desk.survey(last: LocalMoment(year: 2026, month: 11, day: 21, hour: 9, minute: 5))
    #expect(desk.row(0) == " Open 1/2   /a         ↑8 ≠3 !1 · 09:05")
  }

  @Test("the title is never wider than the screen, however much there is to say")
  func tooMuch() {
    var desk = desk(pending: 90_000, columns: 20)
    (desk.sync.conflicts, desk.sync.refused) = (3_000, 1_000)
    desk.survey()
    desk.press(.character("r"))
    desk.tell(.refresh(.progress(SyncProgress(sent: 12_000, toSend: 86_000, received: 100))))
    #expect(desk.frame.lines[0].columns == 20)
  }

  @Test("the reason of a refusal is in words when its row is chosen")
  func refusedRow() {
    let item = TodoItem(id: "a", text: "a", state: .refused(status: 400, reason: "too long"))
    #expect(Desk(items: [item]).said == "Refused by the server: too long")
  }
}
