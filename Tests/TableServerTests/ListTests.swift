import TableProtocol
import TableStorage
import Testing

@testable import TableServer

struct ListTests {
  private let table = "/tables/TodoItem"

  @Test("the version decides the shape of a list, and counts come in both")
  func shapes() async throws {
    try await TestServer.run { server in
      try await server.insert("a")
      #expect(try await server.send(.get, table).list.form == .v3)
      #expect(try await server.send(.get, table, .v2).text.hasPrefix("["))
      #expect(try await server.send(.get, "\(table)?zumo-API-version=2.0.1").text.hasPrefix("["))
      #expect(try await server.send(.get, "\(table)?$inlinecount=allpages", .v2).text.hasPrefix(#"{"results":["#))
      #expect(try await server.send(.get, "\(table)?$count=true", .v2).list.count == 1)
      #expect(
        try await server.send(.get, "\(table)?$inlinecount=allpages&$top=0", .v3).list
          == ListBody([], count: 1, form: .v3))
      #expect(try await server.send(.get, "\(table)?$count=false").list.count == nil)
    }
  }

  @Test("a version that is none is refused", arguments: ["9", "2.1.0", "1.0", "", "x"])
  func badVersions(version: String) async throws {
    try await TestServer.run { server in
      let answer = try await server.send(.get, table, nil, ["ZUMO-API-VERSION": version])
      #expect(answer.status == 400)
      #expect(ErrorBody.message(in: answer.body)?.contains("API version") == true)
    }
  }

  @Test("a list has no tag, is not to be kept, and names no old server")
  func listHeaders() async throws {
    try await TestServer.run { server in
      try await server.insert("a")
      for version in ProtocolVersion.allCases {
        let answer = try await server.send(.get, table, version)
        #expect(answer.eTag == nil)
        #expect(answer.header("Cache-Control") == "no-store")
        #expect(answer.header("x-zumo-server-version") == nil)
      }
    }
  }

  @Test(
    "the pull of every known client gives all rows by time, tombstones included",
    arguments: [
      (
        "$skip=0&$orderby=updatedAt%20asc&$filter=(updatedAt%20ge%20datetimeoffset'1970-01-01T00%3A00%3A00.000Z')&$top=50&__includeDeleted=true",
        .v2
      ),
      (
        "$filter=(updatedAt%20ge%20datetimeoffset'1969-12-31T00:00:00.000Z')&$orderby=updatedAt&$top=50&__includeDeleted=true",
        .v2
      ),
      (
        "$filter=(updatedAt%20ge%20datetimeoffset%271969-12-31T00:00:00.000Z%27)&$orderby=updatedAt&$skip=0&$top=50&__includeDeleted=true",
        .v2
      ),
      (
        "$filter=(updatedAt%20ge%20datetimeoffset'1970-01-01T00%3A00%3A00.0000000%2B00%3A00')&$orderby=updatedAt&$skip=0&$top=50"
          + "&__includeDeleted=true", .v2
      ),
      (
        "$filter=updatedAt%20ge%20datetimeoffset'1970-01-01T00%3A00%3A00.000Z'&$top=50&$skip=0&$orderby=updatedAt%20asc&__includeDeleted=true",
        .v2
      ),
      (
        "$filter=updatedAt%20gt%20(datetimeoffset'1970-01-01T00%3A00%3A00.000Z')&%24top=50&%24orderby=updatedAt&__includeDeleted=true",
        .v2
      ),
      (
        "$filter=%28updatedAt%20gt%20cast%281970-08-23T20%3A22%3A54.291Z%2CEdm.DateTimeOffset%29%29&$orderby=updatedAt&$count=true"
          + "&__includedeleted=true", .v3
      ),
      ("$orderby=updatedAt&$count=true&__includedeleted=true", .v3),
      ("$filter=updatedAt+gt+1970-01-01&$orderby=updatedAt&__IncludeDeleted=TRUE", .v3),
    ] as [(String, ProtocolVersion)])
  func pulls(query: String, version: ProtocolVersion) async throws {
    try await TestServer.run { server in
      for id: RecordID in ["c", "a", "b"] { try await server.insert(id) }
      _ = try await server.send(.delete, "\(table)/c")
      for path in ["/tables/todoitem", "/tables/TODOITEM/"] {
        let answer = try await server.send(.get, "\(path)?\(query)", version)
        #expect(answer.status == 200)
        #expect(try answer.list.items.map(\.id) == ["a", "b", "c"])
        #expect(try answer.list.items.map(\.system.deleted) == [false, false, true])
      }
    }
  }

  @Test("tombstones are left out unless they are asked for")
  func tombstones() async throws {
    try await TestServer.run { server in
      try await server.insert("a")
      try await server.insert("b")
      _ = try await server.send(.delete, "\(table)/a")
      #expect(try await server.send(.get, "\(table)?$count=true").list.items.map(\.id) == ["b"])
      #expect(try await server.send(.get, "\(table)?$count=true").list.count == 1)
      #expect(try await server.send(.get, "\(table)?__includeDeleted=true&$count=true", .v2).list.count == 2)
      #expect(try await server.send(.get, table, .v3, [ZumoHeader.options: "include:deleted"]).list.items.count == 2)
    }
  }

  @Test("only the selected properties are written")
  func select() async throws {
    try await TestServer.run { server in
      try await server.insert("a", #""text":"x""#)
      #expect(
        try await server.send(.get, "\(table)?$select=text,ID").text
          == #"{"items":[{"id":"a","text":"x"}],"count":null,"nextLink":null}"#)
    }
    let options = try ListOptions(QueryItems("$select=text,ID,%20text,id,text"), table: .todoItem, version: .v3)
    #expect(options.query.select == ["text", "ID", "id"], "thousands of the same are looked up once")
  }

  @Test(
    "an option with a bad value is refused with its reason",
    arguments: [
      "$top=-1", "$top=x", "$top=1001", "$top=", "$skip=-1", "$skip=99999999999999999999", "$filter=a%20eq",
      "$filter=text%20eq%20'",
      "$orderby=a%20b", "$count=yes", "$inlinecount=all", "$skiptoken=%21", "$skiptoken=W10",
      "$filter=updatedAt%20gt%20'soon'",
    ])
  func badOptions(query: String) async throws {
    try await TestServer.run { server async throws in
      let answer = try await server.send(.get, "\(table)?\(query)", .v2)
      #expect(answer.status == 400)
      #expect(ErrorBody.message(in: answer.body) != nil)
      let limits = query == "$top=1001" ? "$top=128001" : query
      #expect(try await server.send(.get, "\(table)?\(limits)", .v3).status == 400)
    }
  }

  @Test(
    "unknown properties are an error in 3.0.0 and an empty list in 2.0.0",
    arguments: ["$filter=nope%20eq%201", "$orderby=nope", "$select=nope"])
  func unknownColumns(query: String) async throws {
    try await TestServer.run { server async throws in
      try await server.insert("a")
      #expect(try await server.send(.get, "\(table)?\(query)", .v3).status == 400)
      #expect(try await server.send(.get, "\(table)?\(query)", .v2).text == "[]")
      #expect(
        try await server.send(.get, "\(table)?\(query)&$inlinecount=allpages", .v2).text == #"{"results":[],"count":0}"#
      )
    }
  }

  @Test("unknown options with a dollar are an error in 3.0.0, others never")
  func unknownOptions() async throws {
    try await TestServer.run { server async throws in
      #expect(try await server.send(.get, "\(table)?$apply=x", .v3).status == 400)
      #expect(try await server.send(.get, "\(table)?$apply=x&__systemproperties=*&mine=1", .v2).status == 200)
      #expect(try await server.send(.get, "\(table)?__systemproperties=*&mine=1", .v3).status == 200)
    }
  }
}
