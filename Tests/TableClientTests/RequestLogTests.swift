import OfflineSync
import TableClient
import TableProtocol
import Testing

@Suite("The log of requests")
struct RequestLogTests {
  @Test("has verb, path, status and bytes of each request, and never a token")
  func answers() async throws {
    let notes = RequestNotes()
    try await withScript(token: "secret", notes: notes) { request in
      request.method == "GET" ? .status(200, "{\"items\":[]}") : request.stored
    } _: { remote, server in
      _ = try remote.read(RecordID(String(repeating: "long", count: 60)), in: "TodoItem")
      _ = try remote.send(.insert(table: "TodoItem", Record(id: "a")))
      let records = notes.records
      #expect(records.map(\.verb) == ["GET", "POST"])
      #expect(records.map(\.outcome) == [.status(200), .status(201)])
      #expect(records.map(\.path.count) == [200, "/tables/TodoItem".count])
      #expect(server.requests[0].target.hasPrefix(records[0].path))
      #expect(records.map(\.bytesSent) == [0, server.requests[1].body.count])
      #expect(records[0].bytesReceived == "{\"items\":[]}".utf8.count)
      #expect(records.allSatisfy { $0.startedAt == Timestamp(milliseconds: 1_000) && $0.milliseconds >= 0 })
      #expect(!"\(records)".contains("secret"))
      #expect(remote.traffic.requests == 2)
    }
  }

  @Test("has a word for a request without an answer")
  func failures() async throws {
    let notes = RequestNotes()
    try await withScript(notes: notes) { _ in
      .cut
    } _: { remote, _ in
      _ = remote.send([.insert(table: "TodoItem", Record(id: "a"))])
      #expect(notes.records.map(\.outcome) == [.failed("connection cut")])
    }
  }
}
