import FoundationEssentials
import TableProtocol
import Testing

@testable import TableServer

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

  @Test("runs a batch that is about one table, and refuses the entries about others")
  func batches() async throws {
    try await open { server async throws in
      func entry(_ id: Int, _ table: String) -> String {
        #"{"id":"\#(id)","method":"post","url":"/tables/\#(table)","body":{"id":"e\#(id)","n":1}}"#
      }
      let entries = [entry(1, "movies"), entry(2, "TodoItem"), entry(3, "Movies")]
      let body = #"{"requests":[\#(entries.joined(separator: ","))]}"#
      let answer = try await server.send(.post, "/tables/$batch", body: body)
      #expect(try BatchResponse.all(in: answer.body)?.map(\.status) == [201, 400, 201])
      #expect(try await server.send(.get, "/tables/movies").list.items.count == 2)
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
