import FoundationEssentials
import StorageSupport
import TableProtocol
import TableServer
import Testing

@testable import TableStorage

@Suite("The server compares its rows with what it keeps of them")
struct CheckTests {
  private let table = "/tables/TodoItem"

  private func verified(_ server: TestServer) async throws -> Answer {
    try await server.send(.get, "/tables/TodoItem?$top=1000", .v3, [ZumoHeader.verify: "true"])
  }

  private func digest(_ server: TestServer) async throws -> TableDigest? {
    try await server.send(.get, "/tables/TodoItem?$top=1000").digest
  }

  private func digest(of rows: [Record]) throws -> TableDigest {
    var digest = TableDigest()
    for row in rows { digest.add(row.id, try #require(row.system.version)) }
    return digest
  }

  @Test("a row that was lost from the database is not counted any more after a start, which says so in one line")
  func lostRow() async throws {
    try await ServerDatabaseFile.use { file in
      try await TestServer.run(databasePath: file.path) { server async throws in
        for id: RecordID in ["a", "b", "c"] { try await server.insert(id, #""text":"secret words""#) }
      }
      try await file.run("DELETE FROM TodoItem WHERE id = 'b'")
      let log = LogLines()
      try await TestServer.run(databasePath: file.path, logger: log.logger) { server async throws in
        let rows = try await server.send(.get, table).list.items
        #expect(rows.map(\.id) == ["a", "c"])
        #expect(try await self.digest(server) == digest(of: rows))
      }
      #expect(log.all.count == 1)
      #expect(log.all.first?.contains("TodoItem: rows expected: 3 ") == true)
      #expect(log.all.first?.contains("rows found: 2 ") == true)
      try await TestServer.run(databasePath: file.path, logger: log.logger) { _ in }
      #expect(log.all.count == 1, "it is corrected once")
    }
  }

  @Test("a client that verifies gets the digest of the rows as they are, and so does everybody after it")
  func verifying() async throws {
    try await ServerDatabaseFile.use { file in
      try await TestServer.run(databasePath: file.path) { server async throws in
        for id: RecordID in ["a", "b", "c"] { try await server.insert(id) }
        try await file.run("DELETE FROM TodoItem WHERE id = 'b'")
        #expect(try await self.digest(server)?.count == 3, "nobody has looked")
        let answer = try await verified(server)
        #expect(try answer.digest == digest(of: answer.list.items))
        #expect(answer.header(ZumoHeader.damaged) == "0")
        #expect(try await self.digest(server) == answer.digest)
        try await server.insert("d")
        #expect(try await self.digest(server)?.count == 3)
      }
    }
  }

  @Test("only the last page has it, and only for a client that asks", arguments: ProtocolVersion.allCases)
  func lastPage(version: ProtocolVersion) async throws {
    try await TestServer.run { server async throws in
      for number in 0..<120 { try await server.insert("row\(number)") }
      let first = try await server.send(.get, table, version, [ZumoHeader.verify: "true"])
      #expect(first.digest == nil && first.header(ZumoHeader.damaged) == nil)
      let last = try await server.send(.get, "\(table)?$skip=100", version, [ZumoHeader.verify: "true"])
      #expect(last.digest?.count == 120 && last.header(ZumoHeader.damaged) == "0")
      #expect(try await server.send(.get, "\(table)?$skip=100", version).header(ZumoHeader.damaged) == nil)
    }
  }

  @Test("a row whose content is not what the server wrote is counted, and named in the log without its text")
  func damagedRows() async throws {
    try await ServerDatabaseFile.use { file in
      let log = LogLines()
      try await TestServer.run(databasePath: file.path, logger: log.logger) { server async throws in
        for id: RecordID in ["a", "b", "c", "d"] { try await server.insert(id, #""text":"secret words","rank":1.5"#) }
        _ = try await server.send(.delete, "\(table)/d")
        for change in ["text = 'secret wordz'", "updatedAt = updatedAt + 1", "deleted = 0"] {
          try await file.run(
            "UPDATE TodoItem SET \(change) WHERE id = 'b'; UPDATE TodoItem SET rank = 2 WHERE id = 'd'")
          let answer = try await verified(server)
          #expect(answer.header(ZumoHeader.damaged) == "2", "\(change)")
        }
        let lines = log.all
        #expect(
          lines.count == 3 && lines.allSatisfy { $0.contains(#""b", "d""#) && !$0.contains("secret") }, "\(lines)")
        let healed = try await server.send(.patch, "\(table)/b", .v2, body: #"{"text":"mended"}"#)
        #expect(healed.status == 200)
        #expect(try await verified(server).header(ZumoHeader.damaged) == "1")
      }
      let start = LogLines()
      try await TestServer.run(databasePath: file.path, logger: start.logger) { _ in }
      #expect(start.all.count == 1 && start.all.first?.contains(#""d""#) == true, "\(start.all)")
    }
  }

  @Test("of many damaged rows the log names some and counts the others")
  func manyDamagedRows() async throws {
    try await ServerDatabaseFile.use { file in
      try await TestServer.run(databasePath: file.path) { server async throws in
        for number in 0..<30 { try await server.insert("row\(number)") }
      }
      try await file.run("UPDATE TodoItem SET text = 'x'")
      let log = LogLines()
      try await TestServer.run(databasePath: file.path, logger: log.logger) { server async throws in
        #expect(try await verified(server).header(ZumoHeader.damaged) == "30")
      }
      #expect(log.all.first?.hasSuffix("and 10 more.") == true)
    }
  }

  @Test("whatever is written, in whichever way, is what its digest was made of", arguments: ProtocolVersion.allCases)
  func everyWrite(version: ProtocolVersion) async throws {
    let values = [
      "1", "1.0", "-0.0", "2.5", "1e300", "-9223372036854775808", "9223372036854775807", "9007199254740993",
      "9223372036854775808", "9223372036854774784.0", "4.9e-324", "null",
    ]
    try await ServerDatabaseFile.use { file in
      let log = LogLines()
      try await TestServer.run(databasePath: file.path, logger: log.logger) { server async throws in
        for (number, value) in values.enumerated() {
          try await server.insert(
            "n\(number)", #""number":\#(value),"text":"e\u0301 \u00e9 🥛 \#(number)","Flag":true"#, version)
        }
        try await server.insert("a", #""flag":true,"text":null,"late":"column""#, version)
        let writes: [(Verb, String, String?)] = [
          (.patch, "a", #"{"number":3.0,"flag":0}"#), (.put, "n0", #"{"id":"n0","text":"x"}"#), (.delete, "n1", nil),
          (.delete, "n2", nil), (.post, "n2", nil), (.patch, "n3", "{}"),
        ]
        for (verb, id, body) in writes { _ = try await server.send(verb, "\(table)/\(id)", version, body: body) }
        let entries = ["x", "y", "x"].enumerated().map { index, id in
          #"{"id":"\#(index)","method":"post","url":"/tables/TodoItem","atomicityGroup":"\#(index > 0 ? "g" : "f")","#
            + #""body":{"id":"\#(id)","inBatch":1e0}}"#
        }
        _ = try await server.send(.post, "/$batch", .v3, body: #"{"requests":[\#(entries.joined(separator: ","))]}"#)
        let answer = try await verified(server)
        #expect(answer.header(ZumoHeader.damaged) == "0")
        #expect(try answer.digest == digest(of: answer.list.items))
        #expect(try await server.ids("startswith(id,'x')") == ["x"])
      }
      try await TestServer.run(databasePath: file.path, logger: log.logger) { _ in }
      #expect(log.all == [])
    }
  }

  @Test("a client's column named rowid leads no check to another row")
  func columnNamedRowID() async throws {
    try await ServerDatabaseFile.use { file in
      try await TestServer.run(databasePath: file.path) { server in
        for (id, number) in [("a", 2), ("b", 1)] { try await server.insert(RecordID(id), "\"rowid\":\(number)") }
      }
      try await file.run("UPDATE TodoItem SET \"row-digest\" = NULL WHERE id = 'a'")
      try await TestServer.run(databasePath: file.path) { server in
        let page = try await server.send(.get, "/tables/TodoItem", .v3, [ZumoHeader.verify: "true"])
        #expect(page.header(ZumoHeader.damaged) == "0")
        #expect(try await server.ids("rowid eq 2") == ["a"])
      }
      #expect(try ServerDatabase(path: file.path).check().findings.isEmpty)
    }
  }

  @Test("a database of an earlier version gets the digests of its rows, and nothing is said", arguments: 1...8)
  func migration(version: Int) async throws {
    try await ServerDatabaseFile.use { file in
      let rows = try await TestServer.result(databasePath: file.path) { server async throws in
        for id: RecordID in ["a", "b", "c"] { try await server.insert(id, #""text":"x","extra":2.5"#) }
        _ = try await server.send(.delete, "\(table)/b")
        return try await server.send(.get, "\(table)?__includedeleted=true").list.items
      }
      try await file.becomeVersion(version)
      let log = LogLines()
      try await TestServer.run(databasePath: file.path, logger: log.logger) { server async throws in
        #expect(try await server.send(.get, "\(table)?__includedeleted=true").list.items == rows)
        #expect(try await verified(server).header(ZumoHeader.damaged) == "0")
        #expect(log.all == [])
        try await file.run("UPDATE TodoItem SET text = 'y' WHERE id = 'a'")
        #expect(try await verified(server).header(ZumoHeader.damaged) == "1")
      }
    }
  }

  @Test("rows that another program wrote are counted from the next start on, and watched")
  func foreignRows() async throws {
    try await ServerDatabaseFile.use { file in
      try await TestServer.run(databasePath: file.path) { try await $0.insert("a", #""text":"x""#) }
      try await file.run(
        """
        INSERT INTO TodoItem (id, text, complete, createdAt, updatedAt, version, deleted)
        SELECT 'b', text, complete, createdAt, updatedAt - 1, 'v', deleted FROM TodoItem
        """)
      try await TestServer.run(databasePath: file.path) { server async throws in
        #expect(try await self.digest(server)?.count == 2)
        #expect(try await verified(server).header(ZumoHeader.damaged) == "0")
        try await file.run("UPDATE TodoItem SET text = 'y' WHERE id = 'b'")
        #expect(try await verified(server).header(ZumoHeader.damaged) == "1")
      }
    }
  }

  @Test("no client can write the digest of a row")
  func notAProperty() async throws {
    try await TestServer.run { server async throws in
      #expect(try await server.send(.post, table, body: #"{"id":"a","row-digest":1}"#).status == 400)
      try await server.insert("b")
      #expect(try await server.send(.get, "\(table)?$select=row-digest").status == 400)
      let list = try await server.send(.get, table).text
      #expect(!list.contains("row-digest"))
    }
  }
}
