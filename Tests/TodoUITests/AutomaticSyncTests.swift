import OfflineSync
import Testing
import TodoCore

@testable import Terminal
@testable import TodoUI

@Suite("Syncing without being asked")
struct AutomaticSyncTests {
  private func desk(_ automatic: AutomaticSync) -> Desk {
    var preferences = Preferences()
    preferences.automatic = automatic
    var desk = Desk(["a", "b"], preferences: preferences)
    desk.survey()
    return desk
  }

  @Test("by default nothing syncs by itself, and nothing ever wakes the list")
  func never() {
    var desk = desk(AutomaticSync())
    desk.press(.character("x"))
    desk.sync.pending = 1
    desk.survey()
    desk.wait(milliseconds: 3_600_000)
    #expect(desk.refreshCount == 0)
    #expect(desk.model.nextWake == nil)
  }

  @Test("on launch once, after the first paint")
  func launch() {
    var desk = desk(AutomaticSync(onLaunch: true))
    desk.wait(milliseconds: 10)
    #expect(desk.refreshCount == 1)
    desk.tell(.refresh(.finished(RefreshResult())))
    desk.wait(milliseconds: 3_600_000)
    #expect(desk.refreshCount == 1)
  }

  @Test("on launch also when the first moment comes before it is known whether there is a server")
  func launchBeforeTheStatus() {
    var preferences = Preferences()
    preferences.automatic = AutomaticSync(onLaunch: true)
    var desk = Desk(["a"], preferences: preferences)
    #expect(desk.model.nextWake == nil)
    desk.tell(.tick)
    desk.survey()
    desk.wait(milliseconds: 10)
    #expect(desk.refreshCount == 1)
  }

  @Test("one that was cut by the stop of the program is started again, with a word")
  func suspended() {
    var desk = desk(AutomaticSync(onLaunch: true))
    desk.wait(milliseconds: 10)
    desk.tell(.suspended)
    desk.tell(.resumed)
    desk.tell(.refresh(.finished(RefreshResult(failure: .cancelled))))
    #expect(desk.refreshCount == 2 && desk.said == "The list was stopped; its sync is started again.")
    desk.tell(.refresh(.finished(RefreshResult(failure: .remote(.unreachable("no route"))))))
    #expect(!desk.said.contains("started again"), "\(desk.said)")
  }

  @Test("a second after the last change")
  func change() {
    var desk = desk(AutomaticSync(onChange: true))
    for pending in 1...3 {
      desk.sync.pending = pending
      desk.survey()
      desk.wait(milliseconds: 900)
    }
    #expect(desk.refreshCount == 0)
    desk.wait(milliseconds: 100)
    #expect(desk.refreshCount == 1)
  }

  @Test("every so many minutes, counted from the last one, also one asked for")
  func interval() {
    var desk = desk(AutomaticSync(minutes: 15))
    desk.wait(milliseconds: 10 * 60_000)
    desk.press(.character("r"))
    desk.tell(.refresh(.finished(RefreshResult())))
    desk.wait(milliseconds: 14 * 60_000)
    #expect(desk.refreshCount == 1)
    desk.wait(milliseconds: 60_000)
    #expect(desk.refreshCount == 2)
  }

  @Test("what could not be done is tried again, later each time, and it counts down")
  func backOff() {
    var desk = desk(AutomaticSync(onChange: true))
    var waits: [Int] = []
    desk.press(.character("r"))
    for _ in 0..<12 {
      let before = desk.refreshCount
      desk.tell(.refresh(.finished(RefreshResult(failure: .remote(.unreachable("no route"))))))
      #expect(desk.screen.contains("ext try ") && desk.syncState.contains("offline"))
      desk.press(.escape)
      #expect(desk.status.contains("offline, no route, next try "))
      let began = desk.now.uptime
      while desk.refreshCount == before { desk.wait(milliseconds: 1_000) }
      waits.append(desk.now.uptime - began)
    }
    #expect(waits[0] >= 3_000 && waits[0] <= 8_000)
    #expect(waits[3] > waits[1])
    #expect((waits.max() ?? 0) <= AutomaticRefresh.longestRetry * 5 / 4 + 1_000)
  }

  @Test("changes that met newer copies each time they were sent wait as after a failure, and the list says how long")
  func changesLeft() {
    var desk = desk(AutomaticSync(onChange: true))
    desk.sync.pending = 1
    desk.survey()
    desk.wait(milliseconds: 1_000)
    var result = RefreshResult()
    result.leavesChanges = true
    for (tries, wait) in [3_500, 7_000, 14_000].enumerated() {
      #expect(desk.refreshCount == tries + 1)
      desk.tell(.refresh(.finished(result)))
      desk.survey()
      #expect(desk.status.contains("online, next try 0:"), "\(desk.status)")
      desk.wait(milliseconds: wait)
      #expect(desk.refreshCount == tries + 1, "not before \(wait) ms")
      desk.wait(milliseconds: wait)
    }
    #expect(desk.refreshCount == 4)
    desk.tell(.refresh(.finished(RefreshResult())))
    desk.sync.pending = 2
    desk.survey()
    desk.wait(milliseconds: 1_000)
    #expect(desk.refreshCount == 5)
    #expect(!desk.status.contains("next try"), "\(desk.status)")
  }

  @Test("a new change does not wait with those that met newer copies, but it waits after a failure")
  func newChange() {
    let cases: [(SyncFailure?, Int)] = [(nil, 2), (.remote(.unreachable("no route")), 1)]
    for (failure, count) in cases {
      var desk = desk(AutomaticSync(onChange: true))
      desk.sync.pending = 1
      desk.survey()
      desk.wait(milliseconds: 1_000)
      var result = RefreshResult(failure: failure)
      result.leavesChanges = true
      desk.tell(.refresh(.finished(result)))
      desk.survey()
      desk.wait(milliseconds: 1_500)
      #expect(desk.refreshCount == 1)
      desk.sync.pending = 2
      desk.survey()
      desk.wait(milliseconds: 1_000)
      #expect(desk.refreshCount == count, "\(String(describing: failure))")
    }
  }

  @Test("a change that is made while a sync runs goes out a moment after it, whatever that left behind")
  func lateChange() {
    var desk = desk(AutomaticSync(onChange: true))
    desk.sync.pending = 1
    desk.survey()
    desk.wait(milliseconds: 1_000)
    #expect(desk.refreshCount == 1)
    desk.sync.pending = 2
    desk.survey()
    var result = RefreshResult(failure: nil)
    result.leavesChanges = true
    desk.tell(.refresh(.finished(result)))
    desk.survey()
    desk.wait(milliseconds: 1_000)
    #expect(desk.refreshCount == 2)
    desk.tell(.refresh(.finished(result)))
    desk.survey()
    desk.wait(milliseconds: 1_500)
    #expect(desk.refreshCount == 2, "and what is left waits")
  }

  @Test("a server that answers, and had no room for some requests, is online, and the rest is tried again")
  func fewConnections() {
    var desk = desk(AutomaticSync(onChange: true))
    desk.sync.pending = 1
    desk.survey()
    desk.wait(milliseconds: 1_000)
    let reason = RemoteFailure.Reason.unreachable("connection cut", kind: .cut)
    let failure = SyncFailure.remote(RemoteFailure(reason, mayHaveActed: true, concernsAll: false))
    desk.tell(.refresh(.finished(RefreshResult(failure: failure))))
    desk.survey()
    #expect(desk.status.contains("online, next try 0:"), "\(desk.status)")
    #expect(failure.pullEnd == .complete)
    #expect(SyncFailure.remote(RemoteFailure(reason, mayHaveActed: true)).pullEnd == .incomplete)
    desk.wait(milliseconds: 10_000)
    #expect(desk.refreshCount == 2)
  }

  @Test("a failure that Ebb tries again by itself asks nobody to press a key, also while the next try runs")
  func triesAgain() {
    var desk = desk(AutomaticSync(onChange: true))
    desk.press(.character("r"))
    desk.tell(.refresh(.finished(RefreshResult(failure: .remote(.unreachable("no route"))))))
    #expect(desk.said.contains("(no route). Next try in 0:"), "\(desk.said)")
    while desk.refreshCount == 1 { desk.wait(milliseconds: 1_000) }
    #expect(desk.said.hasSuffix("(no route). Ebb is trying again."), "\(desk.said)")
  }

  @Test(
    "what only a person can mend is not tried again by itself, also when more waits, until somebody asks",
    arguments: [
      SyncFailure.remote(.signInNeeded), .remote(.notAllowed), .otherAccount(OtherAccount(owner: "a", current: "b")),
      .massRemoval(rows: 6, total: 8), .remote(.alteredAnswer(.ownColumns)),
      .remote(.refusedOnTheWay(status: 401, message: "no")),
    ])
  func needsPerson(failure: SyncFailure) {
    var desk = desk(AutomaticSync(onChange: true))
    desk.sync.pending = 1
    desk.survey()
    desk.wait(milliseconds: 1_000)
    #expect(desk.refreshCount == 1)
    desk.tell(.refresh(.finished(RefreshResult(failure: failure))))
    for pending in 1...3 {
      desk.sync.pending = pending
      desk.survey()
      desk.wait(milliseconds: 60_000)
    }
    #expect(desk.refreshCount == 1)
    desk.press(.character("r"))
    #expect(desk.refreshCount == 2)
    desk.tell(.refresh(.finished(RefreshResult())))
    desk.sync.pending = 4
    desk.survey()
    desk.wait(milliseconds: 1_000)
    #expect(desk.refreshCount == 3)
  }

  @Test(
    "an answer that something on the way gave or changed is no verdict: Ebb tries again, and says when",
    arguments: [
      (.notTheServer("text/html, status 403"), "offline, something else answered, next try 0:"),
      (.refusedOnTheWay(status: 403, message: "blocked"), "offline, refused on the way (403), next try 0:"),
      (.alteredAnswer(.headersRemoved), "offline, answers are changed on the way, next try 0:"),
      (.alteredAnswer(.tokenRemoved), "offline, answers are changed on the way, next try 0:"),
      (.alteredAnswer(.compressed), "offline, answers are changed on the way, next try 0:"),
      (.alteredAnswer(.otherRequest), "offline, answers are changed on the way, next try 0:"),
    ] as [(RemoteFailure.Reason, String)])
  func onTheWay(reason: RemoteFailure.Reason, words: String) {
    var desk = desk(AutomaticSync(onChange: true))
    desk.sync.pending = 1
    desk.survey()
    desk.wait(milliseconds: 1_000)
    for count in 2...3 {
      desk.tell(.refresh(.finished(RefreshResult(failure: .remote(reason)))))
      #expect(desk.status.contains(words), "\(desk.status)")
      desk.wait(milliseconds: 20_000)
      #expect(desk.refreshCount == count)
    }
    desk.tell(.refresh(.finished(RefreshResult())))
    desk.sync.pending = 2
    desk.survey()
    desk.wait(milliseconds: 1_000)
    #expect(desk.refreshCount == 4)
  }

  @Test("each end of a sync says what becomes of the next one")
  func outlooks() {
    let passing: [RemoteFailure.Reason] = [
      .unreachable("no route"), .notTheServer("a page"), .refusedOnTheWay(status: 403, message: ""),
      .busy(status: 503, retryAfter: nil), .serverError(status: 500, message: ""), .badAnswer("HTML"), .otherDatabase,
      .otherEpoch,
    ]
    for reason in passing { #expect(SyncFailure.remote(reason).outlook == .mayPass, "\(reason)") }
    let lasting: [RemoteFailure.Reason] = [
      .noServer, .noSignIn, .signInNeeded, .notAllowed, .refusedOnTheWay(status: 401, message: ""),
    ]
    for reason in lasting {
      #expect(SyncFailure.remote(reason).outlook == .needsPerson, "\(reason)")
    }
    for alteration in RemoteFailure.Alteration.allCases {
      let outlook = SyncFailure.remote(.alteredAnswer(alteration)).outlook
      #expect(outlook == (alteration == .ownColumns ? .needsPerson : .mayPass), "\(alteration)")
    }
    let others: [(SyncFailure, SyncFailure.Outlook)] = [
      (.serverWentBack(ServerWentBack(items: 1)), .finished), (.cancelled, .stopped),
      (.massRemoval(rows: 6, total: 8), .needsPerson),
      (.otherAccount(OtherAccount(owner: "a", current: "b")), .needsPerson), (.otherProgramBusy, .mayPass),
      (.invalidPull(.select), .mayPass), (.other("r"), .mayPass), (.store(.busy(path: "p")), .mayPass),
      (.store(.diskFull(path: "p")), .mayPass), (.store(.notAStore(path: "p")), .needsPerson),
    ]
    for (failure, outlook) in others { #expect(failure.outlook == outlook, "\(failure)") }
  }

  @Test("after one that was stopped the next change goes out, and not what waits already")
  func stopped() {
    var desk = desk(AutomaticSync(onChange: true))
    desk.sync.pending = 1
    desk.survey()
    desk.wait(milliseconds: 1_000)
    desk.tell(.refresh(.finished(RefreshResult(failure: .cancelled))))
    desk.survey()
    desk.wait(milliseconds: 60_000)
    #expect(desk.refreshCount == 1)
    desk.sync.pending = 2
    desk.survey()
    desk.wait(milliseconds: 1_000)
    #expect(desk.refreshCount == 2)
  }

  @Test("a busy server is not asked before the time it named")
  func busy() {
    var desk = desk(AutomaticSync(onChange: true))
    desk.press(.character("r"))
    desk.tell(.refresh(.finished(RefreshResult(failure: .remote(.busy(status: 503, retryAfter: 120))))))
    desk.press(.escape)
    #expect(desk.status.contains("server busy, next try 2:00"))
    desk.wait(milliseconds: 119_000)
    #expect(desk.refreshCount == 1)
    desk.wait(milliseconds: 1_000)
    #expect(desk.refreshCount == 2)
  }

  @Test("asking by hand wins: a try that is due later comes at once, and one that runs is done again and reported")
  func manual() {
    var desk = desk(AutomaticSync(onLaunch: true))
    desk.wait(milliseconds: 10)
    desk.press(.character("r"))
    #expect(desk.refreshCount == 1)
    desk.tell(.refresh(.finished(RefreshResult())))
    #expect(desk.refreshCount == 2)
    desk.tell(.refresh(.finished(RefreshResult(failure: .remote(.unreachable("no route"))))))
    #expect(desk.screen.contains("Can't reach the server"))
    desk.press(.character("r"))
    #expect(desk.refreshCount == 3)
  }

  @Test("one that nobody asked for interrupts nobody when it fails")
  func quiet() {
    var desk = desk(AutomaticSync(onLaunch: true))
    desk.wait(milliseconds: 10)
    desk.tell(.refresh(.finished(RefreshResult(failure: .remote(.unreachable("no route"))))))
    #expect(desk.model.screen.notice == nil)
    #expect(desk.syncState.contains("offline"))
  }

  @Test(
    "on leaving a last push goes out, and the list closes when it is done or two seconds are over",
    arguments: [true, false])
  func leaving(answers: Bool) {
    var desk = desk(AutomaticSync(onChange: true))
    desk.sync.pending = 2
    desk.survey()
    desk.press(.character("q"))
    var push = RefreshOptions()
    push.pulls = false
    #expect(desk.effects.contains(.sync(.refresh(push))))
    #expect(!desk.effects.contains(.screen(.quit)))
    if answers { desk.tell(.refresh(.finished(RefreshResult(pushed: 2)))) } else { desk.wait(milliseconds: 2_000) }
    #expect(desk.effects.contains(.screen(.quit)))
  }

  @Test("what was changed while a sync ran goes out after it")
  func changedMeanwhile() {
    var desk = desk(AutomaticSync(onChange: true))
    desk.press(.character("r"))
    desk.sync.pending = 1
    desk.survey()
    desk.tell(.refresh(.finished(RefreshResult())))
    desk.survey()
    desk.wait(milliseconds: 1_000)
    #expect(desk.refreshCount == 2)
  }

  @Test("conflicts and refusals alone make it try nothing by itself, and hold up nobody who leaves")
  func undecided() {
    var desk = desk(AutomaticSync(onChange: true))
    (desk.sync.pending, desk.sync.conflicts) = (1, 1)
    desk.survey()
    desk.wait(milliseconds: 60_000)
    #expect(desk.refreshCount == 0)
    desk.press(.character("q"))
    #expect(desk.effects.last == .screen(.quit))
  }

  @Test(
    "a sync that leaves items to be decided is a finished one: changes go out after it, and so does the decision",
    arguments: [
      AutomaticSync(onChange: true), AutomaticSync(onChange: true, minutes: 15),
      AutomaticSync(onChange: true, isLive: true),
    ])
  func held(automatic: AutomaticSync) {
    var desk = desk(automatic)
    let wentBack = Message.refresh(.finished(RefreshResult(failure: .serverWentBack(ServerWentBack(items: 1)))))
    desk.sync.pending = 1
    desk.survey()
    desk.wait(milliseconds: 1_000)
    #expect(desk.refreshCount == 1)
    desk.tell(wentBack)
    desk.sync.conflicts = 1
    desk.survey()
    desk.wait(milliseconds: 2_000)
    #expect(desk.refreshCount == 1, "nothing waits but the decision")
    desk.sync.pending = 2
    desk.survey()
    desk.wait(milliseconds: 1_000)
    #expect(desk.refreshCount == 2)
    desk.tell(wentBack)
    desk.sync.pending = 1
    desk.survey()
    desk.sync.conflicts = 0
    desk.survey()
    desk.wait(milliseconds: 1_000)
    #expect(desk.refreshCount == 3, "the decision goes out")
  }

  @Test("what waits for a decision is said once, with the key for it, and again if it is more or a key asks")
  func heldIsSaidOnce() {
    var preferences = Preferences()
    preferences.automatic = AutomaticSync(onChange: true)
    var desk = Desk(["a"], columns: 120, preferences: preferences)
    desk.survey()
    let sentence = "The server went back to an older state: %d items are newer here. Press c to decide."
    for (number, items) in [2, 2, 1, 3].enumerated() {
      (desk.sync.pending, desk.sync.conflicts) = (items + 1, items)
      desk.survey()
      desk.wait(milliseconds: 1_000)
      #expect(desk.refreshCount == number + 1)
      let failure = SyncFailure.serverWentBack(ServerWentBack(items: items))
      desk.tell(.refresh(.finished(RefreshResult(failure: failure))))
      desk.sync.pending = items
      desk.survey()
      let isSaid = desk.status.contains(sentence.replacing("%d", with: "\(items)"))
      #expect(isSaid == [0, 3].contains(number), "\(desk.status)")
      desk.press(.escape)
      #expect(!desk.screen.contains("older state") && !desk.screen.contains("tries again"), "\(desk.screen)")
    }
    desk.press(.character("r"))
    desk.tell(.refresh(.finished(RefreshResult(failure: .serverWentBack(ServerWentBack(items: 3))))))
    #expect(desk.status.contains(sentence.replacing("%d", with: "3")), "\(desk.status)")
  }

  @Test("while the last push runs q leaves at once, and any other key stays", arguments: ["q", "j"])
  func leavingTwice(key: Character) {
    var desk = desk(AutomaticSync(onChange: true))
    desk.sync.pending = 2
    desk.survey()
    desk.press(.character("q"), .character(key))
    #expect(desk.effects.contains(.screen(.quit)) == (key == "q"))
    if key == "j" {
      desk.wait(milliseconds: 10_000)
      #expect(!desk.effects.contains(.screen(.quit)))
    }
  }
}
