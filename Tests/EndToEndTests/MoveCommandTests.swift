import Foundation
import Testing

@Suite("A server's database is moved into a file", .serialized, .timeLimit(.minutes(5)))
struct MoveCommandTests {
  /// A database with so many thousands of items, which nobody serves.
  private func source(_ workspace: Workspace, thousands: Int) async throws -> String {
    let server = try await ServerProcess.start(workspace)
    for batch in 0..<thousands {
      let entries = (0..<1_000).map { number in
        #"{"id":"\#(number)","method":"POST","url":"TodoItem","body":{"id":"r\#(batch)-\#(number)","text":"t"}}"#
      }
      let file = workspace.path("batch.json")
      try #"{"requests":[\#(entries.joined(separator: ","))]}"#.write(toFile: file, atomically: true, encoding: .utf8)
      let sent = try await CommandRunner(workspace: workspace).run([
        "curl", "-sS", "--fail-with-body", "--noproxy", "*", "-H", "Content-Type: application/json", "-H",
        "ZUMO-API-VERSION: 3.0.0", "-d", "@\(file)", "\(server.url)/tables/$batch",
      ])
      #expect(sent.status == 0, "\(sent)")
    }
    try await server.stop()
    return server.database
  }

  private func names(_ folder: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
  }

  /// Kills a move while it writes. False if it was over before that.
  private func isKilled(_ words: [String], writingTo folder: String, _ workspace: Workspace) async throws -> Bool {
    try? FileManager.default.removeItem(atPath: folder)
    let child = try ChildProcess(words, in: workspace)
    workspace.whenClosing { child.destroy() }
    _ = try await waitFor {
      names(folder).isEmpty ? nil : true
    } otherwise: {
      "it wrote nothing: \(child.error)"
    }
    child.signal(SIGKILL)
    let status = try await waitFor {
      child.exitStatus()
    } otherwise: {
      "it did not end"
    }
    return status == 128 + SIGKILL && !names(folder).contains("todo.sqlite")
  }

  @Test("one that is killed leaves nothing at the place of the file, and the next takes away what is left beside it")
  func killed() async throws {
    try await Workspace.use { workspace in
      let runner = CommandRunner(workspace: workspace)
      let source = try await source(workspace, thousands: 16)
      let folder = workspace.path("new")
      let words = [try Binary.ebb(), "serve", "move", "--from", source, "--to", "\(folder)/todo.sqlite"]
      var attempts = 0
      while try await !isKilled(words, writingTo: folder, workspace), attempts < 10 { attempts += 1 }
      #expect(!names(folder).isEmpty && !names(folder).contains("todo.sqlite"))
      let moved = try await runner.run(words)
      #expect(moved.status == 0 && moved.output.contains("16,000 items"), "\(moved)")
      #expect(names(folder) == ["todo.sqlite"])
      let check = try await runner.ebb("serve", "check", "--database", "\(folder)/todo.sqlite")
      #expect(check.status == 0 && check.output.contains("16,000 items"), "\(check)")
      let again = try await runner.run(words)
      #expect(again.status == 1 && again.complaints.count == 1 && again.error.contains("in it already"), "\(again)")
      #expect(names(folder) == ["todo.sqlite"])
    }
  }

  @Test("a file that was never used is replaced, and one whose log was left behind is not")
  func places() async throws {
    try await Workspace.use { workspace in
      let runner = CommandRunner(workspace: workspace)
      let source = try await source(workspace, thousands: 1)
      let unused = try await ServerProcess.start(workspace, database: workspace.path("unused.sqlite"))
      let early = try await runner.ebb("serve", "move", "--from", source, "--to", unused.database)
      #expect(early.status == 1 && early.error.contains("Nothing was moved"), "\(early)")
      try await unused.stop()
      let moved = try await runner.ebb("serve", "move", "--from", source, "--to", unused.database)
      #expect(moved.status == 0, "\(moved)")
      _ = try await ServerProcess.start(workspace, database: unused.database)
      let check = try await runner.ebb("serve", "check", "--database", unused.database)
      #expect(check.status == 0 && check.output.contains("1,000 items"), "\(check)")
      #expect(FileManager.default.createFile(atPath: workspace.path("left.sqlite-wal"), contents: Data([1])))
      let left = try await runner.ebb("serve", "move", "--from", source, "--to", workspace.path("left.sqlite"))
      #expect(left.status == 1 && left.complaints.count == 1 && left.error.contains("left.sqlite-wal"), "\(left)")
      let none = try await runner.ebb("serve", "move", "--from", source, "--to", "/proc/none/todo.sqlite")
      #expect(none.status == 1 && none.complaints.count == 1, "\(none)")
    }
  }
}
