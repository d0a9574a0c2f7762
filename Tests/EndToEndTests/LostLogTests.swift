import Foundation
import Testing

@Suite("A server that lost the log beside its database", .serialized, .timeLimit(.minutes(5)))
struct LostLogTests {
  @Test("a start that misses what was written before a crash ends with one sentence, and goes on after ebb serve epoch")
  func lostWrites() async throws {
    try await Workspace.use { workspace in
      let runner = CommandRunner(workspace: workspace)
      let first = try await ServerProcess.start(workspace)
      try await Curl(server: first).post(#"{"id":"a","text":"Early"}"#)
      let second = try await first.restarted()
      try await Curl(server: second).post(#"{"id":"b","text":"Late"}"#)
      let device = Device(workspace, server: second.url)
      try await device.ebb("sync")
      try await second.stop(with: SIGKILL)
      try FileManager.default.removeItem(atPath: second.database + "-wal")
      let refused = try await runner.ebb("serve", "--port", "0", "--database", second.database)
      #expect(refused.status == 1 && refused.complaints.count == 1, "\(refused)")
      #expect(refused.error.contains("\(second.database)-wal"), "\(refused)")
      let raised = try await runner.ebb("serve", "epoch", "--database", second.database)
      #expect(raised.status == 0, "\(raised)")
      let third = try await ServerProcess.start(workspace, database: second.database, port: second.port)
      #expect(try await Curl(server: third).items().map(\.text) == ["Early"])
      try await device.ebb("sync", "--restored", "send")
      #expect(try await Curl(server: third).items().map(\.text) == ["Early", "Late"])
    }
  }

  @Test("a list of which a crash left nothing is named without a moment")
  func lostAll() async throws {
    try await Workspace.use { workspace in
      let server = try await ServerProcess.start(workspace)
      try await Curl(server: server).post(#"{"id":"a","text":"Only in the log"}"#)
      try await server.stop(with: SIGKILL)
      try FileManager.default.removeItem(atPath: server.database + "-wal")
      let refused = try await CommandRunner(workspace: workspace).ebb(
        "serve", "--port", "0", "--database", server.database)
      #expect(refused.status == 1 && refused.complaints.count == 1, "\(refused)")
      #expect(refused.error.contains("lacks everything") && !refused.error.contains("1970"), "\(refused)")
    }
  }
}
