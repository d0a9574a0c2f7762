import FoundationEssentials
import StorageSupport
import TableProtocol
import Testing

@testable import TableServer
@testable import TableStorage

@Suite("A token that is damaged in the database")
struct DamagedTokenTests {
  private func give(_ names: [String], in file: ServerDatabaseFile) throws -> [(token: String, id: String)] {
    try tokens(file) { tokens in
      try names.map { name in
        let added = try tokens.add(try #require(UserName(name)), label: "", scope: .sync, days: nil)
        return (token: added.token.text, id: added.grant.id)
      }
    }
  }

  private func tokens<Value>(_ file: ServerDatabaseFile, _ body: (ServerTokens) throws -> Value) throws -> Value {
    let tokens = try ServerTokens(database: file.path, makesDatabase: true, clock: TestServer.systemClock)
    defer { tokens.close() }
    return try body(tokens)
  }

  private func status(_ server: TestServer, _ token: String?) async throws -> Int {
    let headers = token.map { ["Authorization": "Bearer \($0)"] } ?? [:]
    return try await server.send(.get, "/tables/TodoItem", nil, headers).status
  }

  @Test(
    "or in a backup that was put back lets nobody in and keeps nobody else out, and the check names it",
    arguments: [
      "user = char(27) || 'x'", "scope = 'all'", "createdAt = 'then'", "expiresAt = 'never'", "revoked = 'no'",
    ])
  func beside(change: String) async throws {
    try await ServerDatabaseFile.use { file in
      let given = try give(["anna", "ben"], in: file)
      let (damaged, sound) = (given[0], given[1])
      try await file.run("UPDATE AccessToken SET \(change) WHERE id = '\(damaged.id)'")
      let database = ServerDatabase(path: file.path)
      let finding = DatabaseFinding.damagedTokens(ids: [damaged.id], count: 1)
      #expect(try database.check().findings == [finding])
      let backup = file.folder.appending(path: "copy").path
      _ = try database.backUp(to: backup)
      _ = try database.restore(from: backup, clock: TestServer.systemClock)
      let listed = try tokens(file) { try $0.all() }
      #expect(listed.map(\.id) == [sound.id])
      try await TestServer.run(databasePath: file.path) { server async throws in
        #expect(try await status(server, damaged.token) == 401)
        #expect(try await status(server, sound.token) == 200)
        #expect(try await status(server, nil) == 401)
      }
    }
  }

  @Test("opens the server to nobody if it is the only one")
  func alone() async throws {
    try await ServerDatabaseFile.use { file in
      let anna = try give(["anna"], in: file)[0]
      try await file.run("UPDATE AccessToken SET scope = 'all'")
      #expect(try tokens(file) { try $0.all().isEmpty && $0.wereTokensGiven() })
      try await TestServer.run(databasePath: file.path) { server async throws in
        #expect(try await status(server, anna.token) == 401)
        #expect(try await status(server, nil) == 401)
      }
    }
  }
}
