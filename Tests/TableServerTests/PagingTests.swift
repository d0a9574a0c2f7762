import TableProtocol
import TableSQL
import Testing

struct PagingTests {
  private let table = "/tables/TodoItem"

  private func fill(_ server: TestServer, _ count: Int) async throws {
    for number in 0..<count { try await server.insert("i\(1_000 + number)", #""n":\#(number % 3)"#) }
  }

  @Test("a pull of 250 rows misses none while another device keeps changing early ones")
  func stablePages() async throws {
    try await TestServer.run { server in
      try await fill(server, 250)
      var seen: [RecordID] = []
      var sizes: [Int] = []
      var query: String? = "$orderby=updatedAt&$count=true&__includedeleted=true"
      while let next = query, sizes.count < 10 {
        let list = try await server.send(.get, "\(table)?\(next)").list
        sizes.append(list.items.count)
        seen += list.items.map(\.id)
        #expect(list.count == 250)
        query = list.nextLink.flatMap(NextLink.query)
        for id: RecordID in ["i1000", "i1001", "i1050"] where sizes.count < 3 {
          #expect(try await server.send(.patch, "\(table)/\(id)", body: #"{"text":"x"}"#).status == 200)
        }
      }
      #expect(Set(seen).count == 250)
      #expect(sizes.prefix(2) == [100, 100])
    }
  }

  @Test(
    "pages follow any order, nulls, directions and equal keys included",
    arguments: ["n", "n desc", "n desc,text desc", "deleted,id desc", "text,updatedAt desc"])
  func anyOrder(order: String) async throws {
    try await TestServer.run { server in
      try await fill(server, 30)
      for id: RecordID in ["i1003", "i1007"] {
        _ = try await server.send(.patch, "\(table)/\(id)", body: #"{"n":null,"text":"t"}"#)
      }
      let whole = try await server.send(.get, "\(table)?\(QueryItemsText.of([("$orderby", order)]))").list.items.map(
        \.id)
      var paged: [RecordID] = []
      var query: String? = QueryItemsText.of([("$orderby", order), ("$filter", "id ne 'x'")])
      while let next = query, paged.count < 100 {
        // A page of seven, by a $top that is put back to what is left each time.
        let list = try await server.send(.get, "\(table)?\(next)&$top=7").list
        paged += list.items.map(\.id)
        guard list.items.count == 7, let last = list.items.last else { break }
        query = try await token(after: last, order, server)
      }
      #expect(paged == whole)
    }
  }

  /// The query after `record`, made from the continuation that a page ending there would carry.
  private func token(after record: Record, _ order: String, _ server: TestServer) async throws -> String {
    var writer = JSONWriter()
    writer.raw("[")
    let keys = try QuerySQL.completed(OrderParser.parse(order))
    for (index, key) in keys.enumerated() {
      if index > 0 { writer.raw(",") }
      switch key.column {
      case "id": writer.value(.text(record.id.text))
      case "updatedAt": writer.value(.integer(record.system.updatedAt?.milliseconds ?? 0))
      case "deleted": writer.value(.integer(0))
      default: writer.value(record.values[key.column] ?? .null)
      }
    }
    writer.raw("]")
    return QueryItemsText.of([("$orderby", order), ("$filter", "id ne 'x'"), ("$skiptoken", Base64.text(writer.bytes))])
  }

  @Test("an explicit $top gets a long page in one answer, and a next link only while it is not used up")
  func explicitTop() async throws {
    try await TestServer.run { server in
      try await fill(server, 130)
      let all = try await server.send(.get, "\(table)?$top=1000").list
      #expect(all.items.count == 130)
      #expect(all.nextLink == nil)
      let some = try await server.send(.get, "\(table)?$top=120").list
      #expect(some.items.count == 120)
      #expect(some.nextLink == nil)
      #expect(try await server.send(.get, "\(table)?$top=1000", .v2).list.items.count == 130)
      #expect(try await server.send(.get, "\(table)?$skip=125&$top=50", .v2).list.items.count == 5)
    }
  }

  @Test("a 2.0.0 list of 50 links to the next page in the bare form, which leads to the rest")
  func linkHeader() async throws {
    try await TestServer.run { server in
      try await fill(server, 70)
      let first = try await server.send(.get, "\(table)?$filter=id%20ne%20'a%2Bb'", .v2)
      #expect(try first.list.items.count == 50)
      let link = try #require(first.header("Link"))
      #expect(link.hasPrefix("http://127.0.0.1:\(server.port)/tables/TodoItem?"))
      #expect(link.hasSuffix("; rel=next"))
      #expect(!link.contains("$skip="))
      let query = try #require(LinkHeader.nextQuery(in: link))
      let second = try await server.send(.get, "\(table)?\(query)", .v2)
      #expect(try first.list.items.map(\.id) + second.list.items.map(\.id) == (1_000..<1_070).map { "i\($0)" })
      #expect(second.header("Link") == nil)
      #expect(try await server.send(.get, "\(table)?$top=50", .v2).header("Link") == nil)
    }
  }

  @Test("the next link has the form this client can read")
  func linkForms() async throws {
    try await TestServer.run { server in
      try await fill(server, 101)
      let bare = try #require(try await server.send(.get, table).list.nextLink)
      #expect(bare.hasPrefix("$skiptoken="))
      let path = try #require(
        try await server.send(.get, table, .v3, [ZumoHeader.options: "nextLink=path", ZumoHeader.clientVersion: "x"])
          .list.nextLink)
      #expect(path == "/tables/TodoItem?\(bare)")
      let url = try #require(
        try await server.send(.get, "\(table)/", .v3, [ZumoHeader.clientVersion: "ZUMO/6"]).list.nextLink)
      #expect(url == "http://127.0.0.1:\(server.port)/tables/TodoItem?\(bare)")
    }
  }
}
