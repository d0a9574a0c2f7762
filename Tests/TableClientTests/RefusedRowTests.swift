import OfflineSync
import TableClient
import TableProtocol
import Testing

/// Rows that a user may not write on a server that grants access row by row (sync-rules Q2, Q20).
@Suite("Rows that may not be written")
struct RefusedRowTests {
  private static func updates(_ count: Int) -> [RemoteChange] {
    (0..<count).map {
      .update(
        table: "TodoItem", whole: Record(id: "i\($0)"), changed: ["text": .text("x")], base: RecordVersion("v1"))
    }
  }

  @Test(
    "are refused one by one, with the server's words, and all the others are sent",
    arguments: [#"{"error":"not yours"}"#, ""])
  func alone(body: String) async throws {
    let message = body.isEmpty ? "Forbidden" : "not yours"
    try await withScript(version: .v2) { request in
      let number = request.target.split(separator: "/").last.flatMap { Int($0.dropFirst()) } ?? 0
      return number < 20 ? .status(403, body) : request.stored
    } _: { remote, server in
      let outcomes = remote.send(Self.updates(30))
      for (index, outcome) in outcomes.enumerated() {
        let answer = try outcome.get()
        if index < 20 {
          #expect(answer == .refused(status: 403, message: message))
        } else {
          #expect(answer.record?.id == "i\(index)")
        }
      }
      #expect(server.requests.count == 30)
    }
  }

  @Test("are refused in a batch as they are alone")
  func inBatch() async throws {
    try await withScript(version: .v2, batching: .own) { request in
      guard request.isBatch else { return .status(500) }
      var writer = BatchResponseWriter()
      writer.append(BatchResponse(id: "0", status: 403, body: Array(#"{"error":"not yours"}"#.utf8)))
      writer.append(BatchResponse(id: "1", status: 200, body: Array(#"{"id":"i1","version":"v2"}"#.utf8)))
      return .bytes(200, writer.finished())
    } _: { remote, _ in
      let outcomes = remote.send(Self.updates(2))
      #expect(outcomes[0].answer == .refused(status: 403, message: "not yours"))
      #expect(outcomes[1].answer?.record?.id == "i1")
    }
  }

  @Test("a batch that is not allowed as a whole goes change by change, and that is remembered once it worked")
  func batchItself() async throws {
    try await withScript(version: .v2, batching: .own) { request in
      request.isBatch ? .status(403) : request.stored
    } _: { remote, _ in
      let outcomes = remote.send(Self.updates(4))
      #expect(outcomes.compactMap { $0.answer?.record?.id } == (0..<4).map { "i\($0)" })
      #expect(remote.knowledge.batching == .unsupported)
    }
  }

  @Test("a list or a row that may not be read is a failure, which says nothing of other requests")
  func reading() async throws {
    try await withScript { _ in
      .status(403, #"{"error":"no"}"#)
    } _: { remote, _ in
      let failure = RemoteFailure(.notAllowed, mayHaveActed: false)
      #expect(!failure.concernsAll)
      #expect(throws: failure) { try remote.page(TableQuery(table: "TodoItem", limit: 50)) }
      #expect(throws: failure) { try remote.read("a", in: "TodoItem") }
    }
  }
}
