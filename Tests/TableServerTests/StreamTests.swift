import HTTPTypes
import NIOCore
import NIOEmbedded
import StorageSupport
import Support
import TableProtocol
import Testing

@testable import TableServer
@testable import TableStorage

@Suite("The stream of a list", .timeLimit(.minutes(5)))
struct StreamTests {
  private let get = "GET /tables/TodoItem HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n"

  /// No notice by the clock: what comes, comes from a write.
  private func limits(_ change: (inout ServerLimits) -> Void = { _ in }) -> ServerLimits {
    var limits = ServerLimits.patient
    limits.heartbeat = .seconds(3_600)
    limits.noticePause = .milliseconds(1)
    change(&limits)
    return limits
  }

  private func open(_ server: TestServer, _ more: String = "") async throws -> RawConnection {
    let connection = try RawConnection(server)
    await connection.send(get + more + "\r\n")
    return connection
  }

  /// Waits until the server has no stream any more.
  private func waitForNoStream(of server: TestServer) async throws {
    _ = try await eventually(within: .seconds(240), otherwise: "A stream stays open.") {
      try await server.figure("ebb_streams") == 0 ? true : nil
    }
  }

  @Test("begins with how far the list is, and goes on when it is written to")
  func levels() async throws {
    try await TestServer.run(limits: limits()) { server async throws in
      let first = try #require(try await server.insert("a").system.updatedAt)
      let connection = try await open(server)
      let head = try #require(await connection.read(until: first.text + "\""))
      #expect(head.hasPrefix("HTTP/1.1 200") && head.contains("Content-Type: text/event-stream\r\n"))
      #expect(head.contains("Cache-Control: no-store\r\n") && head.contains("X-Accel-Buffering: no\r\n"))
      #expect(head.contains("retry: 5000\nid: \(first.text)\nevent: now\ndata: {\"updatedAt\":"))
      let database = try #require(try await server.send(.get, "/tables/TodoItem").header("x-ebb-database"))
      #expect(head.contains(database) && head.contains("x-ebb-database: \(database)"))
      let second = try #require(try await server.insert("b").system.updatedAt)
      let event = try #require(await connection.read(until: "\n\n"))
      #expect(event.contains("id: \(second.text)\nevent: now\ndata: "))
      let json = try #require(event.split(separator: "\n").first { $0.hasPrefix("data: ") }).dropFirst(6)
      #expect(
        ListLevel(json: Array(json.utf8)) == ListLevel(updatedAt: second, database: database, epoch: 1))
    }
  }

  @Test("of a list that nothing was written to says so, and of a table that is not there says nothing")
  func nothingWritten() async throws {
    try await TestServer.run(limits: limits()) { server async throws in
      let connection = try await open(server)
      #expect(await connection.read(until: "\n\n")?.contains("id: 1970-01-01T00:00:00.000Z\n") == true)
      let headers = ["Accept": "text/event-stream"]
      #expect(try await server.send(.get, "/tables/Other", nil, headers).status == 404)
      #expect(try await server.send(.get, "/tables/TodoItem?zumo-api-version=9", nil, headers).status == 400)
      #expect(try await server.send(.get, "/tables/TodoItem", nil, headers + ["x-ebb-database": "other"]).status == 421)
      #expect(try await server.send(.get, "/tables/TodoItem", nil, headers + ["x-ebb-user": "anna"]).status == 401)
    }
  }

  @Test("says once what happened many times within a pause")
  func coalesced() async throws {
    let text = try await TestServer.result(limits: limits { $0.noticePause = .seconds(3_600) }) { server async throws in
      let connection = try await open(server)
      _ = await connection.read(until: "\n\n")
      try await server.insert("a")
      let first = await connection.read(until: "\n\n")
      for id in ["b", "c", "d"] { try await server.insert(RecordID(id)) }
      return (first, connection)
    }
    #expect(text.0?.contains("event: now") == true)
    #expect(await text.1.readToEnd()?.contains("event") == false, "those within the pause are one, which is not over")
  }

  @Test("shows that it lives, and then what a lost notice would have said")
  func heartbeats() async throws {
    try await TestServer.run(limits: limits { $0.heartbeat = .milliseconds(50) }) { server async throws in
      let connection = try await open(server)
      #expect(await connection.read(until: "\n:\n\n") != nil)
    }
  }

  @Test("ends after its time, when the server stops, and when there are tokens and it showed none")
  func endings() async throws {
    try await TestServer.run(
      limits: limits {
        $0.heartbeat = .milliseconds(50)
        $0.streamLife = .zero
      }
    ) { server async throws in
      let connection = try await open(server)
      #expect(try #require(await connection.readToEnd()).hasSuffix("0\r\n\r\n"))
      #expect(try await server.send(.get, "/tables/TodoItem").status == 200)
    }
    let left = try await TestServer.result(limits: limits()) { server async throws in
      let connection = try await open(server)
      _ = await connection.read(until: "\n\n")
      return connection
    }
    #expect(try #require(await left.readToEnd()).hasSuffix("0\r\n\r\n"))
    try await ServerDatabaseFile.use { file in
      try await TestServer.run(databasePath: file.path, limits: limits()) { server async throws in
        let connection = try await open(server)
        _ = await connection.read(until: "\n\n")
        _ = try file.tokenText(for: "anna")
        #expect(await connection.readToEnd() != nil)
      }
    }
  }

  @Test("of a token ends when that is taken back, and is of the lists of its user")
  func revoked() async throws {
    try await ServerDatabaseFile.use { file in
      let (anna, ben) = (try file.tokenText(for: "anna"), try file.tokenText(for: "ben"))
      try await TestServer.run(databasePath: file.path, limits: limits()) { server async throws in
        let connection = try await open(server, "Authorization: Bearer \(anna)\r\n")
        _ = await connection.read(until: "\n\n")
        let headers = ["Authorization": "Bearer \(ben)", "Content-Type": "application/json"]
        #expect(try await server.send(.post, "/tables/TodoItem", nil, headers, body: "{}").status == 201)
        try file.revoke(anna)
        let rest = try #require(await connection.readToEnd())
        #expect(!rest.contains("event: now"), "what another user does is no news")
        #expect(try await server.send(.get, "/tables/TodoItem", nil, ["Accept": "text/event-stream"]).status == 401)
      }
    }
  }

  @Test("is one of so many, until its client leaves")
  func most() async throws {
    try await TestServer.run(limits: limits { $0.streams = 1 }) { server async throws in
      var connection: RawConnection? = try await open(server)
      _ = await connection?.read(until: "\n\n")
      #expect(try await server.figure("ebb_streams") == 1)
      let refused = try await server.send(.get, "/tables/TodoItem", nil, ["Accept": "text/event-stream"])
      #expect(refused.status == 503 && refused.header("Retry-After") == "60")
      #expect(try await server.send(.head, "/tables/TodoItem", nil, ["Accept": "text/event-stream"]).status == 200)
      connection = nil
      try await waitForNoStream(of: server)
      let next = try await open(server)
      #expect(await next.read(until: "\n\n")?.hasPrefix("HTTP/1.1 200") == true)
    }
  }

  @Test("is one of so many of its user, so that no user takes the places of all")
  func mostOfAUser() async throws {
    try await ServerDatabaseFile.use { file in
      let (anna, ben) = (try file.tokenText(for: "anna"), try file.tokenText(for: "ben"))
      try await TestServer.run(databasePath: file.path, limits: limits { $0.streamsOfASender = 2 }) {
        server async throws in
        func open(_ token: String) async throws -> (RawConnection, String) {
          let connection = try await self.open(server, "Authorization: Bearer \(token)\r\n")
          return (connection, try #require(await connection.read(until: "\r\n\r\n")))
        }
        var held = [try await open(anna), try await open(anna)]
        #expect(held.allSatisfy { $0.1.hasPrefix("HTTP/1.1 200") })
        let refused = try await open(anna).1
        #expect(refused.hasPrefix("HTTP/1.1 429") && refused.contains("Retry-After: 60\r\n"))
        #expect(try await open(ben).1.hasPrefix("HTTP/1.1 200"), "another user has places")
        held.removeLast()
        _ = try await eventually(within: .seconds(240), otherwise: "The place of a stream that ended stayed taken.") {
          try await open(anna).1.hasPrefix("HTTP/1.1 200") ? true : nil
        }
      }
    }
  }

  @Test("of a client that stops reading it is closed")
  func unread() async throws {
    let limits = limits {
      $0.sending = .milliseconds(200)
      $0.heartbeat = .microseconds(200)
    }
    try await TestServer.run(limits: limits, at: NarrowPort()) { server async throws in
      let connection = try RawConnection(server, takesLittle: true)
      await connection.send(get + "\r\n")
      #expect(await connection.read(until: "\r\n\r\n")?.hasPrefix("HTTP/1.1 200") == true)
      try await waitForNoStream(of: server)
      withExtendedLifetime(connection) {}
    }
  }

  @Test("to a client of HTTP/1.0 ends with its connection and has no other frame")
  func oldClient() async throws {
    let text = try await TestServer.result(limits: limits()) { server async throws in
      let connection = try RawConnection(server)
      await connection.send(get.replacing("HTTP/1.1", with: "HTTP/1.0") + "Connection: keep-alive\r\n\r\n")
      let text = try #require(await connection.read(until: "\n\n"))
      return (text, connection)
    }
    #expect(text.0.contains("Connection: close\r\n") && !text.0.lowercased().contains("chunked"))
    #expect(text.0.contains("\r\n\r\nretry: 5000\nid: "))
    #expect(await text.1.readToEnd() == "")
  }

  @Test("is asked for by HEAD without a byte of it")
  func headAlone() async throws {
    try await TestServer.run(limits: limits()) { server async throws in
      for version in ["1.0", "1.1"] {
        let connection = try RawConnection(server)
        await connection.send(
          get.replacing("GET", with: "HEAD").replacing("HTTP/1.1", with: "HTTP/\(version)") + "\r\n")
        let text = try #require(await connection.readToEnd())
        #expect(text.hasPrefix("HTTP/\(version) 200 "), "of no older version than the request is (RFC 9110, 2.5)")
        #expect(text.contains("Content-Type: text/event-stream\r\n") && text.hasSuffix("\r\n\r\n"))
        #expect(!text.contains("\r\n\r\n0"), "\(text)")
      }
    }
  }

  @Test(
    "goes to those who accept it more than JSON, and only where a list is",
    arguments: [
      ("text/event-stream", true), ("Text/Event-Stream ; q=0.1", true), ("text/event-stream, */*;q=0.5", true),
      ("application/json;q=0.5, text/event-stream", true), ("text/*;q=0.2, text/event-stream;charset=utf-8", true),
      ("*/*", false), ("text/*", false), ("text/event-stream;q=0", false), ("text/event-stream, */*", false),
      ("application/json, text/event-stream", false), ("text/event-stream;q=2", false), ("text/event-streams", false),
      ("application/json, text/event-stream;q=0.9", false), ("text/event-stream;q=", false), ("", false),
    ])
  func accepted(field: String, isMeant: Bool) {
    let request = TableRequest(method: .get, target: "/tables/TodoItem", headers: [.accept: field])
    #expect(StreamRequest.isMeant(by: request) == isMeant)
  }

  @Test("is announced with lists, and is no answer to anything else")
  func announced() async throws {
    try await TestServer.run(limits: limits()) { server async throws in
      try await server.insert("a")
      let headers = ["Accept": "text/event-stream"]
      #expect(try await server.send(.get, "/tables/TodoItem").header("x-ebb-live") == "sse")
      let item = try await server.send(.get, "/tables/TodoItem/a", nil, headers)
      #expect(item.status == 200 && item.header("Content-Type")?.hasPrefix("application/json") == true)
      let added = try await server.send(.post, "/tables/TodoItem", nil, headers, body: "{}")
      #expect(added.status == 201 && added.header("Content-Type")?.hasPrefix("application/json") == true)
    }
  }

  @Test("holds one level and one heartbeat, however long nobody takes them")
  func memory() async {
    let stream = ListStream(of: ListID(.todoItem), endsAt: .now)
    func level(_ moment: Int64, _ epoch: Int = 1) -> ListLevel {
      ListLevel(updatedAt: Timestamp(milliseconds: moment), database: "d", epoch: epoch)
    }
    for moment in [2, 5, 3, 5] { stream.post(level(Int64(moment))) }
    stream.beat()
    #expect(await stream.next() == .level(level(5)))
    stream.beat()
    stream.beat()
    #expect(await stream.next() == .heartbeat)
    stream.post(level(5))
    stream.post(level(4, 2))
    #expect(await stream.next() == .level(level(4, 2)), "another epoch is news, whatever its moment is")
    stream.end()
    #expect(await stream.next() == nil)
    #expect(await Task { await ListStream(of: ListID(.todoItem), endsAt: .now).next() }.cancelled == nil)
  }

  @Test("takes the place of no connection that waits for requests")
  func places() {
    var limits = ServerLimits()
    limits.connections = 1
    let registry = ConnectionRegistry(limits)
    let connections = (0..<3).map { _ in ServerConnection(EmbeddedChannel()) }
    #expect(registry.admit(connections[0], now: .uptimeNanoseconds(1)))
    registry.note(connections[0], awaits: .nothing, now: .uptimeNanoseconds(2))
    #expect(!registry.admit(connections[1], now: .uptimeNanoseconds(3)))
    registry.noteStream(connections[0])
    #expect(registry.admit(connections[1], now: .uptimeNanoseconds(4)) && registry.count == 2)
    registry.note(connections[1], awaits: .nothing, now: .uptimeNanoseconds(5))
    #expect(!registry.admit(connections[2], now: .uptimeNanoseconds(6)))
  }
}

extension Task where Failure == Never {
  /// Its value, cancelled from the start.
  fileprivate var cancelled: Success {
    get async {
      cancel()
      return await value
    }
  }
}

extension [String: String] {
  fileprivate static func + (left: Self, right: Self) -> Self { left.merging(right) { $1 } }
}
