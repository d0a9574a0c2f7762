import TableProtocol
import Testing

struct UpdateTests {
  private let item = "/tables/TodoItem/a"

  private func stored(
    deleted: Bool = false, _ body: @Sendable (TestServer, Record) async throws -> Void
  ) async throws {
    try await TestServer.run { server async throws in
      var record = try await server.insert("a", #""text":"Milk","complete":true"#)
      if deleted { record = try await server.send(.delete, item, .v2).item }
      try await body(server, record)
    }
  }

  private func match(_ record: Record) -> [String: String] {
    ["If-Match": record.system.version?.entityTag ?? ""]
  }

  @Test("a patch changes what it holds and keeps the rest", arguments: ProtocolVersion.allCases)
  func patch(version: ProtocolVersion) async throws {
    try await stored { server, before async throws in
      let answer = try await server.send(.patch, item, version, match(before), body: #"{"id":"a","text":"Eggs"}"#)
      #expect(answer.status == 200)
      let after = try answer.item
      #expect(after.values == ["text": .text("Eggs"), "complete": .bool(true)])
      #expect(after.system.createdAt == before.system.createdAt)
      #expect(after.system.version != before.system.version)
      #expect(try #require(after.system.updatedAt) > #require(before.system.updatedAt))
      #expect(answer.eTag == after.system.version?.entityTag)
    }
  }

  @Test("without If-Match, or with a star, the last writer wins", arguments: [[:], ["If-Match": "*"]])
  func lastWriterWins(headers: [String: String]) async throws {
    try await stored { server, _ async throws in
      for version in ProtocolVersion.allCases {
        #expect(
          try await server.send(.patch, item, version, headers, body: #"{"text":null,"version":"old"}"#).status == 200)
        #expect(try await server.send(.put, item, version, headers, body: #"{"id":"a","version":"old"}"#).status == 200)
      }
    }
  }

  @Test(
    "a stale or weak version is answered with the stored item and changes nothing", arguments: ["\"b2xk\"", "W/\"x\""])
  func stale(tag: String) async throws {
    try await stored { server, before async throws in
      for version in ProtocolVersion.allCases {
        for answer in [
          try await server.send(.patch, item, version, ["If-Match": tag], body: #"{"text":"x"}"#),
          try await server.send(.put, item, version, ["If-Match": tag], body: #"{"id":"a","text":"x"}"#),
          try await server.send(.delete, item, version, ["If-Match": tag]),
        ] {
          #expect(answer.status == 412)
          #expect(try answer.item == before)
          #expect(answer.eTag == before.system.version?.entityTag)
        }
      }
    }
  }

  @Test("an If-Match that is no version is refused", arguments: ["", "\"a\", \"b\"", "\"a"])
  func brokenPrecondition(tag: String) async throws {
    try await stored { server, before async throws in
      #expect(try await server.send(.patch, item, .v3, ["If-Match": tag], body: #"{"text":"x"}"#).status == 400)
      #expect(try await server.send(.get, item).item == before)
    }
  }

  @Test(
    "a patch that changes nothing leaves version and time as they are",
    arguments: ["{}", #"{"id":"a","deleted":false,"version":"x"}"#])
  func emptyPatch(body: String) async throws {
    try await stored { server, before async throws in
      for version in ProtocolVersion.allCases {
        let answer = try await server.send(.patch, item, version, body: body)
        #expect(answer.status == 200)
        #expect(try answer.item == before)
      }
    }
  }

  @Test(
    "a put sets what it leaves out back to nothing, and false where a truth value is kept",
    arguments: ProtocolVersion.allCases)
  func put(version: ProtocolVersion) async throws {
    try await stored { server, before async throws in
      let answer = try await server.send(
        .put, item, version, match(before), body: #"{"id":"a","updatedAt":"1999-01-01T00:00:00Z"}"#)
      #expect(answer.status == 200)
      #expect(try answer.item.values == ["text": .null, "complete": .bool(false)])
    }
  }

  @Test("the id in the body must be that of the URL")
  func ids() async throws {
    try await stored { server, _ async throws in
      #expect(try await server.send(.patch, item, .v2, body: #"{"id":"b"}"#).status == 400)
      #expect(try await server.send(.put, item, .v3, body: #"{"id":"b"}"#).status == 400)
      #expect(try await server.send(.put, item, .v3, body: #"{"text":"x"}"#).status == 400)
    }
  }

  @Test("what does not exist can't be changed, and a put does not make it", arguments: ProtocolVersion.allCases)
  func unknown(version: ProtocolVersion) async throws {
    try await stored { server, _ async throws in
      let other = "/tables/TodoItem/other"
      #expect(try await server.send(.patch, other, version, body: #"{"text":"x"}"#).status == 404)
      #expect(try await server.send(.put, other, version, body: #"{"id":"other"}"#).status == 404)
      #expect(try await server.send(.delete, other, version).status == 404)
      #expect(try await server.send(.post, other, version).status == 404)
      #expect(try await server.send(.get, other, version).status == 404)
      #expect(try await server.send(.get, "/tables/TodoItem").list.items.count == 1)
    }
  }

  @Test("an update that meets a tombstone is a conflict with the tombstone in 2.0.0")
  func tombstoneV2() async throws {
    try await stored(deleted: true) { server, tombstone async throws in
      for (headers, status) in [([:], 409), (["If-Match": "\"b2xk\""], 412), (match(tombstone), 412)] {
        let answer = try await server.send(.patch, item, .v2, headers, body: #"{"text":"x"}"#)
        #expect(answer.status == status)
        #expect(try answer.item == tombstone)
      }
    }
  }

  @Test("an update that meets a tombstone is told it is gone in 3.0.0")
  func tombstoneV3() async throws {
    try await stored(deleted: true) { server, tombstone async throws in
      #expect(try await server.send(.patch, item, .v3, body: #"{"text":"x"}"#).status == 410)
      #expect(try await server.send(.put, item, .v3, match(tombstone), body: #"{"id":"a"}"#).status == 410)
    }
  }

  @Test("each version has its own way to bring a tombstone back")
  func undelete() async throws {
    try await stored(deleted: true) { server, tombstone in
      #expect(try await server.send(.post, item, .v2, ["If-Match": "\"b2xk\""]).status == 412)
      let post = try await server.send(.post, item, .v2, match(tombstone))
      #expect(post.status == 200)
      #expect(try post.item.values == tombstone.values)
      #expect(try !post.item.system.deleted)
      #expect(try #require(post.item.system.updatedAt) > #require(tombstone.system.updatedAt))
      _ = try await server.send(.delete, item)
      let put = try await server.send(.put, "\(item)?__includedeleted=true", .v3, body: #"{"id":"a","text":"back"}"#)
      #expect(put.status == 200)
      #expect(try !put.item.system.deleted)
      _ = try await server.send(.delete, item)
      let patch = try await server.send(.patch, item, .v3, body: #"{"deleted":false}"#)
      #expect(patch.status == 200)
      #expect(try patch.item.values["text"] == .text("back"))
      #expect(try await server.send(.get, item).item == patch.item)
    }
  }
}
