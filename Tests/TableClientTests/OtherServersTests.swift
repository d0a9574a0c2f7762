import OfflineSync
import TableClient
import TableProtocol
import Testing

/// The answers of other servers of this protocol, as they were seen on the wire or read in their sources
/// (wire 3, 6.4, 7, 16).
@Suite("Other servers of this protocol")
struct OtherServersTests {
  private static let query = TableQuery(table: "TodoItem", order: [SortKey("updatedAt")], limit: 50)
  private static let insert = RemoteChange.insert(table: "TodoItem", Record(id: "a", values: ["text": .text("milk")]))
  private static let update = RemoteChange.update(
    table: "TodoItem", whole: Record(id: "a", values: ["text": .text("milk")]), changed: ["text": .text("milk")],
    base: RecordVersion("MQ=="))
  private static let delete = RemoteChange.delete(table: "TodoItem", id: "a", base: RecordVersion("MQ=="))

  @Test(
    "the version is found by how a server answers 3.0.0",
    arguments: [
      (#"{"error":"An invalid API version was specified"}"#, 400, ProtocolVersion.v2, 2),
      (#"{"message":"The API version is invalid"}"#, 400, .v2, 2), ("[]", 200, .v2, 2),
      (#"{"items":[],"count":null,"nextLink":null}"#, 200, .v3, 1), (#"{"items":[]}"#, 200, .v3, 1),
    ])
  func detection(body: String, status: Int, version: ProtocolVersion, count: Int) async throws {
    try await withScript(version: nil) { request in
      request.headers["zumo-api-version"] == "3.0.0" ? .status(status, body) : .status(200, "[]")
    } _: { remote, server in
      #expect(remote.protocolVersion == nil)
      let page = try remote.page(Self.query)
      #expect(page.records == [])
      #expect(remote.protocolVersion == version)
      #expect(server.requests.count == count)
    }
  }

  @Test(
    "the time of a change is read in every form",
    arguments: [
      ("2026-11-21T10:00:00Z", 0), ("2026-11-21T10:00:00.12Z", 120), ("2026-11-21T10:00:00.123Z", 123),
      ("2026-11-21T10:00:00.1239999+00:00", 123), ("2026-11-21T11:00:00.1239999+01:00", 123),
    ])
  func timestamps(text: String, milliseconds: Int64) async throws {
    let moment = try #require(Timestamp("2026-11-21T10:00:00Z")).advanced(byMilliseconds: milliseconds)
    try await withScript { _ in
      .status(200, #"{"items":[{"id":"a","updatedAt":"\#(text)","version":"x"}]}"#)
    } _: {
      remote, _ in
      let page = try remote.page(Self.query)
      #expect(page.records.map(\.system.updatedAt) == [moment])
    }
  }

  @Test("the echo of the request after a duplicate insert is not taken for the stored item")
  func echo() async throws {
    try await withScript(version: .v2) { request in
      .bytes(409, request.body, ["ETag": "W/\"27-ete2\""])
    } _: { remote, _ in
      let answer = try remote.send(Self.insert)
      #expect(answer == .conflict(status: 409, nil))
    }
  }

  @Test("the stored item with its strong tag is taken, also when it is a tombstone")
  func tombstone() async throws {
    let body = #"{"id":"a","text":"theirs","version":"Mg==","deleted":true,"createdAt":null}"#
    try await withScript { _ in
      .status(412, body, ["ETag": "\"Mg==\""])
    } _: { remote, _ in
      let theirs = Record(
        id: "a", values: ["text": .text("theirs")],
        system: SystemProperties(version: RecordVersion("Mg=="), deleted: true))
      let answer = try remote.send(Self.update)
      #expect(answer == .conflict(status: 412, theirs))
      let deletion = try remote.send(Self.delete)
      #expect(deletion == .conflict(status: 412, theirs))
    }
  }

  @Test(
    "an item that is not there is gone, whatever the page says about it",
    arguments: [404, 410], ["", "<!DOCTYPE html><pre>Cannot PATCH</pre>", "{\"error\":\"The item does not exist\"}"])
  func gone(status: Int, body: String) async throws {
    let knowledge = ServerKnowledge(protocolVersion: .v3, mergesUpdates: true)
    try await withScript(knowing: knowledge) { _ in
      .status(status, body)
    } _: { remote, _ in
      let answer = try remote.send(Self.update)
      #expect(answer == .gone(status: status))
      let deletion = try remote.send(Self.delete)
      #expect(deletion == .gone(status: status))
    }
  }

  @Test("an insert that finds no table is about the server, not about the item")
  func noTable() async throws {
    try await withScript { _ in
      .status(404, "<html>Cannot POST /tables/TodoItem</html>")
    } _: { remote, _ in
      #expect(throws: RemoteFailure(.serverError(status: 404, message: "Not Found"), mayHaveActed: false)) {
        try remote.send(Self.insert)
      }
    }
  }

  @Test("a delete is done with 200 and the item, and with 204", arguments: [200, 204])
  func deleted(status: Int) async throws {
    try await withScript {
      if $0.method == "GET" { return .status(200, #"{"items":[]}"#) }
      return .status(status, status == 200 ? #"{"id":"a","deleted":true}"# : "")
    } _: { remote, _ in
      let answer = try remote.send(Self.delete)
      #expect(answer == .accepted(nil))
    }
  }

  @Test(
    "a version comes from a strong tag, else from the body",
    arguments: [
      ("W/\"27-ete2\"", "body"), ("\"tag\"", "tag"), ("tag", "tag"), ("\"a\"b\"", "body"), ("", "body"), ("\"", "body"),
      ("\"a\\\"b\"", "a\"b"), ("\"\"", "body"),
    ])
  func tags(tag: String, version: String) async throws {
    try await withScript { _ in
      .status(200, #"{"id":"a","version":"body"}"#, ["ETag": tag])
    } _: { remote, _ in
      guard case .accepted(let record?) = try remote.send(Self.update) else {
        Issue.record("not accepted")
        return
      }
      #expect(record.system.version == RecordVersion(version))
    }
  }

  @Test(
    "a next link in any form says that there is more, and is not followed",
    arguments: [
      "%24skip=1&%24orderby=updatedAt", "?$skip=1", "/tables/TodoItem?$skip=1",
      "http://127.0.0.1:1/tables/TodoItem?$skip=1",
    ])
  func nextLinks(link: String) async throws {
    try await withScript { _ in
      .status(200, #"{"items":[{"id":"a"}],"count":null,"nextLink":"\#(link)"}"#)
    } _: {
      remote, server in
      let page = try remote.page(Self.query)
      #expect(page.hasMore)
      #expect(server.requests.count == 1)
    }
  }

  @Test(
    "null for count and next link means the last page, as does an absent one",
    arguments: [",\"count\":null,\"nextLink\":null", ""])
  func lastPage(members: String) async throws {
    try await withScript { _ in
      .status(200, #"{"items":[{"id":"a"}]\#(members)}"#)
    } _: { remote, _ in
      let page = try remote.page(Self.query)
      #expect(!page.hasMore)
      #expect(!page.isOrdered)
    }
  }

  @Test(
    "a link header without path, or to another host, says that there is more",
    arguments: [
      "http://host/?%24top=2&%24skip=2; rel=next", "<http://127.0.0.1:1/tables/TodoItem?$skip=50>; rel=\"next\"",
    ])
  func links(field: String) async throws {
    try await withScript(version: .v2) { _ in
      .status(200, "[{\"id\":\"a\"}]", ["Link": field])
    } _: { remote, server in
      let page = try remote.page(Self.query)
      #expect(page.hasMore)
      #expect(server.requests.count == 1)
    }
  }

  @Test("signs of every kind in ids and filters arrive as they are", arguments: ProtocolVersion.allCases)
  func signs(version: ProtocolVersion) async throws {
    let id: RecordID = "a b&c=d%20#'買;:@,()|~"
    try await withScript(version: version) { _ in
      .status(200, version == .v2 ? "[]" : "{\"items\":[]}")
    } _: { remote, server in
      let found = try remote.read(id, in: "TodoItem")
      #expect(found == nil)
      let target = try #require(server.requests.first?.target)
      let query = try #require(target.split(separator: "?", maxSplits: 1).last)
      let filter = query.split(separator: "&").map { PercentEncoding.decode($0, plusIsSpace: true) }
      #expect(filter.contains("$filter=(id eq '\(id.text.replacing("'", with: "''"))')"), "\(filter)")
      _ = try? remote.send(.delete(table: "TodoItem", id: id, base: nil))
      let path = try #require(server.requests.last?.target.split(separator: "/").last)
      #expect(PercentEncoding.decode(path) == id.text)
    }
  }

  @Test("a server that refuses a large page is asked for less, and from then on at once", arguments: [1_000, 50])
  func largestTop(most: Int) async throws {
    try await withScript { request in
      let top =
        request.target.split(separator: "&").first { $0.contains("top=") }.flatMap { Int($0.split(separator: "=")[1]) }
        ?? 0
      guard top <= most else { return .status(400, "{\"error\":\"top\"}") }
      return .status(200, "{\"items\":[\((0..<top).map { "{\"id\":\"i\($0)\"}" }.joined(separator: ","))]}")
    } _: { remote, server in
      var query = Self.query
      query.limit = 5_000
      let page = try remote.page(query)
      #expect(page.records.count == most)
      #expect(page.hasMore)
      let before = server.requests.count
      let again = try remote.page(query)
      #expect(again.records.count == most)
      #expect(server.requests.count == before + 1)
    }
  }

  @Test("a list that is refused for another reason is refused")
  func badList() async throws {
    try await withScript { _ in
      .status(400, "{\"error\":\"no such property\"}")
    } _: { remote, _ in
      #expect(throws: RemoteFailure(.serverError(status: 400, message: "no such property"), mayHaveActed: false)) {
        try remote.page(Self.query)
      }
    }
  }
}
