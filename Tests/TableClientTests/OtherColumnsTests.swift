import OfflineSync
import Synchronization
import TableClient
import TableProtocol
import Testing

/// Columns that another app keeps in the same rows, on a server of 3.0.0 that replaces whole rows (sync-rules Q17).
@Suite("Columns of other apps, on a server that replaces the row")
struct OtherColumnsTests {
  private static let table = "TodoItem"
  private static let settings = ClientSettings(columns: [table: ["text": .null, "complete": .bool(false)]])
  private static let listed = ServerColumns(known: ["text", "complete"], wasListed: true)

  private static func update(_ id: RecordID = "a", base: String? = "v1") -> RemoteChange {
    .update(
      table: table, whole: Record(id: id, values: ["text": .text("mine"), "complete": .bool(false)]),
      changed: ["text": .text("mine")], base: base.map { RecordVersion($0) })
  }

  private static func undelete(_ id: RecordID) -> RemoteChange {
    .undelete(
      table: table, whole: Record(id: id, values: ["text": .text("mine"), "complete": .bool(false)]),
      changed: ["text": .text("mine")], base: RecordVersion("v1"))
  }

  @Test("are sent back as they came, nested ones too, and only if the row is still the one the edit started from")
  func replaced() async throws {
    let server = ReplacingServer(
      ["a": #""text":"old","complete":false,"priority":3,"place":{"type":"Point","at":[1.50,2]},"note":null"#])
    try await withScript(settings: Self.settings) {
      server.answer($0)
    } _: { remote, script in
      let answer = try remote.send(Self.update())
      #expect(answer.record?.values["text"] == .text("mine"))
      #expect(script.requests.map(\.method) == ["PATCH", "GET", "PUT"])
      #expect(script.requests.last?.headers["if-match"] == "\"v1\"")
      #expect(
        server.row("a")
          == #""text":"mine","complete":false,"priority":3,"place":{"type":"Point","at":[1.50,2]},"note":null"#)
      // It is remembered that the server knows no PATCH.
      #expect(remote.knowledge.mergesUpdates == false)
      let again = try remote.send(Self.update(base: "v2"))
      #expect(again.record?.system.version == RecordVersion("v3"))
      #expect(script.requests.map(\.method) == ["PATCH", "GET", "PUT", "GET", "PUT"])
    }
  }

  @Test("a row that is another by now is a conflict, answered with the copy that was read, and nothing is sent")
  func conflict() async throws {
    let server = ReplacingServer(["a": #""text":"theirs","complete":true,"priority":3"#])
    let knowledge = ServerKnowledge(protocolVersion: .v3, mergesUpdates: false)
    try await withScript(knowing: knowledge, settings: Self.settings) {
      server.answer($0)
    } _: { remote, script in
      let answer = try remote.send(Self.update(base: "v0"))
      guard case .conflict(412, let copy?) = answer else {
        Issue.record("\(answer)")
        return
      }
      #expect(copy.values["text"] == .text("theirs") && copy.system.version == RecordVersion("v1"))
      #expect(script.requests.map(\.method) == ["GET"])
      #expect(server.row("a")?.contains("theirs") == true)
    }
  }

  @Test("a row that is not there is gone, and an update without a version names the one that was read")
  func goneAndBlind() async throws {
    let server = ReplacingServer(["a": #""text":"old","complete":false,"priority":3"#])
    let knowledge = ServerKnowledge(protocolVersion: .v3, mergesUpdates: false)
    try await withScript(knowing: knowledge, settings: Self.settings) {
      server.answer($0)
    } _: { remote, script in
      let gone = try remote.send(Self.update("b"))
      #expect(gone == .gone(status: 404))
      let blind = try remote.send(Self.update(base: nil))
      #expect(blind.record != nil)
      #expect(script.requests.last?.headers["if-match"] == "\"v1\"")
      #expect(server.row("a")?.contains(#""priority":3"#) == true)
    }
  }

  @Test("survive a revival too")
  func revival() async throws {
    let server = ReplacingServer(["a": #""text":"old","complete":false,"priority":3,"deleted":true"#])
    let knowledge = ServerKnowledge(protocolVersion: .v3, mergesUpdates: false)
    try await withScript(knowing: knowledge, settings: Self.settings) {
      server.answer($0)
    } _: { remote, script in
      let answer = try remote.send(Self.undelete("a"))
      #expect(answer.record?.values["text"] == .text("mine"))
      #expect(script.requests.map(\.method) == ["GET", "PUT"])
      #expect(script.requests.last?.target == "/tables/TodoItem/a?__includedeleted=true")
      #expect(server.row("a")?.contains(#""priority":3"#) == true)
    }
  }

  @Test("a server that takes PATCH gets only what changes, in one request, and that is remembered")
  func merging() async throws {
    let server = ReplacingServer(["a": #""text":"old","complete":false,"priority":3"#], takesPatch: true)
    try await withScript(settings: Self.settings) {
      server.answer($0)
    } _: { remote, script in
      for base in ["v1", "v2"] {
        let answer = try remote.send(Self.update(base: base))
        #expect(answer.record != nil)
      }
      #expect(script.requests.map(\.method) == ["PATCH", "PATCH"])
      #expect(remote.knowledge.mergesUpdates == true)
      #expect(server.row("a")?.contains(#""priority":3"#) == true)
    }
  }

  @Test("a row that PATCH does not find says nothing of whether the server takes it")
  func patchOfNothing() async throws {
    let server = ReplacingServer(["a": #""text":"old","complete":false,"priority":3"#], takesPatch: true)
    try await withScript(settings: Self.settings) {
      server.answer($0)
    } _: { remote, script in
      let gone = try remote.send(Self.update("b"))
      #expect(gone == .gone(status: 404))
      #expect(remote.knowledge.mergesUpdates == nil)
      #expect(script.requests.map(\.method) == ["PATCH", "GET"])
      _ = try remote.send(Self.update())
      #expect(remote.knowledge.mergesUpdates == true)
    }
  }

  @Test("where pages showed only columns that this device keeps, no further request is made")
  func nothingToLose() async throws {
    let server = ReplacingServer([
      "a": #""text":"old","complete":false"#, "b": #""text":"other","complete":true"#,
    ])
    try await withScript(settings: Self.settings) {
      server.answer($0)
    } _: { remote, script in
      _ = try remote.page(TableQuery(table: Self.table, limit: 50))
      #expect(remote.knowledge.columns == [Self.table: Self.listed])
      let answer = try remote.send(Self.update())
      #expect(answer.record != nil)
      #expect(script.requests.map(\.method) == ["GET", "PUT"])
    }
  }

  @Test(
    "a single foreign column in any row, or rows with different columns, mean that rows are read first",
    arguments: [
      #""text":"x","complete":true,"priority":null"#, #""text":"x""#, #""text":"x","complete":true,"place":{}"#,
    ])
  func foreignColumn(row: String) async throws {
    let server = ReplacingServer(["a": #""text":"old","complete":false"#, "b": row])
    let knowledge = ServerKnowledge(protocolVersion: .v3, mergesUpdates: false)
    try await withScript(knowing: knowledge, settings: Self.settings) {
      server.answer($0)
    } _: { remote, script in
      _ = try remote.page(TableQuery(table: Self.table, limit: 50))
      #expect(remote.knowledge.columns[Self.table]?.areAllKnown == false)
      _ = try remote.send(Self.update())
      #expect(script.requests.map(\.method) == ["GET", "GET", "PUT"])
    }
  }

  @Test("survive in batches as well, and a conflict that was read takes no part in the batch")
  func batches() async throws {
    let rows = (0..<5).map { ("i\($0)" as RecordID, #""text":"old","complete":false,"priority":\#($0)"#) }
    let server = ReplacingServer(Dictionary(uniqueKeysWithValues: rows))
    let knowledge = ServerKnowledge(protocolVersion: .v3, batching: .own, mergesUpdates: false)
    try await withScript(knowing: knowledge, settings: Self.settings) {
      server.answer($0)
    } _: { remote, script in
      let changes = (0..<5).map { Self.update("i\($0)", base: $0 == 2 ? "v0" : "v1") }
      let outcomes = remote.send(changes)
      for (index, outcome) in outcomes.enumerated() {
        let answer = try outcome.get()
        if index == 2 {
          guard case .conflict(412, .some) = answer else {
            Issue.record("\(answer)")
            return
          }
        } else {
          #expect(answer.record?.values["text"] == .text("mine"))
        }
        #expect(server.row("i\(index)")?.contains("\"priority\":\(index)") == true)
      }
      #expect(script.requests.map(\.method) == ["GET", "GET", "GET", "GET", "GET", "POST"])
    }
  }

  @Test("a row that can't be read before it is replaced is not replaced, and the others are")
  func unreadable() async throws {
    let knowledge = ServerKnowledge(protocolVersion: .v3, mergesUpdates: false)
    try await withScript(knowing: knowledge, settings: Self.settings) { request in
      guard request.method == "GET" else { return request.stored }
      return request.target.contains("%27a%27") || request.target.contains("'a'")
        ? .status(200, #"{"items":[{"id":"a","text":{},"version":"v1"}]}"#)
        : .status(200, #"{"items":[{"id":"b","text":"x","version":"v1"}]}"#)
    } _: { remote, script in
      let outcomes = remote.send([Self.update("a"), Self.update("b")])
      #expect(
        outcomes[0] == .failure(RemoteFailure(.badAnswer("the item there can't be read"), mayHaveActed: false)))
      #expect(outcomes[1].answer?.record != nil)
      #expect(script.requests.filter { $0.method == "PUT" }.map(\.target) == ["/tables/TodoItem/b"])
    }
  }
}

/// A server that has its own names for the columns of this device.
@Suite("Columns under the server's names")
struct OtherNamesTests {
  private static let table = "TodoItem"

  private static func settings() throws -> ClientSettings {
    ClientSettings(
      columns: [table: ["text": .text(""), "complete": .bool(false)]],
      names: try #require(ColumnNames(["text": "title", "complete": "isComplete"])))
  }

  private static let whole = Record(id: "a", values: ["text": .text("mine"), "complete": .bool(true)])

  @Test("are read as this device's, and a column of the server's that has such a name is passed over")
  func reading() async throws {
    let server = ReplacingServer(["a": #""title":"there","isComplete":true,"text":"another","place":{"x":1}"#])
    try await withScript(settings: try Self.settings()) {
      server.answer($0)
    } _: { remote, script in
      let query = TableQuery(
        table: Self.table, filter: .compare("complete", .equal, .bool(true)), order: [SortKey("text"), SortKey("n")])
      let page = try remote.page(query, at: nil, verifying: false)
      #expect(page.records.map(\.values) == [["text": .text("there"), "complete": .bool(true)]])
      let target = PercentEncoding.decode(script.requests.last?.target ?? "", plusIsSpace: true)
      #expect(target.contains("isComplete eq true") && target.contains("=title,n"))
      #expect(!target.contains("text"))
      // Then a server of ours would have to answer with this device's names.
      #expect(script.requests.allSatisfy { $0.headers[ZumoHeader.columns] == nil })
      #expect(remote.knowledge.columns[Self.table]?.hasOthers == true)
    }
  }

  @Test("a change is sent under them, and what the server has beside them survives a replacement")
  func writing() async throws {
    for takesPatch in [false, true] {
      let server = ReplacingServer(
        ["a": #""title":"old","isComplete":false,"text":"another","priority":3"#], takesPatch: takesPatch)
      try await withScript(settings: try Self.settings()) {
        server.answer($0)
      } _: { remote, _ in
        let answer = try remote.send(
          .update(
            table: Self.table, whole: Self.whole, changed: Self.whole.values, base: RecordVersion("v1")))
        #expect(answer.record?.values["text"] == .text("mine") && answer.record?.values["complete"] == .bool(true))
      }
      let members = try Record(json: Array("{\"id\":\"a\",\(server.row("a") ?? "")}".utf8)).values
      #expect(
        members == [
          "title": .text("mine"), "isComplete": .bool(true), "text": .text("another"), "priority": .integer(3),
        ])
    }
  }

  @Test("an insert and an undelete are sent under them", arguments: ProtocolVersion.allCases)
  func inserting(version: ProtocolVersion) async throws {
    let knowledge = ServerKnowledge(
      protocolVersion: version, columns: [Self.table: ServerColumns(known: ["text", "complete"], wasListed: true)])
    var changes = [RemoteChange.insert(table: Self.table, Self.whole)]
    // In 2.0.0 the values come in an update behind it.
    if version == .v3 {
      changes.append(.undelete(table: Self.table, whole: Self.whole, changed: Self.whole.values, base: nil))
    }
    for change in changes {
      let bodies = Mutex<[[UInt8]]>([])
      try await withScript(knowing: knowledge, settings: try Self.settings()) { request in
        if !request.body.isEmpty { bodies.withLock { $0.append(request.body) } }
        return request.stored
      } _: { remote, _ in
        _ = remote.send([change])
      }
      let sent = try #require(bodies.withLock { $0.last })
      #expect(try Record(json: sent).values == ["title": .text("mine"), "isComplete": .bool(true)])
    }
  }

  @Test("Ebb's own server is asked for its own names, if this device has no others")
  func ownNames() async throws {
    try await withScript { _ in
      .status(200, #"{"items":[]}"#)
    } _: { remote, script in
      _ = try remote.page(TableQuery(table: Self.table, limit: 1), at: nil, verifying: false)
      #expect(script.requests.allSatisfy { $0.headers[ZumoHeader.columns] == "own" } && !script.requests.isEmpty)
    }
  }
}

/// A server of 3.0.0 that replaces rows: what a PUT leaves out is gone.
private final class ReplacingServer: Sendable {
  private struct Row {
    var members: String
    var version = 1
  }

  private let rows: Mutex<[RecordID: Row]>
  private let takesPatch: Bool

  init(_ rows: [RecordID: String], takesPatch: Bool = false) {
    self.rows = Mutex(rows.mapValues { Row(members: $0) })
    self.takesPatch = takesPatch
  }

  /// The user's members of a row, as they are stored.
  func row(_ id: RecordID) -> String? { rows.withLock { $0[id]?.members } }

  func answer(_ request: ScriptedServer.Request) -> ScriptedServer.Reply {
    if request.isBatch { return batch(request) }
    if request.method == "GET" { return list(request.target) }
    let id = RecordID(String(request.target.prefix { $0 != "?" }.split(separator: "/").last ?? ""))
    let (status, body) = write(id, request.method, request.body, request.headers["if-match"])
    return .status(status, body)
  }

  private func batch(_ request: ScriptedServer.Request) -> ScriptedServer.Reply {
    guard let entries = try? BatchBody.requests(in: request.body, atMost: 100) else { return .status(400) }
    var writer = BatchResponseWriter()
    for entry in entries {
      let id = RecordID(String(entry.url.prefix { $0 != "?" }.split(separator: "/").last ?? ""))
      let (status, body) = write(id, entry.method.uppercased(), entry.body ?? [], entry.headers["if-match"])
      writer.append(BatchResponse(id: entry.id, status: status, body: body.isEmpty ? nil : Array(body.utf8)))
    }
    return .bytes(200, writer.finished())
  }

  private func list(_ target: String) -> ScriptedServer.Reply {
    let decoded = PercentEncoding.decode(target, plusIsSpace: true)
    let items = rows.withLock { rows in
      rows.sorted { $0.key < $1.key }.filter { !decoded.contains("id eq") || decoded.contains("'\($0.key)'") }
        .map { Self.item($0.key, $0.value) }
    }
    return .status(200, #"{"items":[\#(items.joined(separator: ","))]}"#)
  }

  private func write(_ id: RecordID, _ method: String, _ body: [UInt8], _ condition: String?) -> (Int, String) {
    guard method == "PUT" || (takesPatch && method == "PATCH") else { return (405, "") }
    return rows.withLock { rows in
      guard var row = rows[id] else { return (404, "") }
      guard condition == nil || condition == "\"v\(row.version)\"" else { return (412, Self.item(id, row)) }
      let sent = Self.members(of: body)
      if method == "PATCH" {
        row.members = Self.members(of: Array("{\(row.members)}".utf8)).map { member in
          let changed = sent.first { $0.name == member.name } ?? member
          return "\"\(changed.name)\":\(changed.json)"
        }.joined(separator: ",")
      } else {
        row.members = sent.map { "\"\($0.name)\":\($0.json)" }.joined(separator: ",")
      }
      row.version += 1
      rows[id] = row
      return (200, Self.item(id, row))
    }
  }

  private static func item(_ id: RecordID, _ row: Row) -> String {
    #"{"id":"\#(id)",\#(row.members),"version":"v\#(row.version)"}"#
  }

  /// In the order of the tests: text and complete first.
  private static func members(of body: [UInt8]) -> [(name: String, json: String)] {
    guard var reader = try? JSONReader(body), (try? reader.beginObject()) != nil else { return [] }
    var members: [(name: String, json: String)] = []
    while let name = try? reader.nextName() {
      guard let raw = try? reader.raw() else { break }
      if name != "id" { members.append((name, String(decoding: raw, as: UTF8.self))) }
    }
    let first = ["text", "complete"].compactMap { name in members.first { $0.name == name } }
    return first + members.filter { $0.name != "text" && $0.name != "complete" }
  }
}
