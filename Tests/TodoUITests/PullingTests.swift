import FoundationEssentials
import OfflineSync
import Testing
import TodoCore

@testable import Terminal
@testable import TodoUI
@testable import Words

@Suite("Pulling the list to refresh")
struct PullingTests {
  private func desk() -> Desk {
    var desk = Desk(["a", "b", "c"])
    desk.sync.pending = 3
    desk.sync.lastPull = desk.now.date.addingTimeInterval(-4 * 60)
    desk.survey(last: LocalMoment(year: 2026, month: 11, day: 21, hour: 9, minute: 26))
    desk.effects = []
    return desk
  }

  private func isAsked(_ desk: Desk) -> Bool {
    desk.effects.contains(.sync(.refresh(RefreshOptions())))
  }

  @Test(
    "one more step up at the first row makes the list give and says what a second one does",
    arguments: [Key.up, .character("k"), .pageUp])
  func give(key: Key) {
    var desk = desk()
    desk.press(key)
    #expect(desk.row(1) == "  ↓ pull to sync · 3 to send · last 4 min ago")
    #expect(desk.row(2) == "▌  [ ]   a")
    desk.wait(milliseconds: 599)
    #expect(desk.row(1).contains("pull to sync"))
    desk.wait(milliseconds: 1)
    #expect(desk.row(1) == "▌  [ ]   a")
    #expect(!isAsked(desk))
  }

  @Test("a second pull in time fires; the line turns into progress, then the receipt, then folds away")
  func fire() {
    var desk = desk()
    desk.press(.up)
    desk.wait(milliseconds: 400)
    desk.press(.up)
    #expect(!isAsked(desk))
    desk.wait(milliseconds: PullGesture.repeating)
    #expect(isAsked(desk))
    #expect(desk.row(1) == "  | refreshing")
    desk.tell(.refresh(.progress(SyncProgress(sent: 1, toSend: 3))))
    #expect(desk.row(1) == "  | sent 1/3 · received 0")
    desk.tell(.refresh(.finished(RefreshResult(pushed: 3, pulled: 1, seconds: 0.3))))
    #expect(desk.row(1) == "  sent 3 · received 1 · 0.3 s")
    desk.wait(milliseconds: Refresh.receiptTime)
    #expect(desk.row(1) == "▌  [ ]   a")
    #expect(desk.model.nextWake == nil)
  }

  @Test("a second pull that comes too late only makes the list give again")
  func late() {
    var desk = desk()
    desk.press(.up)
    desk.wait(milliseconds: 700)
    desk.press(.up)
    desk.wait(milliseconds: 300)
    #expect(!isAsked(desk))
  }

  @Test(
    "a held key never fires, whatever its rhythm", arguments: [(250, 33), (500, 33), (500, 100), (225, 20), (400, 140)])
  func held(delay: Int, rhythm: Int) {
    var desk = desk()
    desk.press(.up)
    desk.wait(milliseconds: delay)
    for _ in 0..<50 {
      desk.press(.up)
      desk.wait(milliseconds: rhythm)
    }
    desk.wait(milliseconds: 2_000)
    #expect(!isAsked(desk))
  }

  @Test("a key held from further down does not even make the list give")
  func heldFromBelow() {
    var desk = desk()
    desk.press(.end)
    for _ in 0..<20 {
      desk.press(.up)
      desk.wait(milliseconds: 33)
    }
    #expect(desk.row(1) == "▌  [ ]   a")
    desk.wait(milliseconds: 200)
    desk.press(.up)
    #expect(desk.row(1).contains("pull to sync"))
  }

  @Test("three notches of the wheel are one pull, and a wheel that goes on turning is no second one")
  func wheel() {
    var desk = desk()
    let notch = MouseEvent(.wheelUp, column: 5, row: 5)
    desk.tell(.mouse(notch))
    desk.tell(.mouse(notch))
    #expect(!desk.row(1).contains("pull to sync"))
    desk.tell(.mouse(notch))
    #expect(desk.row(1).contains("pull to sync"))
    for _ in 0..<40 {
      desk.wait(milliseconds: 20)
      desk.tell(.mouse(notch))
    }
    #expect(!isAsked(desk))
    desk.wait(milliseconds: 200)
    for _ in 0..<3 { desk.tell(.mouse(notch)) }
    desk.wait(milliseconds: 1)
    #expect(isAsked(desk))
  }

  @Test("r fires at once, pulled or not")
  func refreshKey() {
    var desk = desk()
    desk.press(.up, .character("r"))
    #expect(isAsked(desk))
  }
}
