import Foundation
import Testing

@Suite("Pairing a device", .serialized, .timeLimit(.minutes(5)))
struct PairingTests {
  /// The link that `ebb serve invite` prints.
  private func invite(_ server: ServerProcess, _ words: String...) async throws -> String {
    let outcome = try await CommandRunner(workspace: server.workspace).run(
      [try Binary.ebb(), "serve", "invite", "--user", "anna", "--database", server.database] + words)
    guard outcome.status == 0 else { throw Failure("\(outcome)") }
    return outcome.output.trimmingCharacters(in: .newlines)
  }

  private func text(_ path: String) throws -> String { String(decoding: try data(path), as: UTF8.self) }
  private func data(_ path: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path)) }

  @Test("is one command: afterwards the device syncs, and keeps what was in its configuration")
  func joins() async throws {
    try await Workspace.use { workspace in
      let server = try await ServerProcess.start(workspace)
      let runner = CommandRunner(workspace: workspace)
      let (config, token) = (workspace.path("config/ebb/config.yaml"), workspace.path("config/ebb/token"))
      try FileManager.default.createDirectory(
        atPath: workspace.path("config/ebb"), withIntermediateDirectories: true)
      let before = "# mine\ntheme: dark # always\nsync:\n  when: never\n"
      try Data(before.utf8).write(to: URL(fileURLWithPath: config))

      let link = try await invite(server)
      #expect(link.hasPrefix("\(server.url)/join#ebbjoin_") && !link.contains("\n"))
      let joined = try await runner.ebb("join", link, "--label", "laptop", environment: ["EBB_SERVER": server.url])
      #expect(joined.status == 0 && joined.output.contains(server.url) && joined.output.contains("anna"), "\(joined)")
      #expect(!joined.error.contains("EBB_SERVER"), "it names the same server: \(joined)")
      #expect(try text(config) == before + "server: '\(server.url)'\ntokenFile: '\(token)'\n")
      #expect(try permissions(of: token) == 0o600)
      #expect(try text(token).hasPrefix("ebb_"))
      #expect(try FileManager.default.contentsOfDirectory(atPath: workspace.path("config/ebb")).count == 2)

      _ = try await runner.ebb("add", "Milk")
      let synced = try await runner.ebb("sync")
      #expect(synced.status == 0 && synced.output.contains("sent 1"), "\(synced)")
      let listed = try await runner.ebb("token", "list", "--database", server.database)
      #expect(listed.output.contains("laptop") && !listed.output.contains("invite"), "\(listed)")
      let again = try await invite(server)
      let warned = try await runner.ebb("join", again, "--yes", environment: ["EBB_SERVER": "http://127.0.0.1:1"])
      #expect(warned.status == 0 && warned.error.contains("EBB_SERVER is set"), "\(warned)")
      #expect(server.child.error.isEmpty)
    }
  }

  @Test("a link comes from standard input too, where no list of processes shows it, and into a file that init made")
  func joinsFromInput() async throws {
    try await Workspace.use { workspace in
      let server = try await ServerProcess.start(workspace)
      let runner = CommandRunner(workspace: workspace)
      #expect(try await runner.ebb("config", "init").status == 0)
      let line = "printf '%s\\n' '\(try await invite(server))' | '\(try Binary.ebb())' join -"
      let joined = try await runner.run(["/bin/sh", "-c", line])
      #expect(joined.status == 0, "\(joined)")
      let token = workspace.path("config/ebb/token")
      #expect(try text(workspace.path("config/ebb/config.yaml")).hasSuffix("tokenFile: '\(token)'\n"))
      #expect(try await runner.ebb("config", "check").status == 0)
      #expect(try await runner.ebb("sync").status == 0)
      let empty = try await runner.run(["/bin/sh", "-c", "'\(try Binary.ebb())' join - </dev/null"])
      #expect(empty.status == 64, "\(empty)")
    }
  }

  @Test("a device that joins again as the same user goes on as it was; another user's name lets nothing through")
  func joinsAgain() async throws {
    try await Workspace.use { workspace in
      let server = try await ServerProcess.start(workspace)
      let runner = CommandRunner(workspace: workspace)
      let token = workspace.path("config/ebb/token")
      _ = try await runner.ebb("join", try await invite(server))
      #expect(try text(token).split(separator: " ").last == "anna\n")
      _ = try await runner.ebb("add", "Milk")
      #expect(try await runner.ebb("sync").status == 0)
      _ = try await runner.ebb("token", "revoke", "--user", "anna", "--database", server.database)
      #expect(try await runner.ebb("join", try await invite(server), "--yes").status == 0)
      _ = try await runner.ebb("add", "Bread")
      let synced = try await runner.ebb("sync")
      #expect(synced.status == 0 && synced.output.contains("sent 1") && synced.output.contains("2 here"), "\(synced)")

      try Data(try text(token).replacing(" anna", with: " bob").utf8).write(to: URL(fileURLWithPath: token))
      _ = try await runner.ebb("add", "Secret")
      let refused = try await runner.ebb("sync", "--account", "same")
      #expect(refused.status == 77, "\(refused)")
      #expect(try await runner.ebb("status").output.contains("1"), "it waits")
    }
  }

  @Test("as somebody else is noticed by a list that is open: nothing is sent, and both users are named")
  func joinsMeanwhile() async throws {
    try await Workspace.use { workspace in
      let server = try await ServerProcess.start(workspace)
      let runner = CommandRunner(workspace: workspace)
      let token = workspace.path("config/ebb/token")
      _ = try await runner.ebb("join", try await invite(server))
      _ = try await runner.ebb("add", "Milk")
      #expect(try await runner.ebb("sync").status == 0)
      let list = try await TerminalSession.open(workspace, [try Binary.ebb()])
      try await list.wait("the list") { $0.shows("Milk") }
      let added = try await runner.ebb("token", "add", "--user", "eve", "--database", server.database)
      try Data("\(added.output.trimmingCharacters(in: .newlines)) eve\n".utf8).write(to: URL(fileURLWithPath: token))
      try await list.press("a")
      try await list.type("For anna's eyes")
      try await list.press("Enter")
      try await list.press("Escape")
      try await list.wait("the list alone") { !$0.status.contains("Enter save") }
      try await list.press("r")
      try await list.wait("both names") { $0.words.contains("anna at") && $0.words.contains("here to eve") }
      try await list.press("Escape")
      #expect(try await runner.ebb("token", "revoke", "--user", "eve", "--database", server.database).status == 0)
      #expect(try await runner.ebb("status").output.contains("1"), "it waits")
    }
  }

  @Test(
    "if the token's file is gone or empty, what is here is shown, and a sync says which of the two, and what to do",
    arguments: [(false, "is not there"), (true, "is empty")])
  func lostToken(isEmpty: Bool, says: String) async throws {
    try await Workspace.use { workspace in
      let server = try await ServerProcess.start(workspace)
      let runner = CommandRunner(workspace: workspace)
      _ = try await runner.ebb("join", try await invite(server))
      _ = try await runner.ebb("add", "Milk due:today")
      let token = workspace.path("config/ebb/token")
      try FileManager.default.removeItem(atPath: token)
      if isEmpty { try Data().write(to: URL(fileURLWithPath: token)) }
      let status = try await runner.ebb("status")
      #expect(status.status == 0 && status.output.contains("waiting to be sent: 1"), "\(status)")
      #expect(status.complaints.count == 1 && status.error.contains("\(token) \(says)"), "\(status)")
      let reminded = try await runner.ebb("remind")
      #expect(reminded.status == 77 && reminded.output.contains("Milk"), "\(reminded)")
      #expect(reminded.complaints.count == 1 && reminded.error.contains("\(token) \(says)"), "\(reminded)")
      let synced = try await runner.ebb("sync")
      #expect(synced.status == 77 && synced.output.isEmpty && synced.complaints.count == 1, "\(synced)")
      #expect(synced.error.contains("\(token) \(says)") && synced.error.contains("ebb join LINK"), "\(synced)")
    }
  }

  @Test("gives its token to no other server that a flag or the environment names, unless that is said")
  func otherServer() async throws {
    try await Workspace.use { workspace in
      let server = try await ServerProcess.start(workspace)
      let runner = CommandRunner(workspace: workspace)
      _ = try await runner.ebb("join", try await invite(server))
      let proxy = try CountingProxy(to: server)
      let token = workspace.path("config/ebb/token")
      let refused = try await runner.ebb("sync", "--server", proxy.url)
      #expect(refused.status == 77 && refused.complaints.count == 1, "\(refused)")
      #expect(refused.error.contains("The token is for \(server.url), so it was not sent to \(proxy.url)"))
      #expect(try await runner.ebb("sync", environment: ["EBB_SERVER": proxy.url]).status == 77)
      let doctor = try await runner.ebb("doctor", "--server", proxy.url)
      #expect(doctor.output.contains("not used: the configuration has it for \(server.url)"), "\(doctor)")
      #expect(try await runner.ebb("sync", "--server", proxy.url, "--token-file", token).status == 0)
      #expect(try await runner.ebb("sync", "--server", server.url + "/").status == 0)
    }
  }

  @Test("goes on with the same link on the same device when the answer was lost, and then leaves nothing behind")
  func lostAnswer() async throws {
    try await Workspace.use { workspace in
      let server = try await ServerProcess.start(workspace)
      let runner = CommandRunner(workspace: workspace)
      let link = try await invite(server)
      let folder = workspace.path("config/ebb")
      let proxy = try CountingProxy(to: server)
      proxy.loseAnswers()
      let lost = try await runner.ebb("join", link.replacing(server.url, with: proxy.url))
      #expect(lost.status == 69 && proxy.writes.count == 2, "it asks once more by itself: \(lost)")
      #expect(lost.error.contains("run the command again"), "\(lost)")
      #expect(try permissions(of: folder + "/token.joining") == 0o600)
      let offline = try await runner.ebb("join", link.replacing(server.url, with: "http://127.0.0.1:1"))
      #expect(offline.status == 69, "\(offline)")
      let elsewhere = try await runner.ebb("join", link, environment: ["XDG_CONFIG_HOME": workspace.path("other")])
      #expect(elsewhere.status == 77 && elsewhere.error.contains("used already"), "\(elsewhere)")
      #expect(try await runner.ebb("join", link).status == 0)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["config.yaml", "token"])
      let listed = try await runner.ebb("token", "list", "--json", "--database", server.database)
      #expect(listed.output.components(separatedBy: "\"user\"").count == 2, "one token was given: \(listed)")
    }
  }

  @Test("with a link that was used, is mistyped or cut, or leads nowhere ends in a sentence and changes nothing")
  func badLinks() async throws {
    try await Workspace.use { workspace in
      let server = try await ServerProcess.start(workspace)
      let runner = CommandRunner(workspace: workspace)
      let used = try await invite(server)
      #expect(try await runner.ebb("join", used, environment: ["XDG_CONFIG_HOME": workspace.path("other")]).status == 0)
      let cut = String(used.prefix { $0 != "#" })
      let secret = used.dropFirst(cut.count)
      let proxy = try StubServer(workspace, status: 403, "<html>Forbidden</html>")
      let other = cut + "#ebbjoin_" + secret.dropFirst("#ebbjoin_".count).reversed()
      for (link, status, words) in [
        (used, 77, "used already"), ("<\(used)>\n", 77, "used already"), (other, 77, "does not know"),
        (used + ".", 64, "not whole"), (String(used.dropLast()), 64, "not whole"), (cut, 64, "not a link"),
        ("http://127.0.0.1:1/join" + secret, 69, "reach"), (proxy.url + "/join" + secret, 69, "No server of Ebb"),
      ] as [(String, Int32, String)] {
        let outcome = try await runner.ebb("join", link)
        #expect(outcome.status == status && outcome.complaints.count == 1, "\(outcome)")
        #expect(outcome.error.contains(words) && !outcome.error.contains("ebbjoin_"), "\(outcome)")
      }
      #expect(!FileManager.default.fileExists(atPath: workspace.path("config/ebb/token")))
      #expect(!FileManager.default.fileExists(atPath: workspace.path("config/ebb/config.yaml")))
    }
  }

  @Test("does not replace another server unless that is said, and the link stays good")
  func replaces() async throws {
    try await Workspace.use { workspace in
      let server = try await ServerProcess.start(workspace)
      let runner = CommandRunner(workspace: workspace)
      let config = workspace.path("work.yaml")
      let before = "\"server\": https://other.example # at work\ntokenFile: /nowhere\n"
      try Data(before.utf8).write(to: URL(fileURLWithPath: config))
      let link = try await invite(server)
      let refused = try await runner.ebb("join", link, "--config", config)
      #expect(refused.status == 64 && refused.error.contains("https://other.example"), "\(refused)")
      #expect(try text(config) == before)
      let agreed = try await runner.ebb("join", link, "--config", config, "--yes")
      #expect(agreed.status == 0, "\(agreed)")
      let token = workspace.path("work.token")
      #expect(try text(config) == "server: '\(server.url)' # at work\ntokenFile: '\(token)'\n")
      let synced = try await runner.ebb("sync", "--config", config)
      #expect(synced.status == 0, "\(synced)")
      let again = try await runner.ebb("join", try await invite(server), "--config", config)
      #expect(again.status == 64, "the token is not replaced unasked either: \(again)")
      #expect(again.error.contains("\(server.url) already. --yes replaces its token"), "\(again)")
    }
  }

  @Test("with another server puts the token into a file of its own, so that neither server is shown that of the other")
  func movesTo() async throws {
    try await Workspace.use { workspace in
      let runner = CommandRunner(workspace: workspace)
      let files = ["token", "token-2"].map { workspace.path("config/ebb/" + $0) }
      let config = workspace.path("config/ebb/config.yaml")
      for (number, file) in (files + files).prefix(3).enumerated() {
        let server = try await ServerProcess.start(workspace, database: workspace.path("server\(number).sqlite"))
        #expect(try await runner.ebb("join", try await invite(server), "--yes").status == 0)
        #expect(try text(config).hasSuffix("server: '\(server.url)'\ntokenFile: '\(file)'\n"))
        #expect(files.filter { FileManager.default.fileExists(atPath: $0) } == [file], "the former token goes")
      }
    }
  }

  @Test("into a configuration that can't be changed or written fails before the link is used up")
  func notWritable() async throws {
    try await Workspace.use { workspace in
      let server = try await ServerProcess.start(workspace)
      let runner = CommandRunner(workspace: workspace)
      let link = try await invite(server)
      let odd = workspace.path("odd.yaml")
      try Data("{theme: dark}\n".utf8).write(to: URL(fileURLWithPath: odd))
      let outcome = try await runner.ebb("join", link, "--config", odd)
      #expect(outcome.status == 1 && outcome.error.contains("tokenFile"), "\(outcome)")
      try Data().write(to: URL(fileURLWithPath: workspace.path("file")))
      let blocked = try await runner.ebb("join", link, environment: ["XDG_CONFIG_HOME": workspace.path("file")])
      #expect(blocked.status == 1 && blocked.complaints.count == 1, "\(blocked)")
      #expect(try await runner.ebb("join", link).status == 0)
    }
  }

  @Test("invites nobody to a server that has not run, unless the address is given")
  func unknownAddress() async throws {
    try await Workspace.use { workspace in
      let runner = CommandRunner(workspace: workspace)
      let database = workspace.path("server.sqlite")
      #expect(try await runner.ebb("token", "add", "--user", "anna", "--database", database).status == 0)
      let words = ["serve", "invite", "--user", "anna", "--database", database]
      let unknown = try await runner.run([try Binary.ebb()] + words)
      #expect(unknown.status == 64 && unknown.error.contains("--url"), "\(unknown)")
      let given = try await runner.run([try Binary.ebb()] + words + ["--url", "https://list.example/"])
      #expect(given.status == 0 && given.output.hasPrefix("https://list.example/join#ebbjoin_"), "\(given)")
      let strange = ["/a b", "/a\u{1}", "/é", "/a\"b", "/a'b", "/a`b"].map { "https://list.example" + $0 }
      for url in ["list.example"] + strange {
        let refused = try await runner.run([try Binary.ebb()] + words + ["--url", url])
        #expect(refused.status == 64 && refused.output.isEmpty && refused.complaints.count == 1, "\(refused)")
      }
    }
  }

  @Test("begins before the server ran for the first time: the database is made, and the server then starts for others")
  func firstOfAll() async throws {
    try await Workspace.use { workspace in
      let runner = CommandRunner(workspace: workspace)
      let (database, other) = (workspace.path("first.sqlite"), workspace.path("other.sqlite"))
      let serve = [try Binary.ebb(), "serve", "--host", "0.0.0.0", "--port", "0", "--database"]
      let refused = try await runner.run(serve + [other])
      #expect(refused.status == 64 && refused.complaints.count == 1, "\(refused)")
      for words in ["Invite somebody first (ebb serve invite --user NAME --url URL ", "--database \(other)), "] {
        #expect(refused.error.contains(words), "\(refused)")
      }
      let words = ["serve", "invite", "--user", "anna", "--url", "https://list.example", "--database", database]
      let invited = try await runner.run([try Binary.ebb()] + words)
      #expect(invited.status == 0 && invited.output.hasPrefix("https://list.example/join#ebbjoin_"), "\(invited)")
      #expect(invited.error.contains("\(database) was not there"), "\(invited)")
      #expect(try permissions(of: database) == 0o600)
      let server = try ChildProcess(serve + [database], in: workspace)
      workspace.whenClosing { server.destroy() }
      _ = try await waitFor {
        server.output.contains(database) ? true : nil
      } otherwise: {
        "the server did not start: \(server.error)"
      }
    }
  }

  @Test("to a database that no server has made yet needs an address, and makes none without it")
  func noDatabase() async throws {
    try await Workspace.use { workspace in
      let database = workspace.path("server.sqlite")
      let outcome = try await CommandRunner(workspace: workspace).ebb(
        "serve", "invite", "--user", "anna", "--database", database)
      #expect(outcome.status == 64 && outcome.complaints.count == 1, "\(outcome)")
      #expect(outcome.error.contains("\(database) is not there") && outcome.error.contains("--url URL"), "\(outcome)")
      #expect(!FileManager.default.fileExists(atPath: database))
    }
  }
}
