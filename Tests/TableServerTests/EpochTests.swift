import FoundationEssentials
import StorageSupport
import TableProtocol
import TableServer
import Testing

@testable import TableStorage

@Suite("The epoch of a server's database, and what goes with it")
struct EpochTests {
  private static let table = "/tables/TodoItem"

  private func after(_ moment: Timestamp, _ relation: String = "gt") -> String {
    let filter = "updatedAt \(relation) cast(\(moment.text),Edm.DateTimeOffset)"
    return "\(Self.table)?\(QueryItemsText.of([("$filter", filter), ("$orderby", "updatedAt,id")]))"
  }

  private static let uuids = ["7F3A9C01-0000-4000-8000-000000000000", "00C2F1AA-0000-4000-8000-000000000000"]
    .compactMap(UUID.init(uuidString:))

  private func raise(_ file: ServerDatabaseFile, at moment: Int64, uuid: UUID = uuids[0]) throws -> DatabaseEpoch {
    try TableServer.raiseEpoch(
      ofDatabase: file.path, clock: TestServer.clock(standingAt: moment), makeUUID: { uuid })
  }

  @Test("a new database is in its first epoch, and names its newest row", arguments: ProtocolVersion.allCases)
  func first(version: ProtocolVersion) async throws {
    try await TestServer.run { server async throws in
      let empty = try await server.send(.get, Self.table, version)
      #expect(empty.header(ZumoHeader.epoch) == "1")
      #expect(empty.header(ZumoHeader.newest) == nil)
      for number in 0..<120 { try await server.insert("row\(number)") }
      _ = try await server.send(.delete, "\(Self.table)/row5")
      let newest = try await server.send(.get, "\(Self.table)/row5?__includedeleted=true").item.system.updatedAt
      for query in ["", "?$skip=100", "?$top=0", "?$filter=id%20eq%20'row7'"] {
        let page = try await server.send(.get, Self.table + query, version)
        #expect(page.header(ZumoHeader.epoch) == "1", "\(query)")
        #expect(page.header(ZumoHeader.newest) == newest?.text, "\(query)")
        #expect(page.header(ZumoHeader.behind) == nil, "\(query)")
      }
    }
  }

  @Test("each raise counts on and names the newest row of the state the server goes on from, also while it runs")
  func raised() async throws {
    try await ServerDatabaseFile.use { file in
      try await TestServer.run(databasePath: file.path, clock: TestServer.clock(standingAt: 5_000)) {
        server async throws in
        try await server.insert("a")
        try await server.insert("b")
        let epoch = try raise(file, at: 90_000)
        #expect(epoch == DatabaseEpoch(number: 2, from: Timestamp(milliseconds: 5_001), nonce: "7f3a9c01"))
        let page = try await server.send(.get, Self.table)
        #expect(page.header(ZumoHeader.epoch) == "2;from=1970-01-01T00:00:05.001Z;nonce=7f3a9c01")
        #expect(page.header(ZumoHeader.newest) == "1970-01-01T00:00:05.001Z")
        #expect(try await server.insert("c").system.updatedAt?.milliseconds == 90_001, "the clock was set to now")
        #expect(
          try raise(file, at: 10, uuid: Self.uuids[1])
            == DatabaseEpoch(number: 3, from: Timestamp(milliseconds: 90_001), nonce: "00c2f1aa"))
        #expect(try await server.insert("d").system.updatedAt?.milliseconds == 90_002, "it never goes back")
      }
      try await TestServer.run(databasePath: file.path) { server async throws in
        let page = try await server.send(.get, Self.table, .v2)
        #expect(page.header(ZumoHeader.epoch).flatMap { DatabaseEpoch($0) }?.number == 3)
      }
    }
  }

  @Test("of a database without rows the epoch goes on from no moment")
  func emptyDatabase() async throws {
    try await ServerDatabaseFile.use { file in
      try await TestServer.run(databasePath: file.path) { _ in }
      #expect(try raise(file, at: 1) == DatabaseEpoch(number: 2, nonce: "7f3a9c01"))
      try await TestServer.run(databasePath: file.path) { server async throws in
        #expect(try await server.send(.get, Self.table).header(ZumoHeader.epoch) == "2;nonce=7f3a9c01")
      }
    }
  }

  @Test("a file that is not there, is empty or is no database has no epoch, and stays as it is")
  func noDatabase() async throws {
    try await ServerDatabaseFile.use { file in
      #expect(throws: ServerError.database(.noDatabase(path: file.path))) { try raise(file, at: 1) }
      #expect(try FileManager.default.contentsOfDirectory(atPath: file.folder.path) == [])
      try Data().write(to: URL(filePath: file.path))
      #expect(throws: ServerError.database(.noDatabase(path: file.path))) { try raise(file, at: 1) }
      try Data("hello".utf8).write(to: URL(filePath: file.path))
      #expect(throws: ServerError.database(.notADatabase(path: file.path))) { try raise(file, at: 1) }
      #expect(try Data(contentsOf: URL(filePath: file.path)) == Data("hello".utf8))
    }
  }

  @Test("the newest moment stays when the rows that had it are removed, and after a restart", arguments: 5...9)
  func newestRemoved(version: Int) async throws {
    try await ServerDatabaseFile.use { file in
      let newest = try await TestServer.result(databasePath: file.path) { server async throws in
        _ = try await server.insert("a")
        return try #require(try await server.insert("b").system.updatedAt)
      }
      if version < 9 {
        try await file.becomeVersion(version)
        try await TestServer.run(databasePath: file.path) { _ in }
      }
      for condition in ["id = 'b'", "id = 'a'"] {
        try await file.run("DELETE FROM TodoItem WHERE \(condition)")
        try await TestServer.run(databasePath: file.path) { server async throws in
          #expect(try await server.send(.get, Self.table).header(ZumoHeader.newest) == newest.text)
          let answer = try await server.send(
            .patch, "\(Self.table)/none", nil, [ZumoHeader.newest: newest.text], body: "{}")
          #expect(answer.status == 404, "it is not behind a client that has read all")
        }
      }
      #expect(try raise(file, at: 1).from == nil, "a new epoch goes on from the rows that are there")
    }
  }

  @Test("a database of an earlier version is in its first epoch")
  func migration() async throws {
    try await ServerDatabaseFile.use { file in
      try await TestServer.run(databasePath: file.path) { try await $0.insert("a") }
      try await file.becomeVersion(3)
      try await TestServer.run(databasePath: file.path) { server async throws in
        #expect(try await server.send(.get, Self.table).header(ZumoHeader.epoch) == "1")
      }
      #expect(try raise(file, at: 1).number == 2)
    }
  }

  @Test("the same backup that is put back twice begins two epochs, and a request for the first runs nothing")
  func twice() async throws {
    try await ServerDatabaseFile.use { file in
      let backup = file.folder.appending(path: "backup").path
      try await TestServer.run(databasePath: file.path) { try await $0.insert("a") }
      let epochs = try Self.uuids.map { uuid in
        if !FileManager.default.fileExists(atPath: backup) {
          try FileManager.default.copyItem(atPath: file.path, toPath: backup)
        }
        try FileManager.default.removeItem(atPath: file.path)
        try FileManager.default.copyItem(atPath: backup, toPath: file.path)
        return try raise(file, at: 90_000, uuid: uuid)
      }
      #expect(epochs[0].number == epochs[1].number && epochs[0].from == epochs[1].from && epochs[0] != epochs[1])
      try await TestServer.run(databasePath: file.path) { server async throws in
        let old = DatabaseEpoch(number: 2, from: epochs[0].from)
        for (epoch, status) in [(epochs[0], 421), (epochs[1], 201), (old, 201)] {
          let answer = try await server.send(
            .post, Self.table, nil, [ZumoHeader.epoch: epoch.text], body: #"{"text":"b"}"#)
          #expect(answer.status == status, "\(epoch.text)")
        }
      }
    }
  }

  @Test("a change of a client that has read later rows than the server ever wrote runs nothing")
  func behindAtChange() async throws {
    try await TestServer.run { server async throws in
      let newest = try #require(try await server.insert("a").system.updatedAt)
      let later = newest.advanced(byMilliseconds: 2)
      for (reached, status) in [(newest.text, 201), ("soon", 201), (later.advanced(byMilliseconds: 60_000).text, 421)] {
        let answer = try await server.send(
          .post, Self.table, nil, [ZumoHeader.newest: reached], body: #"{"text":"b"}"#)
        #expect(answer.status == status, "\(reached)")
      }
      let batch = #"{"requests":[{"id":"1","method":"POST","url":"TodoItem","body":{"text":"c"}}]}"#
      let far = [ZumoHeader.newest: later.advanced(byMilliseconds: 60_000).text, "Content-Type": "application/json"]
      #expect(try await server.send(.post, "/tables/$batch", nil, far, body: batch).status == 421)
      #expect(try await server.send(.get, Self.table, nil, far).status == 200)
    }
  }

  @Test("a list from a moment that the server never reached says that the server is behind")
  func behind() async throws {
    try await TestServer.run { server async throws in
      let row = try await server.insert("a")
      let newest = try #require(row.system.updatedAt)
      for relation in ["gt", "ge"] {
        #expect(try await server.send(.get, after(newest, relation)).header(ZumoHeader.behind) == nil)
        // A client that has read all rows of the newest millisecond asks from the next one on.
        let next = newest.advanced(byMilliseconds: 1)
        #expect(try await server.send(.get, after(next, relation)).header(ZumoHeader.behind) == nil)
        let later = newest.advanced(byMilliseconds: 2)
        #expect(try await server.send(.get, after(later, relation)).header(ZumoHeader.behind) == "true")
        #expect(try await server.send(.get, after(.epoch, relation)).header(ZumoHeader.behind) == nil)
      }
      for relation in ["lt", "le", "eq", "ne"] {
        let later = newest.advanced(byMilliseconds: 1)
        #expect(try await server.send(.get, after(later, relation)).header(ZumoHeader.behind) == nil)
      }
      let old = "updatedAt ge datetimeoffset'9998-01-01T00:00:00.000Z' and deleted eq false or id eq 'x'"
      let query = QueryItemsText.of([("$filter", old)])
      #expect(try await server.send(.get, "\(Self.table)?\(query)", .v2).header(ZumoHeader.behind) == "true")
    }
  }

  @Test("a server that was given back an older copy of its database is behind its clients, until the epoch is raised")
  func restored() async throws {
    try await ServerDatabaseFile.use { file in
      let backup = file.folder.appending(path: "backup").path
      try await TestServer.run(databasePath: file.path) { try await $0.insert("a") }
      try FileManager.default.copyItem(atPath: file.path, toPath: backup)
      let token = try await TestServer.result(databasePath: file.path) { server async throws in
        try #require(try await server.insert("b").system.updatedAt)
      }
      try FileManager.default.removeItem(atPath: file.path)
      try FileManager.default.moveItem(atPath: backup, toPath: file.path)
      // Without the mark by which the server itself would notice.
      try FileManager.default.removeItem(atPath: file.path + "-mark")
      try await TestServer.run(databasePath: file.path) { server async throws in
        let page = try await server.send(.get, after(token))
        #expect(page.header(ZumoHeader.behind) == "true")
        #expect(try #require(page.header(ZumoHeader.newest).flatMap { Timestamp($0) }) < token)
        let now = TestServer.systemClock
        let epoch = try TableServer.raiseEpoch(ofDatabase: file.path, clock: now)
        #expect(try #require(epoch.from) < token)
        let later = try await server.send(.get, after(token))
        #expect(later.header(ZumoHeader.epoch) == epoch.text)
        #expect(later.header(ZumoHeader.behind) == nil, "the epoch says it")
        #expect(try #require(try await server.insert("c").system.updatedAt) > token)
      }
    }
  }
}
