import OfflineSync
import Synchronization
import TableClient
import TableProtocol
import Testing

@Suite("Rows that are not as they should be")
struct OddRowTests {
  private static let query = TableQuery(table: "TodoItem", limit: 50)
  private static let settings = ClientSettings(columns: ["TodoItem": ["text": .null, "complete": .bool(false)]])

  private func page(
    _ items: String, headers: [String: String] = [:], settings: ClientSettings = settings,
    knowing: ServerKnowledge = ServerKnowledge(protocolVersion: .v3), query: TableQuery = query
  ) async throws -> RemotePage {
    let body = #"{"items":[\#(items)]}"#
    let found = PageHolder()
    try await withScript(knowing: knowing, settings: settings) { _ in
      .status(200, body, headers)
    } _: { remote, _ in
      found.hold(try remote.page(query))
    }
    return try #require(found.page)
  }

  @Test(
    "one that can't be stored is set aside and named, and the others are given",
    arguments: [
      (#"{"id":"..","updatedAt":"2026-11-21T02:00:00Z"}"#, "..", "its id is not allowed"),
      (#"{"id":"bad","updatedAt":"2026-11-21T02:00:00Z","text":{"a":1}}"#, "bad", "its text can't be read"),
      (#"{"id":"bad","updatedAt":"2026-11-21T02:00:00Z","complete":[]}"#, "bad", "its complete can't be read"),
      (#"{"id":"bad","updatedAt":"2026-11-21T02:00:00Z","version":7}"#, "bad", "its version can't be read"),
      (#"{"id":"bad","updatedAt":"2026-11-21T02:00:00Z","deleted":"no"}"#, "bad", "its deleted can't be read"),
      (#"{"id":"bad","updatedAt":"2026-11-21T02:00:00Z","text":1e999}"#, "bad", "its text can't be read"),
      (#"{"id":"bad","updatedAt":"2026-11-21T02:00:00Z","x":1,"x":2}"#, "bad", "it has a column twice"),
      (#"{"id":7,"updatedAt":"2026-11-21T02:00:00Z"}"#, nil, "its id is no text"),
      (#"{"id":"bad","updatedAt":"2026-11-21T02:00:00Z","text":"\ud83d"}"#, "bad", "its text can't be read"),
      (#"{"text":"\ude00 \" x","id":"bad","updatedAt":"2026-11-21T02:00:00Z"}"#, "bad", "its text can't be read"),
      ("{\"id\":\"bad\",\"updatedAt\":\"2026-11-21T02:00:00Z\",\"text\":\"a\u{1}b\"}", "bad", "its text can't be read"),
      (#"{"id":"bad","updatedAt":"2026-11-21T02:00:00Z","text":["\ud83d","]"]}"#, "bad", "its text can't be read"),
      (#"{"id":"bad","updatedAt":"2026-11-21T02:00:00Z","\ud83d":1}"#, "bad", "a column's name can't be read"),
      (#"{"id":"\ud83d","updatedAt":"2026-11-21T02:00:00Z"}"#, nil, "its id is no text"),
      (#"{"id":"bad","updatedAt":"2026-11-21T02:00:00Z","text":"a\u0000b"}"#, "bad", "its text can't be read"),
      (
        #"{"id":"bad","updatedAt":"2026-11-21T02:00:00Z","version":"a\nX-Evil: 1"}"#, "bad", "its version can't be read"
      ),
      (
        #"{"id":"bad","updatedAt":"2026-11-21T02:00:00Z","version":"\#(String(repeating: "v", count: 4_097))"}"#, "bad",
        "its version can't be read"
      ),
    ] as [(String, RecordID?, String)])
  func setAside(row: String, id: RecordID?, reason: String) async throws {
    let page = try await page(#"{"id":"a","text":"x","complete":true},\#(row),{"id":"b","text":"y","complete":true}"#)
    #expect(page.records.map(\.id) == ["a", "b"])
    let time = Timestamp("2026-11-21T02:00:00Z")
    #expect(page.unreadable == [UnreadableRow(id: id, reason: reason, updatedAt: time)])
    #expect(page.rowCount == 3)
    #expect(page.last == PageEnd(id: "b", updatedAt: nil))
  }

  @Test("of a million things that are no items a hundred are named, and all are counted")
  func noItems() async throws {
    let page = try await page(#"{"id":"a"},"# + Array(repeating: "1", count: 1_000_000).joined(separator: ","))
    #expect(page.records.map(\.id) == ["a"] && page.rowCount == 1_000_001)
    #expect(page.unreadable.count == 100)
  }

  @Test("what is no item among the items is set aside", arguments: ["null", "7", "\"x\"", "[1,{}]", "1e999", "true"])
  func noItem(item: String) async throws {
    let page = try await page(#"{"id":"a","text":"x","complete":true},\#(item),{"id":"b","text":"y","complete":true}"#)
    #expect(page.records.map(\.id) == ["a", "b"])
    #expect(page.unreadable == [UnreadableRow(id: nil, reason: "it is no item", updatedAt: nil)])
    #expect(page.rowCount == 3)
  }

  @Test("a broken text in a column that this device does not keep hurts nothing")
  func brokenElsewhere() async throws {
    let page = try await page(#"{"id":"a","text":"x","complete":true,"note":"\ud83d"}"#)
    #expect(page.records.map(\.id) == ["a"] && page.unreadable.isEmpty)
  }

  @Test("U+0000 hurts nothing in a tombstone, or in a column that this device does not keep")
  func nullCharacter() async throws {
    let page = try await page(
      #"{"id":"a","text":"x","complete":true,"note":"a\u0000b"},{"text":"a\u0000b","id":"b","deleted":true}"#)
    #expect(page.records.map(\.id) == ["a", "b"] && page.unreadable.isEmpty)
  }

  @Test("a time that is none has none, and the row counts")
  func badTime() async throws {
    let page = try await page(#"{"id":"a","updatedAt":"soon"}"#)
    #expect(page.unreadable == [UnreadableRow(id: "a", reason: "its updatedAt can't be read", updatedAt: nil)])
    #expect(page.last == PageEnd(id: "a", updatedAt: nil))
    #expect(page.rowCount == 1 && page.records.isEmpty)
  }

  @Test("the end of a page is its last row as given, set aside or not")
  func ends() async throws {
    let time = try #require(Timestamp("2026-11-21T02:00:00Z"))
    let aside = try await page(#"{"id":"z","text":"x"},{"id":"..","updatedAt":"2026-11-21T02:00:00Z"}"#)
    #expect(aside.last == PageEnd(id: "..", updatedAt: time))
    let nameless = try await page(#"{"id":"..","updatedAt":"2026-11-21T02:00:00Z"},{"id":null}"#)
    #expect(nameless.last == PageEnd(id: "..", updatedAt: time))
    let given = try await page(#"{"id":"B"},{"id":"a","updatedAt":"2026-11-21T02:00:00Z"},{"id":"A"}"#)
    #expect(given.last == PageEnd(id: "A", updatedAt: nil))
    let empty = try await page("")
    #expect(empty.last == nil && empty.rowCount == 0)
  }

  @Test("a nested value in a column that this device does not keep hurts nothing", arguments: [true, false])
  func nested(knowsColumns: Bool) async throws {
    let page = try await page(
      #"{"id":"a","text":"x","place":{"type":"Point","coordinates":[1,2]},"tags":["a"],"version":"v"}"#,
      settings: knowsColumns ? Self.settings : ClientSettings())
    #expect(page.unreadable.isEmpty)
    #expect(
      page.records == [
        Record(id: "a", values: ["text": .text("x")], system: SystemProperties(version: RecordVersion("v")))
      ])
  }

  @Test("one that is set aside is not gone: reading it fails")
  func reading() async throws {
    try await withScript(settings: Self.settings) { _ in
      .status(200, #"{"items":[{"id":"a","text":[],"version":"v"}]}"#)
    } _: { remote, _ in
      #expect(throws: RemoteFailure(.badAnswer("the item there can't be read"), mayHaveActed: false)) {
        try remote.read("a", in: "TodoItem")
      }
    }
  }

  @Test("an id that only looks like the one that was asked for is another's")
  func lookalikes() async throws {
    try await withScript { request in
      request.method == "GET"
        ? .status(200, "{\"items\":[{\"id\":\"cafe\u{301}\",\"version\":\"v\"}]}")
        : .status(200, "{\"id\":\"cafe\u{301}\",\"version\":\"v\"}")
    } _: { remote, _ in
      let row = try remote.read("caf\u{E9}", in: "TodoItem")
      #expect(row == nil)
      let insert = RemoteChange.insert(table: "TodoItem", Record(id: "caf\u{E9}"))
      #expect(throws: RemoteFailure.self) { try remote.send(insert) }
    }
  }

  // MARK: Members that are left out

  @Test("a column that other rows have is null or its default in the row that leaves it out")
  func leftOut() async throws {
    let page = try await page(#"{"id":"a","text":"x"},{"id":"b","complete":true},{"id":"c","deleted":true}"#)
    let both: [String: FieldValue] = ["text": .text("x"), "complete": .bool(false)]
    #expect(page.records.map(\.values) == [both, ["text": .null, "complete": .bool(true)], [:]])
  }

  @Test("so it is if earlier answers had the column, in the answer to a change too")
  func leftOutLater() async throws {
    let columns = ["TodoItem": ServerColumns(known: ["text", "complete"], wasListed: true)]
    let knowing = ServerKnowledge(protocolVersion: .v3, mergesUpdates: true, columns: columns)
    let page = try await page(#"{"id":"a","text":"x"}"#, knowing: knowing)
    #expect(page.records.map(\.values) == [["text": .text("x"), "complete": .bool(false)]])
    try await withScript(knowing: knowing, settings: Self.settings) { _ in
      .status(412, #"{"id":"a","text":"theirs","version":"v2"}"#)
    } _: { remote, _ in
      let change = RemoteChange.update(
        table: "TodoItem", whole: Record(id: "a"), changed: [:], base: RecordVersion("v1"))
      guard case .conflict(_, let copy?) = try remote.send(change) else {
        Issue.record("no copy")
        return
      }
      #expect(copy.values == ["text": .text("theirs"), "complete": .bool(false)])
    }
  }

  @Test("a column that no row of the server has stays out: its table is a poorer one")
  func poorerTable() async throws {
    let page = try await page(#"{"id":"a","text":"x"},{"id":"b","text":"y"}"#)
    #expect(page.records.map(\.values) == [["text": .text("x")], ["text": .text("y")]])
  }

  @Test("a part of the columns that was asked for stays a part, and teaches nothing")
  func selected() async throws {
    var query = Self.query
    query.select = ["text"]
    let columns = ["TodoItem": ServerColumns(known: ["text", "complete"], wasListed: true)]
    let knowing = ServerKnowledge(protocolVersion: .v3, columns: columns)
    let page = try await page(#"{"id":"a","text":"x"}"#, knowing: knowing, query: query)
    #expect(page.records.map(\.values) == [["text": .text("x")]])
  }

  // MARK: What the server says of itself

  @Test("the server's clock, epoch and newest row are read from their headers")
  func headers() async throws {
    let page = try await page(
      "",
      headers: [
        "Date": "Sun, 06 Nov 1994 08:49:37 GMT", "x-ebb-epoch": "3;from=2026-11-21T02:00:00.000Z",
        "x-ebb-newest": "2026-11-22T02:00:00.001Z", "x-ebb-behind": "true", "x-ebb-damaged": "2",
      ])
    #expect(page.serverTime == Timestamp("1994-11-06T08:49:37Z"))
    #expect(page.epoch == DatabaseEpoch(number: 3, from: Timestamp("2026-11-21T02:00:00Z")))
    #expect(page.newest == Timestamp("2026-11-22T02:00:00.001Z"))
    #expect(page.isBehind && page.damaged == 2)
  }

  @Test(
    "headers that make no sense are passed over",
    arguments: [
      "", "x", "-1", "0", "3;from=", "3;from=soon", "1e3", "99999999999999999999", "TRUE", "3;from=2026-11-21",
    ])
  func badHeaders(text: String) async throws {
    let page = try await page(
      "", headers: ["Date": text, "x-ebb-epoch": text, "x-ebb-newest": text, "x-ebb-behind": text])
    #expect(page.serverTime == nil && page.epoch == nil && page.newest == nil && !page.isBehind)
  }

  @Test("the epoch is remembered, and an answer without one forgets nothing")
  func epoch() async throws {
    try await withScript { request in
      .status(200, #"{"items":[]}"#, request.target.contains("top=7") ? [:] : ["x-ebb-epoch": "4"])
    } _: { remote, _ in
      _ = try remote.page(Self.query)
      _ = try remote.page(TableQuery(table: "TodoItem", limit: 7))
      #expect(remote.knowledge.epoch == DatabaseEpoch(number: 4))
    }
  }
}

/// Hands a page out of a closure that runs on another thread.
private final class PageHolder: Sendable {
  private let held = Mutex<RemotePage?>(nil)

  var page: RemotePage? { held.withLock { $0 } }

  func hold(_ page: RemotePage) { held.withLock { $0 = page } }
}
