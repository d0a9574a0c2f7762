import Foundation
import StorageSupport
import TableProtocol
import Testing

@testable import TableServer
@testable import TableStorage

@Suite("The protocol as a document")
struct InterfaceDocumentTests {
  private struct Document: Decodable {
    let openapi: String
    let paths: [String: [String: Operation]]

    /// The parameters of a path stand beside its verbs, as an array.
    struct Operation: Decodable {
      let operationId: String?

      init(from decoder: any Decoder) throws {
        let members = try? decoder.container(keyedBy: Key.self)
        operationId = try members?.decodeIfPresent(String.self, forKey: .operationId)
      }

      private enum Key: CodingKey { case operationId }
    }
  }

  @Test("has each verb that the server takes at a URL, and no other")
  func verbs() async throws {
    try await ServerDatabaseFile.use { file in
      let feed = try file.tokenText(for: "anna", .feed)
      try await TestServer.run(databasePath: file.path) { server async throws in
        let answer = try await server.send(.get, "/openapi.json")
        #expect(answer.status == 200 && answer.header("Content-Type") == "application/json; charset=utf-8")
        let document = try JSONDecoder().decode(Document.self, from: Data(answer.body))
        #expect(document.openapi.hasPrefix("3.1"))
        for (path, operations) in document.paths where path != "/join" {
          let url = path.replacingOccurrences(of: "{table}", with: "TodoItem")
            .replacingOccurrences(of: "{id}", with: "a").replacingOccurrences(of: "{token}", with: feed)
          let allowed = try await server.send(.options, url).header("Allow")
          let verbs = Set((allowed ?? "").components(separatedBy: ", ")).subtracting(["HEAD", "OPTIONS"])
          let written = operations.filter { $0.value.operationId != nil }.keys.map { $0.uppercased() }
          #expect(verbs == Set(written), "\(path)")
        }
      }
    }
  }

  @Test("names the tables of a server that has no others, and is sent again only if it is another")
  func tables() async throws {
    var tags: [String] = []
    for policy in [TablePolicy(), TablePolicy(.open)] {
      let (tag, text) = try await TestServer.result(tables: policy) { server async throws in
        let first = try await server.send(.get, "/openapi.json")
        let tag = try #require(first.eTag)
        let again = try await server.send(.get, "/openapi.json", nil, ["If-None-Match": tag])
        #expect(again.status == 304 && again.body == [])
        #expect(try await server.send(.head, "/openapi.json").header("Content-Length") == String(first.body.count))
        let post = try await server.send(.post, "/openapi.json", nil, [:], body: "{}")
        #expect(post.status == 405 && post.header("Allow") == "GET, HEAD, OPTIONS")
        return (tag, first.text)
      }
      #expect(text.contains(#""enum": ["TodoItem"]"#) == (policy.tables == .fixed))
      #expect(text.contains(InterfaceDocument.anyName) == (policy.tables == .open))
      tags.append(tag)
    }
    #expect(Set(tags).count == 2)
  }

  @Test("a verb that is wrong is that before anything else is", arguments: ["TRACE", "COPY", "CONNECT", "BREW"])
  func wrongVerbs(verb: String) async throws {
    try await TestServer.run { server async throws in
      for path in ["/tables/TodoItem", "/tables/TodoItem/a", "/tables/$batch", "/tables", "/openapi.json"] {
        let connection = try RawConnection(server)
        await connection.send(
          "\(verb) \(path) HTTP/1.1\r\nHost: localhost\r\nZUMO-API-VERSION: 9\r\nConnection: close\r\n\r\n")
        let answer = try #require(await connection.readToEnd())
        #expect(answer.hasPrefix("HTTP/1.1 405 ") && answer.contains("\r\nAllow: "), "\(path)\n\(answer)")
      }
    }
  }
}
