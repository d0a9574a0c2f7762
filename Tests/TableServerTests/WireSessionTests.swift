import TableProtocol
import Testing

@Suite("The session for writers of other clients")
struct WireSessionTests {
  @Test("every exchange of the page is as the server answers it")
  func sessionIsTrue() async throws {
    let session = try WireSession.ofThePage()
    #expect(session.exchanges.count > 10)
    try await TestServer.run { server in
      let names = SessionNames()
      for exchange in session.exchanges {
        var headers: [String: String] = [:]
        for (name, pattern) in exchange.requestHeaders {
          let value = try #require(names.filled(pattern), "\(exchange)")
          headers[name] = value
        }
        let target = try #require(names.filled(exchange.target), "\(exchange)")
        let answer = try await server.send(exchange.verb, target, .v3, headers, body: exchange.requestBody)
        #expect(answer.status == exchange.status, "\(exchange)")
        for (name, value) in exchange.headers {
          #expect(names.match(answer.header(name) ?? "", value), "\(exchange): \(name)")
        }
        #expect(names.match(answer.text, exchange.body), "\(exchange): \(answer.text)")
      }
    }
  }

  @Test("a name stands for one value throughout, and other braces for themselves")
  func namesKeepTheirValue() {
    let names = SessionNames()
    #expect(names.match(#"{"version":"AB="}"#, #"{"version":"{v}"}"#))
    #expect(names.filled("If {v}") == "If AB=")
    #expect(names.match("AB=", "{v}"))
    #expect(!names.match("CD=", "{v}"))
    #expect(!names.match("AB=, more", "{v}"))
    #expect(!names.match("", "{unknown}"))
    #expect(names.filled("{other}") == nil)
  }

  @Test("a block that is no exchange is refused")
  func refusesOthers() {
    #expect(throws: WireSession.Unreadable.self) { try WireSession(page: "```session\n> GET\n\n< 200\n```") }
    #expect(throws: WireSession.Unreadable.self) { try WireSession(page: "```session\n> GET /\n\n< OK\n```") }
  }
}
