import Testing

@Suite("Other names of columns, on the command line", .serialized, .timeLimit(.minutes(5)))
struct AliasCommandTests {
  @Test(
    "what a phone wrote as title is named by the doctor, the check and the start, and comes to devices when it is moved"
  )
  func moved() async throws {
    try await Workspace.use { workspace in
      let runner = CommandRunner(workspace: workspace)
      let server = try await ServerProcess.start(workspace)
      try await Curl(server: server).post(#"{"id":"a","title":"Buy milk","isComplete":true}"#)
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
      try await Curl(server: next).post(#"{"id":"b","title":"Buy eggs"}"#)
      try await device.ebb("sync")
      let list = try await device.ebb("list", "--all").output
      #expect(list.contains("Buy milk") && list.contains("Buy eggs"), "\(list)")
      #expect(next.child.error.contains("complete=isComplete text=title"))
    }
  }

  @Test("a column that Ebb's own items do not have is named, and its alias kept; --remove takes no names")
  func strangers() async throws {
    try await Workspace.use { workspace in
      let runner = CommandRunner(workspace: workspace)
      let server = try await ServerProcess.start(workspace)
      try await server.stop()
      let database = ["--database", server.database]
      let named = try await runner.run([try Binary.ebb(), "serve", "alias", "foo=bar", "text=title"] + database)
      #expect(named.status == 0 && named.output == "foo=bar\ntext=title\n", "\(named)")
      #expect(named.complaints.count == 1 && named.error.contains("no column foo, only complete, text"), "\(named)")
      let both = try await runner.run([try Binary.ebb(), "serve", "alias", "--remove", "foo=bar"] + database)
      #expect(both.status == 64 && both.error.contains("--remove forgets all aliases"), "\(both)")
      let removed = try await runner.run([try Binary.ebb(), "serve", "alias", "--remove"] + database)
      #expect(removed.output == "Columns have their own names alone.\n" && removed.error.isEmpty, "\(removed)")
    }
  }
}
