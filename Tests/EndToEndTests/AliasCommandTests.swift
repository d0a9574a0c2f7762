import Foundation
import Testing

@Suite("Other names of columns, on the command line", .serialized, .timeLimit(.minutes(5)))
struct AliasCommandTests {
  private func post(_ item: String, to server: ServerProcess) async throws {
    let outcome = try await CommandRunner(workspace: server.workspace).run([
      "curl", "-sS", "--fail-with-body", "--noproxy", "*", "-H", "Content-Type: application/json", "-d", item,
      "\(server.url)/tables/TodoItem",
    ])
    try #require(outcome.status == 0, "\(outcome)")
  }

  @Test(
    "what a phone wrote as title is named by the doctor, the check and the start, and comes to devices when it is moved"
  )
  func moved() async throws {
    try await Workspace.use { workspace in
      let runner = CommandRunner(workspace: workspace)
      let server = try await ServerProcess.start(workspace)
      try await post(#"{"id":"a","title":"Buy milk","isComplete":true}"#, to: server)
      let device = Device(workspace, server: server.url)
      try await device.ebb("sync")
      #expect(try await device.attempt("doctor").output.contains("ebb serve alias text=title"))
      let check = try await runner.ebb("serve", "check", "--database", server.database)
      #expect(check.status == 0 && check.error.contains("ebb serve alias text=title"), "\(check)")
      let busy = try await runner.ebb("serve", "alias", "text=title", "--database", server.database)
      #expect(busy.status == 1 && busy.error.contains("Stop the server"), "\(busy)")
      let shown = try await runner.ebb("serve", "alias", "--database", server.database)
      #expect(shown.status == 0 && shown.output == "Columns have their own names alone.\n", "\(shown)")
      try await server.stop()
      let refused = try await runner.ebb("serve", "--alias", "text=title", "--port", "0", "--database", server.database)
      #expect(refused.status == 64 && refused.complaints.count == 1, "\(refused)")
      #expect(refused.error.contains("title") && refused.error.contains(server.database), "\(refused)")
      let moved = try await runner.ebb(
        "serve", "alias", "text=title", "complete=isComplete", "--database", server.database)
      #expect(moved.status == 0 && moved.output.split(separator: "\n").count == 5, "\(moved)")
      let next = try await ServerProcess.start(workspace, database: server.database, port: server.port)
      try await post(#"{"id":"b","title":"Buy eggs"}"#, to: next)
      try await device.ebb("sync")
      let list = try await device.ebb("list", "--all").output
      #expect(list.contains("Buy milk") && list.contains("Buy eggs"), "\(list)")
      #expect(next.child.error.contains("complete=isComplete text=title"))
    }
  }

  @Test("a start that misses what was written before a crash ends with one sentence, and goes on after ebb serve epoch")
  func lostWrites() async throws {
    try await Workspace.use { workspace in
      let runner = CommandRunner(workspace: workspace)
      let first = try await ServerProcess.start(workspace)
      try await post(#"{"id":"a","text":"Early"}"#, to: first)
      let second = try await first.restarted()
      try await post(#"{"id":"b","text":"Late"}"#, to: second)
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
      try await post(#"{"id":"a","text":"Only in the log"}"#, to: server)
      try await server.stop(with: SIGKILL)
      try FileManager.default.removeItem(atPath: server.database + "-wal")
      let refused = try await CommandRunner(workspace: workspace).ebb(
        "serve", "--port", "0", "--database", server.database)
      #expect(refused.status == 1 && refused.complaints.count == 1, "\(refused)")
      #expect(refused.error.contains("lacks everything") && !refused.error.contains("1970"), "\(refused)")
    }
  }

  @Test("a restore names the tokens that it loses, and refuses a backup of another server")
  func restore() async throws {
    try await Workspace.use { workspace in
      let runner = CommandRunner(workspace: workspace)
      let (one, other, copy) = (workspace.path("one"), workspace.path("other"), workspace.path("copy"))
      for database in [one, other] {
        _ = try await runner.ebb("token", "add", "--user", "anna", "--label", "old", "--database", database)
      }
      #expect(try await runner.ebb("serve", "backup", copy, "--database", one).status == 0)
      for label in ["vm", "phone"] {
        _ = try await runner.ebb("token", "add", "--user", "anna", "--label", label, "--database", one)
      }
      let refused = try await runner.ebb("serve", "restore", copy, "--database", other)
      #expect(refused.status == 1 && refused.complaints.count == 1, "\(refused)")
      #expect(refused.error.contains("--other-server"), "\(refused)")
      let restored = try await runner.ebb("serve", "restore", copy, "--database", one)
      #expect(restored.status == 0 && restored.output.contains("vm (anna), phone (anna)"), "\(restored)")
      let forced = try await runner.ebb("serve", "restore", copy, "--other-server", "--database", other)
      #expect(forced.status == 0 && forced.output.contains("another server"), "\(forced)")
      #expect(forced.output.contains("old (anna)") && !forced.output.contains("Each device compares"), "\(forced)")
    }
  }
}
