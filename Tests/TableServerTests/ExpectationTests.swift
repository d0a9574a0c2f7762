import StorageSupport
import TableProtocol
import Testing

@testable import TableServer
@testable import TableStorage

/// What a client gets that sends a head, and waits with the body until it is asked for it (RFC 9110, 10.1.1).
@Suite("A client that waits to be asked for the body")
struct ExpectationTests {
  private let item = #"{"id":"a","text":"Milk"}"#

  private func head(
    _ verb: String = "POST", _ path: String = "/tables/TodoItem", type: String = "application/json", length: Int,
    _ more: String = ""
  ) -> String {
    "\(verb) \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Type: \(type)\r\nContent-Length: \(length)\r\n"
      + "Expect: 100-continue\r\n\(more)\r\n"
  }

  @Test("is asked at once, on each request of a connection, and answered when it has sent it")
  func asked() async throws {
    try await TestServer.run { server async throws in
      let connection = try RawConnection(server)
      for status in ["201 Created", "409 Conflict"] {
        await connection.send(head(length: item.utf8.count))
        #expect(await connection.readSome() == "HTTP/1.1 100 Continue\r\n\r\n")
        await connection.send(item)
        #expect(try #require(await connection.readSome()).hasPrefix("HTTP/1.1 \(status)\r\n"))
      }
      let batch = #"{"requests":[{"id":"1","method":"get","url":"/tables/TodoItem/a"}]}"#
      await connection.send(head("POST", "/tables/$batch", length: batch.utf8.count))
      #expect(await connection.readSome() == "HTTP/1.1 100 Continue\r\n\r\n")
      await connection.send(batch)
      #expect(try #require(await connection.readSome()).hasPrefix("HTTP/1.1 200 OK\r\n"))
    }
  }

  @Test("is not asked for a body that comes with the head")
  func notAsked() async throws {
    try await TestServer.run { server async throws in
      let connection = try RawConnection(server)
      await connection.send(head(length: item.utf8.count) + item)
      #expect(try #require(await connection.readSome()).hasPrefix("HTTP/1.1 201 Created\r\n"))
    }
  }

  @Test("gets the answer without having sent the body if no body would do")
  func refused() async throws {
    try await TestServer.run { server async throws in
      let other = "x-ebb-database: 00000000-0000-4000-8000-000000000000\r\n"
      let requests = [
        (head(type: "text/plain", length: 9), "415"), (head(length: 5_000_000), "413"),
        (head(length: 9, "Content-Encoding: gzip\r\n"), "415"),
        (head("POST", "/tables/none", length: 9), "404"), (head("PUT", "/tables/TodoItem", length: 9), "405"),
        (head(length: 9, "ZUMO-API-VERSION: 9\r\n"), "400"), (head(length: 9, other), "421"),
        (head("PUT", "/tables/$batch", length: 9), "405"), (head(length: 9, "Origin: https://evil.example\r\n"), "403"),
        (head("PATCH", "/tables/TodoItem/a", length: 9, "If-Match: \"a\", \"b\"\r\n"), "400"),
      ]
      for (head, status) in requests {
        let connection = try RawConnection(server)
        await connection.send(head)
        let answer = try #require(await connection.readSome())
        #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(head)")
        #expect(answer.lowercased().contains("\r\nconnection: close\r\n"))
      }
    }
  }

  @Test("gets 401 before it has sent the body if it has no token")
  func withoutToken() async throws {
    try await ServerDatabaseFile.use { file in
      let tokens = try ServerTokens(database: file.path, makesDatabase: true, clock: TestServer.systemClock)
      _ = try tokens.add(try #require(UserName("anna")), label: "", scope: .sync, days: nil)
      tokens.close()
      try await TestServer.run(databasePath: file.path) { server async throws in
        let connection = try RawConnection(server)
        await connection.send(head(length: 9))
        #expect(try #require(await connection.readSome()).hasPrefix("HTTP/1.1 401 "))
      }
    }
  }
}
