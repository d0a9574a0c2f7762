import FoundationEssentials
import GRDB
import GRDBSQLite
import StorageSupport
import TableProtocol
import Testing

@testable import TableServer
@testable import TableStorage

@Suite("What one client may use up")
struct BoundsTests {
  private let table = "/tables/TodoItem"

  @Test("an item is no larger as it is stored than it may be sent")
  func storedSize() async throws {
    try await TestServer.run { server async throws in
      try await server.insert("a")
      let half = String(repeating: "x", count: 600_000)
      #expect(try await server.send(.patch, "\(table)/a", body: #"{"one":"\#(half)"}"#).status == 200)
      #expect(try await server.send(.patch, "\(table)/a", body: #"{"two":"\#(half)"}"#).status == 413)
      let stored = try await server.send(.get, "\(table)/a")
      #expect(stored.body.count < 700_000)
      #expect(try await server.send(.patch, "\(table)/a", body: #"{"one":null,"two":"\#(half)"}"#).status == 200)
      #expect(try await server.send(.delete, "\(table)/a").status == 204)
    }
  }

  @Test("one request does not take all columns, and many do not in an hour")
  func columns() async throws {
    var limits = ServerLimits.patient
    limits.columnsInAnHour = 10
    let hand = ClockHand(1_000)
    try await TestServer.run(clock: hand.clock, limits: limits) { server async throws in
      let many = (0..<95).map { #""p\#($0)":1"# }.joined(separator: ",")
      #expect(try await server.send(.post, table, body: "{\(many)}").status == 400)
      for number in 0..<20 {
        let answer = try await server.send(.post, table, body: #"{"q\#(number)":1}"#)
        #expect(answer.status == (number < 10 ? 201 : 400))
      }
      #expect(try await server.send(.post, table, body: #"{"text":"known","q3":2}"#).status == 201)
      hand.set(3_700_000)
      #expect(try await server.send(.post, table, body: #"{"wanted":1}"#).status == 201)
    }
  }

  @Test("a change that is refused adds no column and takes none of the hour's, also in a batch that is written")
  func refusedColumns() async throws {
    var limits = ServerLimits.patient
    limits.columnsInAnHour = 1
    try await TestServer.run(limits: limits) { server async throws in
      let half = String(repeating: "x", count: 600_000)
      try await server.insert("a", #""text":"\#(half)""#)
      let large = #"{"extra":"\#(half)"}"#
      let entries = [
        #"{"id":"1","method":"patch","url":"\#(table)/a","body":\#(large)}"#,
        #"{"id":"2","method":"post","url":"\#(table)","body":{"id":"b"}}"#,
      ]
      let batch = #"{"requests":[\#(entries.joined(separator: ","))]}"#
      let answer = try await server.send(.post, "/$batch", .v3, body: batch)
      #expect(try BatchResponse.all(in: answer.body)?.map(\.status) == [413, 201])
      let names = try await server.send(.get, "\(table)/b", .v3).item.values.keys
      #expect(names.contains("text") && !names.contains("extra"), "an item has all columns of its table")
      #expect(try await server.send(.patch, "\(table)/a", body: large).status == 413)
      #expect(try await server.send(.post, table, body: #"{"other":1}"#).status == 201)
      #expect(try await server.send(.post, table, body: #"{"second":1}"#).status == 400)
    }
  }

  @Test("a count is counted once for all pages")
  func count() async throws {
    try await TestServer.run { server async throws in
      for number in 0..<25 { try await server.insert("row\(100 + number)") }
      let first = try await server.send(
        .get, "\(table)?$filter=id%20ne%20'x'&$count=true&$top=20&$orderby=updatedAt&__includedeleted=true"
      ).list
      #expect(first.count == 25 && first.items.count == 20)
      let plain = try await server.send(.get, "\(table)?$count=true&$top=1").list
      #expect(plain.count == 25)
    }
    let token = Continuation([.integer(7), .text("a")], count: 25).token
    #expect(Continuation(token: token, keys: 2) == Continuation([.integer(7), .text("a")], count: 25))
    #expect(Continuation(token: Continuation([.integer(7), .text("a")]).token, keys: 2)?.count == nil)
  }

  @Test("the next page is told the count by its link, not by counting again")
  func carriedCount() async throws {
    try await TestServer.run { server async throws in
      for number in 0..<120 { try await server.insert("row\(100 + number)") }
      let query = "$filter=id%20ne%20'x'&$count=true&__includedeleted=true"
      let first = try await server.send(.get, "\(table)?\(query)").list
      #expect(first.count == 120)
      try await server.insert("row999")
      let next = try await server.send(.get, "\(table)?\(try #require(first.nextLink))").list
      #expect(next.count == 120 && next.items.count == 21)
    }
  }

  @Test("a connection to the database keeps few statements, whichever columns are changed")
  func statements() async throws {
    try await ServerDatabaseFile.use { file in
      let storage = try SQLiteStorage(path: file.path, makeUUID: { UUID() })
      defer { try? storage.close() }
      let columns = (0..<40).map { "c\($0)" }
      func write(_ body: @escaping @Sendable (ListTransaction) throws -> Void) async throws {
        try await storage.write(.first) { list in
          try ListTransaction.run(
            on: list, clock: TestServer.systemClock, newColumns: ColumnAllowance(mostInAnHour: 100), body)
        }
      }
      try await write { transaction in
        _ = try transaction.insert(
          "a", Dictionary(uniqueKeysWithValues: columns.map { ($0, .integer(1)) }), createdAt: nil)
      }
      for first in 0..<39 {
        try await write { transaction in
          let stored = try #require(try transaction.list.row("a"))
          _ = try transaction.update(stored, [columns[first]: .integer(2), columns[first + 1]: .null])
        }
      }
      let kept = try await storage.write(.first) { list in
        let connection = try #require(list as? SQLiteEditableList).database.sqliteConnection
        var count = 0
        var statement = sqlite3_next_stmt(connection, nil)
        while statement != nil {
          count += 1
          statement = sqlite3_next_stmt(connection, statement)
        }
        return count
      }
      #expect(kept < 25)
    }
  }
}

@Suite("Small rules of the wire")
struct SmallRulesTests {
  private let table = "/tables/TodoItem"

  @Test("an insert of 2.0.0 leaves null what it does not name; one of 3.0.0 means false")
  func absentBooleans() async throws {
    try await TestServer.run { server async throws in
      try await server.insert("a", "", .v2)
      try await server.insert("b", "", .v3)
      #expect(try await server.ids("complete eq null") == ["a"])
      #expect(try await server.ids("complete eq false") == ["b"])
    }
  }

  @Test("an id is not sent twice", arguments: ["id", "ID"])
  func twice(name: String) async throws {
    try await TestServer.run { server async throws in
      #expect(try await server.send(.post, table, body: #"{"id":"a","\#(name)":"b"}"#).status == 400)
      #expect(try await server.send(.get, table).list.items.isEmpty)
    }
  }

  @Test("a PUT without an id is refused for that")
  func putWithoutID() async throws {
    try await TestServer.run { server async throws in
      try await server.insert("a")
      let answer = try await server.send(.put, "\(table)/a", body: "{}")
      #expect(answer.status == 400 && ErrorBody.message(in: answer.body)?.contains("has no id") == true)
    }
  }

  @Test("a path that is no text is refused; one with the character for such is not")
  func paths() async throws {
    try await TestServer.run { server async throws in
      for path in ["/%ff", "\(table)/%ff"] {
        let connection = try RawConnection(server)
        await connection.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        let text = try #require(await connection.readToEnd())
        #expect(text.hasPrefix("HTTP/1.1 400"), "\(text)")
      }
      #expect(try await server.send(.get, "\(table)/%EF%BF%BD").status == 404)
    }
  }

  @Test("a number has digits and nothing else", arguments: ["%2B5", "-1", "+5", "5.0", "", "0x5", "\u{0665}"])
  func numbers(number: String) async throws {
    try await TestServer.run { server async throws in
      #expect(try await server.send(.get, "\(table)?$top=\(PercentEncoding.encodeSegment(number))").status == 400)
      #expect(try await server.send(.get, "\(table)?$top=\(number)").status == 400 || number == "\u{0665}")
    }
  }

  @Test("HEAD is GET without the body")
  func head() async throws {
    try await TestServer.run { server async throws in
      let item = try await server.insert("a")
      for path in [table, "\(table)/a"] {
        let answer = try await server.send(.head, path)
        let full = try await server.send(.get, path)
        #expect(answer.status == 200 && answer.body.isEmpty)
        #expect(answer.header("Content-Length") == String(full.body.count))
        #expect(answer.header("ETag") == full.header("ETag"))
      }
      #expect(try await server.send(.head, "\(table)/a").eTag == item.system.version?.entityTag)
      #expect(try await server.send(.head, "\(table)/b").status == 404)
    }
  }
}
