import FoundationEssentials
import StorageSupport
import Support
import TableProtocol
import Testing

@testable import TableStorage

@Suite(
  "A move that meets others on PostgreSQL", .timeLimit(.minutes(5)),
  .enabled(if: PostgreSQLCluster.isInstalled, "PostgreSQL is not installed"))
struct PostgreSQLMoveTests {
  private static let clock = WallClock.now

  @Test("one during which somebody wrote to the old database is refused in the end", arguments: [false, true])
  func changedSource(isIntoFile: Bool) async throws {
    try await PostgreSQLDatabase.use { source async throws in
      let server = try PostgreSQLStorage(source, makeUUID: { UUID() })
      for number in 0..<5 { try await server.write(ListID.first) { try $0.put("r\(number)") } }
      try server.close()
      try await PostgreSQLDatabase.use { address async throws in
        let folder = FileManager.default.temporaryDirectory.appending(path: "ebb-move-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let target = isIntoFile ? "\(folder)/a.sqlite" : address.url
        let aside = try PostgreSQLConnection(source.with(applicationName: "test"), longest: .seconds(30))
        try aside.run("BEGIN")
        try aside.run("LOCK TABLE ebb_item IN ACCESS EXCLUSIVE MODE")
        let move = Task { try await DatabaseMove(from: source.url, to: target, clock: Self.clock).run() }
        let watch = try PostgreSQLConnection(source.with(applicationName: "test"), longest: .seconds(30))
        _ = try await eventually {
          try watch.run("SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'ebb_item'::regclass").isEmpty
            ? nil : true
        }
        // It has read of the lists how far they are, and goes on to their rows.
        try aside.run("UPDATE ebb_list SET last_updated_at = last_updated_at + 1 WHERE made_at = 0")
        try aside.run("COMMIT")
        await #expect(throws: ServerDatabaseError.move(.sourceChanged(database: source.shown))) { try await move.value }
        if isIntoFile {
          #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
        } else {
          let left = try PostgreSQLStorage(address, makeUUID: { UUID() })
          defer { try? left.close() }
          #expect(try left.isUnused() && left.identity != server.identity)
        }
      }
    }
  }

  @Test("none of its steps is done in a database that another move took over")
  func takenOver() async throws {
    try await PostgreSQLDatabase.use { address async throws in
      var options = PostgreSQLStorage.Options()
      options.move = "first"
      let storage = try PostgreSQLStorage(address, options, for: .moving, makeUUID: { UUID() })
      defer { try? storage.close() }
      try storage.claim()
      // Another move takes over when the tokens are committed.
      let aside = try PostgreSQLConnection(address.with(applicationName: "test"), longest: .seconds(30))
      try aside.run(
        """
        CREATE FUNCTION take() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN UPDATE ebb_move SET nonce = 'second'; RETURN NULL; END $$
        """)
      try aside.run(
        """
        CREATE CONSTRAINT TRIGGER take AFTER INSERT ON ebb_token DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION take()
        """)
      let moment = Timestamp(milliseconds: 1_000)
      let grant = Grant(id: "a", user: try #require(UserName("anna")), createdAt: moment)
      let digest = TokenDigest(hash: Array(repeating: 7, count: 32))
      let moved = MovedDatabase(
        identity: storage.identity, epoch: DatabaseEpoch(number: 2, from: nil, nonce: nil),
        aliases: try #require(ColumnNames(words: ["text=title"])), address: nil, lists: [],
        tokens: StoredTokens(sound: [StoredTokens.Token(digest: digest, grant: grant)]),
        answersKeptAfter: moment)
      #expect(throws: ServerDatabaseError.move(.inUse(database: address.shown))) { try storage.finish(moved) }
      #expect(try aside.run("SELECT 1 FROM ebb_database WHERE aliases IS NOT NULL").isEmpty)
    }
  }

  @Test("one after which a token is not the same is refused, and leaves nothing behind")
  func changedToken() async throws {
    try await ServerDatabaseFile.use { file in
      let old = try SQLiteStorage(path: file.path, makeUUID: { UUID() })
      let grant = Grant(id: "", user: try #require(UserName("anna")), createdAt: Timestamp(milliseconds: 1_000))
      _ = try old.add(grant, TokenDigest(hash: Array(repeating: 7, count: 32)))
      try old.close()
      try await PostgreSQLDatabase.use { address async throws in
        try PostgreSQLStorage(address, makeUUID: { UUID() }).close()
        let aside = try PostgreSQLConnection(address.with(applicationName: "test"), longest: .seconds(30))
        try aside.run(
          """
          CREATE FUNCTION rename() RETURNS trigger LANGUAGE plpgsql AS
          $$ BEGIN NEW.username = 'ben'; RETURN NEW; END $$
          """)
        try aside.run(
          "CREATE TRIGGER rename BEFORE INSERT ON ebb_token FOR EACH ROW EXECUTE FUNCTION rename()")
        await #expect(throws: ServerDatabaseError.move(.differs(database: address.shown, list: "ebb_token"))) {
          try await DatabaseMove(from: file.path, to: address.url, clock: Self.clock).run()
        }
        #expect(try aside.run("SELECT 1 FROM ebb_token").isEmpty)
      }
    }
  }

  /// PostgreSQL ends a session some time after its client has closed it. Returns when there are sessions of these names
  /// and no others.
  private static func wait(forSessions names: Set<String>, _ connection: PostgreSQLConnection) async throws {
    let sql = "SELECT application_name FROM pg_stat_activity WHERE datname = current_database()"
    _ = try await eventually(otherwise: "Sessions of others did not end.") {
      try Set(connection.run(sql).texts) == names ? true : nil
    }
  }

  @Test("a server in another schema of the same database is not in its way")
  func otherSchema() async throws {
    try await PostgreSQLDatabase.use { address async throws in
      let aside = try PostgreSQLConnection(address.with(applicationName: "test"), longest: .seconds(30))
      func schema(_ name: String) throws -> PostgreSQLAddress {
        try aside.run("CREATE SCHEMA \(name)")
        return try #require(PostgreSQLAddress("\(address.url)&options=-csearch_path%3D\(name)"))
      }
      let (first, second, third) = (try schema("one"), try schema("two"), try schema("three"))
      let other = try PostgreSQLStorage(first, makeUUID: { UUID() })
      try await other.write(ListID.first) { try $0.put("other") }
      let server = try PostgreSQLStorage(second, makeUUID: { UUID() })
      try await server.write(ListID.first) { try $0.put("a") }
      let move = DatabaseMove(from: second.url, to: third.url, clock: Self.clock)
      await #expect(throws: ServerDatabaseError.move(.inUse(database: second.shown))) { try await move.run() }
      try server.close()
      let number = try #require(try aside.run("SELECT 'one'::regnamespace::oid").text(0, 0))
      try await Self.wait(forSessions: ["test", "ebb \(number)"], aside)
      #expect(try await move.run().items == 1)
      #expect(try await other.read(.first) { try $0.row("other") } != nil)
      try await Self.wait(forSessions: ["test", "ebb \(number)"], aside)
      try other.close()
    }
  }
}
