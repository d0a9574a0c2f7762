import Foundation
import Glibc
import Testing

@Suite("The server as a program", .serialized, .timeLimit(.minutes(5)))
struct ServeTests {
  @Test("says where it is and how to point a list at it, and ends well when asked", arguments: [SIGINT, SIGTERM])
  func stopsCleanly(signal: Int32) async throws {
    try await Workspace.use { workspace in
      let server = try await ServerProcess.start(workspace)
      #expect(try await Curl(server: server).items() == [])
      #expect(server.child.output.contains("--server \(server.url)"))
      #expect(try await server.stop(with: signal) == 0)
      #expect(server.child.error.isEmpty)
    }
  }

  @Test("finds a free port by itself if the port is 0, says which, and is there")
  func freePort() async throws {
    try await Workspace.use { workspace in
      let server = try await ServerProcess.start(workspace, port: 0)
      #expect(server.port > 0 && server.child.output.contains("--server \(server.url)"), "\(server.child.output)")
      #expect(try await Curl(server: server).items() == [])
      #expect(try await server.stop() == 0)
    }
  }

  @Test("says how to let a device in once it gave out a token, unless it lets in everybody")
  func invites() async throws {
    try await Workspace.use { workspace in
      let server = try await ServerProcess.start(workspace)
      let runner = CommandRunner(workspace: workspace)
      let added = try await runner.ebb("token", "add", "--user", "anna", "--database", server.database)
      #expect(added.status == 0, "\(added)")
      try await server.stop()
      for (words, needsToken) in [([], true), (["--open"], false)] as [([String], Bool)] {
        let next = try await ServerProcess.start(workspace, database: server.database, words: words)
        #expect(try await next.stop() == 0)
        let output = next.child.output
        let advice = "ebb serve invite --user NAME --database \(server.database)"
        #expect(output.contains(advice) == needsToken, "\(output)")
        #expect(output.contains("ebb --server \(next.url)") == !needsToken, "\(output)")
      }
    }
  }

  @Test("goes on when nobody's terminal hangs up, as when a service is asked to read its files again")
  func hangup() async throws {
    try await Workspace.use { workspace in
      let server = try await ServerProcess.start(workspace)
      server.child.signal(SIGHUP)
      #expect(try await Curl(server: server).items() == [])
      #expect(try await server.stop() == 0)
    }
  }

  @Test("keeps what it was given over a restart")
  func keepsItems() async throws {
    try await Workspace.use { workspace in
      let server = try await ServerProcess.start(workspace)
      let device = Device(workspace, server: server.url)
      _ = try await device.add("Kept")
      try await device.ebb("sync")
      let before = try await Curl(server: server).items()
      #expect(before.map(\.text) == ["Kept"])
      let again = try await server.restarted()
      #expect(try await Curl(server: again).items() == before)
    }
  }

  @Test("a port in use, a database that is none, and a folder that is a file are each refused in a sentence")
  func refusesToStart() async throws {
    try await Workspace.use { workspace in
      let server = try await ServerProcess.start(workspace)
      let text = Data("not a database".utf8)
      try text.write(to: URL(fileURLWithPath: workspace.path("text")))
      try await expectRefusal(workspace, port: server.port, database: workspace.path("other.sqlite"))
      try await expectRefusal(workspace, port: 0, database: workspace.path("text"))
      try await expectRefusal(workspace, port: 0, database: workspace.path("text/below.sqlite"))
      #expect(try Data(contentsOf: URL(fileURLWithPath: workspace.path("text"))) == text)
      #expect(try await Curl(server: server).items() == [])
    }
  }

  @Test("says at its start that another server has the file open, and nothing of the kind when that has ended")
  func secondServer() async throws {
    try await Workspace.use { workspace in
      let first = try await ServerProcess.start(workspace)
      let second = try await ServerProcess.start(workspace, database: first.database)
      #expect(second.child.error.contains("Another program has \(first.database) open"), "\(second.child.error)")
      #expect(first.child.error.isEmpty, "\(first.child.error)")
      try await Curl(server: second).post(#"{"text": "milk", "complete": false}"#)
      #expect(try await Curl(server: first).items().map(\.text) == ["milk"])
      try await first.stop()
      let third = try await second.restarted()
      #expect(third.child.error.isEmpty, "\(third.child.error)")
    }
  }

  @Test(
    "refuses a name that no request can have as its host, in one sentence",
    arguments: ["https://todo.example.org", "todo.example.org:8443", "*.example.org", "a b"])
  func names(name: String) async throws {
    try await Workspace.use { workspace in
      let database = workspace.path("server.sqlite")
      let refused = try await CommandRunner(workspace: workspace).ebb(
        "serve", "--port", "0", "--name", name, "--database", database)
      #expect(refused.status == 64 && refused.complaints.count == 1, "\(refused)")
      #expect(refused.error.contains("bare host name"), "\(refused)")
      #expect(!FileManager.default.fileExists(atPath: database))
    }
  }

  @Test("a log of JSON is JSON from its first line to its last, on both outputs, also if the start is refused")
  func logOfJSON() async throws {
    try await Workspace.use { workspace in
      let words = ["--log", "json", "--log-level", "info"]
      let server = try await ServerProcess.start(workspace, words: words + ["--alias", "foo=bar"])
      #expect(try await Curl(server: server).items() == [])
      let refused = try await CommandRunner(workspace: workspace).run(
        [try Binary.ebb(), "serve", "--port", "\(server.port)", "--database", workspace.path("other.sqlite")] + words)
      #expect(refused.status == 1 && refused.error.contains("Port \(server.port) is in use"), "\(refused)")
      #expect(try await server.stop() == 0)
      #expect(server.child.output.contains("--server \(server.url)") && server.child.error.contains("no column foo"))
      let lines = [server.child.output, server.child.error, refused.output, refused.error].flatMap {
        $0.split(separator: "\n")
      }
      for line in lines {
        #expect((try? JSONSerialization.jsonObject(with: Data(line.utf8))) is [String: Any], "\(line)")
      }
    }
  }

  @Test(
    "says in its log of JSON which option can't be used, and in plain text if no such log is asked for",
    arguments: [
      (["--log", "json", "--port", "x"], "--port"), (["--log=json", "--frobnicate"], "--frobnicate"),
      (["--socket", "", "--log", "json"], "--socket"), (["--log", "json", "--keep", "3"], "--keep"),
      (["--port", "x"], nil),
    ] as [([String], String?)])
  func wrongOptions(words: [String], option: String?) async throws {
    try await Workspace.use { workspace in
      let refused = try await CommandRunner(workspace: workspace).run([try Binary.ebb(), "serve"] + words)
      #expect(refused.status == 64 && refused.output.isEmpty, "\(refused)")
      #expect(refused.error.split(separator: "\n").count == 1, "\(refused)")
      let entry = try? JSONSerialization.jsonObject(with: Data(refused.error.utf8)) as? [String: Any]
      #expect((entry == nil) == (option == nil), "\(refused)")
      guard let option else { return }
      #expect((entry?["message"] as? String)?.contains(option) == true, "\(refused)")
      #expect((entry?["level"] as? String) == "error", "\(refused)")
    }
  }

  @Test("refuses a URL of a database that it can't have, and makes no folder of it")
  func unknownURL() async throws {
    try await Workspace.use { workspace in
      let runner = CommandRunner(workspace: workspace)
      let refused = try await runner.ebb("serve", "--port", "0", "--database", "mysql://host/ebb")
      #expect(refused.status == 64 && refused.error.contains("postgresql://"))
      let unreachable = try await runner.ebb(
        "serve", "--port", "0", "--database", "postgresql://anna:secret@/ebb?host=\(workspace.path("none"))")
      #expect(unreachable.status == 1 && unreachable.error.contains("postgresql://anna@/ebb"))
      #expect(!unreachable.error.contains("secret") && unreachable.error.split(separator: "\n").count == 1)
      let backup = try await runner.ebb("serve", "backup", "b.sqlite", "--database", "postgresql://host/ebb")
      #expect(backup.status == 1 && backup.error.contains("pg_dump"))
    }
  }

  @Test("begins another epoch of its database, wherever the option stands, and only of one that is there")
  func epoch() async throws {
    try await Workspace.use { workspace in
      let server = try await ServerProcess.start(workspace)
      let runner = CommandRunner(workspace: workspace)
      let first = try await runner.ebb("serve", "epoch", "--database", server.database)
      #expect(first.status == 0 && first.output.contains("2"), "\(first)")
      let second = try await runner.ebb("serve", "--database", server.database, "epoch")
      #expect(second.status == 0 && second.output.contains("3"), "\(second)")
      let missing = try await runner.ebb("serve", "epoch", "--database", workspace.path("none.sqlite"))
      #expect(missing.status == 1 && missing.complaints.count == 1, "\(missing)")
      #expect(!FileManager.default.fileExists(atPath: workspace.path("none.sqlite")))
      #expect(try await server.stop() == 0)
      #expect(server.child.error.isEmpty)
    }
  }

  private func expectRefusal(_ workspace: Workspace, port: Int, database: String) async throws {
    let outcome = try await CommandRunner(workspace: workspace).ebb(
      "serve", "--port", "\(port)", "--database", database)
    #expect(outcome.status == 1 && outcome.complaints.count == 1, "\(outcome)")
  }

  @Test("has open tables and other names for columns if it is told so, and refuses names that can't be")
  func tablesAndAliases() async throws {
    try await Workspace.use { workspace in
      let server = try await ServerProcess.start(
        workspace, words: ["--tables", "open", "--alias", "text=title", "--alias", "complete=isComplete"])
      let runner = CommandRunner(workspace: workspace)
      func curl(_ words: String...) async throws -> String {
        try await runner.run(["curl", "-sS", "--noproxy", "*", "-H", "Content-Type: application/json"] + words).output
      }
      let made = try await curl("-d", #"{"id":"m","title":"Dune"}"#, "\(server.url)/tables/movies")
      #expect(made.contains(#""title":"Dune""#))
      _ = try await curl("-d", #"{"id":"a","title":"Milk","isComplete":true}"#, "\(server.url)/tables/todoitem")
      let device = Device(workspace, server: server.url)
      try await device.ebb("sync")
      let items = try await device.items("--all")
      #expect(items.map(\.text) == ["Milk"])
      try await device.ebb("edit", try #require(items.first?.handle), "Oat milk")
      try await device.ebb("sync")
      #expect(try await curl("\(server.url)/tables/todoitem").contains(#""title":"Oat milk","isComplete":true"#))
      for alias in ["text", "text=id", "text=a=b", "=x", "text=complete", "complete=Text"] {
        for words in [["serve", "--alias", alias], ["serve", "alias", alias]] {
          let refused = try await runner.run([try Binary.ebb()] + words)
          #expect(refused.status == 64 && refused.error.contains("none that the server uses itself"), "\(refused)")
        }
      }
    }
  }
}
