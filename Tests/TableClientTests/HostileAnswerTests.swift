import Chance
import OfflineSync
import Support
import Synchronization
import TableClient
import TableProtocol
import Testing

@Suite("Answers that are wrong, or meant to harm")
struct HostileAnswerTests {
  private static let query = TableQuery(table: "TodoItem", limit: 50)
  private static let insert = RemoteChange.insert(table: "TodoItem", Record(id: "a", values: ["text": .text("milk")]))
  private static let deep = String(repeating: "[", count: 500_000)

  @Test(
    "an item that is none leaves the outcome of a change open",
    arguments: [
      "", "null", "1", "\"a\"", "[]", "{}", "{\"id\":1,\"version\":\"v\"}",
      "{\"id\":\"b\",\"version\":\"v\"}",
      "{\"id\":\"a\"}", "{\"id\":\"a\",\"version\":\"\"}", "{\"id\":\"a\",\"version\":7}",
      "{\"id\":\"a\",\"version\":null}",
      "{\"id\":\"a\",\"version\":\"v\",\"x\":{},}", "{\"id\":\"a\",\"version\":\"v\",\"updatedAt\":\"soon\"}",
      "{\"id\":\"a\",\"version\":\"v\",\"deleted\":\"no\"}", "{\"id\":\"a\",\"version\":\"v\"",
      "{\"id\":\"a\",\"version\":\"v\"}}",
      deep, "{\"id\":\"a\",\"version\":\"v\",\"x\":" + deep,
    ])
  func notAnItem(body: String) async throws {
    try await withScript { _ in
      .status(201, body)
    } _: { remote, _ in
      #expect(
        remote.send([Self.insert]) == [
          .failure(RemoteFailure(.badAnswer("the stored item is missing", status: 201), mayHaveActed: true))
        ])
    }
  }

  @Test(
    "a change whose version no head can carry is not sent, and the others are",
    arguments: [String(repeating: "v", count: 70_000), "a\nX-Evil: 1"])
  func unsendable(version: String) async throws {
    let bad = RemoteChange.delete(table: "TodoItem", id: "a", base: RecordVersion(version))
    let good = RemoteChange.delete(table: "TodoItem", id: "b", base: RecordVersion("v"))
    try await withScript { _ in
      .status(204)
    } _: { remote, _ in
      let outcomes = remote.send([bad, good])
      guard case .failure(let failure) = outcomes[0] else {
        Issue.record("sent")
        return
      }
      #expect(!failure.mayHaveActed)
      #expect(!failure.concernsAll)
    }
  }

  @Test(
    "a list that is none is a bad answer",
    arguments: [
      "null", "1", "{}", "{\"items\":null}", "{\"items\":{}}", "{\"items\":[1]}", "{\"items\":[{}]}",
      "{\"items\":[{\"id\":null}]}", "{\"items\":[{\"name\":\"a\"},{\"id\":7}]}", "{\"items\":[],\"count\":\"many\"}",
      "{\"items\":[],\"nextLink\":5}", "{\"items\":[{\"id\":\"a\"},]}", "{\"items\":[{\"id\":\"a\"},nul]}", "[[]]",
      "{\"items\":[{\"id\":\"a\",\"text\":\"\\ud83d}]}",
      deep,
    ])
  func notAList(body: String) async throws {
    try await withScript { _ in
      .status(200, body)
    } _: { remote, _ in
      #expect(throws: RemoteFailure(.badAnswer("it is not a list of items"), mayHaveActed: false)) {
        try remote.page(Self.query)
      }
    }
  }

  @Test("bytes that are not UTF-8 are a bad answer")
  func notUTF8() async throws {
    let item = Array("{\"id\":\"a\",\"version\":\"v\",\"text\":\"".utf8) + [0xFF, 0xFE] + Array("\"}".utf8)
    try await withScript { _ in
      .bytes(200, item)
    } _: { remote, _ in
      #expect(throws: RemoteFailure(.alteredAnswer(.notUTF8), mayHaveActed: false)) { try remote.page(Self.query) }
      #expect(throws: RemoteFailure.self) { try remote.send(Self.insert) }
    }
  }

  @Test("an answer that is too big is not read to its end")
  func tooBig() async throws {
    let body = [UInt8](repeating: 0x20, count: 64 * 1_024 * 1_024 + 1)
    try await withScript { _ in
      .bytes(200, body)
    } _: { remote, _ in
      #expect(throws: RemoteFailure(.unreachable("the answer is too big"), mayHaveActed: false)) {
        try remote.page(Self.query)
      }
    }
  }

  @Test("a page of a million tiny items is refused before it fills the memory")
  func tooMany() async throws {
    let items = (0..<1_000_000).map { #"{"id":"a\#($0)"}"# }.joined(separator: ",")
    try await withScript { _ in
      .status(200, #"{"items":[\#(items)]}"#)
    } _: { remote, _ in
      #expect(throws: RemoteFailure(.badAnswer("its page has too many items"), mayHaveActed: false)) {
        try remote.page(Self.query)
      }
    }
  }

  @Test("an item nested a hundred thousand deep is set aside, and the others come")
  func deepItem() async throws {
    let deep = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
    let objects = String(repeating: #"{"a":"#, count: 100_000) + "1" + String(repeating: "}", count: 100_000)
    let body = #"{"items":[{"id":"a","version":"v"},\#(deep),{"id":"b","version":"v","x":\#(objects)},\#(objects)]}"#
    try await withScript { _ in
      .status(200, body)
    } _: { remote, _ in
      let page = try remote.page(Self.query)
      #expect(page.records.map(\.id) == ["a", "b"] && page.rowCount == 4)
    }
  }

  @Test(
    "what is not HTTP, or stops in the middle, is a failure after which the server may have acted",
    arguments: [
      "garbage\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"id\"", "HTTP/1.1 2x0 OK\r\n\r\n",
      "HTTP/9.9 200 OK\r\n\r\n", "",
      "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    ])
  func notHTTP(text: String) async throws {
    try await withScript { _ in
      .raw(text)
    } _: { remote, _ in
      guard case .failure(let failure)? = remote.send([Self.insert]).first, case .unreachable = failure.reason else {
        Issue.record("no failure")
        return
      }
      #expect(failure.mayHaveActed)
    }
  }

  @Test("interim answers without end, and one that no answer follows, end with the time for a request")
  func interim() async throws {
    for reply in [
      ScriptedServer.Reply.endless("HTTP/1.1 100 Continue\r\n\r\n"),
      .endless("HTTP/1.1 103 Early Hints\r\nA: b\r\n\r\n"), .interim,
    ] {
      let settings = ClientSettings(limits: TimeLimits(silence: 1, wholeRequest: 1))
      try await withScript(settings: settings) { _ in
        reply
      } _: { remote, _ in
        #expect(throws: RemoteFailure(.unreachable("no answer in time", kind: .silent), mayHaveActed: false)) {
          try remote.page(Self.query)
        }
      }
    }
  }

  @Test("odd statuses and headers are answers like others", arguments: [100, 199, 206, 299, 304, 399, 499, 511, 599])
  func oddStatuses(status: Int) async throws {
    let reply = ScriptedServer.Reply.raw(
      "HTTP/1.1 \(status) \u{1}\r\nRetry-After: soon\r\nETag: \"\r\nContent-Length: 0\r\n\r\n")
    try await withScript { _ in
      reply
    } _: { remote, _ in
      #expect(throws: RemoteFailure.self) { try remote.page(Self.query) }
      #expect(remote.send([Self.insert]).count == 1)
    }
  }

  @Test("a redirect is not followed, and the other server hears nothing", arguments: [301, 302, 303, 307, 308])
  func redirects(status: Int) async throws {
    let other = try ScriptedServer { _ in .status(200, "{\"items\":[]}") }
    defer { other.stop() }
    let place = other.address + "/tables/TodoItem"
    try await withScript(token: "secret") { _ in
      .status(status, "", ["Location": place])
    } _: { remote, _ in
      let failure = RemoteFailure(.notTheServer("it sends us elsewhere (\(status))"), mayHaveActed: false)
      #expect(throws: failure) { try remote.page(Self.query) }
      #expect(remote.send([Self.insert]) == [.failure(failure)])
    }
    #expect(other.requests.isEmpty)
  }

  @Test("links to another server are not followed, and it hears nothing", arguments: ProtocolVersion.allCases)
  func links(version: ProtocolVersion) async throws {
    let other = try ScriptedServer { _ in .status(200, "[]") }
    defer { other.stop() }
    let link = other.address + "/tables/TodoItem?$skip=1"
    try await withScript(version: version, token: "secret") { _ in
      version == .v2
        ? .status(200, "[{\"id\":\"a\"}]", ["Link": "\(link); rel=next"])
        : .status(200, "{\"items\":[{\"id\":\"a\"}],\"nextLink\":\"\(link)\"}")
    } _: { remote, server in
      for _ in 0..<3 {
        let page = try remote.page(Self.query)
        #expect(page.hasMore)
      }
      #expect(server.requests.allSatisfy { $0.target.hasPrefix("/tables/TodoItem?") })
    }
    #expect(other.requests.isEmpty)
  }

  @Test(
    "an announcement that makes no sense is passed over",
    arguments: ["multipart", "json; max=-5", "json; max=99999999999999999999", ";;;="])
  func announcements(text: String) async throws {
    try await withScript { _ in
      .status(200, "{\"items\":[]}", ["x-zumo-batch": text])
    } _: { remote, _ in
      _ = try remote.page(Self.query)
      #expect(remote.knowledge.batching == nil)
    }
  }

  @Test("an announcement of no limits to speak of makes no batch larger than those to a server of ours")
  func boundless() async throws {
    let largest = Int.max
    try await withScript { request in
      request.isBatch
        ? request.storedBatch()
        : .status(200, "{\"items\":[]}", ["x-zumo-batch": "json; max=\(largest); bytes=\(largest)"])
    } _: { remote, server in
      for _ in 0..<2 { _ = try remote.identify("TodoItem", before: largest) }
      #expect(remote.knowledge.batching == .own)
      let changes = (0..<1_001).map { RemoteChange.insert(table: "TodoItem", Record(id: "i\($0)")) }
      #expect(remote.send(changes).count == 1_001)
      let batches = server.requests.filter(\.isBatch)
      let counts = try batches.map { try BatchBody.requests(in: $0.body, atMost: 2_000).count }
      #expect(counts.max() == 1_000)
    }
  }

  @Test("random bytes in place of an answer are a failure or an answer, never a crash")
  func random() async throws {
    let seed = UInt64.random(in: 0 ... .max)
    let chance = Mutex(SeededGenerator(seed: seed))
    let batch =
      "{\"responses\":[{\"id\":\"0\",\"status\":201,\"headers\":{\"etag\":\"\\\"v\\\"\"},\"body\":{\"id\":\"a\",\"text\":\"milk\",\"version\":\"v\"}}]}"
    try await withScript(batching: .own) { _ in
      .bytes(200, chance.withLock { $0.damaged(Array(batch.utf8)) })
    } _: { remote, _ in
      for _ in 0..<200 {
        let outcomes = remote.send([Self.insert, .delete(table: "TodoItem", id: "b", base: nil)])
        #expect(outcomes.count == 2, "seed \(seed)")
      }
    }
  }
}

extension SeededGenerator {
  fileprivate mutating func damaged(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...4, using: &self) {
      bytes[Int.random(in: 0..<bytes.count, using: &self)] = .random(in: 0...255, using: &self)
    }
    return Array(bytes.prefix(Int.random(in: 0...(bytes.count * 2), using: &self)))
  }
}
