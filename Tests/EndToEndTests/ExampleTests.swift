import Testing

/// The program of `Tests/Examples`, which is built on what the library makes public.
@Suite("The example of the library", .serialized, .timeLimit(.minutes(5)))
struct ExampleTests {
  /// The shopping list on one device.
  private struct Shopping {
    let workspace: Workspace
    let store: String
    let server: String

    init(_ workspace: Workspace, name: String, _ server: ServerProcess) {
      self.workspace = workspace
      store = workspace.path("\(name).sqlite")
      self.server = server.url
    }

    /// What the example prints for these words.
    func callAsFunction(_ words: String...) async throws -> [String] {
      let outcome = try await CommandRunner(workspace: workspace).run([try Binary.shopping(), store, server] + words)
      guard outcome.status == 0, outcome.error.isEmpty else { throw Failure("\(outcome)") }
      return outcome.output.split(separator: "\n").map(String.init)
    }
  }

  @Test("two devices keep one list, and a conflict is resolved, with nothing but the public names")
  func twoDevices() async throws {
    try await Workspace.use { workspace in
      let server = try await ServerProcess.start(workspace)
      let (kitchen, phone) = (
        Shopping(workspace, name: "kitchen", server), Shopping(workspace, name: "phone", server)
      )
      #expect(try await kitchen("add", "milk") == ["[ ] milk"])
      #expect(try await kitchen("add", "bread") == ["[ ] bread", "[ ] milk"])
      #expect(try await kitchen("sync") == ["sent 2, received 0, waiting 0"])
      #expect(try await phone("sync") == ["sent 0, received 2, waiting 0"])
      #expect(try await phone("bought", "bread") == ["[x] bread", "[ ] milk"])
      #expect(try await phone("rename", "milk", "oat", "milk") == ["[x] bread", "[ ] oat milk"])
      #expect(try await phone("sync") == ["sent 2, received 0, waiting 0"])
      #expect(try await kitchen("rename", "milk", "goat milk") == ["[ ] bread", "[ ] goat milk"])
      #expect(
        try await kitchen("sync") == [
          "sent 0, received 1, waiting 1", "conflict: here goat milk, there oat milk",
        ])
      #expect(try await kitchen("keep", "mine") == ["[x] bread", "[ ] goat milk"])
      #expect(try await kitchen("sync") == ["sent 1, received 0, waiting 0"])
      #expect(try await phone("sync") == ["sent 0, received 1, waiting 0"])
      #expect(try await phone("list") == ["[x] bread", "[ ] goat milk"])
    }
  }

  @Test("without the server the list works, a change is undone, and a sync says why nothing went out")
  func offline() async throws {
    try await Workspace.use { workspace in
      let server = try await ServerProcess.start(workspace)
      let kitchen = Shopping(workspace, name: "kitchen", server)
      try await server.stop()
      #expect(try await kitchen("add", "milk") == ["[ ] milk"])
      #expect(try await kitchen("bought", "milk") == ["[x] milk"])
      #expect(try await kitchen("undo") == ["[ ] milk"])
      let said = try await kitchen("sync")
      #expect(said.first == "sent 0, received 0, waiting 1")
      #expect(said.last?.hasPrefix("The server did not answer: ") == true)
    }
  }
}
