import StorageSupport
import TableProtocol
import Testing

@testable import TableServer
@testable import TableStorage

@Suite("A user who gets another name while a server runs")
struct RenamedUserTests {
  private static let table = "/tables/TodoItem"

  /// The headers of a device with a new token, which knows its user's name as one that has joined does.
  private func device(_ user: String, _ path: String) throws -> [String: String] {
    let tokens = try ServerTokens(database: path, makesDatabase: true, clock: TestServer.systemClock)
    defer { tokens.close() }
    let added = try tokens.add(try #require(UserName(user)), label: "", scope: .sync, days: nil)
    return ["Authorization": "Bearer \(added.token.text)", ZumoHeader.columns: "own", ZumoHeader.user: user]
  }

  private func rename(_ user: String, to name: String, in path: String) async throws -> RenamedUser {
    try await ServerDatabase(path: path)
      .rename(try #require(UserName(user)), to: try #require(UserName(name)), .ofTests)
  }

  @Test("keeps devices and their lists: rows, moments, versions and the epoch", arguments: StorageKind.ofServers)
  func devices(kind: StorageKind) async throws {
    try await kind.useDatabase { path in
      try await TestServer.run(databasePath: path) { server async throws in
        try await server.insert("before")
        let anna = try device("anna", path)
        let made = try await server.send(.post, Self.table, .v3, anna, body: #"{"id":"a","text":"Milk"}"#)
        let before = try await server.send(.get, Self.table, .v3, anna)
        #expect(try before.list.items.map(\.id).sorted() == ["a", "before"])
        #expect(try await rename("anna", to: "anja", in: path) == .renamed(lists: 1, grants: 1))

        let after = try await server.send(.get, Self.table, .v3, anna)
        #expect(after.status == 200 && after.body == before.body)
        let same = [ZumoHeader.user, ZumoHeader.epoch, ZumoHeader.newest, ZumoHeader.checksum, ZumoHeader.count]
        for name in same { #expect(after.header(name) == before.header(name), "\(name)") }
        let newest = try #require(before.header(ZumoHeader.newest))
        let epoch = try #require(before.header(ZumoHeader.epoch))
        let news = QueryItemsText.of([("$filter", "updatedAt gt cast(\(newest),Edm.DateTimeOffset)")])
        let asked = try await server.send(.get, "\(Self.table)?\(news)", .v3, anna)
        #expect(try asked.list.items.isEmpty && asked.header(ZumoHeader.behind) == nil)
        let known = [ZumoHeader.newest: newest, ZumoHeader.epoch: epoch, "If-Match": try #require(made.eTag)]
        let changed = try await server.send(
          .patch, "\(Self.table)/a", .v3, anna.merging(known) { $1 }, body: #"{"text":"Oat milk"}"#)
        #expect(changed.status == 200 && changed.header(ZumoHeader.user) == "anna")
      }
    }
  }

  @Test("answers each device by the name that it knows, and no other")
  func names() async throws {
    try await StorageKind.sqlite.useDatabase { path in
      let (anna, ben) = (try device("anna", path), try device("ben", path))
      try await TestServer.run(databasePath: path) { server async throws in
        _ = try await rename("anna", to: "anja", in: path)
        for (asked, status, said) in [
          ("anna", 200, "anna"), ("anja", 200, "anja"), ("ben", 403, nil), (nil, 200, "anja"),
        ] as [(String?, Int, String?)] {
          var headers = anna
          headers[ZumoHeader.user] = asked
          let answer = try await server.send(.get, Self.table, .v3, headers)
          #expect(answer.status == status && answer.header(ZumoHeader.user) == said, "\(asked ?? "-")")
        }
        #expect(try await rename("anja", to: "ben", in: path) == .taken)
        #expect(try await rename("ben", to: "anna", in: path) == .renamed(lists: 0, grants: 1), "the name is free")
        _ = try await server.send(.post, Self.table, .v3, ben, body: #"{"id":"b"}"#)
        #expect(try await server.send(.get, Self.table, .v3, anna).list.items.isEmpty, "a former name opens nothing")
      }
    }
  }

  @Test("begins no list under the old name at a server that has not heard of it", arguments: StorageKind.ofServers)
  func unheardOf(kind: StorageKind) async throws {
    var limits = ServerLimits.patient
    limits.tokenAge = .seconds(3_600)
    try await kind.useDatabase { [limits] path in
      let anna = try device("anna", path)
      try await TestServer.run(databasePath: path, limits: limits) { server async throws in
        #expect(try await server.send(.post, Self.table, .v3, anna, body: #"{"id":"a"}"#).status == 201)
        _ = try await rename("anna", to: "anja", in: path)
        for (verb, path, body) in [
          (Verb.get, Self.table, nil), (.get, "\(Self.table)/a", nil), (.post, Self.table, #"{"id":"b"}"#),
          (.delete, "\(Self.table)/a", nil),
        ] as [(Verb, String, String?)] {
          let answer = try await server.send(verb, path, .v3, anna, body: body)
          #expect(answer.status == 503 && answer.header("Retry-After") == "1", "\(verb) \(path)")
        }
      }
      try await TestServer.run(databasePath: path) { server async throws in
        #expect(try await server.send(.get, Self.table, .v3, anna).list.items.map(\.id) == ["a"])
      }
      #expect(try await ServerDatabase(path: path).users(.ofTests).map { $0.name?.text } == ["anja"])
    }
  }
}
