import StorageSupport
import TableProtocol
import Testing

@Suite("What a server tells of a table as a whole")
struct DigestTests {
  /// What is told, which must be what the rows come to.
  private func digest(_ server: TestServer, _ query: String = "$top=1000") async throws -> TableDigest? {
    let told = try await server.send(.get, "/tables/TodoItem?\(query)").digest
    let rows = try await server.send(.get, "/tables/TodoItem?$top=1000").list.items
    var expected = TableDigest()
    for row in rows { expected.add(row.id, try #require(row.system.version)) }
    #expect(told == expected)
    return told
  }

  @Test("is the count and the checksum of the rows that are not deleted, after every kind of change")
  func followsChanges() async throws {
    try await TestServer.run { server in
      #expect(try await digest(server) == TableDigest())
      for id: RecordID in ["a", "b", "c"] { try await server.insert(id) }
      #expect(try await digest(server)?.count == 3)
      _ = try await server.send(.patch, "/tables/TodoItem/a", .v2, body: #"{"text":"x"}"#)
      _ = try await server.send(.put, "/tables/TodoItem/b", .v3, body: #"{"id":"b","text":"x"}"#)
      #expect(try await digest(server)?.count == 3)
      for version in ProtocolVersion.allCases { _ = try await server.send(.delete, "/tables/TodoItem/a", version) }
      _ = try await server.send(.delete, "/tables/TodoItem/c", .v3)
      #expect(try await digest(server)?.count == 1)
      _ = try await server.send(.post, "/tables/TodoItem/a", .v2)
      _ = try await server.send(.patch, "/tables/TodoItem/c", .v3, body: #"{"deleted":false}"#)
      _ = try await server.send(.post, "/tables/TodoItem/b", .v2)
      #expect(try await digest(server)?.count == 3)
      _ = try await server.send(.post, "/tables/TodoItem", .v3, body: #"{"id":"a"}"#)
      _ = try await server.send(.delete, "/tables/TodoItem/a", .v3, ["If-Match": "\"never\""])
      #expect(try await digest(server)?.count == 3)
    }
  }

  @Test("leaves out what a group of a batch took back")
  func followsBatches() async throws {
    let entries = (1...9).map { number in
      let group = number > 6 ? #","atomicityGroup":"g""# : ""
      let id = number == 9 ? 1 : number
      return #"{"id":"\#(number)"\#(group),"method":"post","url":"/tables/TodoItem","body":{"id":"row\#(id)"}}"#
    }
    let batch = #"{"requests":[\#(entries.joined(separator: ","))]}"#
    try await TestServer.run { server in
      let answer = try await server.send(.post, "/$batch", .v3, body: batch)
      #expect(answer.status == 200)
      #expect(try await digest(server)?.count == 6)
    }
  }

  @Test("is told with the last page alone, and of all rows whatever is asked for", arguments: ProtocolVersion.allCases)
  func lastPage(version: ProtocolVersion) async throws {
    try await TestServer.run { server in
      for number in 0..<120 { try await server.insert("row\(number)") }
      let all = try #require(try await digest(server))
      #expect(all.count == 120)
      #expect(try await server.send(.get, "/tables/TodoItem", version).digest == nil)
      for query in ["$top=5", "$top=0", "$filter=id%20eq%20'row7'", "__includedeleted=true&$top=1000"] {
        #expect(try await server.send(.get, "/tables/TodoItem?\(query)", version).digest == all, "\(query)")
      }
      #expect(try await server.send(.get, "/tables/TodoItem/row1", version).digest == nil)
    }
  }

  @Test("stays over restarts, and is made for a database of a version that had none")
  func migration() async throws {
    try await ServerDatabaseFile.use { file in
      let first = try await TestServer.result(databasePath: file.path) { server in
        for id: RecordID in ["a", "b", "c"] { try await server.insert(id) }
        _ = try await server.send(.delete, "/tables/TodoItem/b")
        return try await digest(server)
      }
      #expect(first?.count == 2)
      #expect(try await TestServer.result(databasePath: file.path) { try await digest($0) } == first)
      try await file.becomeVersion(2)
      try await TestServer.run(databasePath: file.path) { server in
        #expect(try await digest(server) == first)
        try await server.insert("d")
        #expect(try await digest(server)?.count == 3)
      }
    }
  }
}

extension Answer {
  var digest: TableDigest? {
    guard let count = header(ZumoHeader.count), let checksum = header(ZumoHeader.checksum) else { return nil }
    return TableDigest(count: count, checksum: checksum)
  }
}
