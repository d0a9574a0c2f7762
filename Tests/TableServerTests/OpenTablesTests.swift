import FoundationEssentials
import StorageSupport
import TableProtocol
import Testing

@testable import TableServer
@testable import TableStorage

@Suite("A server with open tables")
struct OpenTablesTests {
  private func open(
    _ policy: TablePolicy = TablePolicy(.open), _ body: @Sendable (TestServer) async throws -> Void
  ) async throws {
    try await TestServer.run(isOpen: true, tables: policy, body)
  }

  @Test("has each table that somebody asks for, empty until its first insert", arguments: ProtocolVersion.allCases)
  func firstInsert(version: ProtocolVersion) async throws {
    try await open { server async throws in
      for query in ["", "?$filter=rating%20eq%20'G'", "?$orderby=title&$select=title", "?$count=true"] {
        let answer = try await server.send(.get, "/tables/movies\(query)", version)
        #expect(try answer.status == 200 && answer.list.items.isEmpty)
      }
      #expect(try await server.send(.get, "/tables/movies/m1", version).status == 404)
      for (verb, body) in [(Verb.patch, #"{"title":"x"}"#), (.put, #"{"id":"m1"}"#), (.delete, nil)] {
        #expect(try await server.send(verb, "/tables/movies/m1", version, body: body).status == 404)
      }
      #expect(try await server.tableCount() == 1, "asking makes no table")

      let made = try await server.send(
        .post, "/tables/Movies/", version, body: #"{"id":"m1","title":"Dune","rating":"G","year":1984}"#)
      #expect(made.status == 201)
      #expect(try made.item.values == ["title": .text("Dune"), "rating": .text("G"), "year": .integer(1984)])
      #expect(try await server.tableCount() == 2)
      let found = try await server.send(.get, "/tables/MOVIES?$filter=rating%20eq%20'G'", version)
      #expect(try found.list.items.map(\.id) == ["m1"])
      #expect(found.header("x-ebb-count") == "1" && found.header("x-ebb-ordered") == "true")
      #expect(try await server.send(.get, "/tables/TodoItem", version).header("x-ebb-count") == "0")
    }
  }

  @Test("keeps clock, digest and checksum for each table")
  func apart() async throws {
    try await open { server async throws in
      try await server.insert("a")
      let todo = try await server.send(.get, "/tables/todoitem")
      _ = try await server.send(.post, "/tables/movies", body: #"{"id":"a","title":"x"}"#)
      let again = try await server.send(.get, "/tables/todoitem")
      let movies = try await server.send(.get, "/tables/movies")
      for name in ["x-ebb-count", "x-ebb-checksum", "x-ebb-newest"] {
        #expect(todo.header(name) == again.header(name))
        #expect(name == "x-ebb-count" || movies.header(name) != todo.header(name))
      }
      let verified = try await server.send(.get, "/tables/movies", nil, ["x-ebb-verify": "true"])
      #expect(verified.header("x-ebb-checksum") == movies.header("x-ebb-checksum"))
      #expect(verified.header("x-ebb-damaged") == "0")
    }
  }

  @Test(
    "refuses what can't name a table",
    arguments: ["$x", "_x", "1x", "a-b", "a.b", "%20", "%C3%BC", String(repeating: "a", count: 65)])
  func names(name: String) async throws {
    try await open { server async throws in
      for verb in [Verb.get, .options] { #expect(try await server.send(verb, "/tables/\(name)").status == 404) }
      #expect(try await server.send(.post, "/tables/\(name)", body: "{}").status == 404)
    }
  }

  @Test(
    "takes names that its database might want for itself", arguments: ["sqlite_master", "StoredList", "select", "t_1"])
  func databaseNames(name: String) async throws {
    try await open { server async throws in
      #expect(try await server.send(.post, "/tables/\(name)", body: #"{"id":"a","where":"x"}"#).status == 201)
      #expect(try await server.send(.get, "/tables/\(name)?$filter=where%20eq%20'x'").list.items.count == 1)
      #expect(try await server.send(.get, "/tables/TodoItem").list.items.isEmpty)
    }
  }

  @Test("has room for so many tables of one user, and an insert that fails takes none")
  func room() async throws {
    var policy = TablePolicy(.open)
    policy.mostTables = 3
    try await open(policy) { server async throws in
      #expect(try await server.send(.post, "/tables/t0", body: #"{"n":{}}"#).status == 400)
      #expect(try await server.send(.post, "/tables/t0", body: #"{"id":"a","n":1,"N":"x"}"#).status == 400)
      for number in 1...2 {
        #expect(try await server.send(.post, "/tables/t\(number)", body: #"{"n":1}"#).status == 201)
      }
      let refused = try await server.send(.post, "/tables/t3", body: #"{"n":1}"#)
      #expect(refused.status == 400 && refused.text.contains("3 tables"))
      #expect(try await server.send(.post, "/tables/t1", body: #"{"n":2}"#).status == 201)
      try await server.insert("a")
      #expect(try await server.tableCount() == 3)
    }
  }

  private func entry(_ id: Int, _ table: String, _ more: String = "") -> String {
    #"{"id":"\#(id)","method":"post","url":"/tables/\#(table)","body":{"id":"e\#(id)","n":1}\#(more)}"#
  }

  private func batch(_ entries: [String]) -> String { #"{"requests":[\#(entries.joined(separator: ","))]}"# }

  @Test("runs a batch about several tables, each entry in its own")
  func batches() async throws {
    try await open { server async throws in
      let relative = #"{"id":"4","method":"get","url":"TodoItem/e2"}"#
      let reference = #"{"id":"5","method":"patch","url":"/$3","body":{"n":2}}"#
      let body = batch([entry(1, "movies"), entry(2, "TodoItem"), entry(3, "Movies"), relative, reference])
      let answer = try await server.send(.post, "/tables/$batch", body: body)
      let parts = try #require(try BatchResponse.all(in: answer.body))
      #expect(parts.map(\.status) == [201, 201, 201, 200, 200])
      #expect(try await server.send(.get, "/tables/movies?$filter=n%20eq%202").list.items.map(\.id) == ["e3"])
      #expect(try await server.send(.get, "/tables/TodoItem").list.items.map(\.id) == ["e2"])
      for table in ["movies", "TodoItem"] {
        let page = try await server.send(.get, "/tables/\(table)", .v3, [ZumoHeader.verify: "true"])
        #expect(page.header(ZumoHeader.count) == String(try page.list.items.count))
      }
    }
  }

  @Test("does a group over several tables in all of them or in none")
  func groups() async throws {
    try await open { server async throws in
      let group = #","atomicityGroup":"g""#
      let first = try await server.send(
        .post, "/$batch", body: batch([entry(1, "books"), entry(2, "movies", group), entry(3, "books", group)]))
      #expect(try BatchResponse.all(in: first.body)?.map(\.status) == [201, 201, 201])
      let before = try await server.send(.get, "/tables/movies").header(ZumoHeader.checksum)
      // The id is taken in the second table.
      let taken = entry(3, "books", group).replacing(#""id":"3""#, with: #""id":"6""#)
      let second = try await server.send(
        .post, "/$batch", body: batch([entry(4, "movies", group), entry(5, "plays", group), taken, entry(7, "books")]))
      #expect(try BatchResponse.all(in: second.body)?.map(\.status) == [424, 424, 409, 201])
      let after = try await server.send(.get, "/tables/movies")
      #expect(try after.list.items.map(\.id) == ["e2"] && after.header(ZumoHeader.checksum) == before)
      #expect(try await server.send(.get, "/tables/books").list.items.map(\.id) == ["e1", "e3", "e7"])
      #expect(try await server.tableCount() == 3, "books, movies and that of to-do items")
    }
  }

  @Test("says of a batch about several tables nothing of one, and holds it to the epoch and the limit of tables")
  func batchHeaders() async throws {
    try await open { server async throws in
      let database = try #require(try await server.send(.get, "/tables/movies").header(ZumoHeader.database))
      let named = [ZumoHeader.database: database]
      let both = batch([entry(1, "movies"), entry(2, "books")])
      let done = try await server.send(.post, "/$batch", .v3, named, body: both)
      #expect(done.status == 200 && done.header(ZumoHeader.moved) == nil)
      let one = try await server.send(.post, "/$batch", .v3, named, body: batch([entry(3, "movies")]))
      #expect(one.header(ZumoHeader.moved) != nil)
      let stale = try await server.send(
        .post, "/$batch", .v3, [ZumoHeader.epoch: "7"], body: batch([entry(4, "movies"), entry(5, "books")]))
      #expect(stale.status == 421)
      let many = try await server.send(.post, "/$batch", body: batch((0...50).map { entry($0, "t\($0)") }))
      #expect(many.status == 413 && many.text.contains("50 tables"))
      #expect(try await server.tableCount() == 3)
    }
  }

  @Test("shows no user a table of another, and gives the first one those from before")
  func users() async throws {
    try await ServerDatabaseFile.use { file in
      @Sendable func header(_ user: String) throws -> [String: String] {
        let tokens = try ServerTokens(database: file.path, makesDatabase: true, clock: TestServer.systemClock)
        defer { tokens.close() }
        let added = try tokens.add(try #require(UserName(user)), label: "", scope: .sync, days: nil)
        return ["Authorization": "Bearer \(added.token.text)"]
      }
      var policy = TablePolicy(.open)
      policy.mostTables = 3
      try await TestServer.run(databasePath: file.path, tables: policy) { server async throws in
        #expect(try await server.send(.post, "/tables/movies", body: #"{"id":"m","title":"x"}"#).status == 201)
        let anna = try header("anna")
        #expect(try await server.send(.get, "/tables/movies", .v3, anna).list.items.map(\.id) == ["m"])
        #expect(try await server.send(.post, "/tables/books", .v3, anna, body: #"{"id":"b"}"#).status == 201)
        let ben = try header("ben")
        for query in ["", "?$filter=title%20eq%20'x'", "/m"] {
          let hers = try await server.send(.get, "/tables/movies\(query)", .v3, ben)
          let nobodys = try await server.send(.get, "/tables/never\(query)", .v3, ben)
          #expect(hers.status == nobodys.status && hers.body == nobodys.body)
          for name in [ZumoHeader.count, ZumoHeader.checksum, ZumoHeader.newest] {
            #expect(hers.header(name) == nobodys.header(name))
          }
        }
        // What anna has takes no room from him.
        for table in ["movies", "books", "songs"] {
          let made = try await server.send(.post, "/tables/\(table)", .v3, ben, body: #"{"id":"m","year":1}"#)
          #expect(made.status == 201 && !made.text.contains("title"))
        }
        #expect(try await server.send(.post, "/tables/plays", .v3, ben, body: #"{"id":"m"}"#).status == 400)
        #expect(try await server.send(.get, "/tables/movies", .v3, anna).list.items.count == 1)
      }
    }
  }

  @Test("started again with fixed tables keeps the others and serves them to nobody")
  func fixedAgain() async throws {
    try await ServerDatabaseFile.use { file in
      for policy in [TablePolicy(.open), TablePolicy(.fixed), TablePolicy(.open)] {
        try await TestServer.run(databasePath: file.path, tables: policy) { server async throws in
          let answer = try await server.send(.post, "/tables/movies", body: #"{"title":"x"}"#)
          #expect(answer.status == (policy.tables == .open ? 201 : 404))
        }
      }
      try await TestServer.run(databasePath: file.path, tables: TablePolicy(.open)) { server async throws in
        #expect(try await server.send(.get, "/tables/movies").list.items.count == 2)
      }
    }
  }
}

extension TestServer {
  /// Of the lists, which its database has a table for.
  fileprivate func tableCount() async throws -> Int {
    let storage = try SQLiteStorage(path: databasePath, makeUUID: { UUID() })
    defer { try? storage.close() }
    return try await storage.lists().count
  }
}
