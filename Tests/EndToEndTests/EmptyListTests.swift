import Testing

@Suite("A list in which nothing is found", .timeLimit(.minutes(2)))
struct EmptyListTests {
  private static let questions: [(words: [String], says: String)] = [
    (["list", "bread"], "ebb: Nothing matches."),
    (
      ["list", "milk or bread"],
      "ebb: Nothing matches: “or” is looked for as a word, and OR in capitals means either."
    ),
    (["agenda", "bread"], "ebb: Nothing matches."),
    (["list", "--done"], "ebb: Nothing is done yet."),
  ]

  @Test("is a sentence on a terminal")
  func terminal() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      let milk = try await device.add("milk")
      for (words, says) in Self.questions { try await wait(for: says, of: words, device) }
      try await device.ebb("delete", milk)
      for words in [["list"], ["agenda"]] { try await wait(for: "ebb: Nothing to do.", of: words, device) }
      try await wait(for: "ebb: The list is empty.", of: ["list", "--all"], device)
      let other = try await TerminalSession.open(workspace, [try Binary.ebb(), "list"])
      try await other.wait("the sentence about no list") { $0.words == "ebb: Nothing to do." }
    }
  }

  @Test("is nothing in a pipe, and no failure")
  func pipe() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      _ = try await device.add("milk")
      for (words, _) in Self.questions {
        let outcome = try await CommandRunner(workspace: workspace).run(try device.words(words))
        #expect(outcome.status == 0 && outcome.output.isEmpty && outcome.error.isEmpty, "\(outcome)")
      }
    }
  }

  private func wait(for sentence: String, of words: [String], _ device: Device) async throws {
    let terminal = try await TerminalSession.open(device.workspace, try device.words(words))
    try await terminal.wait("\(words) to say: \(sentence)") { $0.words == sentence }
  }
}
