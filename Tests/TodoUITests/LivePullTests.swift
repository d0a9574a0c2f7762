import OfflineSync
import TableProtocol
import Testing
import TodoCore
import Words

@testable import Terminal
@testable import TodoUI

@Suite("A list that is live")
struct LivePullTests {
  private func desk(_ texts: [String] = ["a", "b"], charset: Charset = .utf8, columns: Int = 80) -> Desk {
    var preferences = Preferences()
    preferences.automatic = AutomaticSync(isLive: true)
    var desk = Desk(texts, columns: columns, charset: charset, preferences: preferences)
    desk.survey()
    return desk
  }

  private static let refused = RemoteFailure.Reason.unreachable("connection refused", kind: .refused)

  private func level(_ moment: Int64) -> ListLevel {
    ListLevel(updatedAt: Timestamp(milliseconds: moment), database: "d", epoch: 1)
  }

  private func position(_ moment: Int64) -> ListPosition {
    ListPosition(token: Timestamp(milliseconds: moment), database: "d", epoch: 1)
  }

  private func receive(_ event: NoticeEvent, _ desk: inout Desk) {
    desk.tell(.noticed(event, connection: desk.model.sync.line.number))
  }

  @Test("opens its connection after the first paint, and only if it is asked for and there is a server")
  func opens() {
    for (isLive, hasServer) in [(true, true), (true, false), (false, true)] {
      var preferences = Preferences()
      preferences.automatic = AutomaticSync(isLive: isLive)
      preferences.hasServer = hasServer
      var model = Model(size: Size(columns: 80, rows: 24), charset: .utf8, preferences: preferences, now: Desk.morning)
      #expect(!firstEffects(model).contains { if case .sync = $0 { true } else { false } })
      let effects = update(&model, .painted, at: Desk.morning)
      #expect(effects.contains(.sync(.listen(1))) == (isLive && hasServer))
    }
  }

  @Test("refreshes when the server has what is not here, once for what comes together, and not for its own changes")
  func refreshes() {
    var desk = desk()
    desk.position = position(5)
    receive(.level(level(5)), &desk)
    desk.wait(milliseconds: 5_000)
    #expect(desk.refreshCount == 0)
    for moment in 6...9 { receive(.level(level(Int64(moment))), &desk) }
    desk.wait(milliseconds: 300)
    #expect(desk.refreshCount == 1)
    desk.position = position(9)
    desk.tell(.refresh(.finished(RefreshResult())))
    receive(.level(level(9)), &desk)
    desk.wait(milliseconds: 60_000)
    #expect(desk.refreshCount == 1)
  }

  @Test("asks again after a refresh for what came while it ran")
  func during() {
    var desk = desk()
    desk.press(.character("r"))
    receive(.level(level(7)), &desk)
    desk.wait(milliseconds: 1_000)
    #expect(desk.refreshCount == 1)
    desk.tell(.refresh(.finished(RefreshResult())))
    desk.wait(milliseconds: 10)
    #expect(desk.refreshCount == 2)
  }

  @Test("hurries no server that fails or asks for time, however many notices come")
  func failing() {
    for asked in [nil, 120] {
      var desk = desk()
      receive(.level(level(7)), &desk)
      desk.wait(milliseconds: 300)
      desk.tell(.refresh(.finished(RefreshResult(failure: .remote(.busy(status: 503, retryAfter: asked))))))
      for moment in 8...17 {
        receive(.level(level(Int64(moment))), &desk)
        desk.wait(milliseconds: 300)
      }
      #expect(desk.refreshCount == 1)
      desk.wait(milliseconds: 120_000)
      #expect(desk.refreshCount == 2)
    }
  }

  @Test("pulls less and less for a server that announces what no pull brings, and at once when its user asks")
  func lies() {
    var desk = desk()
    desk.position = position(5)
    for moment in 100..<700 {
      receive(.level(level(Int64(moment))), &desk)
      desk.wait(milliseconds: 100)
      if desk.model.sync.refresh.isRunning { desk.tell(.refresh(.finished(RefreshResult()))) }
    }
    #expect((4...10).contains(desk.refreshCount), "\(desk.refreshCount)")
    let before = desk.refreshCount
    desk.press(.character("r"))
    #expect(desk.refreshCount == before + 1)
  }

  @Test("repeats no pull that waits for a decision because of notices, until its user has decided")
  func undecided() {
    var desk = desk()
    let removal = MassRemoval(rows: 6, total: 8)
    receive(.level(level(7)), &desk)
    desk.wait(milliseconds: 300)
    desk.tell(.refresh(.finished(RefreshResult(failure: .massRemoval(removal)))))
    for moment in 8..<68 {
      receive(.level(level(Int64(moment))), &desk)
      desk.wait(milliseconds: 1_000)
    }
    #expect(desk.refreshCount == 1)
    desk.press(.character("r"))
    desk.tell(.refresh(.finished(RefreshResult())))
    receive(.level(level(99)), &desk)
    desk.wait(milliseconds: 300)
    #expect(desk.refreshCount == 3)
  }

  @Test("says that there is no room here for what comes, tries again, and takes that back when it worked")
  func noRoom() {
    var desk = desk()
    receive(.level(level(7)), &desk)
    desk.wait(milliseconds: 300)
    desk.tell(.refresh(.finished(RefreshResult(failure: .store(.diskFull(path: "list.sqlite"))))))
    #expect(desk.screen.contains("disk is full"), "\(desk.screen)")
    desk.wait(milliseconds: 120_000)
    #expect(desk.refreshCount == 2)
    desk.tell(.refresh(.finished(RefreshResult())))
    #expect(desk.model.screen.notice == nil, "an advice that is not true any more would do harm")
  }

  @Test("sends what is changed here sooner than a list that is not", arguments: [true, false])
  func sending(isLive: Bool) {
    var preferences = Preferences()
    preferences.automatic = AutomaticSync(onChange: true, isLive: true)
    var desk = Desk(["a"], preferences: preferences)
    desk.survey()
    if isLive { receive(.heartbeat, &desk) }
    desk.sync.pending = 1
    desk.survey()
    desk.wait(milliseconds: 300)
    #expect(desk.refreshCount == (isLive ? 1 : 0))
    desk.wait(milliseconds: 700)
    #expect(desk.refreshCount == 1)
  }

  @Test("wakes by itself only to find silence, and then a little later to connect again")
  func quiet() {
    var desk = desk()
    receive(.asked, &desk)
    receive(.heartbeat, &desk)
    #expect(desk.model.nextWake == desk.now.uptime + NoticeLine.silence)
    desk.wait(milliseconds: NoticeLine.silence)
    #expect(desk.effects.contains(.sync(.stopListening)))
    desk.wait(milliseconds: 2_000)
    #expect(desk.effects.contains(.sync(.listen(2))))
  }

  @Test("closes its connection while it is stopped, and when nobody has looked for ten minutes")
  func pauses() {
    var desk = desk()
    receive(.heartbeat, &desk)
    desk.tell(.suspended)
    #expect(desk.effects.last == .sync(.stopListening) && desk.model.nextWake == nil)
    desk.tell(.resumed)
    #expect(desk.effects.last == .sync(.listen(2)))
    receive(.heartbeat, &desk)
    desk.tell(.unfocused)
    for _ in 0..<13 {
      desk.wait(milliseconds: 45_000)
      receive(.heartbeat, &desk)
    }
    #expect(desk.model.nextWake != nil)
    desk.wait(milliseconds: 45_000)
    #expect(desk.model.nextWake == nil && desk.effects.last == .sync(.stopListening))
    desk.press(.character("j"))
    #expect(desk.effects.contains(.sync(.listen(3))), "a key is a look")
  }

  @Test(
    "says how its connection is",
    arguments: [
      ([NoticeEvent.asked], "connecting", ""), ([.heartbeat], "live", ""),
      (
        [.heartbeat, .ended(.failed(Self.refused))], "not live",
        "Not live. Can't reach the server (connection refused). Next try in 0:01."
      ),
      ([.heartbeat, .ended(.finished(retry: nil))], "connecting", ""),
      (
        [.ended(.failed(.busy(status: 504, retryAfter: 1)))], "not live",
        "Not live. The server is busy. Next try in 0:02."
      ),
      (
        [.ended(.failed(.busy(status: 502, retryAfter: nil)))], "not live",
        "not live, no answer behind the proxy, next try 0:02"
      ),
      (
        [.ended(.failed(.busy(status: 503, retryAfter: 1)))], "not live",
        "Not live. The server is busy. Next try in 0:02."
      ),
      (
        [.ended(.failed(.serverError(status: 500, message: "Internal Server Error")))], "not live",
        "Not live. The server failed (500 Internal Server Error). Next try in 0:01."
      ),
      (
        [.ended(.failed(.notTheServer("a page, status 200")))], "not live",
        "not live, something else answered, next try 0:01"
      ),
      ([.ended(.notSignedIn)], "not live", "refuses the sign-in"),
      ([.ended(.noSignIn)], "not live", "No token can be read here, so no notices come. Run ebb doctor."),
      ([.ended(.notOffered)], "not live", "sends no notices"),
    ])
  func status(events: [NoticeEvent], word: String, sentence: String) {
    for charset in [Charset.utf8, .ascii] {
      var desk = desk(charset: charset)
      desk.tell(.refresh(.finished(RefreshResult())))
      // The receipt is gone by then.
      desk.wait(milliseconds: Refresh.receiptTime)
      for event in events { receive(event, &desk) }
      #expect(desk.syncState.hasPrefix(word), "\(desk.syncState)")
      #expect(sentence.isEmpty || desk.status.contains(sentence), "\(desk.status)")
    }
  }

  @Test("goes on with what is new while items wait for a decision, and is called live")
  func held() {
    var desk = desk()
    desk.position = position(5)
    receive(.level(level(7)), &desk)
    desk.wait(milliseconds: 300)
    #expect(desk.refreshCount == 1)
    desk.tell(.refresh(.finished(RefreshResult(failure: .serverWentBack(ServerWentBack(items: 2))))))
    #expect(desk.syncState.hasPrefix("live"), "\(desk.syncState)")
    desk.position = position(7)
    receive(.level(level(8)), &desk)
    desk.wait(milliseconds: 300)
    #expect(desk.refreshCount == 2)
  }

  @Test("is not called live while a person has to do something before anything comes")
  func waitsForPerson() {
    var desk = desk()
    desk.tell(.refresh(.finished(RefreshResult(failure: .massRemoval(rows: 6, total: 8)))))
    desk.wait(milliseconds: Refresh.receiptTime)
    receive(.heartbeat, &desk)
    #expect(desk.syncState.contains("waits for you"), "\(desk.syncState)")
    desk.tell(.refresh(.finished(RefreshResult())))
    desk.wait(milliseconds: Refresh.receiptTime)
    #expect(desk.syncState.hasPrefix("live"), "\(desk.syncState)")
  }

  @Test("says on a small screen too that it is not live, and when the next try is; what came waits for that")
  func small() {
    var desk = desk(columns: 40)
    desk.arrivals = [Arrival(id: "b", before: nil, after: TodoCopy(text: "b"), arrivedAt: desk.now.date)]
    desk.tell(.refresh(.finished(RefreshResult())))
    desk.wait(milliseconds: Refresh.receiptTime)
    desk.survey()
    for event in [NoticeEvent.heartbeat, .ended(.failed(Self.refused))] { receive(event, &desk) }
    #expect(desk.syncState.contains("not live"), "\(desk.row(0))")
    #expect(desk.said == "not live, next try 0:01", "\(desk.status)")
  }

  @Test("is explained in the help to those who look for the word")
  func help() {
    var desk = desk()
    desk.press(.character("?"), .character("/"))
    desk.type("live")
    #expect(desk.screen.contains("ebb help live"), "\(desk.screen)")
  }

  @Test("says that something holds the notices back, and asks every minute")
  func heldBack() {
    var desk = desk(columns: 120)
    for number in 0..<3 {
      receive(.asked, &desk)
      desk.wait(milliseconds: 5_000)
      // The server answers, as far as lists go.
      if number == 0 { desk.tell(.refresh(.finished(RefreshResult()))) }
      while case .waiting = desk.model.sync.line.state { desk.wait(milliseconds: 1_000) }
    }
    desk.wait(milliseconds: 10)
    desk.tell(.refresh(.finished(RefreshResult())))
    #expect(desk.syncState.hasPrefix("asks each minute"), "\(desk.syncState)")
    #expect(desk.status.contains("holds back the server’s notices"), "\(desk.status)")
    let before = desk.refreshCount
    desk.wait(milliseconds: 60_100)
    #expect(desk.refreshCount == before + 1)
    desk.tell(.refresh(.finished(RefreshResult())))
    desk.press(.character("r"))
    desk.tell(.refresh(.finished(RefreshResult())))
    #expect(desk.effects.contains(.sync(.listen(4))), "a refresh by hand that works tries again")
  }

  @Test("tells those who hear it when it is live, and why it is not any more")
  func plain() {
    var before = desk()
    var after = before
    receive(.heartbeat, &after)
    #expect(announcements(from: before.model, to: after.model) == ["Live: changes on the server appear here at once."])
    before = after
    receive(.heartbeat, &after)
    #expect(announcements(from: before.model, to: after.model) == [])
    receive(.ended(.failed(Self.refused)), &after)
    #expect(
      announcements(from: before.model, to: after.model)
        == ["Not live. Can't reach the server (connection refused). Ebb connects again by itself."])
    before = after
    for _ in 0..<3 {
      after.wait(milliseconds: 10_000)
      receive(.ended(.failed(Self.refused)), &after)
    }
    #expect(announcements(from: before.model, to: after.model) == [], "once is enough")
    var ended = desk()
    receive(.heartbeat, &ended)
    before = ended
    receive(.ended(.finished(retry: nil)), &ended)
    #expect(announcements(from: before.model, to: ended.model) == [], "each server does that every hour")
    before = ended
    ended.wait(milliseconds: 10_000)
    receive(.ended(.finished(retry: nil)), &ended)
    #expect(ended.status.contains("Not live: the server ended the connection. Next try in 0:0"), "\(ended.status)")
    #expect(
      announcements(from: before.model, to: ended.model)
        == ["Not live: the server ended the connection. Ebb connects again by itself."])
    before = ended
    ended.wait(milliseconds: 10_000)
    receive(.ended(.failed(.busy(status: 503, retryAfter: 1))), &ended)
    #expect(
      announcements(from: before.model, to: ended.model)
        == ["Not live. The server is busy. Ebb connects again by itself."], "by then it is known why")
  }

  @Test("is told in words, without that nothing was asked yet", arguments: Language.allCases)
  func words(language: Language) throws {
    let text = Catalogue.of(language)
    var preferences = Preferences(catalogue: text)
    preferences.automatic = AutomaticSync(isLive: true)
    for (events, key) in [
      ([], .lineConnecting), ([.heartbeat], .lineLive), ([.ended(.failed(Self.refused))], .lineNotLive),
    ] as [([NoticeEvent], StringKey)] {
      var desk = Desk([], preferences: preferences)
      desk.sync.lastPull = desk.now.date
      desk.survey()
      for event in events { receive(event, &desk) }
      let screen = desk.model.screen
      let words = StatusView(sync: desk.model.sync, size: screen.size, hasServer: true, brush: Brush(screen)).words.text
      #expect(words.contains(text.text(key)), "\(words)")
    }
  }

  @Test("keeps the row under the cursor where it is, whatever comes above it", arguments: [0, 3, 20])
  func cursor(down: Int) {
    var desk = desk((0..<60).map { "row \($0)" })
    for _ in 0..<down { desk.press(.character("j")) }
    let (selected, line) = (desk.selected, desk.screenLine)
    for number in 0..<5 { desk.items.insert(TodoItem(id: RecordID("new \(number)"), text: "new \(number)"), at: 0) }
    desk.items.removeAll { $0.text == "row 55" }
    desk.tell(.storeChanged(.rows))
    #expect(desk.selected == selected)
    if down > 0 { #expect(desk.screenLine == line) }
  }
}

extension Desk {
  /// The line of the screen that the chosen row stands on.
  fileprivate var screenLine: Int? {
    let selected = selected ?? ""
    return screen.split(separator: "\n", omittingEmptySubsequences: false).firstIndex {
      $0.contains(selected + " ") || $0.hasSuffix(selected)
    }
  }
}
