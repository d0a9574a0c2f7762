import TableProtocol
import Testing

struct DeleteTests {
  private let item = "/tables/TodoItem/a"

  @Test("a delete leaves a tombstone that the other devices can see")
  func tombstone() async throws {
    try await TestServer.run { server in
      let before = try await server.insert("a", #""text":"Milk""#)
      let answer = try await server.send(.delete, item, .v2, ["If-Match": before.system.version?.entityTag ?? ""])
      #expect(answer.status == 200)
      let after = try answer.item
      #expect(after.system.deleted)
      #expect(after.values == before.values)
      #expect(after.system.version != before.system.version)
      #expect(try #require(after.system.updatedAt) > #require(before.system.updatedAt))
      #expect(answer.eTag == after.system.version?.entityTag)
      #expect(try await server.send(.get, "/tables/TodoItem?__includedeleted=true").list.items == [after])
    }
  }

  @Test("3.0.0 answers a delete without a body, and a second one with gone")
  func deleteV3() async throws {
    try await TestServer.run { server in
      try await server.insert("a")
      let answer = try await server.send(.delete, item, .v3)
      #expect(answer.status == 204)
      #expect(answer.body.isEmpty)
      #expect(try await server.send(.delete, item, .v3).status == 410)
    }
  }

  @Test("in 2.0.0 a second delete succeeds whatever version it names, and moves nothing")
  func deleteTwice() async throws {
    try await TestServer.run { server in
      try await server.insert("a")
      let first = try await server.send(.delete, item, .v2).item
      let second = try await server.send(.delete, item, .v2, ["If-Match": "\"b2xk\""])
      #expect(second.status == 200)
      #expect(try second.item == first)
    }
  }

  @Test("a tombstone is read only by who asks for tombstones")
  func reading() async throws {
    try await TestServer.run { server in
      try await server.insert("a")
      let tombstone = try await server.send(.delete, item, .v2).item
      #expect(try await server.send(.get, item, .v2).status == 404)
      #expect(try await server.send(.get, item, .v3).status == 410)
      for version in ProtocolVersion.allCases {
        let answer = try await server.send(.get, "\(item)?__includeDeleted=true", version)
        #expect(answer.status == 200)
        #expect(try answer.item == tombstone)
        #expect(answer.eTag == tombstone.system.version?.entityTag)
      }
    }
  }
}
