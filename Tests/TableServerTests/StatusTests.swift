import CoreMetrics
import FoundationEssentials
import StorageSupport
import TableProtocol
import Testing

@testable import TableServer
@testable import TableStorage

@Suite("A server says whether it lives, whether it can read its database, and what it did")
struct StatusTests {
  @Test("health needs no token and no name of the server, and betrays nothing")
  func health() async throws {
    try await ServerDatabaseFile.use { file in
      try token(file, .sync)
      try await TestServer.run(databasePath: file.path) { server async throws in
        #expect(try await server.send(.get, "/tables/TodoItem").status == 401)
        for path in ["/health/live", "/health/ready"] {
          let answer = try await server.send(.get, path, nil, ["Host": "probe.example"])
          #expect(answer.status == 200 && answer.header("x-ebb-database") == nil)
          #expect(["live\n", "ready\n"].contains(answer.text))
          #expect(try await server.send(.head, path).status == 200)
          #expect(try await server.send(.post, path, body: "{}").status == 405)
        }
      }
    }
  }

  @Test("a server whose database is gone lives, and is not ready")
  func notReady() async throws {
    try await ServerDatabaseFile.use { file in
      try await TestServer.run(databasePath: file.path) { server async throws in
        #expect(try await server.send(.get, "/health/ready").status == 200)
        try FileManager.default.moveItem(atPath: file.path, toPath: file.path + ".away")
        let answer = try await server.send(.get, "/health/ready")
        #expect(answer.status == 503 && answer.text == "not ready\n" && answer.header("Retry-After") != nil)
        #expect(try await server.send(.get, "/health/live").status == 200)
        try FileManager.default.moveItem(atPath: file.path + ".away", toPath: file.path)
        #expect(try await server.send(.get, "/health/ready").status == 200)
      }
    }
  }

  @Test("figures are for a token of their scope, which opens nothing else; where nobody needs one they are for all")
  func figuresAccess() async throws {
    try await TestServer.run { server async throws in
      #expect(try await server.send(.get, "/metrics").status == 200)
    }
    try await ServerDatabaseFile.use { file in
      let (figures, sync, feed) = (try token(file, .metrics), try token(file, .sync), try token(file, .feed))
      for isOpen in [false, true] {
        try await TestServer.run(databasePath: file.path, isOpen: isOpen) { server async throws in
          func status(_ path: String, _ token: String?) async throws -> Int {
            try await server.send(.get, path, .v3, token.map { ["Authorization": "Bearer \($0)"] } ?? [:]).status
          }
          #expect(try await status("/metrics", nil) == 401)
          #expect(try await status("/metrics", "ebb_wrong") == 401)
          #expect(try await status("/metrics", sync) == 403)
          #expect(try await status("/metrics", feed) == 403)
          #expect(try await status("/metrics", figures) == 200)
          #expect(try await status("/tables/TodoItem", figures) == 403)
          #expect(try await server.send(.get, "/metrics", nil, ["Host": "other.example"]).status == 421)
        }
      }
    }
  }

  @Test("figures count requests by verb, kind of URL and status, and no name that a client chose is in them")
  func figures() async throws {
    try await TestServer.run(tables: TablePolicy(.open)) { server async throws in
      for name in ["secretA", "secretB"] {
        for number in 0..<3 { _ = try await server.send(.get, "/tables/\(name)/secret\(number)") }
        _ = try await server.send(.get, "/\(name)/else?secret=1")
      }
      let answer = try await server.send(.get, "/metrics")
      #expect(answer.header("Content-Type") == "text/plain; version=0.0.4; charset=utf-8")
      let lines = answer.text.split(separator: "\n")
      let count = #"ebb_http_requests_total{method="GET",route="/tables/{table}/{id}",status="404"} 6"#
      #expect(lines.contains { $0 == count })
      #expect(lines.contains { $0 == #"ebb_http_request_duration_seconds_count{route="other"} 2"# })
      #expect(lines.contains { $0 == "# TYPE ebb_http_request_duration_seconds histogram" })
      #expect(!answer.text.contains("secret") && answer.text.hasSuffix("\n"))
      let bytes = try await server.figure("ebb_database_bytes")
      #expect((bytes ?? 0) > 4_096)
      #expect(try await server.figure("ebb_wrong_tokens_total") == 0)
    }
  }

  @Test("a histogram counts what is not above a bound, in seconds; labels are escaped; series are bounded")
  func format() {
    let metrics = PrometheusMetrics(help: ["t": "Times."])
    let timer = Timer(label: "t", dimensions: [("a", "x\"\\\n")], factory: metrics)
    for nanoseconds in [1_000_000, 1_000_001, 20_000_000_000] as [Int64] { timer.recordNanoseconds(nanoseconds) }
    let lines = metrics.text.split(separator: "\n")
    #expect(
      lines.prefix(4) == [
        "# HELP t Times.", "# TYPE t histogram", #"t_bucket{a="x\"\\\n",le="0.001"} 1"#,
        #"t_bucket{a="x\"\\\n",le="0.0025"} 2"#,
      ])
    #expect(lines.suffix(2) == [#"t_sum{a="x\"\\\n"} 20.002000001"#, #"t_count{a="x\"\\\n"} 3"#])
    #expect(
      lines.contains(#"t_bucket{a="x\"\\\n",le="+Inf"} 3"#) && lines.contains(#"t_bucket{a="x\"\\\n",le="10.0"} 2"#))
    for number in 0..<2_000 { Counter(label: "c", dimensions: [("n", "\(number)")], factory: metrics).increment() }
    #expect(metrics.text.split(separator: "\n").count < 1_100)
  }

  @discardableResult
  private func token(_ file: ServerDatabaseFile, _ scope: AccessScope) throws -> String {
    let tokens = try ServerTokens(database: file.path, makesDatabase: true, clock: TestServer.systemClock)
    defer { tokens.close() }
    let user = try #require(UserName("anna"))
    return try tokens.add(user, label: "", scope: scope, days: nil).token.text
  }
}
