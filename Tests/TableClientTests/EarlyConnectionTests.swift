import Glibc
import OfflineSync
import Synchronization
import TableClient
import TableProtocol
import Testing

@Suite("The connections of a first push")
struct EarlyConnectionTests {
  private static let batching = BatchSupport.json(entries: 10, bytes: 100_000)
  private static let list = ScriptedServer.Reply.status(200, "{\"items\":[]}")

  @Test("open with the question before it, by requests without a token")
  func opening() async throws {
    let crowd = Crowd(of: 6)
    try await withScript(batching: Self.batching, token: "secret") { _ in
      crowd.arrive()
      return Self.list
    } _: { remote, server in
      _ = try remote.identify("TodoItem", before: 1_000)
      #expect(server.connections.opened == 6)
      let others = server.requests.filter { $0.method != "GET" }
      #expect(others.map(\.method) == Array(repeating: "OPTIONS", count: 5))
      #expect(others.allSatisfy { $0.target == "/tables/TodoItem" && $0.body.isEmpty })
      #expect(others.allSatisfy { request in request.headers.values.allSatisfy { !$0.contains("secret") } })
    }
  }

  @Test("are opened once: a server that closes those beside the first is not asked again")
  func closed() async throws {
    let crowd = Crowd(of: 6)
    try await withScript(batching: Self.batching) { request in
      crowd.arrive()
      return request.method == "OPTIONS" ? .cut : Self.list
    } _: { remote, server in
      for _ in 0..<2 { _ = try remote.identify("TodoItem", before: 1_000) }
      _ = try remote.page(TableQuery(table: "TodoItem"), at: nil)
      #expect(server.requests.filter { $0.method == "OPTIONS" }.count == 5)
      #expect(server.connections.opened == 6)
    }
  }

  @Test("are as many as its batches, and none beside the first if one batch has room for all")
  func few() async throws {
    for (changes, others) in [(0, 0), (9, 0), (10, 0), (11, 1)] {
      let crowd = Crowd(of: 1 + others)
      try await withScript(batching: Self.batching) { _ in
        crowd.arrive()
        return Self.list
      } _: { remote, server in
        _ = try remote.identify("TodoItem", before: changes)
        #expect(server.requests.filter { $0.method == "OPTIONS" }.count == others, "\(changes) changes")
      }
    }
  }
}

/// Holds up those who come until all of them are there.
private final class Crowd: Sendable {
  private let size: Int
  private let arrived = Mutex(0)

  init(of size: Int) { self.size = size }

  /// Returns after ten seconds in any case.
  func arrive() {
    arrived.withLock { $0 += 1 }
    for _ in 0..<1_000 where arrived.withLock({ $0 < size }) { poll(nil, 0, 10) }
  }
}
