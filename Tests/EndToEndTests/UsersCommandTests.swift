import Foundation
import Testing

@Suite("Users from the command line", .serialized, .timeLimit(.minutes(5)))
struct UsersCommandTests {
  private struct Listed: Decodable {
    let user: String?
    let items: Int
    let deleted: Int
    let tokens: Int
    let lastUsedAt: String?
  }

  @Test("are listed; one is removed while the server runs, whose device is let in no more and keeps its list")
  func life() async throws {
    try await Workspace.use { workspace in
      let server = try await ServerProcess.start(workspace)
      let runner = CommandRunner(workspace: workspace)
      func users(_ words: String...) async throws -> Outcome {
        try await runner.run([try Binary.ebb(), "serve", "users"] + words + ["--database", server.database])
      }
      #expect(try await users().output == "The database has no user, and nothing in it.\n")
      let added = try await runner.ebb("token", "add", "--user", "anna", "--database", server.database)
      let token = ["EBB_TOKEN": added.output.trimmingCharacters(in: .newlines)]
      let device = Device(workspace, server: server.url)
      _ = try await device.add("Milk")
      let sync = try device.words(["sync"])
      #expect(try await runner.run(sync, environment: token).status == 0)

      let listed = try await users("--json").decoded([Listed].self)
      #expect(listed.map(\.user) == ["anna"] && listed.map(\.items) == [1] && listed.map(\.tokens) == [1])
      let shown = try await users()
      #expect(shown.output.hasPrefix("anna  1 item  0 deleted  1 token  "), "\(shown)")
      let unknown = try await users("remove", "Anna", "--yes")
      #expect(unknown.status == 1 && unknown.error.contains("There is no user Anna."), "\(unknown)")
      let half = try await users("remove", "anna", "ben", "--yes")
      #expect(half.status == 1 && half.error.contains("There is no user ben."), "\(half)")
      let unasked = try await users("remove", "anna")
      #expect(unasked.status == 64 && unasked.error.contains("--yes"), "\(unasked)")

      let removed = try await users("remove", "anna", "--yes")
      let said = "Removed the user anna: 1 list, 1 item, 1 token or invitation taken back.\n"
      #expect(removed.status == 0 && removed.output == said, "\(removed)")
      // Until the server has heard of it, it asks to be asked again.
      var refused = try await runner.run(sync, environment: token)
      while refused.status == 69 { refused = try await runner.run(sync, environment: token) }
      #expect(refused.status == 77, "\(refused)")
      #expect(try await device.items().map(\.text) == ["Milk"])
      #expect(try await users("--json").output == "[]\n")
    }
  }

  @Test(
    "are removed while another user's device sleeps, which is asked nothing, unless a backup was put back in between",
    arguments: [false, true])
  func sleeping(isRestored: Bool) async throws {
    try await Workspace.use { workspace in
      var server = try await ServerProcess.start(workspace)
      let (database, runner) = (server.database, CommandRunner(workspace: workspace))
      func token(_ user: String) async throws -> [String: String] {
        let added = try await runner.ebb("token", "add", "--user", user, "--database", database)
        return ["EBB_TOKEN": added.output.trimmingCharacters(in: .newlines)]
      }
      let (ben, anna, carl) = (try await token("ben"), try await token("anna"), try await token("carl"))
      let tokens = ["ben": ben, "anna": anna, "carl": carl]
      func sync(_ device: Device, of user: String) async throws -> Outcome {
        try await runner.run(try device.words(["sync"]), environment: tokens[user] ?? [:])
      }
      let laptop = Device(workspace, name: "laptop", server: server.url)
      let phone = Device(workspace, name: "phone", server: server.url)
      let handle = try await laptop.add("Milk")
      #expect(try await sync(laptop, of: "ben").status == 0)
      #expect(try await sync(phone, of: "ben").status == 0)
      for user in ["anna", "carl"] {
        let device = Device(workspace, name: user, server: server.url)
        _ = try await device.add("Of \(user)")
        #expect(try await sync(device, of: user).status == 0)
      }
      try await phone.ebb("done", handle)

      for user in ["anna", "carl"] {
        if isRestored, user == "carl" {
          let copy = workspace.path("copy.sqlite")
          #expect(try await runner.ebb("serve", "backup", copy, "--database", database).status == 0)
          try await server.stop()
          #expect(try await runner.ebb("serve", "restore", copy, "--database", database).status == 0)
          server = try await ServerProcess.start(workspace, database: database, port: server.port)
        }
        let removed = try await runner.ebb("serve", "users", "remove", user, "--yes", "--database", database)
        #expect(removed.status == 0, "\(removed)")
        try await laptop.ebb("edit", handle, "Milk, \(user) is gone")
        #expect(try await sync(laptop, of: "ben").status == 0)
      }
      let woken = try await sync(phone, of: "ben")
      #expect(woken.status == (isRestored ? 2 : 0), "\(woken)")
      let items = try await phone.items("--all")
      #expect(items.map(\.complete) == [true] && items.map { $0.conflict == true } == [isRestored], "\(items)")
      if !isRestored { #expect(items.map(\.text) == ["Milk, carl is gone"]) }
    }
  }
}
