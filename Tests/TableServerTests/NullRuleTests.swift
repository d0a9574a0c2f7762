import TableProtocol
import Testing

/// What a comparison with null comes to: in 2.0.0 nothing is true of it but `eq null`, in 3.0.0 null is a value that
/// equals null alone (wire 6.2).
@Suite("Null")
struct NullRuleTests {
  private func filled(_ body: @Sendable (TestServer) async throws -> Void) async throws {
    try await TestServer.run { server in
      try await server.insert("a", #""text":"Milk","complete":true,"n":1"#)
      try await server.insert("b", #""text":null,"complete":null,"n":null"#)
      try await server.insert("c", #""text":"Eggs","complete":false,"n":2"#)
      try await body(server)
    }
  }

  /// A filter, and the rows that it is true of in 2.0.0 and in 3.0.0.
  private static let cases: [(String, [RecordID], [RecordID])] = [
    ("text eq null", ["b"], ["b"]), ("null eq text", ["b"], ["b"]), ("text ne null", ["a", "c"], ["a", "c"]),
    ("text ne 'Milk'", ["c"], ["b", "c"]), ("'Milk' ne text", ["c"], ["b", "c"]),
    ("text gt 'A'", ["a", "c"], ["a", "c"]), ("not (text gt 'A')", [], ["b"]),
    ("not (text eq 'Milk')", ["c"], ["b", "c"]), ("n add 1 ne 2", ["c"], ["b", "c"]),
    ("n eq n", ["a", "c"], ["a", "b", "c"]), ("n ne n", [], []), ("n le n", ["a", "c"], ["a", "c"]),
    ("text in ('Milk')", ["a"], ["a"]), ("not (text in ('Milk'))", ["c"], ["b", "c"]), ("text in (null)", [], ["b"]),
    ("null eq null", ["a", "b", "c"], ["a", "b", "c"]), ("null ne null", [], []), ("n gt null", [], []),
    ("length(text) ne 4", [], ["b"]), ("complete", ["a"], ["a"]), ("not complete", ["c"], ["c"]),
    ("complete ne true", ["c"], ["b", "c"]), ("(text eq 'Milk') eq false", ["c"], ["b", "c"]),
    ("(text eq null) eq true", ["b"], ["b"]), ("text eq null or n eq 2", ["b", "c"], ["b", "c"]),
    ("not (text eq 'Milk' and n eq 1)", ["c"], ["b", "c"]), ("updatedAt ne null", ["a", "b", "c"], ["a", "b", "c"]),
  ]

  @Test("in a filter is unknown in 2.0.0 and a value in 3.0.0", arguments: cases)
  func filters(filter: String, old: [RecordID], new: [RecordID]) async throws {
    try await filled { server async throws in
      #expect(try await server.ids(filter, .v2) == old)
      #expect(try await server.ids(filter, .v3) == new)
    }
  }

  @Test("stands before every value in an order, on one page and on many", arguments: ProtocolVersion.allCases)
  func order(version: ProtocolVersion) async throws {
    try await filled { server async throws in
      for (order, ids) in [
        ("text", ["b", "c", "a"]), ("text desc", ["a", "c", "b"]), ("complete,id desc", ["b", "c", "a"]),
        ("n desc", ["c", "a", "b"]), ("n,text", ["b", "a", "c"]),
      ] as [(String, [RecordID])] {
        let query = QueryItemsText.of([("$orderby", order), ("$top", "3")])
        #expect(try await server.send(.get, "/tables/TodoItem?\(query)", version).list.items.map(\.id) == ids)
        let rest = try await server.send(.get, "/tables/TodoItem?\(query)&$skip=1", version).list
        #expect(rest.items.map(\.id) == Array(ids.dropFirst()))
      }
    }
  }
}
