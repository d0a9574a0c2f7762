import Foundation
import Testing

@Suite("A byte order mark", .timeLimit(.minutes(2)))
struct ByteOrderMarkTests {
  /// Runs `ebb edit` with an editor that is a command of the shell.
  private func edit(_ device: Device, _ handles: [String], _ editor: String) async throws {
    let words = try device.words(["edit"] + handles)
    let outcome = try await CommandRunner(workspace: device.workspace).run(words, environment: ["EDITOR": editor])
    guard outcome.status == 0 else { throw Failure("\(outcome)") }
  }

  @Test("that an editor writes is no part of the text, of one item or of several")
  func editor() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      let (milk, tea) = (try await device.add("milk"), try await device.add("tea"))
      try await edit(device, [milk], "printf '\\357\\273\\277(A) oat\\nnote\\n' >")
      #expect(try await device.items().map(\.text) == ["(A) oat\nnote", "tea"])
      let both = "printf '\\357\\273\\277%s (B) soy\\n%s chai\\n' \(milk) \(tea) >"
      try await edit(device, [milk, tea], both)
      #expect(try await device.items().map(\.text) == ["(B) soy", "chai"])
    }
  }

  @Test("is no part of a token, and neither are the line ends of another system")
  func token() async throws {
    try await Workspace.use { workspace in
      let server = try await ServerProcess.start(workspace)
      let added = try await CommandRunner(workspace: workspace).ebb(
        "token", "add", "--user", "anna", "--database", server.database)
      let file = workspace.path("token")
      let token = added.output.trimmingCharacters(in: .newlines)
      try Data("\u{FEFF}\(token)\r\n".utf8).write(to: URL(fileURLWithPath: file))
      let device = Device(workspace, server: server.url)
      _ = try await device.add("milk")
      let synced = try await device.attempt("sync", "--token-file", file)
      #expect(synced.status == 0, "\(synced)")
    }
  }
}
