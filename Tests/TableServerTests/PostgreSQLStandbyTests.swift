import Foundation
import StorageSupport
import Support
import TableProtocol
import TableSQL
import Testing

@testable import TableServer
@testable import TableStorage

@Suite(
  "PostgreSQL with a synchronous standby", .timeLimit(.minutes(5)),
  .enabled(if: PostgreSQLCluster.isInstalled, "PostgreSQL is not installed"))
struct PostgreSQLStandbyTests {
  /// A database, and a standby for which each of its commits waits.
  private struct Pair: Sendable {
    let primary: PostgreSQLCluster
    let standby: PostgreSQLCluster
    let name = PostgreSQLCluster.newName()
    /// Of whichever of them takes writes.
    let address: PostgreSQLAddress

    static func start() async throws -> Pair {
      let pair = try await blocking { try Pair() }
      try pair.primary.run("ALTER SYSTEM SET synchronous_standby_names = '*'")
      try pair.primary.run("SELECT pg_reload_conf()")
      _ = try await eventually {
        let rows = try pair.primary.run("SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'")
        return rows.isEmpty ? nil : true
      }
      return pair
    }

    private init() throws {
      primary = try PostgreSQLCluster(["fsync=off"])
      try primary.makeDatabase(name)
      standby = try PostgreSQLCluster(["fsync=off"], standbyOf: primary)
      address = try #require(PostgreSQLAddress(primary.url(of: name, or: [standby])))
    }

    /// Nothing waits for the standby from now on, and it gets nothing more.
    func cutStandbyOff() throws {
      for sql in ["ALTER SYSTEM RESET synchronous_standby_names", "SELECT pg_reload_conf()"] { try primary.run(sql) }
      try standby.stop()
      // A standby refuses sessions that could write.
      let settings = try FileHandle(forWritingTo: URL(filePath: standby.folder + "/data/postgresql.auto.conf"))
      try settings.seekToEnd()
      try settings.write(contentsOf: Data("primary_conninfo = ''\n".utf8))
      try settings.close()
      try standby.start()
    }

    /// True while a commit waits for the standby.
    var isWaiting: Bool {
      get throws { try !primary.run("SELECT 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep'").isEmpty }
    }
  }

  @Test("one that takes over has everything that was acknowledged, in the same epoch")
  func takesOver() async throws {
    let pair = try await Pair.start()
    try await PostgreSQLLedger.keep(pair.address, faults: 1) {
      try pair.primary.kill()
      try pair.standby.promote()
    }
    let storage = try PostgreSQLStorage(pair.address, makeUUID: { UUID() })
    defer { try? storage.close() }
    let state = try await storage.read(.first) { try $0.state() }
    #expect(state.epoch.number == 1 && state.lastMoment == state.newestMoment)
  }

  @Test("one that had fallen behind and takes over refuses the writes of whoever has read further")
  func lagged() async throws {
    let pair = try await Pair.start()
    try await TestServer.run(databasePath: pair.address.url) { server async throws in
      try await server.insert("before")
      try await blocking { try pair.cutStandbyOff() }
      let lost = try #require(try await server.insert("lost").system.updatedAt)
      let headers = ["x-ebb-newest": lost.text, "x-ebb-epoch": "1"]
      let database = try await server.send(.get, "/tables/TodoItem").header(ZumoHeader.database)
      try await blocking {
        try pair.primary.kill()
        try pair.standby.promote()
      }
      let refused = try await eventually {
        let answer = try await server.send(
          .post, "/tables/TodoItem", .v3, headers.merging([ZumoHeader.database: database ?? ""]) { $1 },
          body: #"{"id":"after"}"#)
        return [503, 504].contains(answer.status) ? nil : answer
      }
      #expect(refused.status == 421)
      let news = QueryItemsText.of([("$filter", "updatedAt gt cast(\(lost.text),Edm.DateTimeOffset)")])
      #expect(try await server.send(.get, "/tables/TodoItem?\(news)").header(ZumoHeader.behind) == "true")
      // A device that has read nothing of what is lost goes on.
      #expect(try await server.send(.post, "/tables/TodoItem", .v3, body: #"{"id":"after"}"#).status == 201)
      #expect(try await server.ids("id ne ''") == ["after", "before"])
    }
  }

  /// With a short time for a write that waits for the standby.
  private var options: PostgreSQLStorage.Options {
    var options = PostgreSQLStorage.Options()
    (options.patience.reading, options.patience.busy) = (.seconds(1), .seconds(1))
    (options.patience.commit, options.patience.silence) = (.seconds(3), .seconds(1))
    return options
  }

  @Test("while it is away a client hears in time that the outcome of its write is not known, and finds it done later")
  func answer() async throws {
    let pair = try await Pair.start()
    var limits = ServerLimits.patient
    (limits.statement, limits.busy) = (.seconds(1), .seconds(1))
    try await TestServer.run(databasePath: pair.address.url, limits: limits) { server async throws in
      try await server.insert("before")
      try await blocking { try pair.standby.stop() }
      let written = try await server.send(.post, "/tables/TodoItem", .v3, body: #"{"id":"a"}"#)
      #expect(written.status == 504 && written.header("Retry-After") == "1")
      #expect(written.text.contains("look at the item"))
      #expect(try pair.isWaiting)
      #expect(try await server.send(.post, "/tables/TodoItem", .v3, body: #"{"id":"b"}"#).status == 503)
      #expect(try await server.ids("id ne ''") == ["before"])
      try await blocking { try pair.standby.start() }
      let ids = try await eventually {
        let ids = try await server.ids("id ne ''")
        return ids.count > 1 ? ids : nil
      }
      #expect(ids == ["a", "before"])
    }
  }

  @Test("while it is away a write is neither confirmed nor refused, the next are refused, and reads go on")
  func away() async throws {
    let pair = try await Pair.start()
    let storage = try PostgreSQLStorage(pair.address, options, makeUUID: { UUID() })
    defer { try? storage.close() }
    try await storage.write(ListID.first) { try $0.write("before") }
    try await blocking { try pair.standby.stop() }
    await #expect(throws: StorageError.outcomeUnknown) { try await storage.write(ListID.first) { try $0.write("a") } }
    #expect(try pair.isWaiting)
    await #expect(throws: StorageError.busy) { try await storage.write(ListID.first) { try $0.write("b") } }
    #expect(try await storage.read(.first) { try $0.row("a") } == nil, "nobody sees it before the standby has it")
    try await blocking { try pair.standby.start() }
    _ = try await eventually { try await storage.read(.first) { try $0.row("a") } }
    try await storage.write(ListID.first) { try $0.write("c") }
    let (state, refused) = try await storage.read(.first) { (try $0.state(), try $0.row("b")) }
    #expect(state.digest.count == 3 && refused == nil)
  }

  @Test("a write that waited for it is not confirmed because the database has it after a crash")
  func crash() async throws {
    let pair = try await Pair.start()
    var options = options
    (options.patience.busy, options.patience.commit) = (.seconds(5), .seconds(60))
    let storage = try PostgreSQLStorage(pair.address, options, makeUUID: { UUID() })
    defer { try? storage.close() }
    try await storage.write(ListID.first) { try $0.write("before") }
    try await blocking { try pair.standby.stop() }
    let written = Task { try await storage.write(ListID.first) { try $0.write("a") } }
    _ = try await eventually { try pair.isWaiting ? true : nil }
    try await blocking {
      try pair.primary.kill()
      try pair.primary.start()
    }
    await #expect(throws: StorageError.outcomeUnknown) { try await written.value }
  }

  @Test("nor does a note that a token was used wait for it")
  func notes() async throws {
    let pair = try await Pair.start()
    let storage = try PostgreSQLStorage(pair.address, options, makeUUID: { UUID() })
    defer { try? storage.close() }
    let (token, user) = (AccessToken(), try #require(UserName("anna")))
    _ = try storage.add(Grant(id: "", user: user, createdAt: Timestamp(milliseconds: 1)), token.digest)
    try await blocking { try pair.standby.stop() }
    try await storage.noteUse(token.digest, at: Timestamp(milliseconds: 2))
    #expect(try await storage.grant(token.digest)?.lastUsedAt == Timestamp(milliseconds: 2))
  }
}

extension PostgreSQLCluster {
  /// Runs a statement as its owner.
  @discardableResult
  fileprivate func run(_ sql: String) throws -> PostgreSQLRows {
    guard let address = PostgreSQLAddress(url(of: "postgres")) else { return .none }
    return try PostgreSQLConnection(address, longest: .seconds(30)).run(sql)
  }
}
