import HTTPTypes
import StorageSupport
import TableProtocol
import Testing

@testable import TableServer
@testable import TableStorage

@Suite("Proxies before the server")
struct TrustedProxiesTests {
  private func proxies(_ ranges: String...) throws -> TrustedProxies {
    TrustedProxies(try ranges.map { try #require(NetworkAddress.Range($0)) })
  }

  private func origin(
    _ fields: [(Header, String)], from address: String? = "10.0.0.1", _ proxies: TrustedProxies
  ) -> TrustedProxies.Origin {
    proxies.origin(
      of: HTTPFields(fields), on: .init(address: address, scheme: "http", authority: "inner:8080"))
  }

  @Test("are not believed if they are not trusted")
  func untrusted() throws {
    let fields: [(Header, String)] = [
      (.forwardedFor, "203.0.113.9"), (.forwardedProto, "https"), (.forwardedHost, "list.example"),
      (.forwarded, "for=203.0.113.9"),
    ]
    let connection = TrustedProxies.Origin(address: "192.0.2.1", scheme: "http", authority: "inner:8080")
    #expect(try origin(fields, from: "192.0.2.1", proxies("10.0.0.0/8")) == connection)
    #expect(try origin(fields, from: "192.0.2.1", proxies()) == connection)
    #expect(try origin(fields, from: nil, proxies()).address == nil)
    #expect(try origin(fields, from: nil, proxies("10.0.0.0/8")).address == "203.0.113.9", "a socket of this machine")
  }

  @Test("the sender is the last of the chain that is no trusted proxy, whatever stands before it")
  func chain() throws {
    let proxies = try proxies("10.0.0.0/8", "fd00::/8")
    func address(_ chain: String) -> String? { origin([(.forwardedFor, chain)], proxies).address }
    #expect(address("203.0.113.9") == "203.0.113.9")
    #expect(address("6.6.6.6, 203.0.113.9") == "203.0.113.9", "the first is made up")
    #expect(address("6.6.6.6, 203.0.113.9, 10.0.0.7,fd00::1") == "203.0.113.9")
    #expect(address("10.0.0.8, 10.0.0.7") == "10.0.0.8", "one of our own")
    #expect(address("203.0.113.9:4711") == "203.0.113.9")
    #expect(address("[2001:db8::1]:4711") == "[2001:db8::1]")
  }

  @Test(
    "a sender whose address a proxy hides, or says in a form that can't be read, is a stranger and not the proxy",
    arguments: [
      "unknown", "", ",", "nonsense, 10.0.0.7", "203.0.113.9, unknown, 10.0.0.7", "[garbage]", "[203.0.113.9", "[::1]x",
      "203.0.113.9, \u{600},10.0.0.7x", "203.0.113.9:80:80", "fe80::1%eth0",
    ])
  func hidden(chain: String) throws {
    let proxies = try proxies("10.0.0.0/8", "127.0.0.1")
    for address in ["10.0.0.1", "127.0.0.1", nil] {
      #expect(origin([(.forwardedFor, chain)], from: address, proxies).address == "unknown")
    }
    #expect(Visitor("unknown").sender == .hidden, "it has limits, as an address has")
    #expect(Visitor("127.0.0.1").sender == nil && Visitor(nil).sender == nil)
  }

  @Test("a character of a client does not swallow the comma of the next proxy")
  func commas() throws {
    let proxies = try proxies("10.0.0.0/8")
    #expect(origin([(.forwardedFor, "6.6.6.6\u{600},203.0.113.9")], proxies).address == "203.0.113.9")
    #expect(origin([(.forwarded, "for=6.6.6.6\u{600},for=203.0.113.9")], proxies).address == "203.0.113.9")
  }

  @Test(
    "a quote that a client opened hides nothing that the proxy added, and lets the client choose no address",
    arguments: [
      [#"for=6.6.6.6;x=", for=203.0.113.9;proto=https"#], [#"for=6.6.6.6;x=", for="203.0.113.9";proto=https"#],
      [#"for=unknown;x=", for=203.0.113.9"#], [#"for="6.6.6.6\", for=203.0.113.9"#], [#"for=6.6.6.6;x="a\""#],
      [#"for=6.6.6.6;x="\, for="[2001:db8::1]:47""#], [#"for=6.6.6.6;x=y"z", for="203.0.113.9""#],
      [#"for="[x Wrong token from 8.8.8.8]";x=", for=203.0.113.9"#],
      [#"for=6.6.6.6;x=", for=10.0.0.8;host="#, "for=10.0.0.7"], [#"for=6.6.6.6;x=", for=203.0.113.9;host=";y=";by=z"#],
      [#"x"for=6.6.6.6"#], [""], [", ;"],
    ])
  func openQuotes(lines: [String]) throws {
    let proxies = try proxies("10.0.0.0/8", "127.0.0.1")
    let fields = lines.map { (Header.forwarded, $0) }
    for address in ["10.0.0.1", "127.0.0.1", nil] {
      let origin = origin(fields, from: address, proxies)
      #expect(origin == .init(address: "unknown", scheme: "http", authority: "inner:8080"))
    }
  }

  @Test("a line of the standard's header that the proxy adds is read, whatever stands in the lines before it")
  func lines() throws {
    let proxies = try proxies("10.0.0.0/8")
    func read(_ lines: String...) -> String? { origin(lines.map { (Header.forwarded, $0) }, proxies).address }
    #expect(read(#"for=6.6.6.6;x=""#, "for=203.0.113.9;proto=https") == "203.0.113.9")
    #expect(read("for=6.6.6.6", "for=203.0.113.9, for=10.0.0.7", #"for="10.0.0.8:47""#) == "203.0.113.9")
    #expect(read("for=203.0.113.9", "") == "203.0.113.9")
    #expect(read(#" For = "203\.0.113.9" ; x="a,\"b;" , "#) == "203.0.113.9")
  }

  @Test("scheme and host are those that its own client used, of each hop or of the whole way")
  func names() throws {
    let proxies = try proxies("10.0.0.0/8")
    let one = origin(
      [(.forwardedFor, "203.0.113.9, 10.0.0.7"), (.forwardedProto, "https"), (.forwardedHost, "list.example")], proxies)
    #expect(one == .init(address: "203.0.113.9", scheme: "https", authority: "list.example"))
    let each = origin(
      [(.forwardedFor, "203.0.113.9, 10.0.0.7"), (.forwardedProto, "https, http"), (.forwardedHost, "a, b")], proxies)
    #expect(each == .init(address: "203.0.113.9", scheme: "https", authority: "a"))
    #expect(origin([(.forwardedProto, "HTTPS")], proxies).scheme == "https")
    #expect(origin([(.forwardedProto, "javascript")], proxies).scheme == "http")
  }

  @Test("the standard's header says the same, with quotes, and counts if no other does")
  func standard() throws {
    let proxies = try proxies("10.0.0.0/8")
    func read(_ field: String) -> TrustedProxies.Origin { origin([(.forwarded, field)], proxies) }
    #expect(
      read(#"for=6.6.6.6;proto=http, For="203.0.113.9:47";Proto=https;host="list.example", for=10.0.0.7;host=x"#)
        == .init(address: "203.0.113.9", scheme: "https", authority: "list.example"))
    #expect(read(#"for="[2001:db8::1]:47""#).address == "[2001:db8::1]")
    #expect(read("for=_hidden;proto=https") == .init(address: "unknown", scheme: "https", authority: "inner:8080"))
    #expect(read("proto=https") == .init(address: "unknown", scheme: "https", authority: "inner:8080"), "it names none")
    #expect(read(#"for="a,b;c";host=y"#).authority == "y")
    for field in ["", ";", ",", "for", "for=", "=", #"for=""#, #"host=""""#] {
      #expect(read(field) == .init(address: "unknown", scheme: "http", authority: "inner:8080"), "\(field)")
    }
  }

  @Test(
    "two headers that do not name the same sender are both not believed, whichever of them the client wrote",
    arguments: [
      ("203.0.113.9", "for=6.6.6.6;proto=https;host=list.example"), ("6.6.6.6", "for=203.0.113.9"),
      ("6.6.6.6, 10.0.0.7", "for=203.0.113.9, for=10.0.0.7"), ("203.0.113.9", "for=_hidden"), ("203.0.113.9", ""),
      ("unknown", "for=203.0.113.9"), ("6.6.6.6", "proto=https;host=list.example"), ("6.6.6.6", "by=_inner"),
      ("6.6.6.6", "for=6.6.6.6, proto=https"), ("6.6.6.6", "proto=https, for=10.0.0.7"),
    ])
  func disputed(chain: String, standard: String) throws {
    let proxies = try proxies("10.0.0.0/8", "127.0.0.1")
    let fields: [(Header, String)] = [(.forwardedProto, "https"), (.forwarded, standard), (.forwardedFor, chain)]
    for address in ["10.0.0.1", "127.0.0.1", nil] {
      let origin = origin(fields, from: address, proxies)
      #expect(origin == .init(address: "unknown", scheme: "http", authority: "inner:8080", isDisputed: true))
    }
  }

  @Test(
    "two headers that name one sender are believed, however they write it",
    arguments: [
      ("203.0.113.9", "for=203.0.113.9"), ("203.0.113.9:47, 10.0.0.7", #"for="203.0.113.9:48""#),
      ("6.6.6.6, 203.0.113.9", "for=203.0.113.9, for=10.0.0.7"), ("::ffff:203.0.113.9", "for=203.0.113.9"),
    ])
  func agreed(chain: String, standard: String) throws {
    let origin = origin([(.forwardedFor, chain), (.forwarded, standard)], try proxies("10.0.0.0/8"))
    #expect(!origin.isDisputed && origin.address?.hasSuffix("203.0.113.9") == true)
  }

  @Test("if two headers name one sender, the scheme and host of X-Forwarded-Proto and -Host go first")
  func agreedNames() throws {
    let proxies = try proxies("10.0.0.0/8")
    let standard = "for=203.0.113.9;proto=http;host=x"
    let both: [(Header, String)] = [
      (.forwardedFor, "203.0.113.9"), (.forwardedProto, "https"), (.forwardedHost, "list.example"),
      (.forwarded, standard),
    ]
    #expect(origin(both, proxies) == .init(address: "203.0.113.9", scheme: "https", authority: "list.example"))
    let sender = origin([(.forwardedFor, "203.0.113.9"), (.forwarded, standard)], proxies)
    #expect(sender == .init(address: "203.0.113.9", scheme: "http", authority: "x"))
  }

  @Test("scheme and host without a sender say nothing against the standard's header, whose own go before them")
  func unsaid() throws {
    let proxies = try proxies("10.0.0.0/8")
    let believed = TrustedProxies.Origin(address: "203.0.113.9", scheme: "https", authority: "list.example")
    let requests: [[(Header, String)]] = [
      [(.forwardedProto, "https"), (.forwardedHost, "list.example"), (.forwarded, "for=203.0.113.9")],
      [
        (.forwardedProto, "http"), (.forwardedHost, "x"),
        (.forwarded, "for=203.0.113.9;proto=https;host=list.example"),
      ],
    ]
    for fields in requests { #expect(origin(fields, proxies) == believed, "\(fields)") }
    let hidden = origin([(.forwardedProto, "https"), (.forwarded, "for=_hidden")], proxies)
    #expect(hidden == .init(address: "unknown", scheme: "https", authority: "inner:8080"))
    let alone = origin([(.forwardedProto, "https"), (.forwardedHost, "list.example")], proxies)
    #expect(alone == .init(address: "10.0.0.1", scheme: "https", authority: "list.example"))
  }

  @Test("an element of the standard's header without a sender hides the sender, who is then never this machine")
  func elementWithoutSender() throws {
    let proxies = try proxies("10.0.0.0/8", "127.0.0.1")
    for address in ["10.0.0.1", "127.0.0.1", nil] {
      let beside = origin([(.forwardedProto, "https"), (.forwarded, "host=list.example")], from: address, proxies)
      #expect(beside == .init(address: "unknown", scheme: "https", authority: "list.example"))
      for field in ["for=6.6.6.6, proto=https", "proto=https, for=10.0.0.7", "for=10.0.0.7, proto=https"] {
        #expect(origin([(.forwarded, field)], from: address, proxies).address == "unknown", "\(field)")
      }
    }
    let hidden = origin([(.forwardedFor, "unknown"), (.forwarded, "proto=https")], proxies)
    #expect(hidden == .init(address: "unknown", scheme: "https", authority: "inner:8080"), "both hide the sender")
  }

  @Test("limits, log, links and the check of the host go by what they say")
  func requests() async throws {
    var limits = ServerLimits.patient
    (limits.requestsAtOnce, limits.requestsASecond) = (3, 1)
    let log = LogLines()
    try await ServerDatabaseFile.use { file in
      let tokens = try ServerTokens(database: file.path, makesDatabase: true, clock: TestServer.systemClock)
      let token = try tokens.add(try #require(UserName("anna")), label: "", scope: .sync, days: nil).token
      tokens.close()
      try await TestServer.run(
        databasePath: file.path, clock: TestServer.clock(standingAt: 1_000_000), names: ["list.example"],
        proxies: [try #require(NetworkAddress.Range("127.0.0.1"))], limits: limits, logger: log.logger
      ) { server async throws in
        func headers(_ address: String, token: String) -> [String: String] {
          [
            "X-ZUMO-AUTH": token, "X-Forwarded-For": address, "X-Forwarded-Proto": "https",
            "X-Forwarded-Host": "list.example",
          ]
        }
        let made = try await server.send(
          .post, "/tables/TodoItem", .v3, headers("203.0.113.9", token: token.text), body: #"{"id":"a"}"#)
        #expect(made.header("Location") == "https://list.example/tables/TodoItem/a")
        for _ in 0..<2 {
          let answer = try await server.send(.get, "/tables/TodoItem", nil, headers("203.0.113.9", token: "no"))
          #expect(answer.status == 401)
        }
        let limited = try await server.send(.get, "/tables/TodoItem", nil, headers("203.0.113.9", token: "no"))
        #expect(limited.status == 429)
        #expect(try await server.send(.get, "/tables/TodoItem", nil, headers("203.0.113.8", token: "no")).status == 401)
        #expect(log.all.first?.hasSuffix("Wrong token from 203.0.113.9") == true)
        for status in [401, 401, 401, 429] {
          let answer = try await server.send(.get, "/tables/TodoItem", nil, headers("unknown", token: "no"))
          #expect(answer.status == status, "the server's own machine has no limit, and hidden senders have one")
        }
        let forged = ["Forwarded": #"for=127.0.0.1;x=", for=203.0.113.6"#, "X-ZUMO-AUTH": "no"]
        #expect(try await server.send(.get, "/tables/TodoItem", nil, forged).status == 429)
        #expect(log.all.last?.hasSuffix("Wrong token from unknown") == true)
        for client in 1...3 {
          let two = ["Forwarded": "for=203.0.113.5", "X-Forwarded-For": "6.6.6.\(client)", "X-ZUMO-AUTH": "no"]
          #expect(try await server.send(.get, "/tables/TodoItem", nil, two).status == 429)
        }
        let disputed = log.all.filter { $0.contains("do not name the same sender") }
        #expect(disputed.count == 1 && disputed[0].contains("remove the header that it does not set itself, or name"))
        let evil = ["X-Forwarded-For": "203.0.113.7", "X-Forwarded-Host": "evil.example"]
        #expect(try await server.send(.get, "/tables/TodoItem", nil, evil).status == 421)
      }
    }
  }
}
