import FoundationEssentials
import HTTPTypes
import InMemoryStorage
import StorageSupport
import Synchronization
import TableProtocol
import Testing

@testable import TableServer
@testable import TableStorage

@Suite("A request that may be repeated")
struct RepetitionTests {
  private let table = "/tables/TodoItem"
  /// 1994-11-06T08:49:37Z.
  private static let now: Int64 = 784_111_777_000
  private static let result = "Repeatability-Result"

  private func headers(_ id: String, sent milliseconds: Int64 = now, _ more: [String: String] = [:]) -> [String: String]
  {
    let sent = Timestamp(milliseconds: milliseconds).httpDate
    return more.merging(["Repeatability-Request-ID": id, "Repeatability-First-Sent": sent]) { $1 }
  }

  @Test("is done once and answered alike each time, in every verb", arguments: ProtocolVersion.allCases)
  func verbs(version: ProtocolVersion) async throws {
    try await TestServer.run(clock: TestServer.clock(standingAt: Self.now)) { server async throws in
      let item = "\(table)/a"
      let writes: [(Verb, String, String?)] = [
        (.post, table, #"{"id":"a","text":"x"}"#), (.post, table, #"{"text":"made"}"#),
        (.patch, item, #"{"text":"y"}"#), (.put, item, #"{"id":"a","text":"z"}"#), (.delete, item, nil),
        (.post, item, nil),
      ]
      for (number, (verb, path, body)) in writes.enumerated() {
        let headers = headers("id-\(number)")
        let first = try await server.send(verb, path, version, headers, body: body)
        #expect(first.status < 300 && first.header(Self.result) == "accepted", "\(verb)")
        // Others go on meanwhile.
        if number > 1 { _ = try await server.send(.patch, item, version, body: #"{"text":"other"}"#) }
        let before = try await server.send(.get, "\(table)?__includedeleted=true").text
        let again = try await server.send(verb, path, version, headers, body: body)
        #expect(again.status == first.status && again.body == first.body && again.eTag == first.eTag)
        for name in ["Location", "Last-Modified", Self.result] { #expect(again.header(name) == first.header(name)) }
        #expect(try await server.send(.get, "\(table)?__includedeleted=true").text == before)
      }
      #expect(try await server.send(.get, table).list.items.count == 2)
    }
  }

  @Test("with another content than before is refused", arguments: ProtocolVersion.allCases)
  func differs(version: ProtocolVersion) async throws {
    try await TestServer.run(clock: TestServer.clock(standingAt: Self.now)) { server async throws in
      let first = try await server.send(.post, table, version, headers("x"), body: #"{"id":"a","text":"x"}"#)
      #expect(first.status == 201)
      for (verb, path, more, body) in [
        (.post, table, [:], #"{"id":"a","text":"y"}"#), (.post, "\(table)/", [:], #"{"id":"a","text":"x"}"#),
        (.patch, "\(table)/a", [:], #"{"id":"a","text":"x"}"#),
        (.post, table, ["If-Match": "\"x\""], #"{"id":"a","text":"x"}"#),
      ] as [(Verb, String, [String: String], String)] {
        let answer = try await server.send(verb, path, version, headers("x", more), body: body)
        #expect(answer.status == 400 && answer.header(Self.result) == "rejected")
      }
      // The name of a client makes it another's.
      let other = try await server.send(
        .post, table, version, headers("x", ["Repeatability-Client-ID": "c"]), body: #"{"id":"b"}"#)
      #expect(other.status == 201)
    }
  }

  @Test("that was not done is tried again")
  func failed() async throws {
    try await TestServer.run(clock: TestServer.clock(standingAt: Self.now)) { server async throws in
      let send = { try await server.send(.patch, "\(table)/a", .v3, headers("x"), body: #"{"text":"y"}"#) }
      let first = try await send()
      #expect(first.status == 404 && first.header(Self.result) == "accepted")
      try await server.insert("a")
      #expect(try await send().status == 200)
    }
  }

  @Test(
    "must have both headers, and in a form that can be read",
    arguments: [
      ["Repeatability-Request-ID": "x"], ["Repeatability-First-Sent": "Sun, 06 Nov 1994 08:49:37 GMT"],
      ["Repeatability-Request-ID": "x", "Repeatability-First-Sent": "1994-11-06T08:49:37Z"],
      ["Repeatability-Request-ID": "", "Repeatability-First-Sent": "Sun, 06 Nov 1994 08:49:37 GMT"],
      ["Repeatability-Request-ID": "a b", "Repeatability-First-Sent": "Sun, 06 Nov 1994 08:49:37 GMT"],
      [
        "Repeatability-Request-ID": String(repeating: "x", count: 201),
        "Repeatability-First-Sent": "Sun, 06 Nov 1994 08:49:37 GMT",
      ],
    ])
  func malformed(headers: [String: String]) async throws {
    try await TestServer.run(clock: TestServer.clock(standingAt: Self.now)) { server async throws in
      let answer = try await server.send(.post, table, .v3, headers, body: #"{"id":"a"}"#)
      #expect(answer.status == 400 && answer.header(Self.result) == "rejected")
      #expect(try await server.send(.get, table).list.items.isEmpty)
      // What changes nothing may always come again.
      #expect(try await server.send(.get, table, .v3, headers).status == 200)
    }
  }

  @Test("is remembered for a day, over a restart, and then refused rather than done twice")
  func window() async throws {
    let day = Repetition.window
    try await ServerDatabaseFile.use { file in
      let clock = Mutex(Self.now)
      func run(at moment: Int64, _ body: @Sendable (TestServer) async throws -> Void) async throws {
        clock.withLock { $0 = moment }
        let time = clock.withLock { $0 }
        try await TestServer.run(databasePath: file.path, clock: TestServer.clock(standingAt: time), body)
      }
      @Sendable func send(_ server: TestServer, _ id: String, _ sent: Int64) async throws -> Answer {
        try await server.send(.post, table, .v3, headers(id, sent: sent), body: #"{"text":"\#(id)"}"#)
      }
      let first = Mutex("")
      try await run(at: Self.now) { server async throws in
        let answer = try await send(server, "x", Self.now)
        first.withLock { $0 = answer.text }
        #expect(try await send(server, "far", Self.now + Repetition.largestLead + 1_000).status == 412)
        #expect(try await send(server, "old", Self.now - day).status == 412)
        #expect(try await send(server, "edge", Self.now - day + 1_000).status == 201)
      }
      try await run(at: Self.now + day - 1_000) { server async throws in
        let again = try await send(server, "x", Self.now)
        #expect(again.status == 201 && again.text == first.withLock { $0 })
        #expect(try await send(server, "y", Self.now + day - 1_000).status == 201)
      }
      try await run(at: Self.now + day + 5_000) { server async throws in
        #expect(try await send(server, "z", Self.now + day).status == 201, "with it the old ones go")
        let late = try await send(server, "x", Self.now)
        #expect(late.status == 412 && late.header(Self.result) == "rejected")
      }
      // The clock goes back: what was forgotten can't be known, whatever the time.
      try await run(at: Self.now + 10_000) { server async throws in
        #expect(try await send(server, "x", Self.now).status == 412)
        #expect(try await send(server, "y", Self.now + day - 1_000).status == 201)
        #expect(try await server.send(.get, table).list.items.count == 4)
      }
    }
  }

  @Test("is forgotten after a day by the next write of its list or the next start, though nobody repeats any")
  func forgotten() async throws {
    try await ServerDatabaseFile.use { file in
      let clock = Mutex(Self.now)
      @Sendable func kept() async throws -> Int64 {
        let storage = try SQLiteStorage(path: file.path, makeUUID: { UUID() })
        defer { try? storage.close() }
        return try await storage.write(.first) { try $0.answersKeptAfter() }?.milliseconds ?? 0
      }
      try await TestServer.run(databasePath: file.path, clock: { Timestamp(milliseconds: clock.value) }) { server in
        for id in ["x", "y"] {
          let later = id == "y" ? 7_200_000 : Int64(0)
          let answer = try await server.send(
            .post, table, .v3, headers(id, sent: Self.now + later), body: #"{"text":"\#(id)"}"#)
          #expect(answer.status == (id == "x" ? 201 : 412))
        }
        #expect(try await kept() == 0)
        clock.withLock { $0 += Repetition.window }
        try await server.insert("plain")
        #expect(try await kept() == Self.now)
        let late = try await server.send(
          .post, table, .v3, headers("z", sent: clock.value), body: #"{"text":"z"}"#)
        #expect(late.status == 201)
      }
      clock.withLock { $0 += Repetition.window }
      try await TestServer.run(databasePath: file.path, clock: { Timestamp(milliseconds: clock.value) }) { _ in }
      #expect(try await kept() == Self.now + Repetition.window)
    }
  }

  @Test("of one user is not that of another")
  func owners() async throws {
    let storage = MemoryStorage()
    let routes = TableRoutes(
      storage: storage, clock: TestServer.clock(standingAt: Self.now), makeID: { UUID().uuidString },
      newColumns: ColumnAllowances(mostInAnHour: 1), log: ServerLog(TestServer.quiet, clock: TestServer.systemClock),
      order: BatchOrder(longestWait: .zero))
    var request = TableRequest(
      method: .post, target: table, headers: [.contentType: "application/json"], body: Array(#"{"id":"a"}"#.utf8))
    request.headers[.repeatabilityID] = "x"
    request.headers[.repeatabilityFirstSent] = Timestamp(milliseconds: Self.now).httpDate
    for name in ["anna", "ben"] {
      let owner = try #require(UserName(name))
      #expect(await routes.respond(to: request, of: owner).status.code == 201)
      #expect(await routes.respond(to: request, of: owner).status.code == 201)
      #expect(try await storage.read(ListID(.todoItem, owner: owner)) { try $0.row("a") } != nil)
    }
  }

  @Test("may be an entry of a batch, and is undone with its group; a batch as a whole may not")
  func batches() async throws {
    try await TestServer.run(clock: TestServer.clock(standingAt: Self.now)) { server async throws in
      let sent = Timestamp(milliseconds: Self.now).httpDate
      func entry(_ id: String, _ body: String, _ group: String = "") -> String {
        let headers = #"{"repeatability-request-id":"r\#(id)","repeatability-first-sent":"\#(sent)"}"#
        return #"{"id":"\#(id)","method":"post","url":"\#(table)","headers":\#(headers),"body":\#(body)\#(group)}"#
      }
      func send(_ entries: [String], _ headers: [String: String] = [:]) async throws -> Answer {
        try await server.send(
          .post, "/$batch", .v3, headers, body: #"{"requests":[\#(entries.joined(separator: ","))]}"#)
      }
      let group = #","atomicityGroup":"g""#
      let alone = entry("1", #"{"text":"x"}"#)
      let undone = try await send([
        alone, entry("2", #"{"text":"y"}"#, group), entry("3", #"{"text":5}"#, group),
      ])
      #expect(try BatchResponse.all(in: undone.body)?.map(\.status) == [201, 424, 400])
      let again = try await send([alone, entry("2", #"{"text":"y"}"#, group)])
      let answers = try #require(try BatchResponse.all(in: again.body))
      #expect(answers.map(\.status) == [201, 201])
      let first = try #require(try BatchResponse.all(in: undone.body)?.first)
      #expect(answers[0].body == first.body)
      #expect(answers.allSatisfy { $0.headers["repeatability-result"] == "accepted" })
      #expect(try await server.send(.get, table).list.items.count == 2)
      let whole = try await send([alone], headers("x"))
      #expect(whole.status == 501 && whole.header(Self.result) == "rejected")
    }
  }
}

extension Mutex<Int64> {
  fileprivate var value: Int64 { withLock { $0 } }
}
