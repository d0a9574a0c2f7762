import StorageSupport
import TableProtocol
import Testing

@testable import TableServer
@testable import TableStorage

@Suite("A batch")
struct BatchTests {
  private static func insert(_ id: RecordID, _ entry: String, _ more: String = "") -> String {
    #"{"id":"\#(entry)","method":"post","url":"/tables/TodoItem","body":{"id":"\#(id)","text":"\#(id)"}\#(more)}"#
  }

  private static func manyHeaders(_ count: Int) -> String {
    ",\"headers\":{\((0..<count).map { #""x\#($0)":"""# }.joined(separator: ","))}"
  }

  private static func body(_ entries: String...) -> String { "{\"requests\":[\(entries.joined(separator: ","))]}" }

  @Test(
    "is answered at both URLs, each entry with what it would get alone",
    arguments: ["/$batch", "/tables/$batch", "/%24batch", "/tables/%24batch/"], ProtocolVersion.allCases)
  func everyVerb(path: String, version: ProtocolVersion) async throws {
    try await TestServer.run { server in
      let old = try await server.insert("old", "\"text\":\"old\"")
      let tag = old.system.version?.entityTag.replacing("\"", with: "\\\"") ?? ""
      let answers = try await server.batch(
        path, version,
        Self.body(
          Self.insert("new", "1"), Self.insert("old", "2"),
          #"{"id":"3","method":"patch","url":"/tables/TodoItem/old","headers":{"if-match":"\#(tag)"},"body":{"text":"x"}}"#,
          #"{"id":"4","method":"patch","url":"/tables/TodoItem/old","headers":{"if-match":"\#(tag)"},"body":{"text":"y"}}"#,
          #"{"id":"5","method":"get","url":"/tables/TodoItem/old"}"#,
          #"{"id":"6","method":"delete","url":"/tables/TodoItem/new"}"#,
          #"{"id":"7","method":"get","url":"/tables/nothing"}"#))
      #expect(answers.map(\.id) == ["1", "2", "3", "4", "5", "6", "7"])
      #expect(answers.map(\.status) == [201, 409, 200, 412, 200, version == .v2 ? 200 : 204, 404])
      let stored = try Record(json: answers[4].body ?? [])
      #expect(stored.values["text"] == .text("x"))
      #expect(answers[4].headers["etag"] == stored.system.version?.entityTag)
      #expect(try Record(json: answers[3].body ?? []) == stored)
    }
  }

  @Test("relative URLs begin where the batch is, and refer to what earlier entries made")
  func relativeURLs() async throws {
    try await TestServer.run { server in
      let noID = #"{"id":"1","method":"post","url":"TodoItem","body":{"text":"a"}}"#
      let answers = try await server.batch(
        "/tables/$batch", .v3,
        Self.body(
          noID, #"{"id":"2","method":"patch","url":"$1","body":{"text":"b"}}"#,
          #"{"id":"3","method":"get","url":"/$1?x=y"}"#, #"{"id":"4","method":"get","url":"/tables/TodoItem"}"#,
          #"{"id":"5","method":"get","url":"$4"}"#))
      #expect(answers.map(\.status) == [201, 200, 200, 200, 404])
      #expect(try Record(json: answers[2].body ?? []).values["text"] == .text("b"))
      let rooted = try await server.batch(
        "/$batch", .v3, Self.body(noID.replacing("TodoItem", with: "tables/TodoItem")))
      #expect(rooted.map(\.status) == [201])
    }
  }

  @Test("an entry that is meant for another user than the batch is refused as it would be alone, and no other")
  func meantFor() async throws {
    try await ServerDatabaseFile.use { file in
      let tokens = try ServerTokens(database: file.path, makesDatabase: true, clock: TestServer.systemClock)
      let anna = try tokens.add(try #require(UserName("anna")), label: "", scope: .sync, days: nil).token.text
      tokens.close()
      try await TestServer.run(databasePath: file.path) { server async throws in
        let header = ["Authorization": "Bearer \(anna)"]
        let entries = [("a", "anna"), ("b", "ben"), ("c", "")].map { id, user in
          Self.insert(RecordID(id), id, #","headers":{"x-ebb-user":"\#(user)"}"#)
        }
        let body = Self.body(entries[0], entries[1], entries[2], Self.insert("d", "d"))
        let answer = try await server.send(.post, "/$batch", .v3, header, body: body)
        #expect(try BatchResponse.all(in: answer.body)?.map(\.status) == [201, 403, 403, 201])
        let rows = try await server.send(.get, "/tables/TodoItem", .v3, header).list.items
        #expect(Set(rows.map(\.id)) == ["a", "d"])
      }
    }
  }

  @Test("an entry that is meant for another state of the database is refused as it would be alone, and no other")
  func meantForState() async throws {
    try await TestServer.run { server in
      let headers = [
        #""x-ebb-epoch":"1""#, #""x-ebb-epoch":"7""#, #""x-ebb-newest":"2999-01-01T00:00:00.000Z""#,
        #""x-ebb-epoch":"1""#,
      ]
      let entries = zip(["a", "b", "c", "d"], headers).map { id, header in
        Self.insert(RecordID(id), id, ",\"headers\":{\(header)}")
      }
      let answers = try await server.batch(
        "/$batch", .v3, Self.body(entries[0], entries[1], entries[2], entries[3]))
      #expect(answers.map(\.status) == [201, 421, 421, 201])
      #expect(try await server.ids("true eq true") == ["a", "d"])
    }
  }

  @Test("entries of a group are applied together or not at all")
  func groups() async throws {
    try await TestServer.run { server in
      try await server.insert("taken")
      let group = ",\"atomicityGroup\":\"g\""
      let answers = try await server.batch(
        "/$batch", .v3,
        Self.body(
          Self.insert("a", "1"), Self.insert("b", "2", group), Self.insert("taken", "3", group),
          Self.insert("c", "4", group), Self.insert("d", "5", ",\"dependsOn\":[\"g\"]"),
          Self.insert("e", "6", ",\"dependsOn\":[\"1\"]"), Self.insert("f", "7", ",\"atomicityGroup\":\"h\""),
          Self.insert("g", "8", ",\"atomicityGroup\":\"h\"")))
      #expect(answers.map(\.status) == [201, 424, 409, 424, 424, 201, 201, 201])
      #expect(answers.map(\.atomicityGroup) == [nil, "g", "g", "g", nil, nil, "h", "h"])
      #expect(try await server.ids("true eq true").sorted() == ["a", "e", "f", "g", "taken"])
    }
  }

  @Test("a group whose answers are larger than those of a batch may be is undone, and the other entries are done")
  func largeGroup() async throws {
    try await TestServer.run { server in
      let words = String(repeating: "x", count: 1_000_000)
      try await server.insert("big", #""text":"\#(words)""#)
      let group = ",\"atomicityGroup\":\"g\""
      let changes = (0..<40).map {
        #"{"id":"c\#($0)","method":"patch","url":"/tables/TodoItem/big","body":{"complete":true}\#(group)}"#
      }
      let entries = [Self.insert("a", "1"), Self.insert("b", "2", group)] + changes + [Self.insert("c", "3")]
      let answers = try await server.batch("/$batch", .v3, "{\"requests\":[\(entries.joined(separator: ","))]}")
      #expect(answers.count == 43 && answers.first?.status == 201 && answers.last?.status == 201)
      let statuses = answers.dropFirst().dropLast().map(\.status)
      #expect(statuses.count { $0 == 413 } == 1 && statuses.count { $0 == 424 } == 40, "\(statuses)")
      #expect(try await server.ids("id ne 'big'") == ["a", "c"])
    }
  }

  @Test("an entry that asks for a list may not keep the writers waiting")
  func lists() async throws {
    try await TestServer.run { server in
      let entries = [
        "$top=5", "$orderby=updatedAt,id&$top=5", "$filter=text%20eq%20'x'", "$orderby=text", "$inlinecount=allpages",
      ].enumerated().map { #"{"id":"\#($0)","method":"get","url":"/tables/TodoItem?\#($1)"}"# }
      let body = "{\"requests\":[\((entries + [Self.insert("a", "9")]).joined(separator: ","))]}"
      let answers = try await server.batch("/$batch", .v2, body)
      #expect(answers.map(\.status) == [200, 200, 400, 400, 200, 201], "\(answers)")
    }
  }

  @Test("an entry that fails midway leaves nothing, not even a column")
  func savepoints() async throws {
    try await TestServer.run { server in
      let bad =
        #"{"id":"1","method":"post","url":"/tables/TodoItem","body":{"id":"a","aNew":1,"text":5}}"#
      let answers = try await server.batch("/$batch", .v3, Self.body(bad, Self.insert("b", "2")))
      #expect(answers.map(\.status) == [400, 201])
      #expect(try await server.send(.get, "/tables/TodoItem?$filter=aNew%20eq%201", .v3).status == 400)
      #expect(try await server.ids("true eq true") == ["b"])
    }
  }

  @Test("a column that an entry adds is there for the next, and for a batch that is undone it is not")
  func columns() async throws {
    try await TestServer.run { server in
      let entry = #""method":"post","url":"/tables/TodoItem","atomicityGroup":"g","body""#
      let undone = #"{"id":"1",\#(entry):{"id":"a","pages":1}},{"id":"2",\#(entry):{"id":"b","pages":"x"}}"#
      let refused = try await server.batch("/$batch", .v3, Self.body(undone))
      #expect(refused.map(\.status) == [424, 400])
      let text = #"{"id":"1",\#(entry):{"id":"a","pages":"x"}},{"id":"2",\#(entry):{"id":"b","pages":"y"}}"#
      let taken = try await server.batch("/$batch", .v3, Self.body(text))
      #expect(taken.map(\.status) == [201, 201])
    }
  }

  @Test("stops at the first failure only when the client prefers that, and says so")
  func continueOnError() async throws {
    try await TestServer.run { server in
      try await server.insert("taken")
      let body = Self.body(Self.insert("taken", "1"), Self.insert("a", "2"))
      for (preference, applied, count) in [
        ("continue-on-error=false", "continue-on-error=false", 1), ("continue-on-error", "continue-on-error", 2),
        ("return=minimal", nil, 2),
      ] as [(String, String?, Int)] {
        let answer = try await server.send(.post, "/$batch", .v3, ["Prefer": preference], body: body)
        #expect(answer.header("Preference-Applied") == applied)
        #expect(try BatchResponse.all(in: answer.body)?.count == count)
      }
    }
  }

  @Test(
    "that is malformed is refused as a whole, and nothing of it is run",
    arguments: [
      ("", 400), ("{}", 400), ("{\"requests\":[],}", 400),
      (#"{"requests":[\#(insert("a", "1")),\#(insert("b", "1"))]}"#, 400),
      (#"{"requests":[\#(insert("a", "1")),\#(insert("b", "2", ",\"dependsOn\":[\"3\"]"))]}"#, 400),
      (#"{"requests":[\#(insert("a", "1")),{"id":"2","method":"post","url":"/$batch","body":{}}]}"#, 400),
      (#"{"requests":[\#(insert("a", "1")),\#(insert("b", "2", manyHeaders(65)))]}"#, 400),
      (#"{"requests":[\#(insert("a", "1", manyHeaders(65_536)))]}"#, 400),
      (#"{"requests":[\#((0...1_000).map { insert("i\($0)", "\($0)") }.joined(separator: ","))]}"#, 413),
      (#"{"requests":[\#(insert("a", "1", ",\"x\":\"" + String(repeating: "y", count: 4_194_304) + "\""))]}"#, 413),
    ])
  func malformed(body: String, status: Int) async throws {
    try await TestServer.run { server in
      let answer = try await server.send(.post, "/$batch", .v3, body: body)
      #expect(answer.status == status)
      #expect(ErrorBody.message(in: answer.body) != nil)
      #expect(try await server.ids("true eq true") == [])
    }
  }

  @Test("in another form, by another verb or in another version is refused")
  func otherForms() async throws {
    try await TestServer.run { server in
      let body = "{\"requests\":[]}"
      for (type, status) in [
        ("multipart/mixed; boundary=b", 415), ("text/plain", 415), ("application/json;odata.metadata=none", 200),
      ] {
        let answer = try await server.send(.post, "/$batch", .v3, ["Content-Type": type], body: body)
        #expect(answer.status == status)
      }
      let wrongVerb = try await server.send(.get, "/tables/$batch", .v3)
      #expect(wrongVerb.status == 405)
      #expect(wrongVerb.header("Allow") == "POST, OPTIONS")
      #expect(try await server.send(.post, "/$batch", nil, ["ZUMO-API-VERSION": "9"], body: body).status == 400)
      #expect(try await server.batch("/$batch", .v2, body) == [])
    }
  }

  @Test("entries that can't be requests fail alone")
  func badEntries() async throws {
    try await TestServer.run { server in
      let answers = try await server.batch(
        "/$batch", .v3,
        Self.body(
          #"{"id":"1","method":"get","url":"/tables/TodoItem","headers":{"a b":"x"}}"#,
          #"{"id":"2","method":"get","url":"/tables/TodoItem","headers":{"x":"a\r\nb: c"}}"#,
          #"{"id":"3","method":"get","url":"/tables/TodoItem","if":"true"}"#,
          #"{"id":"4","method":"get","url":"http://elsewhere/tables/TodoItem"}"#,
          #"{"id":"5","method":"post","url":"/tables/TodoItem","body":"text"}"#,
          #"{"id":"6","method":"post","url":"/tables/TodoItem"}"#, Self.insert("a", "7"),
          Self.insert("b", "8", #","headers":{"content-encoding":"gzip"}"#),
          #"{"id":"9","method":"get","url":"/tables/TodoItem","headers":{":path":"/"}}"#,
          #"{"id":"10","method":"get","url":"/tables/TodoItem","headers":{"":""}}"#,
          #"{"id":"11","method":"get","url":"/tables/TodoItem","headers":{"x":"\u0000"}}"#))
      #expect(answers.map(\.status) == [400, 400, 501, 404, 400, 400, 201, 415, 400, 400, 400])
    }
  }

  @Test("gives each write its own moment, rising in array order, also when the clock stands")
  func moments() async throws {
    try await TestServer.run(clock: TestServer.clock(standingAt: 1_000)) { server in
      let entries = (0..<1_000).map { Self.insert("i\($0)", "\($0)") }.joined(separator: ",")
      let answers = try await server.batch("/$batch", .v3, Self.body(entries))
      let moments = try answers.compactMap { try Record(json: $0.body ?? []).system.updatedAt?.milliseconds }
      #expect(moments == Array(1_000..<2_000))
    }
  }

  @Test("is announced on lists and by OPTIONS, which needs no version")
  func announced() async throws {
    try await TestServer.run { server in
      for version in ProtocolVersion.allCases {
        let list = try await server.send(.get, "/tables/TodoItem", version)
        #expect(list.header("x-zumo-batch") == "json; max=1000; bytes=4194304")
        #expect(list.header("x-ebb-ordered") == "true")
      }
      for (path, verbs) in [
        ("/tables/TodoItem", "GET, HEAD, POST, OPTIONS"),
        ("/tables/todoitem/a", "GET, HEAD, PATCH, PUT, DELETE, POST, OPTIONS"),
        ("/tables/$batch", "POST, OPTIONS"),
      ] {
        let answer = try await server.send(.options, path)
        #expect(answer.status == 200)
        #expect(answer.header("Allow") == verbs)
        #expect(answer.header("x-zumo-batch") == "json; max=1000; bytes=4194304")
      }
      #expect(try await server.send(.options, "/nothing").status == 404)
    }
  }
}

extension TestServer {
  /// Sends a batch that is taken, and gives the answers to its entries.
  fileprivate func batch(_ path: String, _ version: ProtocolVersion, _ body: String) async throws -> [BatchResponse] {
    let answer = try await send(.post, path, version, body: body)
    #expect(answer.status == 200, "\(answer.text)")
    return try #require(try BatchResponse.all(in: answer.body))
  }
}
