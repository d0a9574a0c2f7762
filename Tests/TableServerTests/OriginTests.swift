import HTTPTypes
import TableProtocol
import Testing

@testable import TableServer

@Suite("The name of a server")
struct HostNameTests {
  @Test(
    "is a bare host name or an address, with nothing before or after it",
    arguments: [
      ("todo.example.org", true), ("Todo.Example.org.", true), ("box", true), ("xn--bcher-kva.example", true),
      ("a_b.example", true), ("10.0.0.7", true), ("fd00::7", true), ("[fd00::7]", true), ("", false), (".", false),
      ("https://todo.example.org", false), ("todo.example.org:8443", false), ("[fd00::7]:8443", false),
      ("todo.example.org/", false), ("*.example.org", false), ("a b", false), ("a..b", false), ("[a]", false),
      ("bücher.example", false), (String(repeating: "a", count: 64), false),
    ] as [(String, Bool)])
  func bare(name: String, isBare: Bool) { #expect(HostName.isBare(name) == isBare) }

  @Test("stands in the address of the server as a URL has it", arguments: [("fd00::7", "[fd00::7]"), ("Box", "box")])
  func address(name: String, host: String) {
    var configuration = ServerConfiguration(
      names: [name], databasePath: "/", clock: TestServer.systemClock, logger: TestServer.quiet)
    #expect(configuration.address(port: 80) == "http://\(host):80")
    configuration.names = ["[\(name)]"]
    #expect(configuration.address(port: 80) == "http://\(host):80")
  }
}

@Suite("A page of another site")
struct OriginTests {
  private let table = "/tables/TodoItem"
  private static let evil = "https://evil.example"

  private static let headersOfPages: [[String: String]] = [
    ["Origin": evil], ["Origin": "null"], ["Origin": "http://localhost:1"], ["Sec-Fetch-Site": "cross-site"],
    ["Sec-Fetch-Site": "same-site"], ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Origin": evil],
  ]

  @Test("can write nothing and read nothing", arguments: headersOfPages)
  func foreign(headers: [String: String]) async throws {
    try await TestServer.run { server async throws in
      try await server.insert("a")
      _ = try await server.send(.delete, "\(table)/a")
      let batch = #"{"requests":[{"id":"1","method":"post","url":"/tables/TodoItem","body":{"id":"b"}}]}"#
      let requests: [(Verb, String, String?)] = [
        (.post, table, #"{"id":"b"}"#), (.post, "/$batch", batch), (.post, "\(table)/a", nil), (.get, table, nil),
        (.get, "\(table)/a", nil), (.patch, "\(table)/a", "{}"), (.delete, "\(table)/a", nil), (.options, table, nil),
      ]
      for version in ProtocolVersion.allCases {
        for (verb, path, body) in requests {
          let answer = try await server.send(verb, path, version, headers, body: body)
          #expect(answer.status == 403, "\(verb) \(path)")
          #expect(answer.header("Access-Control-Allow-Origin") == nil)
        }
      }
      let rows = try await server.send(.get, "\(table)?__includedeleted=true").list.items
      #expect(rows.map(\.id) == ["a"] && rows.first?.system.deleted == true)
    }
  }

  @Test("may link to the pages of this server, and can't ask for rows in a frame or a window")
  func links() async throws {
    try await TestServer.run { server async throws in
      for (destination, path, status) in [
        ("document", "/openapi.json", 200), ("document", "/health/live", 200), ("iframe", "/openapi.json", 403),
        ("document", table, 403), ("iframe", table, 403), ("document", "\(table)/a", 403), ("document", "/tables", 403),
      ] {
        let headers = [
          "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": destination,
        ]
        #expect(try await server.send(.get, path, nil, headers).status == status, "\(destination) \(path)")
        if !path.hasPrefix("/health") { #expect(try await server.send(.post, path, nil, headers).status == 403) }
      }
    }
  }

  @Test("is not a page of this server, nor a program")
  func own() async throws {
    try await TestServer.run { server async throws in
      for headers in [
        ["Origin": "http://127.0.0.1:\(server.port)"], ["Sec-Fetch-Site": "same-origin"], ["Sec-Fetch-Site": "none"],
        [:],
      ] {
        #expect(try await server.send(.post, table, .v3, headers, body: "{}").status == 201)
      }
    }
  }

  @Test(
    "cannot come in under a name that an attacker lets lead here",
    arguments: [
      "attacker.example", "attacker.example:8080", "127.evil.example", "127.0.0.1.evil.example",
      "localhost.evil.example",
      "10.0.0.7", "evil.example\"><script>", "127.0.0.1:80\"><script>", "x; rel=next, <http://evil", "[::1", "",
    ])
  func otherHosts(host: String) async throws {
    try await TestServer.run { server async throws in
      for (verb, path, body) in [(.get, table, nil), (.post, table, #"{"id":"a"}"#)] as [(Verb, String, String?)] {
        let answer = try await server.send(verb, path, .v3, ["Host": host], body: body)
        #expect(answer.status == 421)
        #expect(answer.header("x-ebb-database") == nil, "it is no answer of the database")
        #expect(answer.header("Location") == nil && answer.header("Link") == nil)
      }
      #expect(try await server.send(.get, table).list.items.isEmpty)
    }
  }

  @Test(
    "comes in under a name that the server is meant for",
    arguments: [
      "localhost", "LOCALHOST:8080", "127.0.0.1", "127.0.0.2:1", "[::1]:8080", "todo.example", "Todo.Example.:443",
    ])
  func ownHosts(host: String) async throws {
    try await TestServer.run(names: ["todo.example"]) { server async throws in
      #expect(try await server.send(.get, table, .v3, ["Host": host]).status == 200)
    }
  }

  @Test("names the host of a target that is a whole URL, whatever Host says")
  func wholeTargets() async throws {
    try await TestServer.run { server async throws in
      for (beginning, host, status) in [
        ("http://evil.example", "localhost", 421), ("HTTP://evil.example:80", "localhost", 421),
        ("http://localhost@evil.example", "localhost", 421), ("http://localhost", "localhost", 200),
        ("http://LOCALHOST:8080", "evil.example", 200),
      ] {
        let connection = try RawConnection(server)
        await connection.send("GET \(beginning)\(table) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n")
        #expect(await connection.readToEnd()?.hasPrefix("HTTP/1.1 \(status)") == true, "\(beginning)")
      }
    }
  }

  @Test("names the server by the address that the request came in at")
  func ownAddress() throws {
    let origin = RequestOrigin(names: [])
    let authority = "192.168.1.5:8080"
    let request = TableRequest(method: .get, target: "/", authority: authority)
    #expect(throws: RequestError.unknownHost(authority)) {
      try origin.check(request, authority: authority, ownAddress: "10.0.0.1")
    }
    #expect(throws: Never.self) { try origin.check(request, authority: authority, ownAddress: "192.168.1.5") }
  }

  @Test(
    "that writes what a proxy writes comes in under no other name: the host of the request itself counts too",
    arguments: [
      // nginx and Caddy as the examples have them, and with the host that they write by themselves.
      ("todo.example", "todo.example", 200), ("todo.example:443", "Todo.Example.", 200),
      ("127.0.0.1:8080", "todo.example", 200), ("localhost", "todo.example", 200), ("localhost:1", "localhost", 200),
      ("attacker.example", "localhost", 421), ("attacker.example", "127.0.0.1", 421),
      ("attacker.example", "todo.example", 421), ("127.0.0.1", "localhost", 421), ("localhost", "127.0.0.1", 421),
      ("localhost", "attacker.example", 421), ("todo.example", "localhost", 421),
    ])
  func forwardedHosts(host: String, forwarded: String, status: Int) async throws {
    let proxies = [try #require(NetworkAddress.Range("127.0.0.1"))]
    try await TestServer.run(names: ["todo.example"], proxies: proxies, isOpen: true) { server async throws in
      for header in ["X-Forwarded-Host": forwarded, "Forwarded": "for=203.0.113.9;host=\"\(forwarded)\""] {
        let answer = try await server.send(.get, table, .v3, ["Host": host, header.key: header.value])
        #expect(answer.status == status, "\(header)")
      }
    }
  }

  @Test("is not taken for a proxy that asks under a name of its own, whose refusal says what to do about the proxy")
  func hostOfProxy() async throws {
    let proxies = [try #require(NetworkAddress.Range("127.0.0.1"))]
    let ofProxy = "let it pass on the Host of its client, or start the server with --name ebb."
    let ofClient = "use its address, or start it with --name."
    for (names, headers, refusal) in [
      (["todo.example"], ["X-Forwarded-Host": "todo.example"], ofProxy),
      (["todo.example"], ["Forwarded": "host=todo.example"], ofProxy), (["todo.example"], [:], ofClient),
      (["todo.example"], ["X-Forwarded-Host": "EBB"], ofClient),
      (["todo.example", "ebb"], ["X-Forwarded-Host": "todo.example"], nil),
    ] as [([String], [String: String], String?)] {
      try await TestServer.run(names: names, proxies: proxies, isOpen: true) { server async throws in
        let host = ["Host": "ebb:8080"]
        let answer = try await server.send(.get, table, .v3, host.merging(headers) { $1 })
        #expect(answer.status == (refusal == nil ? 200 : 421), "\(headers)")
        if let refusal { #expect(answer.text.contains(refusal) && answer.text.contains("'ebb:8080'"), "\(headers)") }
      }
    }
  }
}
