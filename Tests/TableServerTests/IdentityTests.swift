import FoundationEssentials
import GRDB
import StorageSupport
import TableProtocol
import TableServer
import Testing

@testable import TableStorage

@Suite("The identity of a server's database")
struct IdentityTests {
  private static let header = "x-ebb-database"
  private static let batch =
    #"{"requests":[{"id":"1","method":"post","url":"/tables/TodoItem","body":{"id":"new"}}]}"#

  private func folder(_ body: (URL) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "ebb-identity-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder)
  }

  private func identity(at path: String) async throws -> String {
    try await TestServer.result(databasePath: path) { try await $0.identity() }
  }

  @Test("is a UUID in lower case, on lists, batches and OPTIONS")
  func announced() async throws {
    try await TestServer.run { server async throws in
      let identity = try await server.identity()
      #expect(UUID(uuidString: identity)?.uuidString.lowercased() == identity)
      for version in ProtocolVersion.allCases {
        #expect(try await server.send(.get, "/tables/TodoItem", version).header(Self.header) == identity)
      }
      for path in ["/tables/TodoItem", "/tables/TodoItem/a", "/$batch"] {
        #expect(try await server.send(.options, path).header(Self.header) == identity)
      }
      let batch = try await server.send(.post, "/$batch", .v3, body: Self.batch)
      #expect(batch.header(Self.header) == identity)
    }
  }

  @Test("stays over restarts, and another database has another")
  func permanent() async throws {
    try await folder { folder in
      let path = folder.appending(path: "a").path
      let first = try await identity(at: path)
      #expect(try await identity(at: path) == first)
      #expect(try await identity(at: folder.appending(path: "b").path) != first)
    }
  }

  @Test("is given to a database of the version that had none, once, and its rows stay")
  func migration() async throws {
    try await ServerDatabaseFile.use { file in
      let row = try await TestServer.result(databasePath: file.path) { try await $0.insert("a") }
      try await file.becomeVersion(1)
      let first = try await TestServer.result(databasePath: file.path) { server async throws in
        #expect(try await server.send(.get, "/tables/TodoItem").list.items == [row])
        return try await server.identity()
      }
      #expect(try await identity(at: file.path) == first)
    }
  }

  @Test("is on every answer: of changes, of errors, and of paths that are nothing", arguments: ProtocolVersion.allCases)
  func everywhere(version: ProtocolVersion) async throws {
    try await TestServer.run { server async throws in
      let identity = try await server.identity()
      let large = #"{"text":"\#(String(repeating: "x", count: 5_000_000))"}"#
      let requests: [(Verb, String, String?, [Int])] = [
        (.post, "/tables/TodoItem", #"{"id":"a","text":"x"}"#, [201]),
        (.post, "/tables/TodoItem", #"{"id":"a","text":"x"}"#, [409]), (.get, "/tables/TodoItem/a", nil, [200]),
        (.head, "/tables/TodoItem", nil, [405, 200]), (.patch, "/tables/TodoItem/a", #"{"text":"y"}"#, [200]),
        (.put, "/tables/TodoItem/a", #"{"id":"a","text":"y"}"#, [200]),
        (.delete, "/tables/TodoItem/a", nil, [200, 204]),
        (.patch, "/tables/TodoItem/a", #"{"text":"z"}"#, [409, 410]), (.get, "/tables/TodoItem/none", nil, [404]),
        (.get, "/tables/TodoItem?$top=x", nil, [400]), (.get, "/tables/TodoItem?$filter=(", nil, [400]),
        (.post, "/tables/TodoItem", "{", [400]), (.post, "/tables/TodoItem", large, [413]),
        (.put, "/tables/TodoItem", "{}", [405]), (.get, "/tables/Other", nil, [404]), (.get, "/tables", nil, [200]),
        (.get, "/nothing", nil, [404]),
        (.get, "/tables/TodoItem/a/b/c", nil, [404]), (.get, "/", nil, [404]), (.get, "/favicon.ico", nil, [404]),
        (.get, "/$batch", nil, [405]), (.post, "/$batch", "{", [400]), (.post, "/tables/$batch", Self.batch, [200]),
      ]
      for (verb, path, body, expected) in requests {
        let answer = try await server.send(verb, path, version, body: body)
        #expect(expected.contains(answer.status), "\(verb) \(path): \(answer.status)")
        #expect(answer.header(Self.header) == identity, "\(verb) \(path)")
      }
      let strange = try await server.send(.get, "/tables/TodoItem", nil, [ZumoHeader.apiVersion: "9.0"])
      #expect(strange.status == 400 && strange.header(Self.header) == identity)
    }
  }

  @Test("is on the answer to a request that failed in the database")
  func failure() async throws {
    try await ServerDatabaseFile.use { file in
      try await TestServer.run(databasePath: file.path) { server async throws in
        let identity = try await server.identity()
        try await file.run("DROP TABLE StoredList")
        for (verb, body) in [(Verb.get, nil), (.post, #"{"id":"a"}"#)] as [(Verb, String?)] {
          let answer = try await server.send(verb, "/tables/TodoItem", body: body)
          #expect(answer.status == 500)
          #expect(answer.header(Self.header) == identity)
        }
      }
    }
  }

  @Test("that is damaged keeps the server from starting")
  func damaged() async throws {
    try await folder { folder in
      let path = folder.appending(path: "a").path
      _ = try await identity(at: path)
      let queue = try DatabaseQueue(path: path)
      try await queue.write { try $0.execute(sql: "UPDATE ServerIdentity SET uuid = 'a' || char(13, 10) || 'b: c'") }
      try queue.close()
      await #expect(throws: ServerError.database(.damaged(path: path, reason: "the database's identity is damaged"))) {
        try await identity(at: path)
      }
    }
  }

  @Test(
    "is compared with the one a request asks for: another is refused with 421, and nothing is done",
    arguments: [
      "00000000-0000-4000-8000-000000000000", "", "*", "null", "none", "'; DROP TABLE TodoItem; --",
      String(repeating: "a", count: 8_000), "\u{e9}\u{4e70}",
    ])
  func mismatch(asked: String) async throws {
    try await TestServer.run { server async throws in
      let row = try await server.insert("a", #""text":"old""#)
      let item = #"{"id":"new","text":"x"}"#
      let requests: [(Verb, String, String?)] = [
        (.get, "/tables/TodoItem", nil), (.get, "/tables/TodoItem/a", nil), (.post, "/tables/TodoItem", item),
        (.patch, "/tables/TodoItem/a", #"{"text":"x"}"#), (.put, "/tables/TodoItem/a", #"{"id":"a","text":"x"}"#),
        (.delete, "/tables/TodoItem/a", nil), (.post, "/$batch", Self.batch), (.post, "/tables/$batch", Self.batch),
        (.options, "/tables/TodoItem", nil),
      ]
      let identity = try await server.identity()
      for (verb, path, body) in requests {
        let answer = try await server.send(verb, path, .v3, [Self.header: asked], body: body)
        #expect(answer.status == 421, "\(verb) \(path)")
        #expect(ErrorBody.message(in: answer.body) != nil)
        #expect(answer.header(Self.header) == identity)
      }
      #expect(try await server.send(.get, "/tables/TodoItem?__includedeleted=true").list.items == [row])
    }
  }

  @Test("that is asked for rightly changes nothing, in either case of its letters")
  func match() async throws {
    try await TestServer.run { server async throws in
      let identity = try await server.identity()
      for asked in [identity, identity.uppercased()] {
        #expect(try await server.send(.get, "/tables/TodoItem", .v2, [Self.header: asked]).status == 200)
      }
      let batch = try await server.send(.post, "/$batch", .v3, [Self.header: identity], body: Self.batch)
      #expect(batch.status == 200)
      #expect(try await server.ids("true eq true") == ["new"])
    }
  }

  @Test("may be asked for by one entry of a batch, which then fails alone")
  func entry() async throws {
    try await TestServer.run { server async throws in
      let entries = ["a", "b"].map { id in
        let headers = id == "a" ? #""headers":{"X-Ebb-Database":"other"},"# : ""
        return #"{"id":"\#(id)","method":"post","url":"/tables/TodoItem",\#(headers)"body":{"id":"\#(id)"}}"#
      }
      let body = #"{"requests":[\#(entries.joined(separator: ","))]}"#
      let answer = try await server.send(.post, "/$batch", .v3, body: body)
      #expect(try BatchResponse.all(in: answer.body)?.map(\.status) == [421, 201])
      #expect(try await server.ids("true eq true") == ["b"])
    }
  }
}

extension TestServer {
  fileprivate func identity() async throws -> String {
    try #require(try await send(.get, "/tables/TodoItem").header("x-ebb-database"))
  }
}
