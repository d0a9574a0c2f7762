import TableProtocol
import Testing

/// What an answer says about the write as a whole (`x-ebb-moved`).
@Suite("What a write says it did to the table")
struct MoveTests {
  private static let table = "/tables/TodoItem"
  private static let clock = TestServer.clock(standingAt: 1_000)

  private static func move(_ from: Int64, _ to: Int64, _ rows: Int) -> ListMove {
    ListMove(from: Timestamp(milliseconds: from), to: Timestamp(milliseconds: to), rows: rows)
  }

  /// Sends a request that names the database, as clients that know this server do.
  private static func send(
    _ server: TestServer, _ method: Verb, _ path: String, _ headers: [String: String] = [:], body: String? = nil
  ) async throws -> Answer {
    let database = try await server.send(.get, "\(table)?$top=0").header(ZumoHeader.database)
    let named = headers.merging([ZumoHeader.database: database ?? ""]) { own, _ in own }
    return try await server.send(method, path, .v3, named, body: body)
  }

  @Test("each write goes on from the last moment that was given, and says the one that it gave")
  func alone() async throws {
    try await TestServer.run(clock: Self.clock) { server in
      let made = try await Self.send(server, .post, Self.table, body: #"{"id":"a"}"#)
      #expect(made.move == Self.move(0, 1_000, 1))
      try await server.insert("b")
      let changed = try await Self.send(server, .patch, "\(Self.table)/a", body: #"{"text":"milk"}"#)
      #expect(changed.move == Self.move(1_001, 1_002, 1))
      #expect(changed.header(ZumoHeader.moved)?.hasPrefix(Self.move(1_001, 1_002, 1).text + ";count=2;") == true)
      #expect(try await Self.send(server, .delete, "\(Self.table)/a").move == Self.move(1_002, 1_003, 1))
      #expect(try await Self.send(server, .post, "\(Self.table)/a").move == Self.move(1_003, 1_004, 1))
    }
  }

  @Test("each write says the digest of the whole table after it, as a list tells it then")
  func digest() async throws {
    try await TestServer.run(clock: Self.clock) { server in
      try await server.insert("a")
      for (method, path) in [(Verb.post, Self.table), (.delete, "\(Self.table)/a")] {
        let written = try await Self.send(server, method, path, body: method == .post ? #"{"id":"b"}"# : nil)
        let list = try await server.send(.get, "\(Self.table)?$top=10", .v3)
        let told = TableDigest(
          count: try #require(list.header(ZumoHeader.count)), checksum: try #require(list.header(ZumoHeader.checksum)))
        #expect(told != nil && written.said?.digest == told)
      }
    }
  }

  @Test("a request that writes nothing says nothing, and neither does one that names no database")
  func nothing() async throws {
    try await TestServer.run(clock: Self.clock) { server in
      #expect(try await server.send(.post, Self.table, .v3, body: #"{"id":"a"}"#).move == nil)
      #expect(try await Self.send(server, .post, Self.table, body: #"{"id":"a"}"#).move == nil, "409")
      #expect(try await Self.send(server, .get, Self.table).move == nil)
      let stale = try await Self.send(server, .delete, "\(Self.table)/a", ["If-Match": "\"other\""])
      #expect(stale.status == 412 && stale.move == nil)
      let empty = try await Self.send(server, .post, "/tables/$batch", body: #"{"requests":[]}"#)
      #expect(empty.move == nil)
    }
  }

  @Test("a batch says once what all of its entries did, without those that failed or were undone")
  func batch() async throws {
    try await TestServer.run(clock: Self.clock) { server in
      func entry(_ id: String, _ more: String = "") -> String {
        #"{"id":"\#(id)","method":"post","url":"/tables/TodoItem","body":{"id":"\#(id)"}\#(more)}"#
      }
      try await server.insert("taken")
      let entries = [
        entry("a"), entry("taken"), entry("b", #","atomicityGroup":"g""#), entry("taken", #","atomicityGroup":"g""#),
        entry("c"),
      ].enumerated().map { $1.replacing(#"{"id":"taken","m"#, with: #"{"id":"taken\#($0)","m"#) }
      let body = "{\"requests\":[\(entries.joined(separator: ","))]}"
      let answer = try await Self.send(server, .post, "/tables/$batch", body: body)
      let answers = try #require(try BatchResponse.all(in: answer.body))
      #expect(answers.map(\.status) == [201, 409, 424, 409, 201])
      // The moment of the entry that was undone is not given again.
      #expect(answer.move == Self.move(1_000, 1_003, 2))
      #expect(answers.allSatisfy { $0.headers[ZumoHeader.moved] == nil })
    }
  }

  @Test("an answer that is given again says nothing: it did nothing now")
  func repeated() async throws {
    let now: Int64 = 784_111_777_000
    try await TestServer.run(clock: TestServer.clock(standingAt: now)) { server in
      let headers = [
        "Repeatability-Request-ID": "once", "Repeatability-First-Sent": Timestamp(milliseconds: now).httpDate,
      ]
      let first = try await Self.send(server, .post, Self.table, headers, body: #"{"id":"a"}"#)
      let second = try await Self.send(server, .post, Self.table, headers, body: #"{"id":"a"}"#)
      #expect(first.status == second.status && first.body == second.body)
      #expect(second.move == nil)
    }
  }
}

extension Answer {
  /// Without the digest.
  fileprivate var move: ListMove? { said.map { ListMove(from: $0.from, to: $0.to, rows: $0.rows) } }

  fileprivate var said: ListMove? { header(ZumoHeader.moved).flatMap { ListMove($0) } }
}
