import OfflineSync
import Synchronization
import TableClient
import TableProtocol
import Testing

@Suite("What a change is on the wire")
struct WhatIsSentTests {
  /// A row with everything a server keeps about it, and columns whose names only look like that.
  private static let row = Record(
    id: "a", values: ["text": .text("milk"), "Version": .integer(7), "__mine": .null, "deletedBy": .text("eve")],
    system: SystemProperties(
      createdAt: .epoch, updatedAt: .epoch, version: RecordVersion("v\"1"), deleted: false))

  private func sent(
    _ change: RemoteChange, _ version: ProtocolVersion
  ) async throws -> (request: ScriptedServer.Request?, columns: [String]) {
    let notes = RequestHolder()
    // Pages have shown only columns that this device keeps, so that rows can be replaced.
    let columns = ServerColumns(known: ["text"], wasListed: true)
    let knowledge = ServerKnowledge(protocolVersion: version, columns: ["TodoItem": columns])
    let settings = ClientSettings(columns: ["TodoItem": ["text": .null]])
    try await withScript(knowing: knowledge, settings: settings) { request in
      if request.method != "GET" { notes.hold(request) }
      return request.stored
    } _: { remote, _ in
      _ = remote.send([change])
    }
    let request = notes.request
    let sent = request.flatMap { try? Record(json: $0.body).values.keys.sorted() } ?? []
    return (request, sent)
  }

  @Test("an insert has the id and the user's columns, and none of the server's", arguments: ProtocolVersion.allCases)
  func insert(version: ProtocolVersion) async throws {
    let (request, columns) = try await sent(.insert(table: "TodoItem", Self.row), version)
    #expect(request?.method == "POST" && request?.target.hasPrefix("/tables/TodoItem") == true)
    #expect(columns == ["Version", "__mine", "deletedBy", "text"])
    #expect(try request.map { try Record(json: $0.body).system } == SystemProperties())
    #expect(request?.headers["if-match"] == nil)
  }

  @Test("an insert says when the item was made to a server of ours, and to no other", arguments: [nil, "d"])
  func madeAt(database: String?) async throws {
    let notes = RequestHolder()
    try await withScript { request in
      if request.method != "GET" { notes.hold(request) }
      return request.stored
    } _: { _, server in
      let remote = HTTPRemoteTable(
        address: try #require(ServerAddress(server.address)),
        knowledge: ServerKnowledge(protocolVersion: .v3, database: database))
      _ = remote.send([.insert(table: "TodoItem", Self.row)])
    }
    let sent = try Record(json: try #require(notes.request).body).system
    #expect(sent == SystemProperties(createdAt: database == nil ? nil : .epoch))
  }

  @Test(
    "an update has what differs, or all where the server replaces, and the version in a header",
    arguments: [(ProtocolVersion.v2, "PATCH", ["text"]), (.v3, "PUT", ["Version", "__mine", "deletedBy", "text"])])
  func update(version: ProtocolVersion, method: String, expected: [String]) async throws {
    let change = RemoteChange.update(
      table: "TodoItem", whole: Self.row, changed: ["text": .text("milk")], base: Self.row.system.version)
    let (request, columns) = try await sent(change, version)
    #expect(request?.method == method && request?.target == "/tables/TodoItem/a")
    #expect(columns == expected)
    #expect(try request.map { try Record(json: $0.body).system } == SystemProperties())
    #expect(request?.headers["if-match"] == #""v\"1""#)
  }

  @Test("every request asks for an answer that is not compressed")
  func encoding() async throws {
    try await withScript(batching: .json(entries: 10, bytes: 10_000)) { request in
      if request.isBatch { return request.storedBatch() }
      return request.method == "GET" ? .status(200, #"{"items":[]}"#) : request.stored
    } _: { remote, server in
      _ = try remote.page(TableQuery(table: "TodoItem", limit: 1))
      for ids in [["a"], ["b", "c"]] as [[RecordID]] {
        _ = remote.send(ids.map { RemoteChange.insert(table: "TodoItem", Record(id: $0)) })
      }
      #expect(server.requests.map(\.isBatch) == [false, false, true])
      #expect(server.requests.allSatisfy { $0.headers["accept-encoding"] == "identity" })
    }
  }

  @Test("a delete has no body, and a version only where there is one", arguments: ProtocolVersion.allCases)
  func delete(version: ProtocolVersion) async throws {
    let (request, _) = try await sent(.delete(table: "TodoItem", id: "a", base: RecordVersion("v1")), version)
    #expect(request?.method == "DELETE" && request?.body == [])
    #expect(request?.headers["if-match"] == "\"v1\"")
    let (blind, _) = try await sent(.delete(table: "TodoItem", id: "a", base: nil), version)
    #expect(blind?.headers["if-match"] == nil)
  }

  @Test(
    "a 412 or 409 is a conflict whatever its body is, and a body that is no item is no copy",
    arguments: [412, 409], ["", "<!DOCTYPE html>", "[]", "\"changed\"", "{}", "{\"id\":\"b\",\"version\":\"v2\"}"])
  func conflictWithoutCopy(status: Int, body: String) async throws {
    try await withScript { _ in
      .status(status, body)
    } _: { remote, _ in
      for change in [
        RemoteChange.insert(table: "TodoItem", Self.row),
        .delete(table: "TodoItem", id: "a", base: RecordVersion("v1")),
        .update(table: "TodoItem", whole: Self.row, changed: [:], base: RecordVersion("v1")),
      ] {
        let answer = try remote.send(change)
        #expect(answer == .conflict(status: status, nil))
      }
    }
  }
}

/// Keeps the last request a scripted server got.
private final class RequestHolder: Sendable {
  private let last = Mutex<ScriptedServer.Request?>(nil)

  var request: ScriptedServer.Request? { last.withLock { $0 } }

  func hold(_ request: ScriptedServer.Request) {
    last.withLock { $0 = request }
  }
}
