import Foundation
import Glibc
import OfflineSync
import Support
import Synchronization
import TableClient
import TableProtocol
import Testing

@Suite("Interrupting requests that wait for their answers")
struct InterruptTests {
  @Test("ends them with a failure: a change may have arrived, a look-up changed nothing")
  func directly() async throws {
    let gate = Gate()
    try await withScript { _ in
      gate.pass()
      return .cut
    } _: { remote, _ in
      Thread.detachNewThread {
        gate.awaitArrival()
        remote.interrupt()
      }
      let outcome = remote.send([.insert(table: "TodoItem", Record(id: "a"))]).first
      guard case .failure(let failure)? = outcome else {
        Issue.record("\(String(describing: outcome))")
        return
      }
      #expect(failure.mayHaveActed)
      gate.open()
    }
  }

  @Test("connections that nobody needs are closed, and the next request opens a new one")
  func closing() async throws {
    try await withScript { _ in
      .status(200, "{\"items\":[]}")
    } _: { remote, server in
      for _ in 0..<3 { _ = try remote.page(TableQuery(table: "TodoItem"), at: nil) }
      #expect(server.connections.opened == 1)
      // On a busy machine it may take a while; the wait ends as soon as it is so.
      for _ in 0..<6_000 where server.connections.closed == 0 { poll(nil, 0, 10) }
      #expect(server.connections.closed == 1)
      _ = try remote.page(TableQuery(table: "TodoItem"), at: nil)
      #expect(server.connections.opened == 2)
    }
  }

  @Test("cancelling a sync does it: the change is kept, and goes out once with the next sync")
  func bySync() async throws {
    let gate = Gate()
    let isFirst = Mutex(true)
    let stored = Mutex<[String]>([])
    try await withDevice { request in
      guard request.method == "POST" else { return .status(200, "{\"items\":[]}") }
      stored.withLock { $0.append(request.method) }
      let waits = isFirst.withLock { first in
        defer { first = false }
        return first
      }
      if waits { gate.pass() }
      return request.stored
    } _: { device in
      let id = try device.add("milk")
      async let report = device.sync(
        SyncRequest(pulls: []),
        began: { cancellation in
          Thread.detachNewThread {
            gate.awaitArrival()
            cancellation.cancel()
          }
        })
      let ended = await report
      #expect(ended.failure == .cancelled)
      #expect(try device.operations().map(\.isMarked) == [true], "it may have arrived")
      gate.open()
      let next = await device.sync()
      #expect(next.failure == nil)
      #expect(try device.operations().isEmpty)
      #expect(try device.texts() == [id: "milk"])
    }
  }

  private func withDevice(
    _ answer: @escaping @Sendable (ScriptedServer.Request) -> ScriptedServer.Reply,
    _ body: (TestDevice) async throws -> Void
  ) async throws {
    let server = try ScriptedServer(answer)
    defer { server.stop() }
    let address = try #require(ServerAddress(server.address))
    let remote = HTTPRemoteTable(
      address: address, knowledge: ServerKnowledge(protocolVersion: .v3, batching: .unsupported))
    try await body(try TestDevice(remote))
  }
}
