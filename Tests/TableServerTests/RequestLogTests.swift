import FoundationEssentials
import HTTPTypes
import Logging
import StorageSupport
import Synchronization
import TableProtocol
import Testing

@testable import TableServer

@Suite("Requests have a name and a line in the log, which gives nothing away")
struct RequestLogTests {
  /// Keeps the lines of a server that writes JSON.
  private final class Lines: Sendable {
    private let kept = Mutex<[String]>([])
    var all: [String] { kept.withLock { $0 } }

    func logger(_ level: Logger.Level) -> Logger {
      var logger = Logger(label: "test") { _ in
        JSONLogHandler(clock: { .epoch }) { [self] line in
          kept.withLock { $0.append(String(decoding: line, as: UTF8.self)) }
        }
      }
      logger.logLevel = level
      return logger
    }

    var requests: [String] { all.filter { $0.contains("\"route\"") } }
  }

  private let isLocal = [NetworkAddress.Range("127.0.0.0/8")].compactMap(\.self)

  @Test("each answer names its request, an error too; a name of its own is believed from a trusted proxy alone")
  func names() async throws {
    for proxies in [[], isLocal] {
      try await TestServer.run(proxies: proxies, isOpen: true) { server async throws in
        let given = try await server.send(.get, "/tables/TodoItem", .v3, ["X-Request-Id": "abc-1.2_3"])
        #expect(given.header("x-ebb-request") == nil)
        for (said, heard) in [("run-1", "run-1"), ("two words", nil), (String(repeating: "a", count: 65), nil)] {
          for path in ["/tables/TodoItem", "/nothing", "/health/live"] {
            let answer = try await server.send(.get, path, .v3, ["x-ebb-request": said])
            #expect(answer.header("x-ebb-request") == heard, "\(path)")
          }
        }
        #expect((given.header("X-Request-Id") == "abc-1.2_3") == !proxies.isEmpty)
        for bad in ["", "a b", "a\"b", String(repeating: "x", count: 65), "é"] {
          let answer = try await server.send(.get, "/nothing", .v3, ["X-Request-Id": bad])
          let name = try #require(answer.header("X-Request-Id"))
          #expect(answer.status == 404 && name.count == 16 && name.allSatisfy(\.isHexDigit), "\(bad)")
        }
      }
    }
  }

  @Test("a line for each request has its verb, kind of URL, status and name, and no id, query, text or token")
  func lines() async throws {
    let lines = Lines()
    try await TestServer.run(logger: lines.logger(.info)) { server async throws in
      try await server.insert("secret1", #""text":"secret2""#)
      let answers = [
        try await server.send(.get, "/tables/TodoItem/secret1"),
        try await server.send(.get, "/tables/TodoItem?$filter=text%20eq%20'secret3'", .v3, ["X-ZUMO-AUTH": "secret4"]),
        try await server.send(.get, "/feeds/secret7.ics"), try await server.send(.get, "/secret5/x?y=secret6"),
        try await server.send(.post, "/tables/$batch", body: "{"),
      ]
      let requests = lines.requests
      #expect(requests.count == 6)
      for (answer, line) in zip(answers, requests.dropFirst()) {
        let name = try #require(answer.header("X-Request-Id"))
        #expect(line.contains("\"request\":\"\(name)\"") && line.contains("\"status\":\(answer.status)"), "\(line)")
      }
      #expect(requests[1].contains(#""route":"/tables/{table}/{id}""#) && requests[4].contains(#""route":"other""#))
      #expect(requests[3].contains(#""route":"/feeds/{token}""#))
      #expect(!lines.all.joined().contains("secret"))
    }
  }

  @Test("without that level there is no such line, and what goes wrong names its request")
  func errors() async throws {
    let lines = Lines()
    try await ServerDatabaseFile.use { file in
      try await TestServer.run(databasePath: file.path, logger: lines.logger(.error)) { server async throws in
        try await server.insert("a", #""text":"secret""#)
        try await file.run("UPDATE TodoItem SET updatedAt = 'secret' WHERE id = 'a'")
        let answer = try await server.send(.get, "/tables/TodoItem/a")
        let name = try #require(answer.header("X-Request-Id"))
        #expect(answer.status == 500 && lines.all.count == 1)
        #expect(
          lines.all.allSatisfy { $0.contains("\"request\":\"\(name)\"") && !$0.contains("secret") }, "\(lines.all)")
      }
    }
  }

  @Test("an entry is one line of JSON, whatever is in it")
  func json() throws {
    let lines = Lines()
    lines.logger(.info).info("a \"b\"\nc", metadata: ["n": .stringConvertible(7), "t": "7\u{1}"])
    let line = try #require(lines.all.first)
    #expect(line.hasSuffix(#""level":"info","message":"a \"b\"\nc","n":7,"t":"7\u0001"}"# + "\n"), "\(line)")
    #expect(line.filter { $0 == "\n" }.count == 1 && line.hasPrefix(#"{"time":""#))
  }

  @Test("a URL is named by what it leads to, never by what it says")
  func routes() {
    let expected: [(String, ServerRoute)] = [
      ("/tables/secret", .list), ("/tables/secret/x", .item), ("/tables/$batch", .batch), ("/$batch", .batch),
      ("/tables/a/b/c", .other), ("/secret", .other), ("", .other), ("/tables", .overview), ("/metrics", .metrics),
      ("other", .other), ("/tables/{table}", .list), ("/feeds/secret.ics", .feed), ("/feeds/{token}", .feed),
      ("/", .page), ("/openapi.json", .document),
    ]
    for (path, route) in expected { #expect(ServerRoute(path[...]) == route, "\(path)") }
  }
}
