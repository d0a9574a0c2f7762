import Chance
import FoundationEssentials
import GRDB
import SQLiteStatements
import StorageSupport
import TableProtocol
import TableSQL
import Testing

@testable import TableServer
@testable import TableStorage

@Suite("A filter that asks too much")
struct HeavyFilterTests {
  private let table = "/tables/TodoItem"

  private func list(_ server: TestServer, _ filter: String) async throws -> Answer {
    try await server.send(.get, "\(table)?\(QueryItemsText.of([("$filter", filter)]))")
  }

  @Test("makes no text larger than a value may be")
  func largeValues() async throws {
    try await TestServer.run { server async throws in
      try await server.insert("a", #""text":"\#(String(repeating: "a", count: 1_000_000))""#)
      let grown = "replace(text,'a','\(String(repeating: "b", count: 100))')"
      for filter in [
        "length(\(grown)) gt 0", "length(concat(\(grown),\(grown))) gt 0",
        "length(concat(text,concat(text,concat(text,concat(text,text))))) gt 0",
      ] {
        #expect(try await list(server, filter).status == 400)
      }
      #expect(try await list(server, "length(concat(text,text)) eq 2000000").list.items.count == 1)
    }
  }

  @Test("looks for a long text in a long one, and replaces it, in one walk: such a filter has its answer, not 503")
  func longSearches() async throws {
    try await TestServer.run { server async throws in
      try await server.insert("a", #""text":"\#(String(repeating: "a", count: 1_000_000))""#)
      let letters = { String(repeating: "a", count: $0) }
      let part = "concat(replace('\(letters(3_000))','a','\(letters(99))'),'b')"
      for (filter, count) in [
        ("contains(concat(text,text),\(part))", 0), ("contains(concat(text,\(part)),\(part))", 1),
        ("indexof(concat('äöü',\(part)),'b') eq 297003", 1),
        ("length(replace(concat(text,'b'),concat('\(letters(9_000))','b'),'')) eq 991000", 1),
      ] {
        let answer = try await list(server, filter)
        #expect(answer.status == 200, "\(filter.suffix(60)): \(answer)")
        #expect(try answer.list.items.count == count, "\(filter.suffix(60))")
      }
    }
  }

  @Test("finds and replaces texts as SQLite's own functions do", arguments: 1...20)
  func searches(seed: UInt64) throws {
    var chance = SeededGenerator(seed: seed)
    let database = try DatabaseQueue()
    try database.write { database in
      database.addQueryFunctions()
      for _ in 0..<200 {
        let texts = [20, 3, 4].map { most -> String? in
          if chance.once(in: 20) { return nil }
          return (0..<chance.number(0...most)).map { _ in chance.pick(["a", "b", "ä", "茶", "🍵"]) }.joined()
        }
        let agree = try Bool.fetchOne(
          database,
          sql: "SELECT ebb_position(?1, ?2) IS instr(?1, ?2) AND ebb_replace(?1, ?2, ?3) IS replace(?1, ?2, ?3)",
          arguments: StatementArguments(texts))
        #expect(agree == true, "seed \(seed): \(texts)")
      }
    }
  }

  @Test("is stopped when its time is over, and answered that the server is busy")
  func time() async throws {
    var limits = ServerLimits.patient
    limits.statement = .zero
    try await TestServer.run(limits: limits) { server async throws in
      let rows = (0..<900).map {
        #"{"id":"\#($0)","method":"post","url":"/tables/TodoItem","body":{"id":"r\#($0)","text":"some words"}}"#
      }
      let batch = #"{"requests":[\#(rows.joined(separator: ","))]}"#
      #expect(try await server.send(.post, "/$batch", .v3, body: batch).status == 200)
      let answer = try await list(server, "contains(tolower(text),'x') or contains(toupper(text),'y')")
      #expect(answer.status == 503 && answer.header("Retry-After") != nil)
      #expect(try await server.send(.get, "\(table)/r1").status == 200)
      let inBatch = #"""
        {"requests":[{"id":"1","method":"post","url":"/tables/TodoItem","body":{"id":"new"}},
        {"id":"2","method":"get","url":"/tables/TodoItem?$filter=contains(tolower(text),'x') or contains(text,'y')"}]}
        """#
      let parts = try #require(BatchResponse.all(in: try await server.send(.post, "/$batch", .v3, body: inBatch).body))
      #expect(parts.map(\.status) == [201, 400], "it is not asked in a batch at all")
      #expect(try await server.send(.get, "\(table)/new").status == 200)
    }
  }

  @Test("is stopped within a row too: each call of a function that walks a text looks at the clock")
  func timeWithinRow() throws {
    let watch = StatementWatch()
    let database = try DatabaseQueue()
    try database.write { database in
      watch.install(on: database)
      let lower = { try String.fetchOne(database, sql: "SELECT ebb_lower('A')") }
      let lowered = try watch.within(.seconds(3_600), lower)
      #expect(lowered == "a")
      #expect(throws: StorageError.tooSlow) { try watch.within(.zero) { try SQLiteFailure.named(lower) } }
    }
  }

  @Test("shares its time with the other queries of its request")
  func sharedTime() async throws {
    try await ServerDatabaseFile.use { file in
      let patience = SQLiteStorage.Patience(reading: .milliseconds(200), readingInWrites: .milliseconds(50))
      let storage = try SQLiteStorage(path: file.path, patience: patience, makeUUID: { UUID() })
      defer { try? storage.close() }
      let query = ListQuery(filter: try FilterParser.parse("contains(text,'x')"), nulls: .sql, limit: 1)
      let read: @Sendable (any StoredList) throws -> Void = { list in
        for _ in 0..<1_000_000 { _ = try list.count(of: query) }
      }
      try await storage.write(.first) { list in
        for number in 0..<2_000 {
          var row = Record(id: "row\(number)", values: ["text": .text("some words")])
          let moment = Timestamp(milliseconds: Int64(number))
          row.system = SystemProperties(createdAt: moment, updatedAt: moment, version: RecordVersion("v"))
          try list.insert(row)
        }
      }
      await #expect(throws: StorageError.tooSlow) { try await storage.read(.first, read) }
      await #expect(throws: StorageError.tooSlow) { try await storage.write(.first) { try read($0) } }
    }
  }

  @Test("ends with the client that wanted it")
  func leaving() async throws {
    try await ServerDatabaseFile.use { file in
      let storage = try SQLiteStorage(path: file.path, makeUUID: { UUID() })
      defer { try? storage.close() }
      let work = Task {
        try await storage.read(.first) { list in
          while true { _ = try list.count(of: ListQuery(nulls: .sql, limit: 1)) }
        } as Void
      }
      work.cancel()
      await #expect(throws: StorageError.interrupted) { try await work.value }
    }
  }

  /// Forms that the parser of SQLite takes only so many of, inside one another.
  private static let nestings: [(String, @Sendable (Int) -> String)] = [
    ("add", { "\(String(repeating: "1 add ", count: $0))1 gt 0" }),
    ("concat", { "\(String(repeating: "concat(text,", count: $0))text\(String(repeating: ")", count: $0)) eq 'x'" }),
    ("not", { "\(String(repeating: "not(", count: $0))complete\(String(repeating: ")", count: $0))" }),
    ("tolower", { "\(String(repeating: "tolower(", count: $0))text\(String(repeating: ")", count: $0)) eq 'x'" }),
    ("substring", { "\(String(repeating: "substring(", count: $0))text\(String(repeating: ",1)", count: $0)) eq 'x'" }),
  ]

  @Test("is refused as the request's mistake, in a batch too, where it harms no other", arguments: 0..<nestings.count)
  func nested(form: Int) async throws {
    let filter = Self.nestings[form].1
    try await TestServer.run { server async throws in
      for depth in [10, 30, 46, 60, 86, 89, 95, 250] {
        let answer = try await list(server, filter(depth))
        #expect([200, 400].contains(answer.status), "\(depth): \(answer.text)")
        if depth == 10 { #expect(answer.status == 200, "\(answer.text)") }
      }
      let url = "/tables/TodoItem?\(QueryItemsText.of([("$filter", filter(95))]))"
      let batch = #"""
        {"requests":[{"id":"1","method":"post","url":"/tables/TodoItem","body":{"id":"a"}},
        {"id":"2","method":"get","url":"\#(url)"},{"id":"3","method":"post","url":"/tables/TodoItem","body":{"id":"b"}}]}
        """#
      let parts = try #require(BatchResponse.all(in: try await server.send(.post, "/$batch", .v3, body: batch).body))
      #expect(parts.map(\.status) == [201, 400, 201])
      #expect(try await server.send(.get, table).list.items.map(\.id) == ["a", "b"])
    }
  }

  @Test("is no chain of many comparisons", arguments: ["or", "and"])
  func chains(connective: String) async throws {
    try await TestServer.run { server async throws in
      for number in 0..<3 { try await server.insert("row\(number)") }
      let relation = connective == "or" ? "eq" : "ne"
      for count in [87, 88, 250] {
        let chain = (1...count).map { "id \(relation) 'row\($0)'" }.joined(separator: " \(connective) ")
        let found = try await list(server, chain)
        #expect(found.status == 200, "\(count)")
        #expect(try found.list.items.map(\.id) == (connective == "or" ? ["row1", "row2"] : ["row0"]))
      }
      let nested = (1...60).reduce("id eq 'row0'") { "(\($0) or id eq 'row\($1)')" }
      #expect(try await list(server, nested).list.items.count == 3)
      let turned = (1...60).reversed().reduce("id eq 'row0'") { "(id eq 'row\($1)' or \($0))" }
      #expect(try await list(server, turned).list.items.count == 3)
    }
  }

  @Test("may have 32 sort keys, and a place among them")
  func sortKeys() async throws {
    try await TestServer.run { server async throws in
      let columns = (0..<32).map { #""k\#($0)":1"# }.joined(separator: ",")
      for number in 0..<3 { try await server.insert("row\(number)", columns) }
      let keys = (0..<32).map { "k\($0)" }.joined(separator: ",")
      let query = QueryItemsText.of([("$orderby", keys), ("$top", "3")])
      var page = try await server.send(.get, "\(table)?\(query)&$select=id")
      #expect(page.status == 200)
      page = try await server.send(
        .get, "\(table)?\(QueryItemsText.of([("$orderby", keys), ("$skiptoken", Self.token)]))")
      #expect([200, 400].contains(page.status), "\(page.text)")
    }
  }

  private static let token = Continuation(Array(repeating: .integer(1), count: 32) + [.text("row0")]).token
}
