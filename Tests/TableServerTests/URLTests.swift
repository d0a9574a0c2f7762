import TableProtocol
import Testing

struct URLTests {
  @Test(
    "what is not there is said in JSON",
    arguments: [
      "/", "/table", "/feeds", "/tables/Other", "/tables/TodoItem/a/b", "/x?y",
      "//tables/TodoItem",
    ])
  func unknownURLs(path: String) async throws {
    try await TestServer.run { server in
      let answer = try await server.send(.get, path)
      #expect(answer.status == 404)
      #expect(ErrorBody.message(in: answer.body) != nil)
      #expect(answer.header("Content-Type") == "application/json; charset=utf-8")
    }
  }

  @Test("a whole table can be neither deleted nor patched", arguments: [Verb.delete, .patch, .put])
  func wholeTable(method: Verb) async throws {
    try await TestServer.run { server in
      try await server.insert("a")
      let answer = try await server.send(method, "/tables/TodoItem?$filter=id%20eq%20'a'", .v2)
      #expect(answer.status == 405)
      #expect(answer.header("Allow") == "GET, HEAD, POST, OPTIONS")
      #expect(try await server.send(.get, "/tables/TodoItem").list.items.count == 1)
    }
  }

  @Test("an id is one segment, percent-encoded", arguments: ["买🥛", "a b", "50%", "a&b=c#d", "a'b", "x:y|z"])
  func encodedIDs(id: RecordID) async throws {
    try await TestServer.run { server in
      let inserted = try await server.insert(id)
      let path = "/tables/todoitem/\(PercentEncoding.encodeSegment(id.text))"
      #expect(try await server.send(.get, path).item == inserted)
      #expect(try await server.send(.get, path + "/").item == inserted)
      #expect(try await server.ids("id eq '\(id.text.split(separator: "'").joined(separator: "''"))'") == [id])
      #expect(try await server.send(.delete, path).status == 204)
    }
  }

  @Test("what can't be an id is refused", arguments: ["a%2Fb", "a%00b", "%22", "..%5C", "%2B"])
  func badIDs(id: String) async throws {
    try await TestServer.run { server async throws in
      #expect(try await server.send(.get, "/tables/TodoItem/\(id)").status == 400)
    }
  }

  @Test("a header of 40,000 bytes is read, since one client's grows with every page")
  func longHeaders() async throws {
    try await TestServer.run { server async throws in
      let features = String(repeating: ",TR,QS", count: 6_700)
      #expect(try await server.send(.get, "/tables/TodoItem", .v2, ["X-ZUMO-FEATURES": features]).status == 200)
    }
  }
}
