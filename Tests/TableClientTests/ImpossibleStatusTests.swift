import Dispatch
import OfflineSync
import Support
import Synchronization
import TableClient
import TableProtocol
import Testing

@Suite("An answer with a status below 100", .timeLimit(.minutes(5)))
struct ImpossibleStatusTests {
  typealias Reply = ScriptedServer.Reply

  private static let query = TableQuery(table: "TodoItem", limit: 50)
  private static let changes: [RemoteChange] = [
    .insert(table: "TodoItem", Record(id: "a", values: ["text": .text("milk")])),
    .update(
      table: "TodoItem", whole: Record(id: "a", values: ["text": .text("milk")]), changed: ["text": .text("milk")],
      base: RecordVersion("v1")),
    .delete(table: "TodoItem", id: "a", base: RecordVersion("v1")),
  ]

  private static let codes = ["000", "001", "099"]

  /// Answers without a body, with one, in parts, up to the end of the connection, and with a second answer behind.
  private static let answers = codes.flatMap { code in
    [
      "Content-Length: 0\r\n\r\n", "Content-Length: 2\r\n\r\n{}",
      "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nA: b\r\n\r\n", "\r\n{}",
      "Content-Length: 0\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\n{\"items\":[]}",
    ].map { "HTTP/1.1 \(code) X\r\n" + $0 }
  }

  /// An answer after which the server keeps the connection open.
  private static func open(_ code: String) -> Reply {
    Reply(bytes: Array("HTTP/1.1 \(code) X\r\nContent-Length: 0\r\n\r\n".utf8))
  }

  private static func isForeign(_ failure: RemoteFailure?, mayHaveActed: Bool) -> Bool {
    guard let failure, case .notTheServer = failure.reason else { return false }
    return failure.mayHaveActed == mayHaveActed && failure.concernsAll
  }

  @Test("to a list is not the server's", arguments: answers)
  func list(answer: String) async throws {
    try await withScript { _ in
      .raw(answer)
    } _: { remote, server in
      let failure = #expect(throws: RemoteFailure.self) { try remote.page(Self.query) }
      #expect(Self.isForeign(failure, mayHaveActed: false), "\(failure as Any)")
      #expect(server.requests.count == 1)
    }
  }

  @Test("to a change is not the server's, and the server may have acted", arguments: answers)
  func change(answer: String) async throws {
    for change in Self.changes {
      try await withScript { _ in
        .raw(answer)
      } _: { remote, _ in
        guard case .failure(let failure)? = remote.send([change]).first else {
          Issue.record("the answer to \(change) was believed")
          return
        }
        #expect(Self.isForeign(failure, mayHaveActed: true), "\(failure)")
      }
    }
  }

  @Test("to a batch leaves no change of it done", arguments: answers)
  func batch(answer: String) async throws {
    try await withScript(batching: .json(entries: 10, bytes: 100_000)) { _ in
      .raw(answer)
    } _: { remote, _ in
      let inserts = (0..<30).map { number in
        RemoteChange.insert(table: "TodoItem", Record(id: "i\(number)", values: ["text": .text("x")]))
      }
      let outcomes = remote.send(inserts)
      #expect(outcomes.count == inserts.count)
      for outcome in outcomes {
        guard case .failure(let failure) = outcome, case .notTheServer = failure.reason else {
          Issue.record("\(outcome)")
          return
        }
      }
    }
  }

  @Test("does not end the program, and the next request goes out", arguments: codes)
  func nextRequest(code: String) async throws {
    let isFirst = Mutex(true)
    try await withScript { _ in
      let fails = isFirst.withLock { isFirst in
        defer { isFirst = false }
        return isFirst
      }
      return fails ? Self.open(code) : .status(200, #"{"items":[]}"#)
    } _: { remote, server in
      #expect(throws: RemoteFailure.self) { try remote.page(Self.query) }
      let page = try remote.page(Self.query)
      #expect(page.records.isEmpty)
      #expect(server.connections.opened == 2, "the connection is not used again")
    }
  }

  @Test("ends the connection for notices", arguments: answers)
  func notices(answer: String) async throws {
    try await withScript { _ in
      .raw(answer)
    } _: { remote, _ in
      let ends = Mutex<[NoticeEnd]>([])
      let ended = DispatchSemaphore(value: 0)
      _ = remote.listen(to: "TodoItem") { event in
        guard case .ended(let reason) = event else { return }
        ends.withLock { $0.append(reason) }
        ended.signal()
      }
      #expect(ended.wait(timeout: .now() + 60) == .success)
      guard case .failed(.notTheServer)? = ends.withLock(\.first) else {
        Issue.record("\(ends.withLock(\.self))")
        return
      }
    }
  }

  @Test("to an invitation is not the server's", arguments: codes)
  func invitation(code: String) async throws {
    let server = try ScriptedServer { _ in Self.open(code) }
    defer { server.stop() }
    let address = try #require(ServerAddress(server.address))
    await blocking {
      let failure = #expect(throws: JoinFailure.self) {
        try RemoteInvitation(address, secret: "secret").accept(device: "d", attempt: "attempt-of-a-test")
      }
      guard case .remote(let cause)? = failure, case .notTheServer = cause.reason else {
        Issue.record("\(failure as Any)")
        return
      }
    }
  }

  @Test("is no interim answer: after one of those the answer still comes", arguments: ["100", "102", "103", "199"])
  func interim(code: String) async throws {
    try await withScript { _ in
      .raw("HTTP/1.1 \(code) X\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\n{\"items\":[]}")
    } _: { remote, _ in
      let page = try remote.page(Self.query)
      #expect(page.records.isEmpty)
    }
  }
}
