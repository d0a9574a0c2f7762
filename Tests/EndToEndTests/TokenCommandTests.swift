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
      let none = try await runner.ebb("token", "list", "--database", server.database)
      #expect(none.output.hasPrefix("Every token was taken back."), "\(none)")
      #expect(try await runner.ebb("token", "list", "--json", "--database", server.database).output == "[]\n")
    }
  }

  @Test("one that can't be printed lets nobody in: it is taken back, and the command fails")
  func unseen() async throws {
    try await Workspace.use { workspace in
      let runner = CommandRunner(workspace: workspace)
      let database = workspace.path("unseen.sqlite")
      let command = "\(try Binary.ebb()) token add --user anna --database \(database)"
      for end in [" >/dev/full", " >&-"] {
        let added = try await runner.run(["/bin/sh", "-c", command + end])
        #expect(added.status == 1 && !added.error.contains("ebb_"), "\(added)")
        #expect(try await runner.ebb("token", "list", "--json", "--database", database).output == "[]\n")
      }
    }
  }

  @Test("one says that its user is new, as a mistyped name would be, or how many tokens the user had")
  func users() async throws {
    try await Workspace.use { workspace in
      let runner = CommandRunner(workspace: workspace)
      let database = ["--database", workspace.path("users.sqlite")]
      let invite = ["serve", "invite", "--url", "https://list.example", "--user"]
      for (words, sentence) in [
        (["token", "add", "--user", "anna"], "The server did not know anna before."),
        (invite + ["anna"], "anna has 1 other valid token."),
        (["token", "add", "--user", "Anna"], "The server did not know Anna before."),
        (invite + ["ben"], "The server did not know ben before."),
        (["token", "add", "--user", "anna", "--expires", "1d"], "anna has 1 other valid token."),
        (["token", "add", "--user", "anna"], "anna has 2 other valid tokens."),
        (["token", "add", "--user", "ben"], "ben has 0 other valid tokens."),
      ] as [([String], String)] {
        let added = try await runner.run([try Binary.ebb()] + words + database)
        #expect(added.status == 0 && added.error.contains(sentence), "\(added)")
      }
      let revoked = try await runner.run([try Binary.ebb(), "token", "revoke", "--user", "anna"] + database)
      #expect(revoked.status == 0, "\(revoked)")
      let again = try await runner.run([try Binary.ebb(), "token", "add", "--user", "anna"] + database)
      #expect(again.error.contains("anna has 0 other valid tokens."), "\(again)")
    }
  }

  @Test("as long as nobody could own a list from before, each token says to whom it will belong")
  func noOwner() async throws {
    try await Workspace.use { workspace in
      let runner = CommandRunner(workspace: workspace)
      let words = ["token", "add", "--user", "anna", "--database", workspace.path("server.sqlite")]
      for (scope, isSaid) in [("metrics", true), ("feed", true), ("sync", false), ("read", false)] {
        let added = try await runner.run([try Binary.ebb()] + words + ["--scope", scope])
        #expect(added.status == 0, "\(added)")
        #expect(added.error.contains("belongs to the first user who is invited") == isSaid, "\(added)")
      }
    }
  }

  @Test("another one of the same user goes on with the list and asks nothing; one of another user is asked about")
  func another() async throws {
    try await Workspace.use { workspace in
      let server = try await ServerProcess.start(workspace)
      let runner = CommandRunner(workspace: workspace)
      func token(of user: String) async throws -> String {
        let added = try await runner.ebb("token", "add", "--user", user, "--database", server.database)
        return added.output.trimmingCharacters(in: .newlines)
      }
      let device = Device(workspace, server: server.url)
      func run(_ words: [String], as token: String) async throws -> Outcome {
        try await runner.run(try device.words(words), environment: ["EBB_TOKEN": token])
      }
      _ = try await device.add("Milk")
      #expect(try await run(["sync"], as: token(of: "anna")).status == 0)
      let newer = try await token(of: "anna")
      for words in [["doctor"], ["sync", "--verify"], ["status"], ["sync"]] {
        let outcome = try await run(words, as: newer)
        #expect(outcome.status == 0, "\(words): \(outcome)")
      }
      _ = try await device.add("Bread")
      let refused = try await run(["sync"], as: token(of: "eve"))
      #expect(refused.status != 0 && refused.error.contains("belongs to anna at"), "\(refused)")
      let sent = try await run(["sync"], as: token(of: "anna"))
      #expect(sent.status == 0 && sent.output.contains("sent 1"), "\(sent)")
    }
  }

  @Test(
    "one for the calendar comes with its address, in which the token is not, and opens the list's days",
    arguments: [
      ("en_US.UTF-8", "A calendar subscribes to URL, with this token in the place of TOKEN."),
      ("es_ES.UTF-8", "Un calendario se suscribe a URL, con este token en lugar de TOKEN."),
      ("ja_JP.UTF-8", "カレンダーで購読するアドレス：URL（TOKEN をこのトークンに置き換えます）。"),
      ("zh_TW.UTF-8", "行事曆訂閱的位址：URL（將 TOKEN 換成這個權杖）。"),
    ])
  func feed(language: String, sentence: String) async throws {
    try await Workspace.use { workspace in
      let server = try await ServerProcess.start(workspace)
      let runner = CommandRunner(workspace: workspace)
      let device = Device(workspace, server: server.url)
      _ = try await device.add("Pay the rent due:2026-12-01")
      #expect(try await runner.run(try device.words(["sync"])).status == 0)
      let first = try await runner.ebb("token", "add", "--user", "anna", "--database", server.database)
      #expect(first.status == 0, "\(first)")
      let words = ["token", "add", "--user", "anna", "--scope", "feed", "--database", server.database]
      let added = try await runner.run([try Binary.ebb()] + words, environment: ["LC_ALL": language])
      let token = added.output.trimmingCharacters(in: .newlines)
      let url = "\(server.url)/feeds/TOKEN.ics"
      #expect(added.error.contains(sentence.replacingOccurrences(of: "URL", with: url)), "\(added)")
      #expect(!added.error.contains(token))
      let calendar = try await runner.run(["curl", "-s", url.replacingOccurrences(of: "TOKEN", with: token)])
      #expect(calendar.output.contains("DTSTART;VALUE=DATE:20261201\r\nSUMMARY:Pay the rent\r\n"), "\(calendar)")
    }
  }

  @Test(
    "what makes no sense is refused, and no database is made for it",
    arguments: [
      ["add"], ["add", "--user", "a b"], ["add", "--user", "a", "--expires", "soon"],
      ["add", "--user", "a", "--expires", "+5d"],
      ["add", "--user", "a", "--scope", "all"], ["revoke"], ["revoke", "x", "--user", "a"],
      ["revoke", ""], ["revoke", "--user", ""],
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
