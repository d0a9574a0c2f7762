import StorageSupport
import TableProtocol
import Testing

@testable import TableServer
@testable import TableStorage

extension StorageKind {
  /// Where a server has its database: a path or a URL. Does nothing for a storage that is none of a server.
  func useDatabase(_ body: (String) async throws -> Void) async throws {
    switch self {
    case .sqlite: try await ServerDatabaseFile.use { try await body($0.path) }
    case .postgreSQL: try await PostgreSQLDatabase.use { try await body($0.url) }
    case .memory: break
    }
  }
}

extension DatabaseUpdate {
  /// Of a database that is up to date.
  static let ofTests = DatabaseUpdate(clock: TestServer.systemClock, onCopy: { _ in })
}

@Suite("A table that is taken out of the database while a server runs")
struct RemovedTableTests {
  private static let movies = "/tables/movies"
  private static let queries = ["", "?$filter=title%20eq%20'x'", "?$orderby=title&$select=id,title", "?$count=true"]

  private func remove(from path: String) async throws -> RemovedLists {
    try await ServerDatabase(path: path).remove([try #require(ServedTable(named: "Movies"))], .ofTests)
  }

  @Test("is one that nobody has written to, and its next insert makes it again", arguments: StorageKind.ofServers)
  func again(kind: StorageKind) async throws {
    try await kind.useDatabase { path in
      try await TestServer.run(databasePath: path, isOpen: true, tables: TablePolicy(.open)) { server async throws in
        try await server.insert("t")
        for id in ["m", "n"] {
          let body = "{\"id\":\"\(id)\",\"title\":\"x\"}"
          #expect(try await server.send(.post, Self.movies, body: body).status == 201)
        }
        for query in Self.queries {
          #expect(try await server.send(.get, Self.movies + query).list.items.count == 2, "its statements are prepared")
        }
        #expect(try await remove(from: path) == RemovedLists(lists: 1, items: 2))

        for query in Self.queries + ["/m"] {
          let gone = try await server.send(.get, Self.movies + query)
          let never = try await server.send(.get, "/tables/never" + query)
          #expect(gone.status == never.status && gone.body == never.body, "\(query)")
          for name in [ZumoHeader.count, ZumoHeader.checksum, ZumoHeader.newest, ZumoHeader.epoch] {
            #expect(gone.header(name) == never.header(name), "\(query)")
          }
        }
        for (verb, body) in [(Verb.patch, #"{"title":"y"}"#), (.delete, nil)] {
          #expect(try await server.send(verb, "\(Self.movies)/m", body: body).status == 404)
        }
        #expect(try await !server.send(.get, "/tables").text.contains("movies"))

        let made = try await server.send(.post, Self.movies, body: #"{"id":"m","year":1984}"#)
        #expect(try made.status == 201 && made.item.values == ["year": .integer(1984)])
        #expect(try await server.send(.get, "/tables/TodoItem").list.items.map(\.id) == ["t"])
      }
      try await TestServer.run(databasePath: path, isOpen: true, tables: TablePolicy(.open)) { server async throws in
        #expect(try await server.send(.get, Self.movies).list.items.map(\.id) == ["m"], "the start misses nothing")
      }
    }
  }

  @Test("gives its former moments to nobody: who has read it meets another epoch", arguments: StorageKind.ofServers)
  func oldTokens(kind: StorageKind) async throws {
    try await kind.useDatabase { path in
      try await TestServer.run(databasePath: path, isOpen: true, tables: TablePolicy(.open)) { server async throws in
        _ = try await server.send(.post, Self.movies, body: #"{"id":"m","title":"x"}"#)
        let before = try await server.send(.get, Self.movies)
        let newest = try #require(before.header(ZumoHeader.newest))
        let filter = "updatedAt gt cast(\(newest),Edm.DateTimeOffset)"
        let news = "\(Self.movies)?\(QueryItemsText.of([("$filter", filter)]))"
        #expect(try await server.send(.get, news).header(ZumoHeader.behind) == nil)
        _ = try await remove(from: path)

        let asked = try await server.send(.get, news)
        #expect(asked.header(ZumoHeader.behind) == "true")
        let epoch = try #require(asked.header(ZumoHeader.epoch).flatMap { DatabaseEpoch($0) })
        #expect(epoch.number == 2 && epoch.from == nil, "the server has none of the rows that it had")
        let known = [ZumoHeader.newest: newest, ZumoHeader.epoch: try #require(before.header(ZumoHeader.epoch))]
        #expect(try await server.send(.post, Self.movies, .v3, known, body: #"{"id":"n"}"#).status == 421)
        _ = try await server.send(.post, Self.movies, body: #"{"id":"o"}"#)
        #expect(try await server.send(.post, Self.movies, .v3, known, body: #"{"id":"n"}"#).status == 421)
        #expect(try await server.send(.get, news).list.items.map(\.id) == ["o"], "later than all of before")
      }
    }
  }

  @Test("is listed before with what all users have in it, and of to-do items there is always one")
  func listed() async throws {
    try await StorageKind.sqlite.useDatabase { path in
      try await TestServer.run(databasePath: path, isOpen: true, tables: TablePolicy(.open)) { server async throws in
        _ = try await server.send(.post, Self.movies, body: #"{"id":"m","title":"x"}"#)
        _ = try await server.send(.post, Self.movies, body: #"{"id":"n","year":1}"#)
        _ = try await server.send(.delete, "\(Self.movies)/n")
        let tables = try await ServerDatabase(path: path).tables(.ofTests)
        #expect(tables.map(\.table.name) == ["TodoItem", "movies"])
        #expect(tables.map(\.items) == [0, 1] && tables.map(\.tombstones) == [0, 1] && tables.map(\.lists) == [1, 1])
        #expect(tables.map { $0.columns.map(\.name) } == [["text", "complete"], ["title", "year"]])
      }
    }
  }
}
