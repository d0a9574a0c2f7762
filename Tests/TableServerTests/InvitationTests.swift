import FoundationEssentials
import StorageSupport
import Synchronization
import TableProtocol
import Testing

@testable import TableServer
@testable import TableStorage

@Suite("Invitations")
struct InvitationTests {
  private static let table = "/tables/TodoItem"

  private func invite(
    _ user: String, to file: ServerDatabaseFile, clock: @escaping @Sendable () -> Timestamp = TestServer.systemClock
  ) throws -> (secret: String, id: String) {
    let tokens = try ServerTokens(database: file.path, makesDatabase: true, clock: clock)
    defer { tokens.close() }
    let invited = try tokens.invite(try #require(UserName(user)), server: "https://list.example")
    #expect(invited.link.text == "https://list.example/join#\(invited.link.secret)")
    return (invited.link.secret, invited.grant.id)
  }

  private func join(_ secret: String, _ server: TestServer, device: String? = "laptop") async throws -> Answer {
    let body = String(decoding: JoinRequest(secret: secret, device: device).json, as: UTF8.self)
    return try await server.send(.post, "/join", nil, [:], body: body)
  }

  @Test("gives one token to the device that shows it first, and the list to the first user; the second is told so")
  func once() async throws {
    try await ServerDatabaseFile.use { file in
      let log = LogLines()
      try await TestServer.run(databasePath: file.path, logger: log.logger) { server async throws in
        try await server.insert("a")
        let (secret, id) = try invite("anna", to: file)
        #expect(try await server.send(.get, Self.table).status == 401, "from now on it needs a token")
        #expect(try await server.send(.get, Self.table, nil, ["X-ZUMO-AUTH": secret]).status == 401, "it is no token")
        let joined = try await join(secret, server)
        #expect(joined.status == 201 && joined.header("Cache-Control") == "no-store")
        let answer = try #require(JoinAnswer(json: joined.body))
        #expect(answer.user == "anna" && answer.token.hasPrefix("ebb_"))
        let list = try await server.send(.get, Self.table, nil, ["X-ZUMO-AUTH": answer.token]).list
        #expect(list.items.map(\.id) == ["a"])
        let own = ["X-ZUMO-AUTH": answer.token, "x-ebb-columns": "own"]
        #expect(try await server.send(.get, Self.table, nil, own).header("x-ebb-user") == "anna")
        let second = try await join(secret, server)
        #expect(second.status == 409 && second.text.contains("used already"))
        let tokens = try ServerTokens(database: file.path, makesDatabase: false, clock: TestServer.systemClock)
        defer { tokens.close() }
        let all = try tokens.all()
        #expect(all.map(\.label) == ["laptop"] && all.map(\.scope) == [.sync] && all.map(\.id) != [id])
        #expect(!log.all.contains { $0.contains(secret) || $0.contains(answer.token) })
        #expect(try !Data(contentsOf: URL(filePath: file.path)).contains(Array(secret.utf8)))
        #expect(try !Data(contentsOf: URL(filePath: file.path + "-wal")).contains(Array(secret.utf8)))
      }
    }
  }

  @Test("the first user who is invited gets the list that was there, whoever is the first to join")
  func quickest() async throws {
    try await ServerDatabaseFile.use { file in
      try await TestServer.run(databasePath: file.path) { server async throws in
        try await server.insert("a")
        let anna = try invite("anna", to: file).secret
        let ben = try invite("ben", to: file).secret
        for (secret, ids) in [(ben, []), (anna, ["a"])] as [(String, [RecordID])] {
          let answer = try #require(JoinAnswer(json: try await join(secret, server).body))
          let list = try await server.send(.get, Self.table, nil, ["X-ZUMO-AUTH": answer.token]).list
          #expect(list.items.map(\.id) == ids, "\(answer.user)")
        }
      }
    }
  }

  @Test("gives the same token to the same attempt again, for as long as both are good, and to no other")
  func again() async throws {
    try await ServerDatabaseFile.use { file in
      let clock = Mutex(Timestamp(milliseconds: 1_000_000))
      let secret = try invite("anna", to: file) { clock.withLock(\.self) }.secret
      let other = try invite("ben", to: file) { clock.withLock(\.self) }.secret
      try await TestServer.run(databasePath: file.path, clock: { clock.withLock(\.self) }) { server async throws in
        func token(_ secret: String, _ attempt: String) async throws -> String? {
          let request = JoinRequest(secret: secret, device: nil, attempt: attempt)
          let body = String(decoding: request.json, as: UTF8.self)
          return JoinAnswer(json: try await server.send(.post, "/join", nil, [:], body: body).body)?.token
        }
        let (mine, his) = ("0123456789abcdef", "fedcba9876543210")
        let first = try #require(try await token(secret, mine))
        #expect(first.hasPrefix("ebb_") && first.count == 47)
        #expect(try await server.send(.get, Self.table, nil, ["X-ZUMO-AUTH": first]).status == 200)
        #expect(try await token(secret, mine) == first)
        #expect(try await token(secret, his) == nil)
        #expect(try await join(secret, server).status == 409)
        #expect(try await token(other, mine) != first, "the same attempt with another invitation is another token")
        for wrong in ["", "short", String(repeating: "a", count: 201), "0123456789 abcdef"] {
          #expect(try await token(secret, wrong) == nil)
        }
        clock.withLock { $0 = Timestamp(milliseconds: 1_000_000 + 86_400_000) }
        #expect(try await token(secret, mine) == nil, "an invitation is good for a day")
        clock.withLock { $0 = Timestamp(milliseconds: 1_000_000) }
        let tokens = try ServerTokens(database: file.path, makesDatabase: false, clock: TestServer.systemClock)
        defer { tokens.close() }
        #expect(try tokens.all().count { $0.user.text == "anna" } == 1)
        _ = try tokens.revoke(.user(try #require(UserName("anna"))))
        #expect(try await token(secret, mine) == nil, "nobody gets back what was taken back")
      }
    }
  }

  @Test("of many devices that show it at the same time, one gets a token")
  func race() async throws {
    try await ServerDatabaseFile.use { file in
      let secret = try invite("anna", to: file).secret
      try await TestServer.run(databasePath: file.path) { server async throws in
        let statuses = try await withThrowingTaskGroup(of: Int.self) { tasks in
          for _ in 0..<8 { tasks.addTask { try await join(secret, server).status } }
          return try await tasks.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.sorted() == [201] + Array(repeating: 409, count: 7))
      }
    }
  }

  @Test("lasts a day, and is taken back as a token is")
  func ends() async throws {
    try await ServerDatabaseFile.use { file in
      let clock = Mutex(Timestamp(milliseconds: 1_000_000))
      let (late, back) = try (
        invite("anna", to: file) { clock.withLock(\.self) }, invite("ben", to: file) { clock.withLock(\.self) }
      )
      try await TestServer.run(databasePath: file.path, clock: { clock.withLock(\.self) }) { server async throws in
        let tokens = try ServerTokens(database: file.path, makesDatabase: false, clock: TestServer.systemClock)
        defer { tokens.close() }
        #expect(try tokens.all().map(\.scope) == [.invite, .invite])
        #expect(try tokens.revoke(.user(try #require(UserName("ben")))).map(\.id) == [back.id])
        #expect(try await join(back.secret, server).status == 403)
        clock.withLock { $0 = Timestamp(milliseconds: 1_000_000 + 86_400_000) }
        let answer = try await join(late.secret, server)
        #expect(answer.status == 410 && answer.text.contains("expired"))
        clock.withLock { $0 = Timestamp(milliseconds: 1_000_000 + 86_399_999) }
        #expect(try await join(late.secret, server).status == 201)
      }
    }
  }

  @Test("a wrong secret is answered after a second, and after ten in a minute not looked at; the log has no secret")
  func wrong() async throws {
    try await ServerDatabaseFile.use { file in
      let slept = Mutex(0)
      let log = LogLines()
      _ = try invite("anna", to: file)
      try await TestServer.run(
        databasePath: file.path, clock: TestServer.clock(standingAt: 1_000_000),
        sleep: { _ in slept.withLock { $0 += 1 } }, logger: log.logger
      ) { server async throws in
        for _ in 0..<10 { #expect(try await join("ebbjoin_guess", server).status == 403) }
        #expect(slept.withLock(\.self) == 10)
        let limited = try await join("ebbjoin_guess", server)
        #expect(limited.status == 429 && limited.header("WWW-Authenticate") == nil)
        #expect(log.all.first?.hasSuffix("Wrong invitation from 127.0.0.1") == true)
        #expect(!log.all.contains { $0.contains("guess") })
      }
    }
  }

  @Test("a browser that opens the link gets a page with the command to run, which works on no wrong link")
  func page() async throws {
    try await TestServer.run { server async throws in
      let page = try await server.send(.get, "/join", nil, ["Accept": "text/html,*/*;q=0.8"])
      #expect(page.status == 200 && page.header("Content-Type") == "text/html; charset=utf-8")
      #expect(page.text.contains("ebb join 'LINK'") && page.header("Referrer-Policy") == "no-referrer")
      #expect(try await server.send(.head, "/join/?x", nil, ["Accept": "text/html"]).status == 200)
      try await Chromium.use { browser in
        let address = "http://127.0.0.1:\(server.port)/join"
        let secret = "ebbjoin_" + String(repeating: "a-_Z", count: 11)
        for (link, command) in [
          ("\(address)#\(secret.dropLast())", "ebb join '\(address)#\(secret.dropLast())'"),
          ("\(address)/?';reboot;'#\(secret.dropLast())", "ebb join '\(address)#\(secret.dropLast())'"),
          ("\(address)#\(secret)", "ebb join 'LINK'"), ("\(address)#ebbjoin_x';reboot;'", "ebb join 'LINK'"),
        ] {
          try await browser.open(link)
          #expect(try await browser.value("document.getElementById('command').textContent") == command, "\(link)")
        }
        try await browser.picture("invitation")
        #expect(browser.problems == [])
      }
    }
  }

  @Test("only a small POST of JSON, of no page of another site, is looked at")
  func requests() async throws {
    try await ServerDatabaseFile.use { file in
      let secret = try invite("anna", to: file).secret
      try await TestServer.run(databasePath: file.path) { server async throws in
        #expect(try await server.send(.get, "/join").status == 405)
        #expect(try await server.send(.post, "/join", nil, [:], body: "{}").status == 400)
        #expect(try await server.send(.post, "/join", nil, [:], body: "[").status == 400)
        #expect(try await server.send(.post, "/join", nil, ["Content-Type": "text/plain"], body: "{}").status == 415)
        let origin = ["Origin": "https://evil.example"]
        #expect(try await server.send(.post, "/join", nil, origin, body: "{}").status == 403)
        #expect(try await server.send(.post, "/join", nil, ["Host": "evil.example"], body: "{}").status == 421)
        let long = String(repeating: "x", count: 5_000)
        #expect(try await join(secret, server, device: long).status == 413)
        #expect(try await join(secret, server, device: nil).status == 201, "it was not used up by any of these")
      }
    }
  }

  @Test("a device that sends a member of the wrong form is told which, and may ask again")
  func members() async throws {
    try await ServerDatabaseFile.use { file in
      let secret = try invite("anna", to: file).secret
      try await TestServer.run(databasePath: file.path) { server async throws in
        for (body, words) in [
          (#"{"secret":"\#(secret)","attempt":"short"}"#, "'attempt' must be 16 to 200"),
          (#"{"secret":"\#(secret)","attempt":5}"#, "'attempt' must be a text"),
          (#"{"secret":"\#(secret)","device":{}}"#, "'device' must be a text"),
          (#"{"secret":5}"#, "'secret' must be a text"), ("{}", "'secret' must be a text"),
          ("[]", "must be a JSON object"), (#"{"secret""#, "not valid JSON"),
        ] {
          let answer = try await server.send(.post, "/join", nil, [:], body: body)
          #expect(answer.status == 400 && answer.text.contains(words), "\(body): \(answer.text)")
        }
        #expect(try await join(secret, server).status == 201)
      }
    }
  }

  @Test("one for a server that never ran has no address; afterwards it has the one that clients use")
  func address() async throws {
    try await ServerDatabaseFile.use { file in
      let anna = try #require(UserName("anna"))
      @Sendable func link() throws -> String {
        let tokens = try ServerTokens(database: file.path, makesDatabase: true, clock: TestServer.systemClock)
        defer { tokens.close() }
        return try tokens.invite(anna, server: nil).link.server
      }
      #expect(throws: ServerError.addressUnknown) { try link() }
      try await TestServer.run(databasePath: file.path) { server async throws in
        #expect(try link() == "http://127.0.0.1:\(server.port)")
      }
      try await TestServer.run(databasePath: file.path, names: ["list.example", "other"]) { server async throws in
        #expect(try link() == "http://list.example:\(server.port)")
      }
      // Another program may have written what would steer the terminal.
      for address in ["'https://a' || char(27) || '[2J'", "'https://a' || char(10) || 'b'", "'javascript:a'"] {
        try await file.run("UPDATE ServerIdentity SET address = \(address)")
        #expect(throws: ServerError.addressUnknown) { try link() }
      }
    }
  }

  @Test("a link is read again as it was written, and a text that is none is not taken for one")
  func links() {
    let link = InvitationLink(server: "https://list.example/x", secret: "ebbjoin_a-b_c")
    #expect(InvitationLink(link.text) == link)
    #expect(InvitationLink("https://list.example/x/join/#ebbjoin_a-b_c") == link)
    for text in [" \(link.text)\r\n", "<\(link.text)>", "\n<\(link.text)> "] {
      #expect(InvitationLink(text) == link)
    }
    #expect(!link.isWhole)
    for (added, isWhole) in [("", true), (".", false), ("x", false)] {
      let secret = AccessToken(prefix: InvitationLink.secretPrefix).text + added
      #expect(InvitationLink(server: "https://list.example", secret: secret).isWhole == isWhole)
    }
    for text in [
      "", " ", "<>", "#",
      "https://list.example/join", "https://list.example/join#", "https://list.example/join#ebbjoin_",
      "https://list.example#ebbjoin_a", "https://list.example/join#ebb_a", "https://list.example/join#ebbjoin_a b",
      "/join#ebbjoin_a", "https://list.example\nkey: x/join#ebbjoin_a", "https://l\u{1B}[2J/join#ebbjoin_a",
    ] { #expect(InvitationLink(text) == nil, "\(text)") }
  }
}

extension Data {
  fileprivate func contains(_ bytes: [UInt8]) -> Bool { firstRange(of: bytes) != nil }
}
