import OfflineSync
import Synchronization
import TableProtocol
import Testing

@testable import TableClient

@Suite("A server that takes few connections at once")
struct FewConnectionsTests {
  private static let refused = RemoteFailure(.unreachable("connection refused", kind: .refused), mayHaveActed: false)
  private static let cut = RemoteFailure(.unreachable("connection cut", kind: .cut), mayHaveActed: true)

  /// Outcomes in the order of sending: `a` answered, `b` turned away as busy, `u` unsent, `l` lost, `o` another
  /// failure.
  @Test(
    "is distinguished from a network that is gone by the answers that come after the first failure",
    arguments: [
      // Room for one, two, five: each answer makes room for one more request, which is answered too.
      (6, "alllll a", .tooMany(narrower: 1)), (6, "aallll aa", .tooMany(narrower: 2)),
      (6, "aaaaal aaaaa", .tooMany(narrower: 3)), (6, "aaalll aaa", .tooMany(narrower: 3)),
      (6, "abbbbb a", .tooMany(narrower: 1)), (3, "all a", .tooMany(narrower: 1)), (2, "al a", .tooMany(narrower: 1)),
      // The newest connection need not be the one too many.
      (6, "aaaaaaaaaa lallll", .tooMany(narrower: 1)), (6, "la", .tooMany(narrower: 3)),
      // One refused connection fails all requests that wait for theirs.
      (6, "auuuuu a", .tooMany(narrower: 3)), (3, "auu a", .tooMany(narrower: 1)),
      (6, "auuull a", .tooMany(narrower: 3)),
      // All had left before the first answer came.
      (6, "all", .unclear(narrower: 3)), (6, "alllll", .unclear(narrower: 1)), (6, "au", .unclear(narrower: 3)),
      (2, "al", .unclear(narrower: 1)),
      // Gone after some answers: in the middle of a push, at its end, and before the first answer.
      (6, "aaaaaaaa llllll", .otherCause), (6, "a llllll", .otherCause), (6, "aaaaaaa l", .otherCause),
      (6, "aaaaa ll", .otherCause), (6, "aaaaaaaa uuu", .otherCause), (6, "llllll", .otherCause), (6, "l", .otherCause),
      (6, "aaloll a", .otherCause), (6, "ao", .otherCause),
      (1, "aaal", .otherCause), (1, "l", .otherCause), (6, "aaaaaaaaa", .otherCause), (6, "", .otherCause),
    ] as [(Int, String, SendingRound.Verdict)])
  func judging(width: Int, outcomes: String, verdict: SendingRound.Verdict) {
    let names: [Character: SendingRound.Outcome] = [
      "a": .answered, "b": .turnedAway, "u": .unsent, "l": .lost, "o": .failedOtherwise,
    ]
    let round = SendingRound(width: width, outcomes.compactMap { names[$0] })
    #expect(round.verdict == verdict)
  }

  @Test("counts as full by what it does to one connection too many, and not by other failures")
  func counting() {
    let gone = RemoteFailure(.unreachable("no route", kind: .noRoute), mayHaveActed: false)
    let unknown = RemoteFailure(.unreachable("stopped"), mayHaveActed: true)
    let own: HeaderFields = [ZumoHeader.database: "d"]
    for (outcome, noted, isHeld) in [
      (.success(ServerAnswer(status: 200)), .answered, false), (.success(ServerAnswer(status: 500)), .answered, false),
      (.success(ServerAnswer(status: 503)), .turnedAway, false),
      (.success(ServerAnswer(status: 429)), .turnedAway, false),
      (.success(ServerAnswer(status: 503, headers: own)), .answered, false),
      (.failure(Self.refused), .unsent, true), (.failure(Self.cut), .lost, true),
      (.failure(gone), .failedOtherwise, false), (.failure(unknown), .failedOtherwise, false),
    ] as [(HTTPOutcome, SendingRound.Outcome, Bool)] {
      var round = SendingRound(width: 6)
      let held = round.note(outcome)
      #expect(round.outcomes == [noted] && (held != nil) == isHeld, "\(outcome)")
    }
  }

  @Test("gets more requests at once again after pushes without a failure, more of them each time it has no room")
  func widening() {
    let width = SendingWidth()
    func narrow(_ outcomes: [SendingRound.Outcome]) -> Bool {
      width.narrow(after: SendingRound(width: width.current, outcomes))
    }
    #expect(narrow([.answered, .lost, .lost, .lost, .lost, .lost, .answered]))
    var widths = [width.current]
    for _ in 0..<3 {
      width.noteFullPush()
      widths.append(width.current)
    }
    #expect(widths == [1, 2, 4, 6])
    // Whether it was the network can't be known here, and nothing can be repeated that would show it.
    #expect(!narrow([.answered, .lost, .lost]))
    #expect(width.current == 3)
    width.noteFullPush()
    #expect(width.current == 3)
    width.noteFullPush()
    #expect(width.current == 6)
    width.noteFullPush()
    #expect(narrow([.answered, .unsent]))
    width.noteFullPush()
    #expect(width.current == 6)
  }

  @Test("is tried with more requests at once after pushes that filled the fewer ones, and each was answered")
  func wideningPushes() throws {
    let server = CrowdedServer(limit: 3, beyond: .failure(Self.refused))
    let remote = try server.remote()
    for _ in 0..<2 { _ = remote.send(Self.inserts(200)) }
    #expect(server.widths == [6, 3, 3])
    _ = remote.send(Self.inserts(200))
    #expect(server.widths == [6, 3, 3, 6, 3])
    // A small push says nothing about more requests.
    for _ in 0..<4 { _ = remote.send(Self.inserts(15)) }
    for _ in 0..<2 { _ = remote.send(Self.inserts(200)) }
    #expect(server.widths == [6, 3, 3, 6, 3, 3, 3, 3, 3, 3, 3])
    _ = remote.send(Self.inserts(200))
    #expect(server.widths.dropFirst(11) == [6, 3])
  }

  @Test("ends a push if the network may be gone since the last answer, and the next push is narrower")
  func goneAtTheEnd() throws {
    let server = CrowdedServer(limit: 1, beyond: .failure(Self.cut))
    let remote = try server.remote()
    let outcomes = remote.send(Self.inserts(30))
    #expect(outcomes.contains { (try? $0.get()) != nil })
    #expect(outcomes.last == .failure(Self.cut))
    _ = remote.send(Self.inserts(30))
    #expect(server.widths.count == 2 && (server.widths.last ?? 6) < 6)
  }

  @Test("gets a whole push if it refuses the others, in fewer requests at once", arguments: [1, 2, 5])
  func refusing(limit: Int) throws {
    let server = CrowdedServer(limit: limit, beyond: .failure(Self.refused))
    let remote = try server.remote()
    let outcomes = remote.send(Self.inserts(200))
    #expect(outcomes.allSatisfy { (try? $0.get()) != nil })
    #expect(server.widths.first == 6 && (server.widths.last ?? 6) <= limit)
    // The server would wait for a batch that did not arrive, so the rest has the name of another push.
    #expect(server.pushes == server.widths.count)
    #expect(server.arrivals.values.allSatisfy { $0 == 1 })
    // The next push begins so.
    _ = remote.send(Self.inserts(200))
    #expect((server.widths.last ?? 6) <= limit)
  }

  @Test("gets each change at most once if it closes the others, and the rest of the push goes on")
  func closing() throws {
    let server = CrowdedServer(limit: 1, beyond: .failure(Self.cut))
    let outcomes = try server.remote().send(Self.inserts(200))
    let aside = RemoteFailure(.unreachable("connection cut", kind: .cut), mayHaveActed: true, concernsAll: false)
    #expect(outcomes.allSatisfy { $0 == .failure(aside) || (try? $0.get()) != nil })
    #expect(outcomes.filter { $0 == .failure(aside) }.count == server.lost)
    #expect(outcomes.last != .failure(aside))
    #expect(server.widths == [6, 1])
    #expect(server.arrivals.values.allSatisfy { $0 == 1 } && server.arrivals.count + server.lost == 200)
  }

  @Test("is asked again as late as it says, and then with fewer requests at once", arguments: [429, 503])
  func busy(status: Int) throws {
    let answer = ServerAnswer(status: status, headers: ["retry-after": "7"])
    let server = CrowdedServer(limit: 1, beyond: .success(answer))
    let remote = try server.remote()
    let busy = RemoteFailure(.busy(status: status, retryAfter: 7), mayHaveActed: false)
    let outcomes = remote.send(Self.inserts(200))
    #expect(outcomes.last == .failure(busy))
    #expect(server.widths == [6])
    #expect(remote.send(Self.inserts(200)).allSatisfy { (try? $0.get()) != nil })
    #expect(server.widths == [6, 1])
  }

  @Test("gets single requests one by one too")
  func alone() throws {
    let server = CrowdedServer(limit: 1, beyond: .failure(Self.refused))
    let remote = try server.remote(knowing: ServerKnowledge(protocolVersion: .v3))
    #expect(remote.send(Self.inserts(30)).allSatisfy { (try? $0.get()) != nil })
    #expect(server.widths == [6, 3, 1])
    #expect(server.arrivals.count == 30 && server.arrivals.values.allSatisfy { $0 == 1 })
  }

  @Test("is given up after one round if it answers none")
  func gone() throws {
    let server = CrowdedServer(limit: 0, beyond: .failure(Self.refused))
    let outcomes = try server.remote().send(Self.inserts(200))
    #expect(outcomes.allSatisfy { $0 == .failure(Self.refused) })
    #expect(server.widths == [6])
  }

  @Test("is asked who it is by itself after no answer came beside the connections that open ahead")
  func asking() throws {
    let server = CrowdedServer(limit: 0, beyond: .failure(Self.refused))
    let remote = try server.remote()
    for _ in 0..<2 { #expect(throws: RemoteFailure.self) { try remote.identify("TodoItem", before: 200) } }
    #expect(server.expected == [6])
  }

  private static func inserts(_ count: Int) -> [RemoteChange] {
    (0..<count).map { .insert(table: "TodoItem", Record(id: RecordID("i\($0)"), values: ["text": .text("x")])) }
  }
}

/// A server that answers as many requests at once as it has room for. A further one has the outcome `beyond`.
private final class CrowdedServer: RequestTransport {
  private struct State {
    var widths: [Int] = []
    var expected: [Int] = []
    var pushes = 0
    var arrivals: [String: Int] = [:]
    var lost = 0
  }

  private let limit: Int
  private let beyond: HTTPOutcome
  private let state = Mutex(State())

  init(limit: Int, beyond: HTTPOutcome) {
    self.limit = limit
    self.beyond = beyond
  }

  var traffic: Traffic { Traffic() }
  /// The widths of all rounds that made a request.
  var widths: [Int] { state.withLock(\.widths) }
  /// How many requests at once were announced.
  var expected: [Int] { state.withLock(\.expected) }
  /// How many names were made for pushes.
  var pushes: Int { state.withLock(\.pushes) }
  /// How often each row came.
  var arrivals: [String: Int] { state.withLock(\.arrivals) }
  /// Changes in requests that were not answered.
  var lost: Int { state.withLock(\.lost) }

  func remote(
    knowing: ServerKnowledge = ServerKnowledge(
      protocolVersion: .v3, batching: .json(entries: 10, bytes: 100_000), database: "d")
  ) throws -> HTTPRemoteTable {
    let address = try #require(ServerAddress("http://crowded.example"))
    let settings = ClientSettings(newID: { [self] in
      state.withLock { state in
        state.pushes += 1
        return "push-\(state.pushes)"
      }
    })
    return HTTPRemoteTable(address: address, knowledge: knowing, settings: settings, transport: self)
  }

  func expect(atOnce width: Int) { state.withLock { $0.expected.append(width) } }

  func answer(to exchange: HTTPExchange) throws(RemoteFailure) -> ServerAnswer { try beyond.get() }

  func exchange(atOnce width: Int, _ next: () -> HTTPExchange?, receive: (HTTPOutcome) -> Bool) {
    var underWay: ArraySlice<(outcome: HTTPOutcome, isTaken: Bool)> = []
    var goesOn = true
    var isFirst = true
    while true {
      while goesOn, underWay.count < width {
        guard let exchange = next() else {
          goesOn = false
          break
        }
        if isFirst { state.withLock { $0.widths.append(width) } }
        isFirst = false
        let isTaken = underWay.filter(\.isTaken).count < limit
        underWay.append((isTaken ? .success(stored(exchange)) : lose(exchange), isTaken))
      }
      guard let oldest = underWay.popFirst() else { return }
      goesOn = receive(oldest.outcome) && goesOn
    }
  }

  func interrupt() {}

  private func lose(_ exchange: HTTPExchange) -> HTTPOutcome {
    let entries = (try? BatchBody.requests(in: exchange.body ?? [], atMost: 100)) ?? []
    state.withLock { $0.lost += entries.count }
    return beyond
  }

  private func stored(_ exchange: HTTPExchange) -> ServerAnswer {
    let body = exchange.body ?? []
    guard let entries = try? BatchBody.requests(in: body, atMost: 100) else {
      return ServerAnswer(status: 201, body: keep(body))
    }
    var writer = BatchResponseWriter()
    for entry in entries { writer.append(BatchResponse(id: entry.id, status: 201, body: keep(entry.body ?? []))) }
    return ServerAnswer(status: 200, headers: [ZumoHeader.database: "d"], body: writer.finished())
  }

  private func keep(_ body: [UInt8]) -> [UInt8] {
    guard var record = try? Record(json: body) else { return body }
    state.withLock { $0.arrivals[record.id.text, default: 0] += 1 }
    record.system.version = RecordVersion("v")
    return record.json()
  }
}
