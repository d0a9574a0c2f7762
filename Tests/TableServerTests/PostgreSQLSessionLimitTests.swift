import FoundationEssentials
import StorageSupport
import Support
import TableProtocol
import Testing

@testable import TableServer
@testable import TableStorage

@Suite(
  "A PostgreSQL that lets few sessions begin", .timeLimit(.minutes(5)),
  .enabled(if: PostgreSQLCluster.isInstalled, "PostgreSQL is not installed"))
struct PostgreSQLSessionLimitTests {
  /// A database whose owner may have so many sessions; limits do not hold for a superuser.
  private func withLimit(
    _ count: Int,
    _ body: (_ owner: PostgreSQLAddress, _ role: String, _ aside: PostgreSQLConnection) async throws -> Void
  ) async throws {
    try await PostgreSQLDatabase.use { address async throws in
      let aside = try PostgreSQLConnection(address, longest: .seconds(30))
      let role = "role_\(UUID().uuidString.prefix(8).lowercased())"
      let database = try #require(try aside.run("SELECT current_database()").text(0, 0))
      try aside.run("CREATE ROLE \(role) LOGIN CONNECTION LIMIT \(count)")
      try aside.run("ALTER DATABASE \(database) OWNER TO \(role)")
      try await body(
        try #require(PostgreSQLAddress(address.url.replacing("postgres@", with: "\(role)@"))), role, aside)
    }
  }

  @Test("requests wait for the sessions that the server has, and none is refused")
  func waiting() async throws {
    // One of them hears notices.
    try await withLimit(2) { owner, _, _ async throws in
      try await TestServer.run(databasePath: owner.url) { server async throws in
        try await server.insert("first")
        try await withThrowingTaskGroup(of: Int.self) { group in
          for number in 0..<20 {
            group.addTask { try await server.send(.get, "/tables/TodoItem", .v3).status }
            group.addTask {
              try await server.send(.post, "/tables/TodoItem", .v3, body: #"{"id":"r\#(number)"}"#).status
            }
          }
          for try await status in group { #expect(status < 300) }
        }
        #expect(try await server.ids("id ne ''").count == 21)
      }
    }
  }

  @Test("the only session is for requests, also after it was cut")
  func onlyOne() async throws {
    try await withLimit(1) { owner, role, aside async throws in
      try await TestServer.run(databasePath: owner.url) { server async throws in
        try await server.insert("first")
        for round in 0..<5 {
          try aside.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '\(role)'")
          try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<10 {
              group.addTask {
                _ = try await eventually {
                  let body = #"{"id":"r\#(round)-\#(number)"}"#
                  return try await server.send(.post, "/tables/TodoItem", .v3, body: body).status < 300 ? true : nil
                }
              }
            }
            try await group.waitForAll()
          }
        }
        #expect(try await server.ids("id ne ''").count == 51)
      }
    }
  }

  @Test("one that waits for too long is refused, and the session is the next one's")
  func tooLong() async throws {
    try await withLimit(1) { owner, _, _ async throws in
      var options = PostgreSQLStorage.Options()
      options.patience.busy = .milliseconds(300)
      let storage = try PostgreSQLStorage(owner, options, makeUUID: { UUID() })
      defer { try? storage.close() }
      let gate = Gate()
      async let slow: Void = storage.read(.first) { _ in gate.pass() }
      await gate.arrived()
      await #expect(throws: StorageError.unreachable("PostgreSQL lets no more sessions begin")) {
        try await storage.read(.first) { try $0.state() }
      }
      async let next = storage.read(.first) { try $0.state().digest.count }
      gate.open()
      try await slow
      #expect(try await next == 0)
    }
  }

  @Test("a server that has none refuses requests, and goes on when it gets one")
  func none() async throws {
    try await withLimit(3) { owner, role, aside async throws in
      try await TestServer.run(databasePath: owner.url) { server async throws in
        try await server.insert("a")
        try aside.run("ALTER ROLE \(role) CONNECTION LIMIT 0")
        try aside.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '\(role)'")
        let refused = try await server.send(.post, "/tables/TodoItem", .v3, body: #"{"id":"b"}"#)
        #expect(refused.status == 503 && refused.header("Retry-After") == "1")
        try aside.run("ALTER ROLE \(role) CONNECTION LIMIT 3")
        _ = try await eventually {
          try await server.send(.get, "/health/ready").status == 200 ? true : nil
        }
        try await server.insert("c")
        #expect(try await server.ids("id ne ''") == ["a", "c"])
      }
    }
  }

  @Test(
    "the SQLSTATE of a server that turns a session away is read in any language",
    arguments: [
      ("connection to server at \"h\" failed: FATAL:  53300\n", "53300"), ("致命错误:  28P01\n", "28P01"),
      ("FATAL:  3D000\nconnection to server failed: FATAL:  57P03\n", "57P03"), ("", nil), ("FATAL:  sorry", nil),
      ("session is read-only\n", nil), ("FATAL:  SORRY", nil), ("FATAL:  5330é", nil),
    ])
  func states(message: String, state: String?) {
    #expect(PostgreSQLFailure.state(endingMessage: message) == state)
  }
}
