import OfflineSync
import Synchronization
import TableClient
import TableProtocol
import Testing

@Suite("Many changes sent together")
struct SendingTogetherTests {
  private static func inserts(_ count: Int, text: String = "x") -> [RemoteChange] {
    (0..<count).map { .insert(table: "TodoItem", Record(id: "i\($0)", values: ["text": .text(text)])) }
  }

  /// The ids of what was accepted, in the order of the changes.
  private static func accepted(_ outcomes: [Result<RemoteAnswer, RemoteFailure>]) -> [RecordID?] {
    outcomes.map { if case .success(.accepted(let record)) = $0 { record?.id } else { nil } }
  }

  private static let own = BatchSupport.json(entries: 10, bytes: 100_000)

  @Test("go in batches of the announced size, with the server's prefix, and come back in order")
  func batches() async throws {
    try await withScript(batching: Self.own, token: "secret", prefix: "/base") {
      $0.storedBatch()
    } _: { remote, server in
      #expect(Self.accepted(remote.send(Self.inserts(25))) == (0..<25).map { "i\($0)" })
      #expect(server.requests.map(\.target) == Array(repeating: "/base/tables/$batch", count: 3))
      let counts = try server.requests.map { try BatchBody.requests(in: $0.body, atMost: 100).count }
      #expect(counts.sorted() == [5, 10, 10])
      for request in server.requests {
        #expect(request.headers["x-zumo-auth"] == "secret")
        #expect(request.headers["zumo-api-version"] == "3.0.0")
        let entries = try BatchBody.requests(in: request.body, atMost: 100)
        #expect(entries.allSatisfy { $0.url == "/base/tables/TodoItem" })
        #expect(!String(decoding: request.body, as: UTF8.self).contains("secret"))
      }
    }
  }

  @Test(
    "to a server of ours begin with small batches, each twice as large as the one before, if they fill several",
    arguments: [(30, [10, 10, 10]), (45, [1, 2, 4, 8, 10, 10, 10]), (41, [1, 2, 4, 8, 10, 10, 6])])
  func growing(count: Int, sizes: [Int]) async throws {
    let knowledge = ServerKnowledge(protocolVersion: .v3, batching: Self.own, database: "d")
    try await withScript(knowing: knowledge) {
      $0.storedBatch().named("d")
    } _: { remote, server in
      #expect(Self.accepted(remote.send(Self.inserts(count))) == (0..<count).map { "i\($0)" })
      let numbered = server.requests.map { (number: $0.headers["x-ebb-sequence"] ?? "", body: $0.body) }
      let inOrder = numbered.sorted { $0.number < $1.number }
      let sent = try inOrder.map { try BatchBody.requests(in: $0.body, atMost: 100).count }
      #expect(sent == sizes)
    }
  }

  @Test("fill no batch beyond the announced bytes; what is too large for any goes alone")
  func bytes() async throws {
    try await withScript(batching: .json(entries: 1_000, bytes: 2_000)) {
      $0.isBatch ? $0.storedBatch() : $0.stored
    } _: { remote, server in
      var changes = Self.inserts(30, text: String(repeating: "y", count: 100))
      changes.insert(
        .insert(table: "TodoItem", Record(id: "big", values: ["text": .text(String(repeating: "z", count: 3_000))])),
        at: 7)
      #expect(Self.accepted(remote.send(changes)) == changes.map(\.id))
      let batches = server.requests.filter(\.isBatch)
      #expect(batches.allSatisfy { $0.body.count <= 2_000 })
      #expect(batches.count > 1)
      #expect(server.requests.count - batches.count == 1)
    }
  }

  private static let conditional: [RemoteChange] = [
    .update(table: "TodoItem", whole: Record(id: "u"), changed: ["text": .text("x")], base: RecordVersion("v1")),
    .delete(table: "TodoItem", id: "d", base: RecordVersion("v1")),
    .undelete(table: "TodoItem", whole: Record(id: "t"), changed: ["text": .text("x")], base: RecordVersion("v1")),
  ]

  @Test("to a server of ours one change alone carries its condition in the body of a batch", arguments: conditional)
  func conditionInBody(change: RemoteChange) async throws {
    let knowledge = ServerKnowledge(protocolVersion: .v3, batching: Self.own, database: "d")
    try await withScript(knowing: knowledge) {
      ($0.isBatch ? $0.storedBatch() : $0.stored).named("d")
    } _: { remote, server in
      let answer = try remote.send(change)
      if case .accepted = answer {} else { Issue.record("\(answer)") }
      #expect(server.requests.map(\.isBatch) == [true])
      let entries = try BatchBody.requests(in: try #require(server.requests.first).body, atMost: 10)
      #expect(entries.map { $0.headers["if-match"] } == ["\"v1\""])
      // Without a condition there is nothing to lose.
      #expect(Self.accepted(remote.send(Self.inserts(1))) == ["i0"])
      #expect(server.requests.last?.isBatch == false)
    }
  }

  @Test("a condition that got no answer in a batch goes in another, and alone only if there is none again")
  func conditionWithoutAnswer() async throws {
    let knowledge = ServerKnowledge(protocolVersion: .v3, batching: Self.own, database: "d")
    for (kept, targets) in [(1, [true, true]), (0, [true, true, false, false])] {
      try await withScript(knowing: knowledge) {
        ($0.isBatch ? $0.storedBatch { $0 < kept } : $0.stored).named("d")
      } _: { remote, server in
        let outcomes = remote.send(Array(Self.conditional.prefix(2)))
        #expect(outcomes.allSatisfy { (try? $0.get()) != nil })
        #expect(server.requests.map(\.isBatch) == targets)
      }
    }
  }

  @Test("when enough is enough, no second request of what was under way is sent either")
  func noSecondRequests() async throws {
    let undeletes = (0..<60).map { number in
      let row = Record(id: RecordID("t\(number)"), values: ["text": .text("x")])
      return RemoteChange.undelete(table: "TodoItem", whole: row, changed: row.values, base: RecordVersion("v1"))
    }
    let changes = Self.inserts(1) + undeletes
    try await withScript(version: .v2) { request in
      let id = request.target.split(separator: "/").last.map(String.init) ?? ""
      return request.method == "PATCH" || id == "TodoItem"
        ? request.stored : .status(200, #"{"id":"\#(id)","text":"x","deleted":false,"version":"v2"}"#)
    } _: { remote, server in
      var settled: Set<Int> = []
      remote.send(changes, starting: \.self) { part in
        settled.formUnion(part.map(\.index))
        return false
      }
      #expect(settled.contains(0) && settled.count > 1)
      #expect(server.requests.filter { $0.method == "PATCH" }.isEmpty)
    }
  }

  @Test("one change alone is no batch")
  func oneAlone() async throws {
    try await withScript(batching: Self.own) {
      $0.stored
    } _: { remote, server in
      #expect(Self.accepted(remote.send(Self.inserts(1))) == ["i0"])
      #expect(server.requests.map(\.target) == ["/tables/TodoItem"])
    }
  }

  @Test(
    "go one by one, with the same result, when the server turns out to know no batches, and stay so",
    arguments: [
      .status(404, "<html>no</html>"), .status(405), .status(415), .status(501), .status(200, "{}"),
      .status(200, "[]"), .status(204),
    ] as [ScriptedServer.Reply])
  func unsupported(reply: ScriptedServer.Reply) async throws {
    try await withScript(batching: .json(entries: 100, bytes: 100_000)) {
      $0.isBatch ? reply : $0.stored
    } _: {
      remote, server in
      for _ in 0..<2 {
        #expect(Self.accepted(remote.send(Self.inserts(8))) == (0..<8).map { "i\($0)" })
      }
      #expect(server.requests.filter(\.isBatch).count == 1)
      #expect(remote.knowledge.batching == .unsupported)
    }
  }

  @Test("are halved as long as the batch is too large")
  func tooLarge() async throws {
    try await withScript(batching: .json(entries: 100, bytes: 100_000)) { request in
      guard request.isBatch else { return request.stored }
      let count = (try? BatchBody.requests(in: request.body, atMost: 100).count) ?? 0
      return count > 3 ? .status(413) : request.storedBatch()
    } _: { remote, _ in
      #expect(Self.accepted(remote.send(Self.inserts(20))) == (0..<20).map { "i\($0)" })
      #expect(remote.knowledge.batching != .unsupported)
    }
  }

  @Test("go one by one after a batch was refused, and the second refusal is remembered")
  func refused() async throws {
    try await withScript(batching: .json(entries: 100, bytes: 100_000)) {
      $0.isBatch ? .status(400) : $0.stored
    } _: {
      remote, server in
      for batches in [1, 2, 2] {
        #expect(Self.accepted(remote.send(Self.inserts(4))) == (0..<4).map { "i\($0)" })
        #expect(server.requests.filter(\.isBatch).count == batches)
      }
      #expect(remote.knowledge.batching == .unsupported)
    }
  }

  @Test("that have no answer in the batch's are sent again alone")
  func missing() async throws {
    try await withScript(batching: Self.own) {
      $0.isBatch ? $0.storedBatch { $0.isMultiple(of: 3) } : $0.stored
    } _: { remote, server in
      #expect(Self.accepted(remote.send(Self.inserts(7))) == (0..<7).map { "i\($0)" })
      #expect(server.requests.count == 1 + 4)
      #expect(remote.knowledge.batching == Self.own)
    }
  }

  @Test("whose batch is cut may have been acted on; those not sent surely were not")
  func cut() async throws {
    try await withScript(batching: Self.own) { _ in
      .cut
    } _: { remote, server in
      let outcomes = remote.send(Self.inserts(100))
      let sent = server.requests.count * 10
      #expect((10...40).contains(sent))
      for (index, outcome) in outcomes.enumerated() {
        #expect(
          outcome == .failure(RemoteFailure(.unreachable("connection cut", kind: .cut), mayHaveActed: index < sent)),
          "\(index)")
      }
    }
  }

  @Test("all fail with what the server says of the user, and of its load")
  func aboutAll() async throws {
    for (reply, failure) in [
      (.status(401), RemoteFailure(.signInNeeded, mayHaveActed: false)),
      (.status(503, "", ["Retry-After": "7"]), RemoteFailure(.busy(status: 503, retryAfter: 7), mayHaveActed: false)),
      (
        .status(503, "", ["Retry-After": "99999999"]),
        RemoteFailure(.busy(status: 503, retryAfter: 86_400), mayHaveActed: false)
      ),
      (
        .status(
          429, "", ["Date": "Sun, 06 Nov 1994 08:49:37 GMT", "Retry-After": "Sun, 06 Nov 1994 08:51:00 GMT"]),
        RemoteFailure(.busy(status: 429, retryAfter: 83), mayHaveActed: false)
      ),
      (
        .status(302, "", ["Location": "http://elsewhere.example"]),
        RemoteFailure(.notTheServer("it sends us elsewhere (302)"), mayHaveActed: false)
      ),
    ] as [(ScriptedServer.Reply, RemoteFailure)] {
      for batching in [Self.own, nil] {
        try await withScript(batching: batching) { _ in
          reply
        } _: { remote, server in
          #expect(remote.send(Self.inserts(100)) == Array(repeating: .failure(failure), count: 100))
          #expect(server.requests.count <= 9)
        }
      }
    }
  }

  @Test(
    "have no known outcome when the answer to the batch is broken",
    arguments: [
      "{\"responses\":[{}]}", "{\"responses\":[{\"id\":\"0\",\"status\":\"x\"}]}",
      "{\"responses\":[{\"id\":\"0\",\"status\":201}",
    ])
  func broken(body: String) async throws {
    try await withScript(batching: Self.own) { _ in
      .status(200, body)
    } _: { remote, _ in
      for outcome in remote.send(Self.inserts(3)) {
        guard case .failure(let failure) = outcome, case .badAnswer = failure.reason else {
          Issue.record("\(outcome)")
          continue
        }
        #expect(failure.mayHaveActed)
      }
    }
  }

  @Test("are answered each with its own status")
  func mixed() async throws {
    let body = #"""
      {"responses":[{"id":"9","status":201},{"id":"3","status":404},{"id":"2","status":500},{"id":"0","status":409,
      "headers":{"ETag":"W/\"x\""},"body":{"id":"i0","text":"mine"}},{"id":"1","status":412,"headers":{"ETag":"\"v2\""},
      "body":{"id":"u","text":"theirs","version":"v1"}},{"id":"4","status":413},{"id":"0","status":201},{"id":"x","status":1e2}]}
      """#
    let knowledge = ServerKnowledge(protocolVersion: .v3, batching: Self.own, mergesUpdates: true)
    try await withScript(knowing: knowledge) { _ in
      .status(200, body)
    } _: { remote, _ in
      let update = RemoteChange.update(
        table: "TodoItem", whole: Record(id: "u"), changed: ["text": .text("x")], base: RecordVersion("v0"))
      let delete = RemoteChange.delete(table: "TodoItem", id: "d", base: nil)
      let outcomes = remote.send([Self.inserts(1)[0], update, delete, delete, Self.inserts(1)[0]])
      let theirs = Record(
        id: "u", values: ["text": .text("theirs")], system: SystemProperties(version: RecordVersion("v2")))
      #expect(outcomes[0] == .success(.conflict(status: 409, nil)))
      #expect(outcomes[1] == .success(.conflict(status: 412, theirs)))
      #expect(throws: RemoteFailure.self) { try outcomes[2].get() }
      #expect(outcomes[3] == .success(.gone(status: 404)))
      #expect(outcomes[4] == .success(.refused(status: 413, message: "Payload Too Large")))
    }
  }

  @Test("go in batches once a list has announced them, unless they were tried in vain")
  func announced() async throws {
    let list = ScriptedServer.Reply.status(200, "{\"items\":[]}", ["x-zumo-batch": "json; max=5"])
    try await withScript { request in
      if request.method == "GET" { return list }
      return request.isBatch ? request.storedBatch() : request.stored
    } _: { remote, server in
      #expect(remote.knowledge.batching == nil)
      _ = try remote.page(TableQuery(table: "TodoItem"))
      #expect(remote.knowledge.batching == .json(entries: 5, bytes: 1_048_576))
      #expect(Self.accepted(remote.send(Self.inserts(5))).count == 5)
      #expect(server.requests.map(\.isBatch) == [false, true])
    }
    try await withScript(batching: .unsupported) { _ in
      list
    } _: { remote, _ in
      _ = try remote.page(TableQuery(table: "TodoItem"))
      #expect(remote.knowledge.batching == .unsupported)
    }
  }

  @Test("are not tried with a server that announces none")
  func notAnnounced() async throws {
    try await withScript {
      $0.stored
    } _: { remote, server in
      #expect(Self.accepted(remote.send(Self.inserts(3))) == ["i0", "i1", "i2"])
      #expect(server.requests.filter(\.isBatch).isEmpty)
    }
  }

  @Test("go several at once without batches, and one that fails for its own reasons stops none")
  func aloneWithFailures() async throws {
    try await withScript { request in
      String(decoding: request.body, as: UTF8.self).contains("\"i3\"") ? .status(500) : request.stored
    } _: { remote, _ in
      let accepted = Self.accepted(remote.send(Self.inserts(30)))
      #expect(accepted == (0..<30).map { $0 == 3 ? nil : "i\($0)" })
    }
  }

  @Test("stop when nothing but failures comes back")
  func onlyFailures() async throws {
    try await withScript { _ in
      .status(500)
    } _: { remote, server in
      #expect(remote.send(Self.inserts(100)).count == 100)
      #expect(server.requests.count < 12)
    }
  }

  @Test("in 2.0.0 an undelete is two requests, and the second one starts from the answer to the first")
  func undelete() async throws {
    try await withScript(version: .v2) { request in
      request.method == "POST"
        ? .status(201, #"{"id":"a","text":"old","version":"v2"}"#)
        : .status(200, #"{"id":"a","text":"new","version":"v3"}"#)
    } _: { remote, server in
      let answer = try remote.send(
        .undelete(
          table: "TodoItem", whole: Record(id: "a", values: ["text": .text("new")]), changed: ["text": .text("new")],
          base: RecordVersion("v1")))
      guard case .accepted(let record?) = answer else {
        Issue.record("\(answer)")
        return
      }
      #expect(record.system.version == RecordVersion("v3"))
      #expect(server.requests.map(\.method) == ["POST", "PATCH"])
      #expect(server.requests.map { $0.headers["if-match"] } == ["\"v1\"", "\"v2\""])
      #expect(server.requests.map { $0.body.isEmpty } == [true, false])
    }
  }

  @Test("an undelete whose second half fails may have been acted on")
  func halfUndeleted() async throws {
    try await withScript(version: .v2) { request in
      request.method == "POST" ? .status(201, #"{"id":"a","version":"v2"}"#) : .status(503)
    } _: { remote, _ in
      let change = RemoteChange.undelete(
        table: "TodoItem", whole: Record(id: "a"), changed: ["text": .text("new")], base: nil)
      #expect(
        remote.send([change]) == [.failure(RemoteFailure(.busy(status: 503, retryAfter: nil), mayHaveActed: true))])
    }
  }
}
