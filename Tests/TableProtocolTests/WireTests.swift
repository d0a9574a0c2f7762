import FoundationEssentials
import TableProtocol
import Testing

struct WireTests {
  private func list(_ json: String) throws -> ListBody {
    try ListBody(json: Array(json.utf8))
  }

  @Test("a list is read in every form, with count and link absent or null")
  func readsLists() throws {
    let a = Record(id: "a")
    #expect(try list("[]") == ListBody([], form: .v2))
    #expect(try list(#"[{"id":"a"}]"#) == ListBody([a], form: .v2))
    #expect(try list(#"{"count":5,"results":[{"id":"a"}]}"#) == ListBody([a], count: 5, form: .v2))
    #expect(try list(#"{"items":[{"id":"a"}],"count":null,"nextLink":null}"#) == ListBody([a], form: .v3))
    #expect(try list(#"{"items":[]}"#) == ListBody([], form: .v3))
    #expect(
      try list(#"{"items":[],"count":0,"nextLink":"$skip=1"}"#)
        == ListBody([], count: 0, nextLink: "$skip=1", form: .v3))
  }

  @Test(
    "what is no list is an error",
    arguments: ["{}", #"{"id":"a"}"#, #""x""#, "1", "null", #"{"items":{}}"#, #"[{"id":1}]"#, "<html>"])
  func refusesNonLists(json: String) {
    #expect(throws: (any Error).self) { try list(json) }
  }

  @Test("a list is written in the form of its version and reads back")
  func writesLists() throws {
    let item = Record(id: "a", values: ["text": .text("x")])
    for body in [
      ListBody([item, item], form: .v2), ListBody([item], count: 7, form: .v2), ListBody([], form: .v3),
      ListBody([item], count: 1, nextLink: "$skiptoken=a&b", form: .v3),
    ] {
      #expect(try ListBody(json: body.bytes) == body)
    }
    #expect(String(decoding: ListBody([], form: .v2).bytes, as: UTF8.self) == "[]")
    #expect(
      String(decoding: ListBody([], form: .v3).bytes, as: UTF8.self) == #"{"items":[],"count":null,"nextLink":null}"#)
  }

  @Test(
    "a message is found in any form a server has for it",
    arguments: [
      (#"{"error":"a"}"#, "a"), (#"{"message":"a"}"#, "a"), (#"{"title":"t","detail":"d"}"#, "d"),
      (#"{"title":"t"}"#, "t"),
      (#"{"description":"a"}"#, "a"), (#"{"name":"JsonWebTokenError","message":"a"}"#, "a"),
      (#"{"error":{"message":"a"}}"#, "a"),
      (#"{"error":null,"message":"a"}"#, "a"), (#"[{"memberNames":["x"],"errorMessage":"a"}]"#, "a"), (#""a""#, "a"),
      ("plain\n text ", "plain text"), ("", nil), ("<html>x</html>", nil), ("{}", nil), ("[]", nil),
      ("{\"error\":", nil),
      (#"{"error":"\u001b[31mred"}"#, "[31mred"),
    ] as [(String, String?)])
  func findsMessages(body: String, message: String?) {
    #expect(ErrorBody.message(in: Array(body.utf8)) == message)
  }

  @Test("a message from outside is cut to a line's length")
  func capsMessages() throws {
    let message = try #require(ErrorBody.message(in: Array(String(repeating: "x", count: 5_000).utf8)))
    #expect(message.count == ErrorBody.longestMessage)
  }

  @Test("what we write of an error is what every client looks for")
  func writesErrors() {
    let body = ErrorBody.bytes(title: "Bad Request", detail: "say \"why\"")
    #expect(ErrorBody.message(in: body) == "say \"why\"")
    #expect(
      String(decoding: body, as: UTF8.self) == #"{"error":"say \"why\"","title":"Bad Request","detail":"say \"why\""}"#)
  }

  @Test(
    "only the query of a next link is taken, in its four forms",
    arguments: [
      ("https://evil.example/tables/t?$skip=1&a=b", "$skip=1&a=b"), ("/tables/t?$skip=1", "$skip=1"),
      ("?$skip=1", "$skip=1"),
      ("$skip=1&$filter=a%20eq%20'?'", "$skip=1&$filter=a%20eq%20'?'"), ("%24skip=100#x", "%24skip=100"), ("", nil),
      ("?", nil),
      ("https://evil.example/tables/t", nil), ("/tables/t", nil), ("u=http://x?y", "u=http://x?y"),
    ] as [(String, String?)])
  func nextLinks(link: String, query: String?) {
    #expect(NextLink.query(of: link) == query)
  }

  @Test(
    "the link header is read bare and quoted, even from the server that leaves out its path",
    arguments: [
      ("http://host/?%24top=2&%24skip=2; rel=next", "%24top=2&%24skip=2"),
      ("<http://h/t?$skip=1>; rel=\"next\"", "$skip=1"),
      ("<http://h/t?a=1>; rel=\"prev\", <http://h/t?a=2>; rel=\"next\"", "a=2"), ("http://h/t?a=1; rel=prev", nil),
      ("", nil), ("http://h/t?a=1", nil),
    ] as [(String, String?)])
  func linkHeaders(field: String, query: String?) {
    #expect(LinkHeader.nextQuery(in: field) == query)
  }

  @Test("the link header is written bare, since old clients read no other form")
  func writesLink() {
    let field = LinkHeader.field(url: "http://h/tables/t?$skiptoken=x")
    #expect(field == "http://h/tables/t?$skiptoken=x; rel=next")
    #expect(LinkHeader.nextQuery(in: field) == "$skiptoken=x")
  }
}
