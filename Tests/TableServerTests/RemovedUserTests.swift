import FoundationEssentials
import StorageSupport
import TableProtocol
import Testing

@testable import TableServer
@testable import TableStorage

@Suite("A user who is taken out of the database while a server runs")
struct RemovedUserTests {
  private static let table = "/tables/TodoItem"

  /// The headers of a new token. The server ends connections that it kept for a token that is over.
  private func header(_ user: String, _ path: String) throws -> [String: String] {
    let tokens = try ServerTokens(database: path, makesDatabase: true, clock: TestServer.systemClock)
    defer { tokens.close() }
    let added = try tokens.add(try #require(UserName(user)), label: "", scope: .sync, days: nil)
    return ["Authorization": "Bearer \(added.token.text)", "Connection": "close"]
  }

  private func remove(_ user: String, from path: String) async throws -> RemovedUsers {
    try await ServerDatabase(path: path).remove([try #require(UserName(user))], .ofTests)
  }

  private func names(_ path: String) async throws -> [String?] {
    try await ServerDatabase(path: path).users(.ofTests).map { $0.name?.text }
  }

  @Test(
    "is let in no more, nor is anybody without a token, and others have all they had",
    arguments: StorageKind.ofServers)
  func gone(kind: StorageKind) async throws {
    try await kind.useDatabase { path in
      let (anna, ben) = (try header("anna", path), try header("ben", path))
      try await TestServer.run(databasePath: path) { server async throws in
        for (id, user) in [("a", anna), ("b", ben)] {
          #expect(try await server.send(.post, Self.table, .v3, user, body: "{\"id\":\"\(id)\"}").status == 201)
        }
        #expect(try await names(path) == ["anna", "ben"])
        let before = try await server.send(.get, Self.table, .v3, ben)
        let removed = try await remove("anna", from: path)
        #expect(removed.lists == RemovedLists(lists: 1, items: 1) && removed.grants.count == 1)
        for user in [anna, [:]] {
          #expect(try await server.send(.get, Self.table, .v3, user).status == 401)
          #expect(try await server.send(.post, Self.table, .v3, user, body: "{}").status == 401)
        }
        let after = try await server.send(.get, Self.table, .v3, ben)
        #expect(after.status == 200 && after.body == before.body)
        #expect(after.header(ZumoHeader.checksum) == before.header(ZumoHeader.checksum))
        #expect(after.header(ZumoHeader.epoch).flatMap { DatabaseEpoch($0) }?.number == 2)
        #expect(try await names(path) == ["ben"])
      }
      try await TestServer.run(databasePath: path) { server async throws in
        #expect(try await server.send(.get, Self.table, .v3, ben).list.items.map(\.id) == ["b"])
        #expect(try await server.send(.get, Self.table).status == 401, "tokens were given")
      }
    }
  }

  @Test("begins no list again at a server that has not heard of it", arguments: StorageKind.ofServers)
  func unheardOf(kind: StorageKind) async throws {
    var limits = ServerLimits.patient
    limits.tokenAge = .seconds(3_600)
    try await kind.useDatabase { [limits] path in
      let anna = try header("anna", path)
      try await TestServer.run(databasePath: path, limits: limits) { server async throws in
        #expect(try await server.send(.post, Self.table, .v3, anna, body: #"{"id":"a"}"#).status == 201)
        _ = try await remove("anna", from: path)
        for (verb, path, body) in [
          (Verb.get, Self.table, nil), (.get, "\(Self.table)/a", nil), (.post, Self.table, #"{"id":"b"}"#),
          (.delete, "\(Self.table)/a", nil),
        ] as [(Verb, String, String?)] {
          let answer = try await server.send(verb, path, .v3, anna, body: body)
          #expect(answer.status == 503 && answer.header("Retry-After") == "1", "\(verb) \(path)")
        }
        let batch = #"{"requests":[{"id":"1","method":"POST","url":"/tables/TodoItem","body":{"id":"c"}}]}"#
        #expect(try await server.send(.post, "/$batch", nil, anna, body: batch).status == 503)
        #expect(try await names(path) == [])
      }
    }
  }

  @Test("who is given a token again under the same name meets another epoch", arguments: StorageKind.ofServers)
  func again(kind: StorageKind) async throws {
    try await kind.useDatabase { path in
      let anna = try header("anna", path)
      try await TestServer.run(databasePath: path) { server async throws in
        _ = try await server.send(.post, Self.table, .v3, anna, body: #"{"id":"a"}"#)
        let before = try await server.send(.get, Self.table, .v3, anna)
        let newest = try #require(before.header(ZumoHeader.newest))
        let epoch = try #require(before.header(ZumoHeader.epoch))
        _ = try await remove("anna", from: path)
        let again = try header("anna", path)

        let query = QueryItemsText.of([("$filter", "updatedAt gt cast(\(newest),Edm.DateTimeOffset)")])
        let asked = try await server.send(.get, "\(Self.table)?\(query)", .v3, again)
        #expect(try asked.list.items.isEmpty && asked.header(ZumoHeader.behind) == "true")
        #expect(asked.header(ZumoHeader.epoch).flatMap { DatabaseEpoch($0) }?.from == nil)
        let known = again.merging([ZumoHeader.newest: newest, ZumoHeader.epoch: epoch]) { $1 }
        #expect(try await server.send(.post, Self.table, .v3, known, body: #"{"id":"b"}"#).status == 421)
        #expect(try await server.send(.post, Self.table, .v3, again, body: #"{"id":"a"}"#).status == 201)
      }
    }
  }

  @Test("is listed no more, and those who need not sign in keep the list begun since", arguments: StorageKind.ofServers)
  func first(kind: StorageKind) async throws {
    try await kind.useDatabase { path in
      try await TestServer.run(databasePath: path, isOpen: true) { server async throws in
        try await server.insert("x")
        let anna = try header("anna", path)
        try await server.insert("y")
        #expect(try await server.send(.get, Self.table, .v3, anna).list.items.map(\.id) == ["x"])
        #expect(try await names(path) == [nil, "anna"])
        _ = try await remove("anna", from: path)
        #expect(try await names(path) == [nil])
        try await server.insert("z")
        #expect(try await server.send(.get, Self.table).list.items.map(\.id).sorted() == ["y", "z"])
      }
      try await TestServer.run(databasePath: path, isOpen: true) { server async throws in
        #expect(try await server.send(.get, Self.table).list.items.map(\.id).sorted() == ["y", "z"])
      }
    }
  }

  @Test("leaves no token and no last use to somebody who gets the same name")
  func lastUse() async throws {
    try await StorageKind.sqlite.useDatabase { path in
      let storage = try SQLiteStorage(path: path, makeUUID: { UUID() })
      defer { try? storage.close() }
      let (anna, moment) = (try #require(UserName("anna")), Timestamp(milliseconds: 60_000))
      for number in [1, 2] as [UInt8] {
        let digest = TokenDigest(hash: Array(repeating: number, count: 32))
        _ = try storage.add(Grant(id: "", user: anna, createdAt: .epoch), digest)
        let given = try await ServerDatabase(path: path).users(.ofTests)
        #expect(given.map(\.tokens) == [1] && given.map(\.lastUse) == [nil])
        try await storage.noteUse(digest, at: moment)
        #expect(try await ServerDatabase(path: path).users(.ofTests).map(\.lastUse) == [moment])
        _ = try await remove("anna", from: path)
      }
    }
  }

  @Test("is listed before, as are those who need not sign in if they have something, and an invited user")
  func listed() async throws {
    try await StorageKind.sqlite.useDatabase { path in
      try await TestServer.run(databasePath: path, isOpen: true) { server async throws in
        try await server.insert("x")
        #expect(try await names(path) == [nil])
        let anna = try header("anna", path)
        _ = try await server.send(.post, Self.table, .v3, anna, body: #"{"id":"a"}"#)
        _ = try await server.send(.delete, "\(Self.table)/x", .v3, anna)
        try await server.insert("y")
        let tokens = try ServerTokens(database: path, makesDatabase: false, clock: TestServer.systemClock)
        defer { tokens.close() }
        _ = try tokens.invite(try #require(UserName("ben")), server: "https://list.example")
        let users = try await ServerDatabase(path: path).users(.ofTests)
        #expect(users.map { $0.name?.text } == [nil, "anna", "ben"])
        #expect(users.map(\.items) == [1, 1, 0] && users.map(\.tombstones) == [0, 1, 0])
        #expect(users.map(\.tokens) == [0, 1, 0], "an invitation is no token yet")
      }
    }
  }
}
