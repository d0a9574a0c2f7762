import Chance
import OfflineSync
import Support
import TableProtocol
import Testing

/// Every state of the connection for notices against every event.
@Suite("The connection for notices")
struct NoticeLineTests {
  typealias State = NoticeLine.State
  typealias Event = NoticeLine.Event
  typealias Action = NoticeLine.Action

  private static let level = ListLevel(updatedAt: Timestamp(milliseconds: 7), database: "d", epoch: 1)
  private static let later = ListLevel(updatedAt: Timestamp(milliseconds: 9), database: "d", epoch: 1)
  private static let cut = RemoteFailure.Reason.unreachable("connection cut", kind: .cut)
  private static let there = ListPosition(token: level.updatedAt, database: "d", epoch: 1)
  private static let elsewhere = ListPosition(token: Timestamp(milliseconds: 3), database: "d", epoch: 1)
  /// When the event comes.
  private static let now = 200_000

  /// Goes through events, each at its time, without chance: waits are three quarters.
  private static func line(_ events: [(Int, Event)]) -> NoticeLine {
    var line = NoticeLine()
    for (time, event) in events { _ = line.receive(event, at: time, chance: 0) }
    return line
  }

  private static func heard(_ event: NoticeEvent, _ connection: Int = 1) -> Event {
    .heard(event, connection: connection)
  }

  /// When a line that waits for its next connection tries it.
  private static func end(of line: NoticeLine) -> Int? {
    if case .waiting(let until) = line.state { until } else { nil }
  }

  /// A line in each state.
  private static let lines: [(name: String, line: NoticeLine)] = {
    let silent: [(Int, Event)] = (0..<3).flatMap { number -> [(Int, Event)] in
      let start = 100_000 + number * 30_000
      return [
        (start, .tick), (start, heard(.asked, number + 1)), (start + 5_000, .tick),
        (start + 5_000, .refreshEnded(.complete, isByHand: false)),
      ]
    }
    return [
      ("off", NoticeLine()), ("paused", line([(199_000, .start), (199_000, .suspended)])),
      ("connecting", line([(199_000, .start)])), ("asked", line([(199_000, .start), (199_000, heard(.asked))])),
      ("live", line([(190_000, .start), (190_000, heard(.asked)), (199_000, heard(.heartbeat))])),
      ("waiting", line([(199_000, .start), (199_000, heard(.ended(.failed(cut))))])),
      ("held back", line([(100_000, .start)] + silent)),
      ("not signed in", line([(199_000, .start), (199_000, heard(.ended(.notSignedIn)))])),
      ("no sign-in", line([(199_000, .start), (199_000, heard(.ended(.noSignIn)))])),
      ("not offered", line([(199_000, .start), (199_000, heard(.ended(.notOffered)))])),
    ]
  }()

  /// What each event leads to: for the states that are named; all others stay, and nothing is done.
  private static let table: [(event: Event, cells: [String: (State, [Action])])] = [
    (.start, ["off": (.connecting(since: now), [.open(1)])]),
    (
      .stop,
      [
        "paused": (.off, []), "connecting": (.off, [.close]), "asked": (.off, [.close]), "live": (.off, [.close]),
        "waiting": (.off, []), "held back": (.off, []), "not signed in": (.off, []), "no sign-in": (.off, []),
        "not offered": (.off, []),
      ]
    ),
    (heard(.asked), ["connecting": (.asked(since: now), [])]),
    (
      heard(.level(level)),
      [
        "connecting": (.live(since: now, heardAt: now), []), "asked": (.live(since: now, heardAt: now), []),
        "live": (.live(since: 199_000, heardAt: now), []),
      ]
    ),
    (
      heard(.heartbeat),
      [
        "connecting": (.live(since: now, heardAt: now), []), "asked": (.live(since: now, heardAt: now), []),
        "live": (.live(since: 199_000, heardAt: now), []),
      ]
    ),
    (
      heard(.ended(.failed(cut))),
      [
        "connecting": (.waiting(until: now + 750), [.refresh]), "asked": (.waiting(until: now + 750), [.refresh]),
        "live": (.waiting(until: now + 750), []),
      ]
    ),
    (
      heard(.ended(.finished(retry: 5_000))),
      [
        "connecting": (.waiting(until: now + 3_750), [.refresh]), "asked": (.waiting(until: now + 3_750), [.refresh]),
        "live": (.waiting(until: now + 3_750), []),
      ]
    ),
    (
      heard(.ended(.failed(.busy(status: 503, retryAfter: 60)))),
      [
        "connecting": (.waiting(until: now + 60_000), [.refresh]), "asked": (.waiting(until: now + 60_000), [.refresh]),
        "live": (.waiting(until: now + 60_000), []),
      ]
    ),
    (
      heard(.ended(.otherDatabase)),
      [
        "connecting": (.waiting(until: now + 45_000), [.refresh]), "asked": (.waiting(until: now + 45_000), [.refresh]),
        "live": (.waiting(until: now + 45_000), [.refresh]),
      ]
    ),
    (
      heard(.ended(.notOffered)),
      ["connecting": (.notOffered, [.refresh]), "asked": (.notOffered, [.refresh]), "live": (.notOffered, [.refresh])]
    ),
    (
      heard(.ended(.notSignedIn)),
      ["connecting": (.notSignedIn, []), "asked": (.notSignedIn, []), "live": (.notSignedIn, [])]
    ),
    (
      heard(.ended(.noSignIn)),
      ["connecting": (.noSignIn, []), "asked": (.noSignIn, []), "live": (.noSignIn, [])]
    ),
    (heard(.level(level), 77), [:]), (heard(.ended(.failed(cut)), 0), [:]),
    (.tick, ["waiting": (.connecting(since: now), [.open(2)])]), (.refreshBegan, [:]),
    (
      .refreshEnded(.complete, isByHand: true),
      [
        "waiting": (.connecting(since: now), [.open(2)]), "held back": (.connecting(since: now), [.open(4)]),
        "not signed in": (.connecting(since: now), [.open(2)]), "no sign-in": (.connecting(since: now), [.open(2)]),
        "not offered": (.connecting(since: now), [.open(2)]),
      ]
    ),
    (
      .refreshEnded(.complete, isByHand: false),
      [
        "waiting": (.connecting(since: now), [.open(2)]), "held back": (.heldBack, []),
        "no sign-in": (.connecting(since: now), [.open(2)]),
      ]
    ),
    (.refreshEnded(.incomplete, isByHand: true), ["held back": (.waiting(until: now + 3_000), [])]),
    (.refreshEnded(.incomplete, isByHand: false), ["held back": (.waiting(until: now + 3_000), [])]),
    (.refreshEnded(.undecided, isByHand: true), ["held back": (.heldBack, [])]),
    (.compared(there, with: level), [:]),
    (
      .compared(elsewhere, with: level),
      Dictionary(uniqueKeysWithValues: lines.map { ($0.name, ($0.line.state, [.refresh])) })
    ),
    (
      .suspended,
      [
        "connecting": (.paused, [.close]), "asked": (.paused, [.close]), "live": (.paused, [.close]),
        "waiting": (.paused, []), "held back": (.paused, []),
      ]
    ),
    (.resumed, ["paused": (.connecting(since: now), [.open(2)])]),
    (.focused(true), ["paused": (.paused, [])]), (.focused(false), [:]),
  ]

  @Test("in every state meets every event as the table says", arguments: table.indices)
  func cells(row: Int) {
    let (event, cells) = Self.table[row]
    #expect(Set(cells.keys).isSubset(of: Set(Self.lines.map(\.name))))
    for (name, before) in Self.lines {
      var line = before
      let actions = line.receive(event, at: Self.now, chance: 0)
      let (state, expected) = cells[name] ?? (before.state, [])
      #expect(line.state == state && actions == expected, "\(event) in \(name): \(line.state) \(actions)")
    }
  }

  @Test("is in each state of the table")
  func states() {
    let kinds = Self.lines.map { String("\($0.line.state)".prefix { $0 != "(" }) }
    #expect(Set(kinds).count == Self.lines.count && Self.lines.count == 10, "\(kinds)")
  }

  @Test("collects what is said within 300 ms, and asks once")
  func collects() {
    var line = NoticeLine()
    _ = line.receive(.start, at: 0, chance: 0)
    _ = line.receive(Self.heard(.level(Self.level)), at: 1_000, chance: 0)
    #expect(line.dueAt == 1_300)
    _ = line.receive(Self.heard(.level(Self.later)), at: 1_200, chance: 0)
    #expect(line.receive(.tick, at: 1_299, chance: 0) == [])
    #expect(line.receive(.tick, at: 1_300, chance: 0) == [.compare(Self.later)])
    #expect(line.receive(.tick, at: 1_400, chance: 0) == [])
  }

  @Test("asks again after a refresh for what was said while it ran, and not for what one has looked into")
  func duringRefresh() {
    var line = NoticeLine()
    _ = line.receive(.start, at: 0, chance: 0)
    _ = line.receive(Self.heard(.level(Self.level)), at: 0, chance: 0)
    _ = line.receive(.tick, at: 300, chance: 0)
    _ = line.receive(.refreshBegan, at: 300, chance: 0)
    _ = line.receive(Self.heard(.level(Self.later)), at: 400, chance: 0)
    #expect(line.receive(.tick, at: 5_000, chance: 0) == [], "one runs")
    _ = line.receive(.refreshEnded(.complete, isByHand: false), at: 5_000, chance: 0)
    #expect(line.receive(.tick, at: 5_000, chance: 0) == [.compare(Self.later)])
    _ = line.receive(Self.heard(.level(Self.level)), at: 5_100, chance: 0)
    #expect(line.receive(.tick, at: 6_000, chance: 0) == [], "that was settled")
    _ = line.receive(.refreshBegan, at: 6_000, chance: 0)
    _ = line.receive(.refreshEnded(.incomplete, isByHand: false), at: 6_000, chance: 0)
    _ = line.receive(Self.heard(.level(Self.later)), at: 7_000, chance: 0)
    #expect(
      line.receive(.tick, at: 8_000, chance: 0) == [] && line.dueAt == 9_750, "what failed is not repeated at once")
    #expect(line.receive(.tick, at: 9_750, chance: 0) == [.compare(Self.later)], "what failed settles nothing")
  }

  @Test("asks three times a second at most, however fast refreshes are and notices come")
  func flood() {
    var line = Self.line([(0, .start)])
    var asked: [Int] = []
    for now in 0..<3_000 {
      let level = ListLevel(updatedAt: Timestamp(milliseconds: Int64(now) + 10), database: "d", epoch: 1)
      _ = line.receive(Self.heard(.level(level)), at: now, chance: 0)
      guard line.receive(.tick, at: now, chance: 0) != [] else { continue }
      asked.append(now)
      _ = line.receive(.refreshBegan, at: now, chance: 0)
      _ = line.receive(Self.heard(.level(level.next)), at: now, chance: 0)
      _ = line.receive(.refreshEnded(.complete, isByHand: false), at: now, chance: 0)
    }
    #expect(zip(asked, asked.dropFirst()).allSatisfy { $1 - $0 >= NoticeLine.collecting }, "\(asked)")
    #expect(asked.count == 9)
  }

  /// How often a device that is always at `position` pulls in so many seconds in which the server says something else
  /// each tenth of a second.
  private func pulls(seconds: Int, _ end: PullEnd, at position: (Int) -> ListPosition) -> [Int] {
    var (line, pulls) = (Self.line([(0, .start)]), [Int]())
    for now in stride(from: 0, to: seconds * 1_000, by: 100) {
      let level = ListLevel(updatedAt: Timestamp(milliseconds: Int64(now) + 10), database: "d", epoch: 1)
      _ = line.receive(Self.heard(.level(level)), at: now, chance: 1)
      for case .compare(let level) in line.receive(.tick, at: now, chance: 1) {
        guard line.receive(.compared(position(now), with: level), at: now, chance: 1) == [.refresh] else { continue }
        pulls.append(now)
        _ = line.receive(.refreshBegan, at: now, chance: 1)
        _ = line.receive(.refreshEnded(end, isByHand: false), at: now, chance: 1)
      }
    }
    return pulls
  }

  @Test("pulls less and less if the server says what no pull brings, and each minute in the end")
  func lies() {
    let pulls = pulls(seconds: 600, .complete) { _ in Self.elsewhere }
    let pauses = zip(pulls, pulls.dropFirst()).map { $1 - $0 }
    #expect(pulls.count <= 17 && pauses.last ?? 0 >= 60_000, "\(pauses)")
    #expect(zip(pauses, pauses.dropFirst()).allSatisfy { $0 <= $1 + 300 }, "\(pauses)")
    #expect(self.pulls(seconds: 60, .incomplete) { _ in Self.elsewhere }.count <= 5)
    #expect(self.pulls(seconds: 600, .undecided) { _ in Self.elsewhere }.count <= 3)
  }

  @Test("pulls at once as long as each pull brings something")
  func truths() {
    let pulls = pulls(seconds: 60, .complete) {
      ListPosition(token: Timestamp(milliseconds: Int64($0)), database: "d", epoch: 1)
    }
    #expect(pulls.count > 100)
  }

  @Test("that is refused pulls at once and then every minute, and no more once it is live")
  func polls() {
    for end in [NoticeEnd.failed(.busy(status: 429, retryAfter: 3_600)), .failed(Self.cut)] {
      var line = Self.line([(0, .start)])
      var (pulls, now) = ([Int](), 0)
      func note(_ actions: [Action]) {
        guard actions.contains(.refresh) else { return }
        pulls.append(now)
        _ = line.receive(.refreshBegan, at: now, chance: 0)
        _ = line.receive(.refreshEnded(.complete, isByHand: false), at: now, chance: 0)
      }
      note(line.receive(Self.heard(.ended(.failed(.busy(status: 429, retryAfter: 3_600)))), at: 0, chance: 0))
      while now < 600_000, let due = line.dueAt {
        now = max(due, now)
        let actions = line.receive(.tick, at: now, chance: 0)
        note(actions)
        guard line.state == .connecting(since: now) else { continue }
        note(line.receive(Self.heard(.ended(end), line.number), at: now, chance: 0))
      }
      #expect(pulls == Array(stride(from: 0, through: 600_000, by: 60_000)), "\(end)")
      _ = line.receive(.refreshEnded(.complete, isByHand: true), at: now, chance: 0)
      _ = line.receive(Self.heard(.heartbeat, line.number), at: now, chance: 0)
      #expect(line.dueAt == now + NoticeLine.silence)
    }
  }

  @Test("that says nothing of a server that answers no pull either is not held back by something on the way")
  func hangs() {
    var line = Self.line([(0, .start)])
    for now in stride(from: 0, to: 600_000, by: 1_000) {
      for action in line.receive(.tick, at: now, chance: 0) {
        if case .refresh = action { _ = line.receive(.refreshEnded(.incomplete, isByHand: false), at: now, chance: 0) }
      }
      if case .connecting = line.state { _ = line.receive(Self.heard(.asked, line.number), at: now, chance: 0) }
      if case .heldBack = line.state { Issue.record("held back at \(now)") }
    }
    #expect(line.isTryingAgain)
  }

  @Test("connects when a sync of its own accord worked, but not before a server without a place for it asks for")
  func backWithASync() {
    let ends: [(NoticeEnd, connects: Bool)] = [
      (.failed(Self.cut), true), (.finished(retry: nil), true), (.failed(.busy(status: 503, retryAfter: 60)), false),
    ]
    for (end, connects) in ends {
      var line = Self.line([(0, .start), (0, Self.heard(.ended(end)))])
      let actions = line.receive(.refreshEnded(.complete, isByHand: false), at: 10, chance: 0)
      #expect(actions == (connects ? [.open(2)] : []), "\(end)")
    }
  }

  @Test("pulls again at once after a refresh by hand that worked, and when the server can be reached again")
  func backAtOnce() {
    for isByHand in [true, false] {
      var line = Self.line([(0, .start), (0, Self.heard(.heartbeat))])
      for now in 0..<6 { _ = line.receive(.refreshEnded(.incomplete, isByHand: false), at: now, chance: 0) }
      if isByHand {
        _ = line.receive(.refreshEnded(.complete, isByHand: true), at: 10, chance: 0)
      } else {
        _ = line.receive(Self.heard(.ended(.failed(Self.cut))), at: 10, chance: 0)
        _ = line.receive(.tick, at: 1_000, chance: 0)
      }
      _ = line.receive(Self.heard(.level(Self.level), line.number), at: 2_000, chance: 0)
      #expect(line.receive(.tick, at: 2_300, chance: 0) == [.compare(Self.level)])
    }
    var line = Self.line([(0, .start), (0, Self.heard(.heartbeat))])
    _ = line.receive(.refreshEnded(.undecided, isByHand: false), at: 0, chance: 0)
    _ = line.receive(Self.heard(.ended(.failed(Self.cut))), at: 10, chance: 0)
    _ = line.receive(.tick, at: 1_000, chance: 0)
    _ = line.receive(Self.heard(.level(Self.level), line.number), at: 2_000, chance: 0)
    #expect(line.receive(.tick, at: 2_300, chance: 0) == [], "a question is not answered by a new connection")
  }

  @Test("is dead after two and a half heartbeats of silence, and later each time it fails, at most five minutes")
  func silence() throws {
    var line = Self.line([(0, .start), (0, Self.heard(.heartbeat))])
    #expect(line.dueAt == 112_500 && line.receive(.tick, at: 112_499, chance: 0) == [])
    #expect(line.receive(.tick, at: 112_500, chance: 1) == [.close])
    var (now, waits) = (112_500, [Int]())
    for _ in 0..<12 {
      let due = try #require(Self.end(of: line))
      waits.append(due - now)
      now = due
      #expect(line.receive(.tick, at: now, chance: 0).first == .open(line.number))
      _ = line.receive(Self.heard(.ended(.failed(Self.cut)), line.number), at: now, chance: 1)
    }
    #expect(waits.first == 1_000 && waits.last == 300_000 && waits == waits.sorted())
  }

  @Test("knows why the last connection was lost, until one is live")
  func causes() {
    let refused = RemoteFailure.Reason.unreachable("connection refused", kind: .refused)
    let busy = RemoteFailure.Reason.busy(status: 503, retryAfter: 7)
    let silent = RemoteFailure.Reason.unreachable("no answer in time", kind: .silent)
    for (end, cause) in [
      (.failed(refused), refused), (.failed(busy), busy), (.otherDatabase, .otherDatabase),
      (.finished(retry: nil), nil), (.finished(retry: 5_000), nil),
    ] as [(NoticeEnd, RemoteFailure.Reason?)] {
      var line = Self.line([(0, .start), (0, Self.heard(.ended(end)))])
      #expect(line.cause == cause)
      _ = line.receive(.tick, at: 400_000, chance: 0)
      #expect(line.cause == cause, "while it is tried again")
      _ = line.receive(Self.heard(.heartbeat, 2), at: 400_000, chance: 0)
      #expect(line.cause == nil)
    }
    for (events, now) in [
      ([(0, .start)], 30_000), ([(0, .start), (0, Self.heard(.asked))], 5_000),
      ([(0, .start), (0, Self.heard(.heartbeat))], 112_500),
    ] as [([(Int, Event)], Int)] {
      var line = Self.line(events)
      #expect(line.cause == nil && line.receive(.tick, at: now, chance: 0).first == .close && line.cause == silent)
    }
  }

  @Test(
    "waits as long as a busy server asks for, and five minutes at most",
    arguments: [nil, 0, 1, 60, 225, 86_400, Int.max])
  func busy(seconds: Int?) {
    for chance in [0.0, 1] {
      var line = Self.line([(0, .start)])
      let event = Self.heard(.ended(.failed(.busy(status: 503, retryAfter: seconds))))
      _ = line.receive(event, at: 0, chance: chance)
      let asked = min(max(seconds ?? 1, 1), 225) * 1_000
      #expect(((asked - 1)...300_000).contains(Self.end(of: line) ?? -1), "\(line.state)")
      if (seconds ?? 0) >= 225, chance == 1 { #expect(Self.end(of: line) == 300_000) }
    }
  }

  @Test("that held for a minute is a new one: the first wait is short again")
  func holding() {
    var line = Self.line([(0, .start)])
    for _ in 0..<6 {
      _ = line.receive(Self.heard(.ended(.failed(Self.cut)), line.number), at: 0, chance: 0)
      _ = line.receive(.tick, at: 10_000_000, chance: 0)
    }
    _ = line.receive(Self.heard(.heartbeat, line.number), at: 10_000_000, chance: 0)
    _ = line.receive(Self.heard(.ended(.failed(Self.cut)), line.number), at: 10_060_000, chance: 0)
    #expect(line.state == .waiting(until: 10_060_750))
  }

  @Test("that says nothing within five seconds three times is held back: then the clock asks, every minute")
  func heldBack() {
    var line = Self.line([(0, .start)])
    for _ in 0..<3 {
      _ = line.receive(Self.heard(.asked, line.number), at: 100_000, chance: 0)
      _ = line.receive(.tick, at: 105_000, chance: 0)
      _ = line.receive(.refreshEnded(.complete, isByHand: false), at: 105_000, chance: 0)
    }
    #expect(line.state == .heldBack && line.dueAt == 165_000)
    #expect(line.receive(.tick, at: 165_000, chance: 0) == [.refresh] && line.dueAt == 225_000)
    var other = Self.line([(0, .start), (0, Self.heard(.asked))])
    #expect(other.receive(.tick, at: 5_000, chance: 0) == [.close, .refresh])
    _ = other.receive(.tick, at: 10_000, chance: 0)
    _ = other.receive(Self.heard(.heartbeat, 2), at: 11_000, chance: 0)
    #expect(other.state == .live(since: 11_000, heardAt: 11_000))
  }

  @Test("is given up after ten minutes that nobody looks, and comes back with a look")
  func unattended() {
    var line = Self.line([(0, .start), (0, Self.heard(.heartbeat)), (10_000, .focused(false))])
    for time in stride(from: 45_000, to: 610_000, by: 45_000) {
      _ = line.receive(.tick, at: time, chance: 0)
      _ = line.receive(Self.heard(.heartbeat), at: time, chance: 0)
    }
    #expect(line.dueAt == 610_000 && line.receive(.tick, at: 610_000, chance: 0) == [.close])
    #expect(line.state == .paused && line.dueAt == nil, "and nothing wakes it")
    #expect(line.receive(.focused(true), at: 900_000, chance: 0) == [.open(2)])
  }

  @Test("compares one number, and one that is not the same is a reason to ask")
  func positions() {
    let moment = Self.level.updatedAt
    #expect(ListPosition(token: moment, database: "D", epoch: 1).isAt(Self.level))
    for other in [
      ListPosition(token: nil, database: "d", epoch: 1),
      ListPosition(token: Self.later.updatedAt, database: "d", epoch: 1),
      ListPosition(token: moment, database: nil, epoch: 1), ListPosition(token: moment, database: "d", epoch: 2),
      ListPosition(token: moment, database: "e", epoch: 1), ListPosition(token: moment, database: "d", epoch: nil),
    ] { #expect(!other.isAt(Self.level)) }
  }

  @Test(
    "never waits for nothing: whatever comes, in any order, there is a moment or a reason to rest", arguments: 0..<50)
  func random(seed: Int) {
    var (line, now) = (NoticeLine(), 0)
    var random = SeededGenerator(seed: UInt64(seed))
    let events = Self.table.map(\.event) + [.tick, .tick, Self.heard(.heartbeat)]
    for _ in 0..<400 {
      now += Int.random(in: 0...100_000, using: &random)
      var event = events.randomElement(using: &random) ?? .tick
      if case .heard(let what, _) = event, Bool.random(using: &random) { event = Self.heard(what, line.number) }
      _ = line.receive(event, at: now, chance: Double.random(in: 0...1, using: &random))
      switch line.state {
      case .off, .paused, .notSignedIn, .noSignIn, .notOffered: break
      case .heldBack: #expect(line.dueAt != nil || line.isRefreshing)
      case .connecting, .asked, .live, .waiting: #expect(line.dueAt != nil)
      }
    }
  }
}

extension ListLevel {
  fileprivate var next: ListLevel {
    ListLevel(updatedAt: updatedAt.advanced(byMilliseconds: 1), database: database, epoch: epoch)
  }
}
