import FoundationEssentials
import StorageSupport
import TableProtocol
import Testing

@testable import TableServer
@testable import TableStorage

@Suite("What clients wrote under another name of a column")
struct HiddenColumnTests {
  private let table = "/tables/TodoItem"
  private let names = ColumnNames(["text": "title", "complete": "isComplete"]) ?? .none

  private func policy(_ names: ColumnNames) -> TablePolicy {
    var policy = TablePolicy()
    policy.aliases = names
    return policy
  }

  /// Items as a phone writes them that knows only its own names, and as Ebb does.
  private func fill(_ file: ServerDatabaseFile) async throws {
    try await TestServer.run(databasePath: file.path) { server async throws in
      try await server.insert("phone", #""title":"Milk","isComplete":true"#)
      try await server.insert("ebb", #""text":"Eggs","complete":true"#)
      try await server.insert("both", #""text":"Bread","title":"Rolls","isComplete":false"#)
      try await server.insert("gone", #""title":"Old""#)
      _ = try await server.send(.delete, "\(table)/gone", .v3)
    }
  }

  @Test("a server does not start with an alias under which values would not be seen, and changes nothing")
  func refused() async throws {
    try await ServerDatabaseFile.use { file in
      try await fill(file)
      let hidden = HiddenColumn(column: "complete", name: "isComplete", items: 1)
      await #expect(throws: ServerError.aliasHides(hidden, path: file.path)) {
        try await TestServer.run(databasePath: file.path, tables: policy(names)) { _ in }
      }
      let report = try ServerDatabase(path: file.path).check()
      #expect(report.findings.isEmpty)
      #expect(report.unnamed == [HiddenColumn(column: "text", name: "title", items: 1)])
      try await TestServer.run(databasePath: file.path) { server async throws in
        #expect(try await server.send(.get, "\(table)/phone").item.values["title"] == .text("Milk"))
      }
    }
  }

  @Test("values are moved to where they are seen, none is lost, and devices learn of each")
  func moved() async throws {
    try await ServerDatabaseFile.use { file in
      try await fill(file)
      let clock = TestServer.systemClock
      let newest = try await TestServer.result(databasePath: file.path) { server async throws in
        try await server.send(.get, "\(table)?$orderby=updatedAt%20desc&$top=1&__includedeleted=true").list.items[0]
          .system.updatedAt
      }
      let database = ServerDatabase(path: file.path)
      let served = try await database.add(aliases: names, clock: clock)
      #expect(served.words == ["complete=isComplete", "text=title"])
      let expected = [
        HiddenColumn(column: "complete", name: "isComplete", items: 1),
        HiddenColumn(column: "text", name: "title", items: 2),
      ]
      #expect(served.moved == expected)
      let copy = try ServerDatabase(path: try #require(served.copy)).check()
      #expect(copy.items == 3 && copy.findings.isEmpty)
      #expect(try database.check().findings.isEmpty)
      // Without a word of the aliases: the database keeps them.
      try await TestServer.run(databasePath: file.path) { server async throws in
        let own = [ZumoHeader.columns: "own"]
        let rows = try await server.send(.get, table, .v3, own).list.items
        let texts = Dictionary(uniqueKeysWithValues: rows.map { ($0.id, $0.values["text"]) })
        #expect(texts == ["phone": .text("Milk"), "ebb": .text("Eggs"), "both": .text("Bread\nRolls")])
        let done = rows.filter { $0.values["complete"] == .bool(true) }.map(\.id)
        #expect(Set(done) == ["phone", "ebb"])
        let later = try await server.ids("updatedAt gt cast(\(try #require(newest).text),Edm.DateTimeOffset)")
        #expect(Set(later) == ["phone", "both"])
        #expect(try await server.send(.get, "\(table)/ebb").item.values["title"] == .text("Eggs"))
        let revived = try await server.send(.patch, "\(table)/gone", .v3, own, body: #"{"deleted":false}"#)
        #expect(try revived.item.values["text"] == .text("Old"))
      }
      let again = try await database.add(aliases: .none, clock: clock)
      #expect(again.words == served.words && again.moved == [] && again.copy == nil)
    }
  }

  @Test("a start without aliases goes on with those before, and one with others that contradict them is refused")
  func kept() async throws {
    try await ServerDatabaseFile.use { file in
      let text = try #require(ColumnNames(["text": "title"]))
      try await TestServer.run(databasePath: file.path, tables: policy(text)) { server async throws in
        try await server.insert("a", #""title":"Milk""#)
      }
      try await TestServer.run(databasePath: file.path) { server async throws in
        #expect(try await server.send(.get, "\(table)/a").item.values["title"] == .text("Milk"))
      }
      let more = try #require(ColumnNames(["complete": "isComplete"]))
      try await TestServer.run(databasePath: file.path, tables: policy(more)) { server async throws in
        let item = try await server.send(.get, "\(table)/a").item
        #expect(item.values == ["title": .text("Milk"), "isComplete": .bool(false)])
      }
      let other = try #require(ColumnNames(["text": "name"]))
      await #expect(throws: ServerError.aliasDiffers(kept: "complete=isComplete text=title", path: file.path)) {
        try await TestServer.run(databasePath: file.path, tables: policy(other)) { _ in }
      }
      _ = try await ServerDatabase(path: file.path).removeAliases(clock: TestServer.systemClock)
      try await TestServer.run(databasePath: file.path) { server async throws in
        #expect(try await server.send(.get, "\(table)/a").item.values["text"] == .text("Milk"))
      }
    }
  }

  @Test("a hidden column is a finding of the check, whoever wrote to it")
  func found() async throws {
    try await ServerDatabaseFile.use { file in
      try await fill(file)
      try await file.run("UPDATE ServerIdentity SET aliases = 'text=title'")
      let hidden = HiddenColumn(column: "text", name: "title", items: 2)
      #expect(try ServerDatabase(path: file.path).check().findings == [.hiddenColumn(hidden, table: "TodoItem")])
    }
  }

  @Test("a text and a number are not made one, and nothing is moved while a server runs")
  func notMoved() async throws {
    try await ServerDatabaseFile.use { file in
      try await TestServer.run(databasePath: file.path) { server async throws in
        try await server.insert("a", #""text":"x","title":7"#)
        let database = ServerDatabase(path: file.path)
        await #expect(throws: ServerError.database(.backup(.inUse(path: file.path)))) {
          _ = try await database.add(aliases: names, clock: TestServer.systemClock)
        }
        #expect(try await database.add(aliases: .none, clock: TestServer.systemClock).words == [])
      }
      let database = ServerDatabase(path: file.path)
      await #expect(throws: ServerError.aliasOfOtherKind("text=title")) {
        _ = try await database.add(aliases: names, clock: TestServer.systemClock)
      }
      #expect(try file.names.isSubset(of: ["server.sqlite", "server.sqlite-wal", "server.sqlite-shm"]))
      try await TestServer.run(databasePath: file.path) { server async throws in
        #expect(try await server.send(.get, "\(table)/a").item.values["title"] == .integer(7))
      }
    }
  }

  @Test(
    "two values become one without a loss",
    arguments: [
      (.null, .text("b"), .text("b")), (.text("a"), .null, .text("a")), (.text("a"), .text("a"), .text("a")),
      (.text("a"), .text("b"), .text("a\nb")), (.text(""), .text("b"), .text("b")), (.text("a"), .text(""), .text("a")),
      (.bool(false), .bool(true), .bool(true)), (.bool(true), .bool(false), .bool(true)),
      (.integer(1), .integer(2), .integer(1)), (.null, .integer(2), .integer(2)),
    ] as [(FieldValue, FieldValue, FieldValue)])
  func merged(own: FieldValue, other: FieldValue, both: FieldValue) {
    #expect(HiddenColumns.merged(own, other) == both)
  }
}
