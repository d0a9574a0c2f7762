import FoundationEssentials
import StorageSupport
import Synchronization
import TableProtocol
import Testing

@testable import TableServer
@testable import TableStorage

@Suite("Tokens")
struct AccessTests {
  private static let table = "/tables/TodoItem"

  private func tokens(_ file: ServerDatabaseFile) throws -> ServerTokens {
    try ServerTokens(database: file.path, makesDatabase: true, clock: TestServer.systemClock)
  }

  private func add(
    _ user: String, scope: AccessScope = .sync, days: Int? = nil, to file: ServerDatabaseFile
  ) throws -> (header: [String: String], text: String, id: String, taken: Int) {
    let tokens = try tokens(file)
    defer { tokens.close() }
    let added = try tokens.add(try #require(UserName(user)), label: "", scope: scope, days: days)
    return (["Authorization": "Bearer \(added.token.text)"], added.token.text, added.grant.id, added.itemsTakenOver)
  }

  @Test("from the first one on the server answers only those who show one, and its list is the first user's")
  func first() async throws {
    try await ServerDatabaseFile.use { file in
      try await TestServer.run(databasePath: file.path) { server async throws in
        let unknown = ["X-ZUMO-AUTH": "of a proxy"]
        #expect(try await server.send(.get, Self.table, nil, unknown).status == 200, "it has given out none")
        try await server.insert("a")
        try await server.insert("b")
        let before = try await server.send(.get, Self.table)
        let anna = try add("anna", to: file)
        #expect(anna.taken == 2)
        for verb in [Verb.get, .post, .patch, .put, .delete] {
          let answer = try await server.send(verb, "\(Self.table)/a", nil, [:], body: verb == .get ? nil : "{}")
          #expect(answer.status == 401 && answer.header("WWW-Authenticate") == "Bearer realm=\"ebb\"", "\(verb)")
        }
        #expect(try await server.send(.post, "/$batch", nil, [:], body: #"{"requests":[]}"#).status == 401)
        let after = try await server.send(.get, Self.table, nil, anna.header)
        #expect(after.status == 200 && after.body == before.body)
        #expect(after.header(ZumoHeader.checksum) == before.header(ZumoHeader.checksum))
        #expect(try await server.send(.get, Self.table, nil, ["X-ZUMO-AUTH": anna.text]).body == before.body)
        #expect(try add("anna", to: file).taken == 0)
        #expect(try add("ben", to: file).taken == 0)
      }
    }
  }

  @Test(
    "one that changes no list gets none: the list goes to the first user who can, and nobody is let in without a token",
    arguments: [AccessScope.read, .feed, .metrics])
  func noOwner(scope: AccessScope) async throws {
    try await ServerDatabaseFile.use { file in
      try await TestServer.run(databasePath: file.path) { server async throws in try await server.insert("a") }
      #expect(try add("prometheus", scope: scope, to: file).taken == 0)
      try await TestServer.run(databasePath: file.path) { server async throws in
        #expect(try await server.send(.get, Self.table).status == 401)
      }
      let anna = try add("anna", scope: .invite, to: file)
      #expect(anna.taken == 1)
      #expect(try add("ben", to: file).taken == 0)
      let header = try add("anna", to: file).header
      try await TestServer.run(databasePath: file.path) { server async throws in
        #expect(try await server.send(.get, Self.table, nil, header).list.items.map(\.id) == ["a"])
      }
    }
  }

  @Test(
    "a server that has not heard of the first token or invitation yet begins no list in the place of its user's",
    arguments: [AccessScope.sync, .invite])
  func unheardOf(scope: AccessScope) async throws {
    try await ServerDatabaseFile.use { file in
      var limits = ServerLimits.patient
      limits.tokenAge = .seconds(3_600)
      try await TestServer.run(databasePath: file.path, limits: limits) { server async throws in
        try await server.insert("a")
        let anna = try add("anna", scope: scope, to: file)
        #expect(anna.taken == 1)
        #expect(try await server.send(.post, Self.table, nil, [:], body: #"{"id":"b"}"#).status == 401)
        #expect(try await server.send(.get, Self.table).status == 401)
        let batch = #"{"requests":[{"id":"1","method":"POST","url":"/tables/TodoItem","body":{"id":"c"}}]}"#
        #expect(try await server.send(.post, "/$batch", nil, [:], body: batch).status == 401)
        let user = try scope == .invite ? add("anna", to: file).header : anna.header
        #expect(try await server.send(.get, Self.table, nil, user).list.items.map(\.id) == ["a"])
      }
    }
  }

  @Test("where everybody is let in, a client that has read the list that went to a user is asked for a token")
  func readBefore() async throws {
    try await ServerDatabaseFile.use { file in
      try await TestServer.run(databasePath: file.path, isOpen: true) { server async throws in
        try await server.insert("a")
        let before = try await server.send(.get, Self.table)
        let newest = try #require(before.header(ZumoHeader.newest))
        let reached = [ZumoHeader.newest: newest, ZumoHeader.epoch: try #require(before.header(ZumoHeader.epoch))]
        _ = try add("anna", to: file)
        #expect(try await server.send(.post, Self.table, nil, reached, body: #"{"id":"b"}"#).status == 401)
        #expect(try await server.send(.get, Self.table, nil, reached).status == 401)
        let other = try await server.send(.post, Self.table, nil, [:], body: #"{"id":"c"}"#)
        #expect(other.status == 201, "whoever is new begins a list")
      }
    }
  }

  @Test("what is meant for another user than its token is of is not run, and the answer says if no token was seen")
  func meantFor() async throws {
    try await ServerDatabaseFile.use { file in
      let anna = try add("anna", to: file).header
      try await TestServer.run(databasePath: file.path, isOpen: true) { server async throws in
        for (shown, meant, status) in [
          (anna, "anna", 201), (anna, "ben", 403), ([:], "anna", 401), (anna, "", 403),
        ] as [([String: String], String, Int)] {
          let headers = shown.merging([ZumoHeader.user: meant, ZumoHeader.columns: "own"]) { $1 }
          let body = "{\"id\":\"for \(meant)\"}"
          let answer = try await server.send(.post, Self.table, nil, headers, body: body)
          #expect(answer.status == status && answer.header(ZumoHeader.token) == nil, "\(meant): \(answer)")
        }
        #expect(try await server.send(.get, Self.table, nil, anna).list.items.map(\.id) == ["for anna"])
        let asNobody = try await server.send(.get, Self.table, nil, [ZumoHeader.columns: "own"])
        #expect(try asNobody.list.items.isEmpty)
        #expect(asNobody.header(ZumoHeader.token) == "none")
        #expect(try await server.send(.get, Self.table).header(ZumoHeader.token) == nil, "others have no use for it")
      }
    }
  }

  @Test("users see nothing of one another: no row, no number, no moment, and no conflict")
  func users() async throws {
    try await ServerDatabaseFile.use { file in
      let anna = try add("anna", to: file).header
      let ben = try add("ben", to: file).header
      try await TestServer.run(databasePath: file.path) { server async throws in
        let empty = try await server.send(.get, "\(Self.table)?$count=true", .v2, ben)
        for id in ["a", "b"] {
          let body = #"{"id":"\#(id)","text":"anna's","extra":1}"#
          #expect(try await server.send(.post, Self.table, nil, anna, body: body).status == 201)
        }
        _ = try await server.send(.delete, "\(Self.table)/b", nil, anna)
        let still = try await server.send(.get, "\(Self.table)?$count=true", .v2, ben)
        #expect(still.body == empty.body)
        for header in [ZumoHeader.count, ZumoHeader.checksum, ZumoHeader.newest, ZumoHeader.epoch] {
          #expect(still.header(header) == empty.header(header), "\(header)")
        }
        for verb in [Verb.get, .patch, .delete] {
          let answer = try await server.send(verb, "\(Self.table)/a", nil, ben, body: verb == .patch ? "{}" : nil)
          #expect(answer.status == 404, "\(verb)")
        }
        #expect(try await server.send(.post, Self.table, nil, ben, body: #"{"id":"a","text":"ben's"}"#).status == 201)
        #expect(try await server.send(.post, Self.table, nil, ben, body: #"{"id":"b"}"#).status == 201, "no tombstone")
        let batch = #"{"requests":[{"id":"1","method":"GET","url":"tables/TodoItem/a"}]}"#
        let read = try await server.send(.post, "/$batch", nil, ben, body: batch)
        #expect(read.text.contains("ben's") && !read.text.contains("anna's") && !read.text.contains("extra"))
        #expect(try await server.send(.get, "\(Self.table)/a", nil, anna).text.contains("anna's"))
      }
    }
  }

  @Test("one for reading reads, and those for other things do not")
  func scopes() async throws {
    try await ServerDatabaseFile.use { file in
      let anna = try add("anna", to: file).header
      let reader = try add("anna", scope: .read, to: file).header
      let feed = try add("anna", scope: .feed, to: file).header
      try await TestServer.run(databasePath: file.path) { server async throws in
        #expect(try await server.send(.post, Self.table, nil, anna, body: #"{"id":"a"}"#).status == 201)
        #expect(try await server.send(.get, "\(Self.table)/a", nil, reader).status == 200)
        #expect(try await server.send(.head, "\(Self.table)/a", nil, reader).status == 200)
        for verb in [Verb.post, .patch, .put, .delete] {
          let answer = try await server.send(verb, "\(Self.table)/a", nil, reader, body: "{}")
          #expect(answer.status == 403, "\(verb)")
        }
        #expect(try await server.send(.post, "/$batch", nil, reader, body: #"{"requests":[]}"#).status == 403)
        #expect(try await server.send(.get, Self.table, nil, feed).status == 403)
        #expect(try await server.send(.get, "\(Self.table)/a", nil, anna).status == 200)
      }
    }
  }

  @Test("one that is taken back, or has expired, lets nobody in at the next request, and opens the server to nobody")
  func end() async throws {
    try await ServerDatabaseFile.use { file in
      let clock = Mutex(TestServer.systemClock())
      let anna = try add("anna", to: file)
      let brief = try add("anna", days: 1, to: file)
      try await TestServer.run(databasePath: file.path, clock: { clock.withLock(\.self) }) { server async throws in
        // The server ends connections that it kept for a token that is over.
        let last = ["Connection": "close"]
        #expect(try await server.send(.get, Self.table, nil, anna.header.merging(last) { $1 }).status == 200)
        #expect(try await server.send(.get, Self.table, nil, brief.header.merging(last) { $1 }).status == 200)
        clock.withLock { $0 = $0.advanced(byMilliseconds: 86_400_000 + 60_000) }
        #expect(try await server.send(.get, Self.table, nil, brief.header.merging(last) { $1 }).status == 401)
        let tokens = try tokens(file)
        defer { tokens.close() }
        #expect(try tokens.all().map(\.id) == [anna.id, brief.id])
        #expect(try tokens.revoke(.id(anna.id)).map(\.id) == [anna.id])
        #expect(try tokens.revoke(.id(anna.id)) == [], "it was taken back before")
        #expect(try tokens.revoke(.user(try #require(UserName("anna")))).map(\.id) == [brief.id])
        #expect(try await server.send(.get, Self.table, nil, anna.header.merging(last) { $1 }).status == 401)
        #expect(try await server.send(.get, Self.table).status == 401)
      }
    }
  }

  @Test("a wrong one is answered after a second, and after ten in a minute at once; a right one always is let in")
  func wrongOnes() async throws {
    try await ServerDatabaseFile.use { file in
      let anna = try add("anna", to: file)
      let slept = Mutex([Duration]())
      let log = LogLines()
      try await TestServer.run(
        databasePath: file.path, clock: TestServer.clock(standingAt: 1_000_000),
        sleep: { duration in slept.withLock { $0.append(duration) } }, logger: log.logger
      ) { server async throws in
        for _ in 0..<10 {
          let answer = try await server.send(.get, Self.table, nil, ["X-ZUMO-AUTH": "guess-me"])
          #expect(answer.status == 401)
          #expect(answer.header("WWW-Authenticate") == "Bearer realm=\"ebb\", error=\"invalid_token\"")
        }
        #expect(slept.withLock(\.self) == Array(repeating: .seconds(1), count: 10))
        let limited = try await server.send(.get, Self.table, nil, ["X-ZUMO-AUTH": "guess-me"])
        #expect(limited.status == 429 && limited.header("Retry-After") == "60")
        #expect(limited.header("WWW-Authenticate") == "Bearer realm=\"ebb\", error=\"invalid_token\"")
        #expect(try await server.send(.get, Self.table, nil, anna.header).status == 200)
        #expect(slept.withLock(\.count) == 10)
        let figures = try add("watcher", scope: .metrics, to: file)
        let text = try await server.send(.get, "/metrics", nil, figures.header).text
        #expect(text.contains("ebb_wrong_tokens_total 11\n"), "\(text)")
        #expect(log.all.first?.hasSuffix("Wrong token from 127.0.0.1") == true, "fail2ban looks for that")
        #expect(!log.all.contains { $0.contains("guess-me") || $0.contains(anna.text) })
      }
      #expect(try !Data(contentsOf: URL(filePath: file.path)).contains(Array(anna.text.utf8)))
    }
  }

  @Test("a server that is open lets in everybody to the list that is nobody's, and still refuses a wrong token")
  func open() async throws {
    try await ServerDatabaseFile.use { file in
      let anna = try add("anna", to: file)
      try await TestServer.run(databasePath: file.path, isOpen: true) { server async throws in
        try await server.insert("x")
        #expect(try await server.ids("true") == ["x"])
        #expect(try await server.send(.get, Self.table, nil, anna.header).list.items == [])
        #expect(try await server.send(.get, Self.table, nil, ["X-ZUMO-AUTH": "wrong"]).status == 401)
      }
    }
  }

  @Test("a server that others can reach does not start without one, unless it is told to be open")
  func beyondThisMachine() async throws {
    try await ServerDatabaseFile.use { file in
      func start(isOpen: Bool) async throws {
        let server = TableServer(
          ServerConfiguration(
            host: "0.0.0.0", port: 0, databasePath: file.path, isOpen: isOpen, clock: TestServer.systemClock,
            logger: TestServer.quiet)
        ) { _ in withUnsafeCurrentTask { $0?.cancel() } }
        try await server.run()
      }
      let refusal = ServerError.noTokenGiven(host: "0.0.0.0", database: file.path)
      await #expect(throws: refusal) { try await start(isOpen: false) }
      #expect(try file.names == [], "it made no database, and so did not listen")
      try await TestServer.run(databasePath: file.path) { _ in }
      #expect(DatabaseLocation(file.path).wereTokensGiven == false)
      await #expect(throws: refusal) { try await start(isOpen: false) }
      #expect(throws: Never.self) { try add("anna", to: file) }
      #expect(DatabaseLocation(file.path).wereTokensGiven == true)
    }
  }

  @Test("a server behind a proxy does not start without one, at whatever address it listens")
  func behindProxy() async throws {
    try await ServerDatabaseFile.use { file in
      let proxy = try #require(NetworkAddress.Range("127.0.0.1"))
      func start(isOpen: Bool) async throws {
        try await TestServer.run(databasePath: file.path, proxies: [proxy], isOpen: isOpen) { _ in }
      }
      await #expect(throws: ServerError.noTokenGivenBehindProxy(database: file.path)) {
        try await start(isOpen: false)
      }
      try await start(isOpen: true)
      _ = try add("anna", to: file)
      try await start(isOpen: false)
    }
  }

  @Test("one that is taken back stays so when the log of the database is lost")
  func lostLog() async throws {
    try await ServerDatabaseFile.use { file in
      let storage = try SQLiteStorage(path: file.path, makeUUID: { UUID() })
      defer { try? storage.close() }
      let digest = AccessToken().digest
      let grant = try storage.add(
        Grant(id: "a", user: try #require(UserName("anna")), createdAt: .epoch), digest
      ).grant
      _ = try storage.revoke(.id(grant.id))
      // The file alone, as it stands while the server runs.
      let copy = file.folder.appending(path: "copy.sqlite").path
      try FileManager.default.copyItem(atPath: file.path, toPath: copy)
      let other = try SQLiteStorage(path: copy, makeUUID: { UUID() })
      defer { try? other.close() }
      #expect(try await other.grant(digest)?.isRevoked == true)
    }
  }

  @Test("one that is taken back, or has expired, ends the connections of its device, and no others")
  func endsConnections() async throws {
    try await ServerDatabaseFile.use { file in
      let clock = Mutex(TestServer.systemClock())
      let shown = [
        try add("anna", to: file), try add("anna", days: 1, to: file), try add("anna", days: 2, to: file),
        try add("ben", to: file),
      ]
      try await TestServer.run(databasePath: file.path, clock: { clock.withLock(\.self) }) { server async throws in
        let devices = try shown.map { _ in try RawConnection(server) }
        func ask(_ number: Int) async -> String? {
          await devices[number].send(
            "GET /tables/TodoItem HTTP/1.1\r\nHost: localhost\r\nX-ZUMO-AUTH: \(shown[number].text)\r\n\r\n")
          return await devices[number].readSome()
        }
        for number in devices.indices { #expect(await ask(number)?.hasPrefix("HTTP/1.1 200") == true) }
        let tokens = try tokens(file)
        defer { tokens.close() }
        _ = try tokens.revoke(.id(shown[0].id))
        #expect(await devices[0].readToEnd() == "")
        clock.withLock { $0 = $0.advanced(byMilliseconds: 86_400_000 + 60_000) }
        #expect(await devices[1].readToEnd() == "")
        for number in [2, 3] { #expect(await ask(number)?.hasPrefix("HTTP/1.1 200") == true) }
      }
    }
  }

  @Test("what is known of them is asked of the database once a while, and not with every request")
  func remembered() async throws {
    try await ServerDatabaseFile.use { file in
      let anna = try add("anna", to: file)
      var limits = ServerLimits.patient
      limits.tokenAge = .seconds(86_400)
      try await TestServer.run(databasePath: file.path, limits: limits) { server async throws in
        #expect(try await server.send(.get, Self.table, nil, anna.header).status == 200)
        let tokens = try tokens(file)
        defer { tokens.close() }
        _ = try tokens.revoke(.id(anna.id))
        #expect(try await server.send(.get, Self.table, nil, anna.header).status == 200, "not looked at again yet")
        let ben = try add("ben", to: file)
        #expect(try await server.send(.get, Self.table, nil, ben.header).status == 200, "a new one counts at once")
      }
    }
  }

  @Test("its use is noted to the minute")
  func use() async throws {
    try await ServerDatabaseFile.use { file in
      let anna = try add("anna", to: file)
      let clock = Mutex<Int64>(1_000_000)
      try await TestServer.run(
        databasePath: file.path, clock: { Timestamp(milliseconds: clock.withLock(\.self)) }
      ) { server async throws in
        let tokens = try tokens(file)
        defer { tokens.close() }
        #expect(try tokens.all().map(\.lastUsedAt) == [nil])
        for (moment, noted) in [(1_000_000, 1_000_000), (1_059_999, 1_000_000), (1_060_000, 1_060_000)]
          as [(Int64, Int64)]
        {
          clock.withLock { $0 = moment }
          #expect(try await server.send(.get, Self.table, nil, anna.header).status == 200)
          // It is written aside.
          while try tokens.all().map(\.lastUsedAt?.milliseconds) != [noted] {
            try await Task.sleep(for: .milliseconds(20))
          }
        }
      }
    }
  }
}

extension Data {
  fileprivate func contains(_ bytes: [UInt8]) -> Bool { firstRange(of: bytes) != nil }
}
