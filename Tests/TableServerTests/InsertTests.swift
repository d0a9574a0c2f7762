import TableProtocol
import Testing

struct InsertTests {
  private let table = "/tables/TodoItem"

  @Test(
    "an insert is answered with the whole stored item and its version as a strong tag",
    arguments: ProtocolVersion.allCases)
  func inserted(version: ProtocolVersion) async throws {
    try await TestServer.run { server in
      let answer = try await server.send(.post, "\(table)/", version, body: #"{"id":"a:1","text":"Milk 买🥛"}"#)
      #expect(answer.status == 201)
      let item = try answer.item
      let absent: FieldValue = version == .v2 ? .null : .bool(false)
      #expect(item.values == ["text": .text("Milk 买🥛"), "complete": absent])
      #expect(answer.eTag == item.system.version?.entityTag)
      #expect(item.system.createdAt == item.system.updatedAt)
      let location = version == .v3 ? "http://127.0.0.1:\(server.port)\(table)/a%3A1" : nil
      #expect(answer.header("Location") == location)
    }
  }

  @Test("timestamps have exactly three digits and a Z")
  func timestamps() async throws {
    try await TestServer.run(clock: TestServer.clock(standingAt: 1_700_000_000_000)) { server in
      let answer = try await server.send(.post, table, body: #"{"id":"a"}"#)
      #expect(answer.text.contains(#""createdAt":"2023-11-14T22:13:20.000Z","updatedAt":"2023-11-14T22:13:20.000Z""#))
      #expect(try await server.send(.get, table).text.contains(#""updatedAt":"2023-11-14T22:13:20.000Z""#))
    }
  }

  @Test("an item without an id, or with null, gets one", arguments: [#"{"text":"x"}"#, #"{"id":null}"#])
  func madeIDs(body: String) async throws {
    try await TestServer.run { server async throws in
      let first = try await server.send(.post, table, body: body).item
      let second = try await server.send(.post, table, body: body).item
      #expect(first.id != second.id)
      #expect(first.id.text.count == 36)
      #expect(first.id.text == first.id.text.lowercased())
    }
  }

  @Test(
    "an id that is taken, by a tombstone too, is a conflict with the stored item", arguments: ProtocolVersion.allCases)
  func duplicates(version: ProtocolVersion) async throws {
    try await TestServer.run { server async throws in
      let stored = try await server.insert("a", #""text":"first""#)
      let live = try await server.send(.post, table, version, body: #"{"id":"a","text":"second"}"#)
      #expect(live.status == 409)
      #expect(try live.item == stored)
      #expect(live.eTag == stored.system.version?.entityTag)
      _ = try await server.send(.delete, "\(table)/a")
      let dead = try await server.send(.post, table, version, body: #"{"id":"a","text":"second"}"#)
      #expect(dead.status == 409)
      #expect(try dead.item.system.deleted)
    }
  }

  @Test("what the server keeps of an item can't be sent")
  func systemProperties() async throws {
    try await TestServer.run { server async throws in
      let item = try await server.insert(
        "a", #""createdAt":"1999-01-01T00:00:00Z","updatedAt":7,"version":"x","deleted":true,"UpdatedAt":"x""#)
      #expect(!item.system.deleted)
      #expect(try #require(item.system.createdAt).milliseconds > 1_000_000_000_000)
      #expect(item.values.keys.sorted() == ["complete", "text"])
    }
  }

  @Test("a property that is new becomes a column of its type, in every item")
  func newColumns() async throws {
    try await TestServer.run { server async throws in
      try await server.insert("a")
      try await server.insert("b", #""flag":true,"rank":3,"note":"n","nothing":null"#)
      let items = try await server.send(.get, table).list.items
      #expect(items.last?.values["flag"] == .bool(true))
      #expect(items.last?.values["rank"] == .integer(3))
      #expect(items.first?.values["note"] == .null)
      #expect(items.first?.values["nothing"] == nil)
      #expect(try await server.insert("c", #""Flag":0,"rank":1.5"#).values["flag"] == .bool(false))
      #expect(try await server.send(.post, table, body: #"{"rank":"high"}"#).status == 400)
    }
  }

  @Test("a table takes only so many properties, and an item that would pass the limit leaves none behind")
  func columnLimit() async throws {
    try await TestServer.run { server async throws in
      let many = (0..<101).map { #""p\#($0)":1"# }.joined(separator: ",")
      #expect(try await server.send(.post, table, body: "{\(many)}").status == 400)
      #expect(try await server.insert("a").values.count == 2)
    }
  }

  @Test(
    "what is no item is refused with a reason",
    arguments: [
      "", "{", "[]", "1", "null", #""x""#, #"{"id":1}"#, #"{"id":"a/b"}"#, #"{"id":""}"#, #"{"o":{}}"#, #"{"o":[1]}"#,
      #"{"a b":1}"#, #"{"":1}"#,
      #"{"ü":1}"#, #"{"1a":1}"#, #"{"text":5}"#, #"{"complete":"yes"}"#, #"{"complete":2}"#, #"{"text":"a\u0000b"}"#,
      #"{"text":"\ud800"}"#,
      #"{"a":1,"A":2}"#, #"{"n":1e999}"#,
    ])
  func refused(body: String) async throws {
    try await TestServer.run { server async throws in
      for version in ProtocolVersion.allCases {
        let answer = try await server.send(.post, table, version, body: body)
        #expect(answer.status == 400, "\(answer.text)")
        #expect(ErrorBody.message(in: answer.body) != nil)
      }
      #expect(try await server.send(.get, table).list.items.isEmpty)
    }
  }

  @Test("a body must say that it is JSON, in both versions", arguments: ProtocolVersion.allCases)
  func contentTypes(version: ProtocolVersion) async throws {
    try await TestServer.run { server async throws in
      for type in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""] {
        let answer = try await server.send(.post, table, version, ["Content-Type": type], body: "{}")
        #expect(answer.status == 415, "\(type)")
      }
      for type in ["application/json; charset=utf-8", "application/merge-patch+json"] {
        #expect(try await server.send(.post, table, version, ["Content-Type": type], body: "{}").status == 201)
      }
      #expect(try await server.send(.get, table).list.items.count == 2)
    }
  }

  @Test(
    "a body with a content coding is refused, and the answer says that it must have none",
    arguments: ["gzip", "GZIP", "x-gzip", "deflate", "br", "zstd", "identity, gzip", "aes128gcm"])
  func codings(coding: String) async throws {
    try await TestServer.run { server async throws in
      let header = ["Content-Encoding": coding]
      let stored = try await server.insert("a", #""text":"first""#)
      let batch = #"{"requests":[{"id":"1","method":"delete","url":"/tables/TodoItem/a"}]}"#
      let requests: [(Verb, String, String)] = [
        (.post, table, #"{"id":"b"}"#), (.patch, "\(table)/a", #"{"text":"x"}"#),
        (.put, "\(table)/a", #"{"id":"a","text":"x"}"#), (.post, "/tables/$batch", batch), (.post, "/join", "{}"),
      ]
      for (verb, path, body) in requests {
        let answer = try await server.send(verb, path, .v3, header, body: body)
        #expect(answer.status == 415, "\(verb) \(path)")
        #expect(answer.header("Accept-Encoding") == "identity")
        #expect(ErrorBody.message(in: answer.body) != nil)
      }
      #expect(try await server.send(.get, table).list.items == [stored])
    }
  }

  @Test("a body that names the coding that changes nothing is read", arguments: ["identity", "Identity, identity", ""])
  func plainCoding(coding: String) async throws {
    try await TestServer.run { server async throws in
      #expect(
        try await server.send(.post, table, .v3, ["Content-Encoding": coding], body: #"{"id":"a"}"#).status == 201)
    }
  }

  @Test("an item above 1 MB and a request above 4 MB are too large")
  func sizes() async throws {
    try await TestServer.run { server async throws in
      func item(_ size: Int) -> String { #"{"id":"a","text":"\#(String(repeating: "x", count: size))"}"# }
      #expect(try await server.send(.post, table, body: item(1_100_000)).status == 413)
      #expect(try await server.send(.post, table, body: item(5_000_000)).status == 413)
      #expect(try await server.send(.post, table, body: item(1_000_000)).status == 201)
    }
  }

  @Test(
    "a number may come as a text, as clients send those that JavaScript can't hold", arguments: ProtocolVersion.allCases
  )
  func numbersAsTexts(version: ProtocolVersion) async throws {
    try await TestServer.run { server async throws in
      try await server.insert("a", #""n":1"#, version)
      let numbers: [(String, FieldValue)] = [
        ("9007199254740993", .integer(9_007_199_254_740_993)), ("-9223372036854775808", .integer(.min)),
        ("0.5", .real(0.5)), ("1e-3", .real(0.001)), ("-0", .integer(0)),
      ]
      for (text, number) in numbers {
        let made = try await server.send(.patch, "/tables/TodoItem/a", version, body: #"{"n":"\#(text)"}"#)
        #expect(try made.item.values["n"] == number, "\(text)")
      }
      for text in ["", " 1", "1 ", "+1", "01", "1.", ".5", "0x1", "NaN", "Infinity", "1,5", "true", "1 2"] {
        let refused = try await server.send(.patch, "/tables/TodoItem/a", version, body: #"{"n":"\#(text)"}"#)
        #expect(refused.status == 400, "\(text)")
      }
      let plain = try await server.insert("b", #""text":"12","n":"12""#, version)
      #expect(plain.values["text"] == .text("12") && plain.values["n"] == .integer(12))
    }
  }
}
