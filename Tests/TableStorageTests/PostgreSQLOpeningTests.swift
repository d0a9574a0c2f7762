import FoundationEssentials
import StorageSupport
import Support
import TableProtocol
import Testing

@testable import TableStorage

@Suite(
  "A database of PostgreSQL that is opened", .enabled(if: PostgreSQLCluster.isInstalled, "PostgreSQL is not installed"))
struct PostgreSQLOpeningTests {
  @Test("a move refuses where a server runs, and stops where another move took over")
  func moveMeetsOthers() async throws {
    try await PostgreSQLDatabase.use { address async throws in
      let used = ServerDatabaseError.move(.inUse(database: address.shown))
      let folder = FileManager.default.temporaryDirectory.appending(path: "ebb-move-\(UUID().uuidString)").path
      defer { try? FileManager.default.removeItem(atPath: folder) }
      let server = try PostgreSQLStorage(address, makeUUID: { UUID() })
      try await server.write(ListID.first) { try $0.put("a") }
      await #expect(throws: used, "a server runs on the old one") {
        try await DatabaseMove(from: address.url, to: "\(folder)/a", clock: WallClock.now).run()
      }
      #expect(!FileManager.default.fileExists(atPath: "\(folder)/a"))
      try await ServerDatabaseFile.use { file in
        try await file.write()
        await #expect(throws: used, "a server runs on the new one") {
          try await DatabaseMove(from: file.path, to: address.url, clock: WallClock.now).run()
        }
      }
      try server.close()
    }
    try await PostgreSQLDatabase.use { address async throws in
      let used = ServerDatabaseError.move(.inUse(database: address.shown))
      func open(_ move: String) throws -> PostgreSQLStorage {
        var options = PostgreSQLStorage.Options()
        options.move = move
        return try PostgreSQLStorage(address, options, for: .moving, makeUUID: { UUID() })
      }
      let first = try open("first")
      try first.claim()
      let second = try open("second")
      #expect(throws: used) { try second.claim() }
      try await first.write(ListID.first) { try $0.put("a") }
      let aside = try PostgreSQLConnection(address.with(applicationName: "test"), longest: .seconds(30))
      try aside.run("UPDATE ebb_move SET nonce = 'second'")
      await #expect(throws: used) { try await first.write(ListID.first) { try $0.put("b") } }
      #expect(throws: used) { try first.markMoveFinished() }
      first.giveUpMove()
      #expect(try aside.run("SELECT 1 FROM ebb_item").count == 1, "it is the other's")
      try aside.run("UPDATE ebb_move SET nonce = 'first'")
      first.giveUpMove()
      #expect(try aside.run("SELECT 1 FROM ebb_item").isEmpty)
      try first.close()
      try second.close()
    }
  }

  @Test("does not start where others may make functions, nor without the right to make its tables")
  func rights() async throws {
    try await PostgreSQLDatabase.use { address in
      let connection = try PostgreSQLConnection(address, longest: .seconds(30))
      func open(_ address: PostgreSQLAddress) throws { try PostgreSQLStorage(address, makeUUID: { UUID() }).close() }
      try connection.run("GRANT CREATE ON SCHEMA public TO PUBLIC")
      #expect(
        throws: ServerDatabaseError.databaseServer(
          .othersMayCreate(role: nil, schema: "public"), database: address.shown)
      ) {
        try open(address)
      }
      try connection.run("REVOKE CREATE ON SCHEMA public FROM PUBLIC")
      let role = "role_\(UUID().uuidString.prefix(8).lowercased())"
      try connection.run("CREATE ROLE \(role) LOGIN")
      let other = try #require(PostgreSQLAddress(address.url.replacing("postgres@", with: "\(role)@")))
      #expect(throws: ServerDatabaseError.databaseServer(.mayNotMakeTables, database: other.shown)) { try open(other) }
      try open(address)
      try connection.run("GRANT CREATE ON SCHEMA public TO \"\(role)\", postgres")
      #expect(
        throws: ServerDatabaseError.databaseServer(
          .othersMayCreate(role: role, schema: "public"), database: address.shown)
      ) {
        try open(address)
      }
      // Its own right, and that of a superuser, are nobody else's.
      for table in try connection.run("SELECT tablename FROM pg_tables WHERE tablename LIKE 'ebb%'").texts {
        try connection.run("ALTER TABLE \(table) OWNER TO \(role)")
      }
      try open(other)
    }
  }

  @Test("a schema of somebody else is refused, before its tables let anybody in", arguments: [false, true])
  func otherSchema(isPooled: Bool) async throws {
    try await PostgreSQLDatabase.use { address in
      let connection = try PostgreSQLConnection(address, longest: .seconds(30))
      let role = "role_\(UUID().uuidString.prefix(8).lowercased())"
      let mallory = "mallory_\(UUID().uuidString.prefix(8).lowercased())"
      try connection.run("CREATE ROLE \(role) LOGIN")
      try connection.run("CREATE ROLE \(mallory)")
      try connection.run("ALTER SCHEMA public OWNER TO \(role)")
      let url = address.url.replacing("postgres@", with: "\(role)@")
      let other = try #require(PostgreSQLAddress(url))
      var options = PostgreSQLStorage.Options()
      options.isPooled = isPooled
      func open() throws -> PostgreSQLStorage { try PostgreSQLStorage(other, options, makeUUID: { UUID() }) }
      let storage = try open()
      defer { try? storage.close() }
      let token = TokenDigest(hash: Array(repeating: 7, count: 32))
      try connection.run("CREATE SCHEMA \(role) AUTHORIZATION \(mallory)")
      try connection.run("GRANT USAGE ON SCHEMA \(role) TO PUBLIC")
      try open().close()
      try connection.run("CREATE TABLE \(role).ebb_token AS SELECT * FROM public.ebb_token")
      try connection.run("ALTER TABLE \(role).ebb_token OWNER TO \(mallory)")
      try connection.run("GRANT SELECT ON \(role).ebb_token TO PUBLIC")
      try connection.run(
        "INSERT INTO \(role).ebb_token VALUES ($1, 'x', 1, 'anna', '', 'sync', 1, NULL, NULL, false)",
        [.bytes(token.bytes)])
      #expect(try await storage.grant(token) == nil, "a running server stays in its schema")
      #expect(try storage.grants().isEmpty)
      #expect(throws: ServerDatabaseError.databaseServer(.severalSchemas([role, "public"]), database: other.shown)) {
        try open()
      }
      try connection.run("ALTER ROLE \(role) SET search_path = \(role)")
      #expect(
        throws: ServerDatabaseError.databaseServer(
          .othersOwn(kind: "SCHEMA", name: role, role: mallory, user: role), database: other.shown)
      ) { try open() }
      try connection.run("ALTER SCHEMA \(role) OWNER TO \(role)")
      #expect(
        throws: ServerDatabaseError.databaseServer(
          .othersOwn(
            kind: "TABLE", name: "\(role).ebb_token", role: mallory, user: role), database: other.shown)
      ) { try open() }
    }
  }

  @Test("what others made in the schema or for its tables while they might is found when they may no longer")
  func leftThings() async throws {
    try await PostgreSQLDatabase.use { address in
      let connection = try PostgreSQLConnection(address, longest: .seconds(30))
      func open() throws { try PostgreSQLStorage(address, makeUUID: { UUID() }).close() }
      try open()
      let mallory = "mallory_\(UUID().uuidString.prefix(8).lowercased())"
      try connection.run("CREATE ROLE \(mallory) LOGIN")
      try connection.run("CREATE SCHEMA \(mallory) AUTHORIZATION \(mallory)")
      func refuses(_ kind: String, _ name: String, at place: SourceLocation = #_sourceLocation) {
        let error = ServerDatabaseError.databaseServer(
          .othersOwn(
            kind: kind, name: name, role: mallory, user: "postgres"), database: address.shown)
        #expect(throws: error, sourceLocation: place) { try open() }
      }
      try connection.run("GRANT CREATE ON SCHEMA public TO \(mallory)")
      try connection.run("SET ROLE \(mallory)")
      try connection.run("CREATE FUNCTION public.fits(text, bigint) RETURNS boolean LANGUAGE sql AS 'SELECT true'")
      try connection.run("RESET ROLE")
      try connection.run("REVOKE CREATE ON SCHEMA public FROM \(mallory)")
      refuses("ROUTINE", "public.fits(text, bigint)")
      try connection.run("CREATE OPERATOR public.= (leftarg = text, rightarg = bigint, function = public.fits)")
      try connection.run("ALTER OPERATOR public.= (text, bigint) OWNER TO \(mallory)")
      try connection.run("ALTER ROUTINE public.fits(text, bigint) OWNER TO postgres")
      refuses("OPERATOR", "public.= (text, bigint)")
      try connection.run("DROP OPERATOR public.= (text, bigint)")
      try open()
      try connection.run(
        "CREATE FUNCTION \(mallory).seen() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'")
      try connection.run(
        "CREATE TRIGGER seen BEFORE INSERT ON ebb_item FOR EACH ROW EXECUTE FUNCTION \(mallory).seen()")
      try open()
      try connection.run("ALTER FUNCTION \(mallory).seen() OWNER TO \(mallory)")
      refuses("ROUTINE", "\(mallory).seen()")
      try connection.run("DROP FUNCTION \(mallory).seen() CASCADE")
      try connection.run("CREATE RULE \"Too\" AS ON DELETE TO ebb_item DO INSTEAD NOTHING")
      #expect(
        throws: ServerDatabaseError.databaseServer(
          .hasRule("\"Too\"", table: "public.ebb_item"), database: address.shown)
      ) { try open() }
      try connection.run("DROP RULE \"Too\" ON ebb_item")
      try open()
    }
  }

  @Test("those who can read everything anyway may make functions: the owner of the database, by either name")
  func databaseOwner() async throws {
    try await PostgreSQLDatabase.use { address in
      let connection = try PostgreSQLConnection(address, longest: .seconds(30))
      let role = "role_\(UUID().uuidString.prefix(8).lowercased())"
      try connection.run("CREATE ROLE \(role) LOGIN")
      let database = try #require(try connection.run("SELECT current_database()").text(0, 0))
      try connection.run("ALTER DATABASE \(database) OWNER TO \(role)")
      try connection.run("ALTER SCHEMA public OWNER TO postgres")
      try connection.run("GRANT CREATE ON SCHEMA public TO pg_database_owner, \(role)")
      let other = try #require(PostgreSQLAddress(address.url.replacing("postgres@", with: "\(role)@")))
      try PostgreSQLStorage(other, makeUUID: { UUID() }).close()
      try PostgreSQLStorage(address, makeUUID: { UUID() }).close()
      try connection.run("ALTER SCHEMA public OWNER TO pg_database_owner")
      try PostgreSQLStorage(other, makeUUID: { UUID() }).close()
    }
  }

  @Test(
    "each failure of PostgreSQL has a problem of its own",
    arguments: [
      (PostgreSQLFailure.turnedAway(state: "28P01", "w"), DatabaseServerProblem.wrongPassword),
      (.turnedAway(state: "28000", "w"), .notLetIn(reason: "w")), (.turnedAway(state: "3D000", "w"), .noDatabase),
      (.turnedAway(state: "42501", "w"), .mayNotConnect), (.turnedAway(state: "53300", "w"), .tooManySessions),
      (.turnedAway(state: "57P03", "w"), .notReady(reason: "w")),
      (.turnedAway(state: "XX000", "w"), .other(reason: "w, SQLSTATE XX000")),
      (.turnedAway(state: nil, "w"), .noAnswer(reason: "w")),
      (.unreachable("w"), .noAnswer(reason: "w")), (.refused(state: "42501", constraint: nil), .notAllowed),
      (.refused(state: "53100", constraint: nil), .full), (.refused(state: "55P03", constraint: nil), .busy),
      (.refused(state: "57014", constraint: nil), .busy), (.again, .busy), (.outcomeUnknown, .outcomeUnknown),
      (.refused(state: "XX001", constraint: nil), .other(reason: "PostgreSQL XX001")),
    ])
  func problems(failure: PostgreSQLFailure, problem: DatabaseServerProblem) {
    #expect(DatabaseServerProblem(failure) == problem)
  }

  @Test(
    "each failure of the storage has a problem too, whose words are a sentence's",
    arguments: [
      (StorageError.notAllowed, DatabaseServerProblem.notAllowed), (.full, .full), (.tooSlow, .busy),
      (.damagedRow(id: "r5", column: "text"), .other(reason: "the row r5 is damaged in text")),
      (.damagedRow(id: nil, column: "text"), .other(reason: "the id of a row is damaged")),
      (.valueTooLarge, .other(reason: "a value is too large")),
      (.interrupted, .other(reason: "the task was cancelled")),
      (.fileGone, .other(reason: "its file was removed or replaced")), (.failed("w"), .other(reason: "w")),
    ])
  func storageProblems(error: StorageError, problem: DatabaseServerProblem) throws {
    let address = try #require(PostgreSQLAddress("postgresql://h/db"))
    #expect(ServerDatabaseError(postgreSQL: error, address) == .databaseServer(problem, database: "postgresql://h/db"))
  }

  @Test(
    "shows of a URL neither its password nor its options, and of a message no part of the password",
    arguments: [
      ("postgresql://anna:secret@h/db?sslmode=require", "postgresql://anna@h/db", "no *** here"),
      ("postgresql://anna:sec?ret@h/db?a=b@c", "postgresql://anna@h/db", "no secret here"),
      ("postgresql://anna:s@cret@h/db", "postgresql://anna@h/db", nil),
      ("postgresql://anna:sec/ret@h/db", "postgresql://anna@h/db", nil),
      ("postgresql://anna@h/db?user=a@b&password=secret", "postgresql://anna@h/db", "no *** here"),
      ("postgresql://h/db?p%61ssword=s%65cret", "postgresql://h/db", "no *** here"),
      ("postgresql://h/db?sslpassword=secret", "postgresql://h/db", "no *** here"),
      ("postgresql://h:5432/db", "postgresql://h:5432/db", "no secret here"),
    ])
  func passwords(url: String, shown: String, message: String?) throws {
    let address = try #require(PostgreSQLAddress(url))
    #expect(address.shown == shown)
    let said = address.withoutPassword("no secret here")
    #expect(said == message ?? "the password in the URL must be percent-encoded: / is %2F, @ is %40")
  }
}
