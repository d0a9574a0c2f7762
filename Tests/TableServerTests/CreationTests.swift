import TableProtocol
import Testing

@Suite("When an item was made")
struct CreationTests {
  private static let table = "/tables/TodoItem"
  private static let now: Int64 = 1_700_000_000_000

  /// What the server keeps of an insert that says `createdAt`, in milliseconds.
  private func kept(_ createdAt: String, knowsServer: Bool = true, _ version: ProtocolVersion = .v3) async throws
    -> Int64?
  {
    try await TestServer.result(clock: TestServer.clock(standingAt: Self.now)) { server async throws in
      let identity = try #require(try await server.send(.get, Self.table).header(ZumoHeader.database))
      let headers = knowsServer ? [ZumoHeader.database: identity] : [:]
      let body = #"{"id":"a","createdAt":\#(createdAt)}"#
      let answer = try await server.send(.post, Self.table, version, headers, body: body)
      #expect(answer.status == 201)
      let stored = try await server.send(.get, "\(Self.table)/a", version).item
      #expect(try answer.item == stored)
      #expect(stored.system.updatedAt?.milliseconds == Self.now)
      return stored.system.createdAt?.milliseconds
    }
  }

  @Test("is the moment that a client of ours says, if that has passed", arguments: ProtocolVersion.allCases)
  func said(version: ProtocolVersion) async throws {
    #expect(try await kept(#""2023-11-01T10:00:00.123Z""#, version) == 1_698_832_800_123)
    #expect(try await kept(#""2023-11-14T22:13:20.000Z""#, version) == Self.now)
  }

  @Test(
    "is the moment of the write if it is said to be later, before all computers, or in no way that can be read",
    arguments: [
      #""2023-11-14T22:13:20.001Z""#, #""9999-01-01T00:00:00.000Z""#, #""0001-01-01T00:00:00Z""#,
      #""1970-01-01T00:00:00.000Z""#, #""yesterday""#, "null", "7", "true",
    ])
  func notBelieved(createdAt: String) async throws {
    #expect(try await kept(createdAt) == Self.now)
  }

  @Test("is the moment of the write for a client that does not say which server it means")
  func stranger() async throws {
    #expect(try await kept(#""2023-11-01T10:00:00.123Z""#, knowsServer: false) == Self.now)
  }

  @Test("is kept in batches, and by every later change")
  func batches() async throws {
    try await TestServer.run { server async throws in
      let identity = try #require(try await server.send(.get, Self.table).header(ZumoHeader.database))
      let entries = ["03", "01", "02"].map { day in
        #"{"id":"\#(day)","method":"post","url":"/tables/TodoItem","#
          + #""body":{"id":"\#(day)","createdAt":"2023-11-\#(day)T00:00:00.000Z"}}"#
      }
      let body = #"{"requests":[\#(entries.joined(separator: ","))]}"#
      let answer = try await server.send(.post, "/$batch", .v3, [ZumoHeader.database: identity], body: body)
      #expect(answer.status == 200)
      let change = #"{"id":"02","text":"x","createdAt":"2020-01-01T00:00:00.000Z"}"#
      _ = try await server.send(.put, "\(Self.table)/02", .v3, [ZumoHeader.database: identity], body: change)
      let order = QueryItemsText.of([("$orderby", "createdAt")])
      let items = try await server.send(.get, "\(Self.table)?\(order)").list.items
      #expect(items.map(\.system.createdAt?.text) == ["01", "02", "03"].map { "2023-11-\($0)T00:00:00.000Z" })
    }
  }
}
