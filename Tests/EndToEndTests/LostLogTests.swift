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

  @Test("a start that finds no database where a server wrote to one says so, and the next start says nothing")
  func lostDatabase() async throws {
    try await Workspace.use { workspace in
      let says = "is not there, though a server wrote to a database in this place at 20"
      let first = try await ServerProcess.start(workspace)
      try await Curl(server: first).post(#"{"id":"a","text":"Gone"}"#)
      try await first.stop()
      for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: first.database + end) }
      let second = try await ServerProcess.start(workspace)
      #expect(second.child.error.contains("\(first.database) \(says)"), "\(second.child.error)")
      #expect(try await Curl(server: second).items().isEmpty)
      try await second.stop()
      let third = try await ServerProcess.start(workspace)
      #expect(first.child.error.isEmpty && third.child.error.isEmpty, "\(third.child.error)")
      try await third.stop()
    }
  }

  @Test("a server that refuses to start and a command that makes a database say that the old one is gone")
  func lostDatabaseOfCommands() async throws {
    try await Workspace.use { workspace in
      let runner = CommandRunner(workspace: workspace)
      let server = try await ServerProcess.start(workspace)
      try await Curl(server: server).post(#"{"id":"a","text":"Gone"}"#)
      try await server.stop()
      func remove() {
        for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: server.database + end) }
      }
      remove()
      for words in [["serve", "--host", "0.0.0.0", "--port", "0"], ["serve", "invite", "--user", "anna"]] {
        let refused = try await runner.run([try Binary.ebb()] + words + ["--database", server.database])
        #expect(refused.status == 64 && refused.complaints.count == 2, "\(refused)")
        let says = "\(server.database) is not there, though a server wrote to a database in this place at 20"
        #expect(refused.complaints.first?.contains(says) == true, "\(refused)")
        #expect(!FileManager.default.fileExists(atPath: server.database))
      }
      for command in [["token", "add"], ["serve", "invite", "--url", "https://list.example"]] {
        remove()
        let given = try await runner.run(
          [try Binary.ebb()] + command + ["--user", "anna", "--database", server.database])
        let says = "\(server.database) was not there, though a server wrote to a database in this place at 20"
        #expect(given.status == 0 && given.output.split(separator: "\n").count == 1, "\(given)")
        #expect(given.complaints.count { $0.contains(says) } == 1, "\(given)")
      }
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
