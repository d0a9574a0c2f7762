import TableProtocol
import Testing

/// Batches of one push over several connections, with `x-ebb-sequence`.
@Suite("Batches in sequence", .timeLimit(.minutes(5)))
struct BatchSequenceTests {
  /// No test lives to see its end.
  private static let hour = Duration.seconds(3_600)

  private static func body(_ id: RecordID) -> String {
    #"{"requests":[{"id":"1","method":"post","url":"/tables/TodoItem","body":{"id":"\#(id)"}}]}"#
  }

  @Test("that arrive the wrong way round are acted on in the order they were made")
  func order() async throws {
    try await TestServer.run(longestTurn: Self.hour) { server async throws in
      try await withThrowingTaskGroup(of: Int.self) { tasks in
        for number in (1...4).reversed() {
          tasks.addTask { try await server.batch("push-1;\(number)", Self.body("i\(number)")).status }
        }
        for _ in 0..<20 { #expect(try await server.ids("true eq true") == []) }
        #expect(try await server.batch("push-1;0", Self.body("i0")).status == 200)
        for try await status in tasks { #expect(status == 200) }
      }
      let list = try await server.send(.get, "/tables/TodoItem?$orderby=createdAt").list
      #expect(list.items.map(\.id) == ["i0", "i1", "i2", "i3", "i4"])
    }
  }

  @Test("do not wait for ever for one that is lost")
  func lost() async throws {
    try await TestServer.run(longestTurn: .milliseconds(1)) { server async throws in
      #expect(try await server.batch("a;7", Self.body("a")).status == 200)
      #expect(try await server.ids("true eq true") == ["a"])
    }
  }

  @Test("go on after one that was refused, for whatever reason")
  func refused() async throws {
    try await TestServer.run(longestTurn: Self.hour) { server async throws in
      let tooLarge = String(repeating: " ", count: 4_194_305)
      #expect(try await server.batch("a;0", "{").status == 400)
      #expect(try await server.batch("a;1", tooLarge).status == 413)
      #expect(try await server.batch("a;2", Self.body("a"), ["x-ebb-database": "other"]).status == 421)
      #expect(try await server.batch("a;3", Self.body("a"), ["ZUMO-API-VERSION": "9"]).status == 400)
      #expect(try await server.batch("a;4", Self.body("a"), ["Content-Type": "text/plain"]).status == 415)
      #expect(try await server.batch("a;5", Self.body("a")).status == 200)
    }
  }

  @Test("that wait do not hold up a server that is shutting down")
  func shutdown() async throws {
    let answer = try await TestServer.result(longestTurn: Self.hour) { server async throws in
      let waiting = Task { try await server.batch("a;1", Self.body("a")).status }
      for _ in 0..<20 { _ = try await server.ids("true eq true") }
      return waiting
    }
    // Answered when it had arrived; cut off when it had not.
    if let status = try? await answer.value { #expect(status == 200) }
  }

  @Test(
    "whose place can't be read are refused, and nothing of them is run",
    arguments: [
      "", ";", "a", "a;", ";0", "a;-1", "a;+1", "a; 1", "a;1;2", "a;0x1", "A;0", "a_b;0", "é;0", "a;٣", "a;0, b;0",
      "a;1000000000", "a;99999999999999999999", String(repeating: "a", count: 65) + ";0",
    ])
  func malformed(place: String) async throws {
    try await TestServer.run(longestTurn: Self.hour) { server async throws in
      let answer = try await server.batch(place, Self.body("a"))
      #expect(answer.status == 400)
      #expect(ErrorBody.message(in: answer.body) != nil)
      #expect(try await server.ids("true eq true") == [])
      #expect(try await server.batch(String(repeating: "a", count: 64) + ";0", Self.body("b")).status == 200)
    }
  }
}

extension TestServer {
  fileprivate func batch(_ place: String, _ body: String, _ headers: [String: String] = [:]) async throws -> Answer {
    let headers = headers.merging(["x-ebb-sequence": place]) { mine, _ in mine }
    return try await send(.post, "/$batch", .v3, headers, body: body)
  }
}
