import FoundationEssentials
import StorageSupport
import Support
import Synchronization
import TableProtocol
import TableSQL
import Testing

@testable import TableServer
@testable import TableStorage

@Suite("PostgreSQL that fails", .enabled(if: PostgreSQLCluster.isInstalled, "PostgreSQL is not installed"))
struct PostgreSQLFaultTests {
  private var options: PostgreSQLStorage.Options { PostgreSQLLedger.options }

  @Test("sessions that are ended take nothing with them that was acknowledged")
  func endedSessions() async throws {
    try await PostgreSQLDatabase.use { address in
      try await PostgreSQLLedger.keep(address, faults: 8) {
        let connection = try PostgreSQLConnection(address, longest: .seconds(10))
        try connection.run(
          """
          SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND pid <> pg_backend_pid()
          """)
      }
    }
  }

  @Test("a PostgreSQL that is killed comes back with everything that was acknowledged")
  func killed() async throws {
    let cluster = try await blocking { try PostgreSQLCluster() }
    let url = try await blocking { try cluster.makeDatabase() }
    let address = try #require(PostgreSQLAddress(url))
    try await PostgreSQLLedger.keep(address, faults: 4) {
      try cluster.kill()
      try cluster.start()
    }
    try await blocking { try cluster.stop() }
  }

  @Test(
    "a commit whose answer was lost is acknowledged if it was done, and done again if it was not",
    arguments: PostgreSQLProxy.Cut.allCases)
  func lostAnswer(cut: PostgreSQLProxy.Cut) async throws {
    let (proxy, name) = try await PostgreSQLProxy.start()
    defer { proxy.stop() }
    let address = try #require(PostgreSQLAddress(proxy.url(of: name)))
    let storage = try PostgreSQLStorage(address, options, makeUUID: { UUID() })
    defer { try? storage.close() }
    try await storage.write(ListID.first) { try $0.write("before") }
    let runs = Mutex(0)
    proxy.cutNext(cut)
    try await storage.write(ListID.first) { list in
      runs.withLock { $0 += 1 }
      try list.write("after")
    }
    #expect(proxy.hasCut)
    #expect(runs.withLock(\.self) == (cut == .afterCommit ? 1 : 2))
    let state = try await storage.read(.first) { (try $0.state(), try $0.row("after"), try $0.check()) }
    #expect(state.0.digest.count == 2 && state.1 != nil && state.2.counted == state.2.stored)
  }

  @Test("a commit of which nobody can say whether it was done is answered so")
  func unknownOutcome() async throws {
    let (proxy, name) = try await PostgreSQLProxy.start()
    defer { proxy.stop() }
    var limits = ServerLimits.patient
    limits.busy = .seconds(1)
    try await TestServer.run(databasePath: proxy.url(of: name), limits: limits) { server async throws in
      try await server.insert("before")
      proxy.cutNext(.afterCommit, staysAway: true)
      let unknown = try await server.send(.post, "/tables/TodoItem", .v3, body: #"{"id":"after"}"#)
      #expect(unknown.status == 504 && unknown.header("Retry-After") == "1", "503 would say that it was not done")
      #expect(proxy.hasCut)
      let unsent = try await server.send(.post, "/tables/TodoItem", .v3, body: #"{"id":"no"}"#)
      #expect(unsent.status == 503)
      proxy.comeBack()
      while try await server.send(.get, "/health/ready").status != 200 { try await Task.sleep(for: .milliseconds(50)) }
      #expect(try await server.ids("id ne ''") == ["after", "before"], "it was done all the same")
    }
  }

  @Test(
    "a token is made, used up and taken back once, whether the lost answer of the commit was one or not",
    arguments: PostgreSQLProxy.Cut.allCases)
  func lostAnswerOfToken(cut: PostgreSQLProxy.Cut) async throws {
    let (proxy, name) = try await PostgreSQLProxy.start()
    defer { proxy.stop() }
    let address = try #require(PostgreSQLAddress(proxy.url(of: name)))
    let storage = try PostgreSQLStorage(address, options, makeUUID: { UUID() })
    defer { try? storage.close() }
    let (anna, now) = (try #require(UserName("anna")), Timestamp(milliseconds: 1_000))
    let (invitation, token) = (AccessToken(), AccessToken())
    proxy.cutNext(cut)
    _ = try storage.add(Grant(id: "", user: anna, scope: .invite, createdAt: now), invitation.digest)
    #expect(proxy.hasCut)
    #expect(try storage.grants().count == 1)
    proxy.cutNext(cut)
    let joined = try await storage.join(invitation.digest, as: token.digest, device: "phone", at: now)
    guard case .joined(let grant) = joined else { throw PostgreSQLCluster.Failure(description: "\(joined)") }
    #expect(try await storage.grant(token.digest) == grant)
    proxy.cutNext(cut)
    #expect(try storage.revoke(.id(grant.id)).map(\.id) == [grant.id])
    #expect(try await storage.grant(token.digest)?.isRevoked == true)
  }

  @Test("a token of which nobody can say whether it was made is neither confirmed nor refused")
  func unknownToken() async throws {
    let (proxy, name) = try await PostgreSQLProxy.start()
    defer { proxy.stop() }
    var options = options
    options.patience.busy = .seconds(1)
    let address = try #require(PostgreSQLAddress(proxy.url(of: name)))
    let storage = try PostgreSQLStorage(address, options, makeUUID: { UUID() })
    defer { try? storage.close() }
    let (anna, token) = (try #require(UserName("anna")), AccessToken())
    proxy.cutNext(.afterCommit, staysAway: true)
    #expect(throws: StorageError.outcomeUnknown) {
      try storage.add(Grant(id: "", user: anna, createdAt: Timestamp(milliseconds: 1)), token.digest)
    }
    proxy.comeBack()
    let made = try await eventually { try? await storage.grant(token.digest) }
    #expect(made.user == anna, "it was made all the same")
  }

  @Test("a command goes on after the sessions were ended between two of its transactions")
  func commands() async throws {
    try await PostgreSQLDatabase.use { address in
      let storage = try PostgreSQLStorage(address, options, makeUUID: { UUID() })
      defer { try? storage.close() }
      try await storage.note(address: "http://first")
      try PostgreSQLConnection(address, longest: .seconds(10)).run(
        """
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()
        """)
      try await storage.note(address: "http://second")
      #expect(try storage.address() == "http://second")
    }
  }

  @Test("a server is not ready while its items can't be read, or not in time")
  func unreadableItems() async throws {
    var limits = ServerLimits.patient
    limits.look = .milliseconds(500)
    try await PostgreSQLDatabase.use { [limits] address in
      try await TestServer.run(databasePath: address.url, limits: limits) { server async throws in
        func becomes(_ status: Int) async throws {
          while try await server.send(.get, "/health/ready").status != status {
            try await Task.sleep(for: .milliseconds(50))
          }
        }
        let connection = try PostgreSQLConnection(address, longest: .seconds(30))
        try await becomes(200)
        try connection.run("ALTER TABLE ebb_item RENAME TO away")
        #expect(try await server.send(.get, "/health/ready").status == 503)
        try connection.run("ALTER TABLE away RENAME TO ebb_item")
        try await becomes(200)
        try connection.run("BEGIN")
        try connection.run("LOCK TABLE ebb_item IN ACCESS EXCLUSIVE MODE")
        #expect(try await server.send(.get, "/health/ready").status == 503)
        try connection.run("ROLLBACK")
        try await becomes(200)
      }
    }
  }

  @Test("a server says that it is not ready while it can't reach its database, and is again after that")
  func readiness() async throws {
    let cluster = try await blocking { try PostgreSQLCluster(["fsync=off"]) }
    let url = try await blocking { try cluster.makeDatabase() }
    try await TestServer.run(databasePath: url) { server async throws in
      try await server.insert("a")
      #expect(try await server.send(.get, "/health/ready").status == 200)
      try await blocking { try cluster.stop() }
      #expect(try await server.send(.get, "/health/ready").status == 503)
      let refused = try await server.send(.post, "/tables/TodoItem", .v3, body: #"{"id":"b"}"#)
      #expect(refused.status == 503 && refused.header("Retry-After") == "1")
      try await blocking { try cluster.start() }
      while try await server.send(.get, "/health/ready").status != 200 { try await Task.sleep(for: .milliseconds(50)) }
      try await server.insert("b")
      #expect(try await server.ids("id ne ''") == ["a", "b"])
    }
  }
}
