import Foundation
import Testing

@Suite("Tokens from the command line", .serialized, .timeLimit(.minutes(5)))
struct TokenCommandTests {
  @Test("one is printed alone, lets its user sync, is listed without itself, and is taken back")
  func life() async throws {
    try await Workspace.use { workspace in
      let server = try await ServerProcess.start(workspace)
      let runner = CommandRunner(workspace: workspace)
      let added = try await runner.ebb(
        "token", "add", "--user", "anna", "--label", "laptop", "--database", server.database)
      let token = added.output.trimmingCharacters(in: .newlines)
      #expect(added.status == 0 && token.hasPrefix("ebb_") && !token.contains("\n"), "\(added)")
      try Data(token.utf8).write(to: URL(fileURLWithPath: workspace.path("token")))

      let device = Device(workspace, server: server.url)
      _ = try await device.add("Milk")
      let refused = try await runner.run(try device.words(["sync"]))
      #expect(refused.status == 77, "\(refused)")
      let synced = try await runner.run(try device.words(["sync", "--token-file", workspace.path("token")]))
      #expect(synced.status == 0 && synced.output.contains("sent 1"), "\(synced)")

      let listed = try await runner.ebb("token", "list", "--database", server.database)
      #expect(listed.output.contains("anna") && listed.output.contains("laptop") && !listed.output.contains(token))
      let id = String(listed.output.prefix { $0 != " " })
      let revoked = try await runner.ebb("token", "revoke", id, "--database", server.database)
      #expect(revoked.status == 0, "\(revoked)")
      // The server knows of it after a second at most.
      var after = try await runner.run(try device.words(["sync", "--token-file", workspace.path("token")]))
      while after.status == 0 {
        after = try await runner.run(try device.words(["sync", "--token-file", workspace.path("token")]))
      }
      #expect(after.status == 77, "\(after)")
      #expect(try await runner.ebb("token", "revoke", id, "--database", server.database).status == 1)
    }
  }

  @Test(
    "what makes no sense is refused, and no database is made for it",
    arguments: [
      ["add"], ["add", "--user", "a b"], ["add", "--user", "a", "--expires", "soon"],
      ["add", "--user", "a", "--scope", "all"], ["revoke"], ["revoke", "x", "--user", "a"],
    ])
  func refused(words: [String]) async throws {
    try await Workspace.use { workspace in
      let outcome = try await CommandRunner(workspace: workspace).run(
        [try Binary.ebb(), "token"] + words + ["--database", workspace.path("none.sqlite")])
      #expect(outcome.status == 64, "\(outcome)")
      #expect(!FileManager.default.fileExists(atPath: workspace.path("none.sqlite")))
    }
  }
}
