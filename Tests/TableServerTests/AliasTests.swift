import StorageSupport
import TableProtocol
import Testing

@testable import TableServer

@Suite("Other names for columns")
struct AliasTests {
  private let table = "/tables/TodoItem"

  private func aliased(_ body: @Sendable (TestServer) async throws -> Void) async throws {
    var policy = TablePolicy(.open)
    policy.aliases = try #require(ColumnNames(["text": "title", "complete": "isComplete"]))
    try await TestServer.run(tables: policy, body)
  }

  @Test("a client with names of its own sees them alone, in every answer", arguments: ProtocolVersion.allCases)
  func foreign(version: ProtocolVersion) async throws {
    let whole: [String: FieldValue] = ["title": .text("Milk"), "isComplete": .bool(true)]
    try await aliased { server async throws in
      let made = try await server.send(
        .post, table, version, body: #"{"id":"a","title":"Milk","isComplete":true}"#)
      #expect(try made.item.values == whole)
      let path = "\(table)/a"
      #expect(try await server.send(.get, path, version).item.values == whole)
      #expect(try await server.send(.get, table, version).list.items.map(\.values) == [whole])
      #expect(try await server.send(.post, table, version, body: #"{"id":"a"}"#).item.values == whole)
      #expect(try await server.send(.patch, path, version, ["If-Match": "\"x\""], body: "{}").item.values == whole)
      // A client of 3.0.0 leaves out what is false.
      let put = try await server.send(.put, path, version, body: #"{"id":"a","title":"Eggs"}"#)
      #expect(try put.item.values == ["title": .text("Eggs"), "isComplete": .bool(false)])
      let patched = try await server.send(.patch, path, version, body: #"{"ISCOMPLETE":true}"#)
      #expect(try patched.item.values == ["title": .text("Eggs"), "isComplete": .bool(true)])
    }
  }

  @Test("an answer with other names says so, and one with the server's own does not")
  func told() async throws {
    try await aliased { server async throws in
      try await server.insert("a")
      let batch = #"{"requests":[{"id":"1","method":"get","url":"/tables/TodoItem/a"}]}"#
      for (verb, path, body) in [
        (.get, table, nil), (.get, "\(table)/a", nil), (.patch, "\(table)/a", "{}"), (.post, "/tables/$batch", batch),
      ] as [(Verb, String, String?)] {
        #expect(try await server.send(verb, path, body: body).header(ZumoHeader.columns) == "other", "\(path)")
        let own = try await server.send(verb, path, .v3, [ZumoHeader.columns: "own"], body: body)
        #expect(own.status == 200 && own.header(ZumoHeader.columns) == nil, "\(path)")
      }
    }
    try await TestServer.run { server async throws in
      #expect(try await server.send(.get, table).header(ZumoHeader.columns) == nil)
    }
  }

  @Test("a client of this server sees the server's names, in a batch too")
  func own() async throws {
    try await aliased { server async throws in
      let headers = [ZumoHeader.columns: "own"]
      let own: [String: FieldValue] = ["text": .text("Milk"), "complete": .bool(false)]
      let made = try await server.send(.post, table, .v3, headers, body: #"{"id":"a","text":"Milk"}"#)
      #expect(try made.item.values == own)
      #expect(try await server.send(.get, table, .v3, headers).list.items.map(\.values) == [own])
      let batch = #"{"requests":[{"id":"1","method":"patch","url":"\#(table)/a","body":{"title":"Eggs"}}]}"#
      for (headers, name) in [(headers, "text"), ([:], "title")] {
        let answer = try await server.send(.post, "/$batch", .v3, headers, body: batch)
        let body = try #require(try BatchResponse.all(in: answer.body)?.first?.body)
        #expect(try Record(json: body).values[name] == .text("Eggs"))
      }
    }
  }

  @Test("either name stands in filters, orders and selections")
  func queries() async throws {
    try await aliased { server async throws in
      for (id, text, done) in [("a", "x", true), ("b", "y", false), ("c", "y", true)] {
        try await server.insert(RecordID(id), #""text":"\#(text)","complete":\#(done)"#)
      }
      for (text, complete) in [("text", "complete"), ("title", "isComplete"), ("Title", "iscomplete")] {
        let filter = "startswith(\(text),'y') and not \(complete) or length(\(text)) add 1 eq 3 or \(text) in ('x')"
        #expect(try await server.ids(filter) == ["a", "b"])
        let list = try await server.send(.get, "\(table)?$orderby=\(text)%20desc,\(complete)&$select=id,\(text)").list
        #expect(list.items.map(\.id) == ["b", "c", "a"])
        #expect(list.items.map(\.values) == ["y", "y", "x"].map { ["title": .text($0)] })
      }
      let page = try await server.send(.get, "\(table)?$orderby=title&$top=2").list
      #expect(page.items.map(\.id) == ["a", "b"])
    }
  }

  @Test("both names in one body are one property twice")
  func twice() async throws {
    try await aliased { server async throws in
      #expect(try await server.send(.post, table, body: #"{"text":"x","title":"y"}"#).status == 400)
    }
  }

  @Test("a column that has an alias's name already is hidden by it, if it has no values")
  func hidden() async throws {
    try await ServerDatabaseFile.use { file in
      try await TestServer.run(databasePath: file.path) { server async throws in
        try await server.insert("a", #""text":"own","title":"hidden""#)
        _ = try await server.send(.patch, "\(table)/a", body: #"{"title":null}"#)
      }
      var policy = TablePolicy()
      policy.aliases = try #require(ColumnNames(["text": "title"]))
      try await TestServer.run(databasePath: file.path, tables: policy) { server async throws in
        let expected: [String: FieldValue] = ["title": .text("own"), "complete": .bool(false)]
        #expect(try await server.send(.get, "\(table)/a").item.values == expected)
        #expect(try await server.send(.get, table).list.items.map(\.values) == [expected])
        #expect(try await server.ids("title eq 'own'") == ["a"])
      }
    }
  }

  @Test("tables that clients make have no aliases")
  func otherTables() async throws {
    try await aliased { server async throws in
      let made = try await server.send(.post, "/tables/movies", body: #"{"id":"m","title":"x","text":"y"}"#)
      #expect(try made.item.values == ["title": .text("x"), "text": .text("y")])
    }
  }
}

@Suite("Names of columns")
struct ColumnNamesTests {
  @Test(
    "are refused where one would be in doubt or is not to be had",
    arguments: [
      ["text": "id"], ["text": "UpdatedAt"], ["deleted": "gone"], ["text": "a b"], ["text": ""], ["": "x"],
      ["text": "x", "complete": "X"], ["text": "complete", "complete": "done"], ["text": "a", "TEXT": "b"],
      ["text": "complete"], ["complete": "Text"], ["due": "text"],
    ])
  func refused(pairs: [String: String]) {
    #expect(ColumnNames(pairs) == nil)
  }

  @Test("are read from words and written as words, and join with others that leave none in doubt")
  func words() throws {
    let names = try #require(ColumnNames(words: ["text=title"]))
    #expect(names.words == ["text=title"] && ColumnNames(words: [])?.isEmpty == true)
    for words in [["text"], ["text=a=b"], ["text=a", "text=a"], ["="]] { #expect(ColumnNames(words: words) == nil) }
    let both = names.adding(try #require(ColumnNames(["complete": "isComplete"])))
    #expect(both?.words == ["complete=isComplete", "text=title"])
    #expect(names.adding(.none) == names && names.adding(names) == names)
    for pairs in [["text": "name"], ["complete": "title"]] {
      #expect(names.adding(try #require(ColumnNames(pairs))) == nil)
    }
  }

  @Test("lead from one side to the other")
  func mapped() throws {
    let names = try #require(ColumnNames(["text": "title"]))
    #expect(names.other("text") == "title" && names.other("more") == "more")
    #expect(names.own("title") == "text" && names.own("TITLE") == "text" && names.own("text") == "text")
    #expect(names.hides("title") && !names.hides("text") && ColumnNames.none.isEmpty && !names.isEmpty)
    #expect(names.others(["text": 1, "title": 2, "n": 3]) == ["title": 1, "n": 3])
  }
}
