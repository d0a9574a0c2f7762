import FoundationEssentials
import StorageSupport
import Support
import TableProtocol
import Testing

@testable import TableServer
@testable import TableStorage

@Suite(
  "Commands on a database of PostgreSQL", .enabled(if: PostgreSQLCluster.isInstalled, "PostgreSQL is not installed"))
struct PostgreSQLStartTests {
  @Test("a command that needs a database makes none")
  func noDatabase() async throws {
    try await PostgreSQLDatabase.use { address async throws in
      let (url, missing) = (address.url, ServerDatabaseError.databaseServer(.noTables, database: address.shown))
      let clock = TestServer.systemClock
      #expect(throws: ServerError.database(missing)) { try TableServer.raiseEpoch(ofDatabase: url, clock: clock) }
      #expect(throws: ServerError.database(missing)) {
        try ServerTokens(database: url, makesDatabase: false, clock: clock)
      }
      #expect(throws: missing) { try ServerDatabase(path: url).check() }
      await #expect(throws: ServerError.database(missing)) {
        try await ServerDatabase(path: url).add(aliases: .none, clock: clock)
      }
      await #expect(throws: missing) { try await DatabaseMove(from: url, to: "/nowhere/a", clock: clock).run() }
      let tables = try PostgreSQLConnection(address, longest: .seconds(30)).run(
        "SELECT 1 FROM pg_class WHERE relname LIKE 'ebb%'")
      #expect(tables.isEmpty)
      try ServerTokens(database: url, makesDatabase: true, clock: clock).close()
      #expect(try TableServer.raiseEpoch(ofDatabase: url, clock: clock).number == 2)
    }
  }

  @Test("a move that was stopped is begun again, and what it left is not served")
  func stoppedMove() async throws {
    try await ServerDatabaseFile.use { file in
      let clock = TestServer.systemClock
      try await TestServer.run(databasePath: file.path) { server async throws in
        for number in 0..<5 { try await server.insert("r\(number)") }
      }
      let tokens = try ServerTokens(database: file.path, makesDatabase: false, clock: clock)
      _ = try tokens.add(try #require(UserName("anna")), label: "phone", scope: .sync, days: nil)
      tokens.close()
      try await PostgreSQLDatabase.use { address in
        let connection = try PostgreSQLConnection(address.with(applicationName: "test"), longest: .seconds(30))
        let report = try await DatabaseMove(from: file.path, to: address.url, clock: clock).run()
        try connection.run("CREATE TABLE ebb_move ()")
        try connection.run("DELETE FROM ebb_item WHERE id = 'r3'")
        try connection.run("UPDATE ebb_database SET uuid = gen_random_uuid()::text, epoch = 7")
        #expect(throws: ServerDatabaseError.move(.unfinished(database: address.shown))) {
          try PostgreSQLStorage(address, makeUUID: { UUID() }).close()
        }
        #expect(throws: ServerError.database(.move(.unfinished(database: address.shown)))) {
          try ServerTokens(database: address.url, makesDatabase: false, clock: clock)
        }
        #expect(try await DatabaseMove(from: file.path, to: address.url, clock: clock).run() == report)
        let (there, here) = (
          try SQLiteStorage(path: file.path, makeUUID: { UUID() }), try PostgreSQLStorage(address, makeUUID: { UUID() })
        )
        #expect(there.identity == here.identity)
        #expect(try there.grants() == here.grants())
        try there.close()
        try here.close()
        await #expect(throws: ServerDatabaseError.move(.targetUsed(database: address.shown)), "it came to its end") {
          try await DatabaseMove(from: file.path, to: address.url, clock: clock).run()
        }
      }
    }
  }
}
