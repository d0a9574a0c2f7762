import Testing

@Suite("Tables from the command line", .serialized, .timeLimit(.minutes(5)))
struct TablesCommandTests {
  private struct Listed: Decodable {
    let name: String
    let lists: Int
    let items: Int
    let deleted: Int
    let columns: [String]
  }

  /// A server with open tables, and movies beside its items.
  private struct Cinema {
    let workspace: Workspace
    let server: ServerProcess

    init(_ workspace: Workspace) async throws {
      self.workspace = workspace
      server = try await ServerProcess.start(workspace, words: ["--tables", "open"])
      try await Curl(server: server).post(#"{"id":"a","text":"Milk"}"#)
      for id in ["m", "n"] {
        try await Curl(server: server).post("{\"id\":\"\(id)\",\"title\":\"Dune\"}", to: "movies")
      }
    }

    func line(_ words: [String]) throws -> [String] {
      [try Binary.ebb(), "serve", "tables"] + words + ["--database", server.database]
    }

    func tables(_ words: String...) async throws -> Outcome {
      try await CommandRunner(workspace: workspace).run(try line(words))
    }

    func listed() async throws -> [Listed] { try await tables("--json").decoded() }
  }

  @Test("are listed with what is in them, for people and for programs")
  func listed() async throws {
    try await Workspace.use { workspace in
      let cinema = try await Cinema(workspace)
      let listed = try await cinema.listed()
      #expect(listed.map(\.name) == ["TodoItem", "movies"] && listed.map(\.lists) == [1, 1])
      #expect(listed.map(\.items) == [1, 2] && listed.map(\.deleted) == [0, 0])
      #expect(listed.map(\.columns) == [["text", "complete"], ["title"]])
      let shown = try await cinema.tables()
      #expect(shown.status == 0 && shown.output.contains("movies    1 list  2 items  0 deleted  title\n"), "\(shown)")
      #expect(shown.error.contains("--tables open"), "\(shown)")
    }
  }

  @Test("that of to-do items is not removed, nor one that is not there, nor any without a question or --yes")
  func refused() async throws {
    try await Workspace.use { workspace in
      let cinema = try await Cinema(workspace)
      let own = try await cinema.tables("remove", "todoitem", "--yes")
      #expect(own.status == 64 && own.error.contains("can't be removed"), "\(own)")
      for name in ["plays", "a-b"] {
        let unknown = try await cinema.tables("remove", name, "--yes")
        #expect(unknown.status == 1 && unknown.error.contains("There is no table \(name)."), "\(unknown)")
      }
      let unasked = [
        try await cinema.tables("remove", "movies"), try await cinema.tables("remove", "movies", "--no-input"),
      ]
      for outcome in unasked { #expect(outcome.status == 64 && outcome.error.contains("--yes"), "\(outcome)") }
      #expect(try await cinema.listed().count == 2)
    }
  }

  @Test("one is removed after a question at a terminal, while the server runs")
  func removed() async throws {
    try await Workspace.use { workspace in
      let cinema = try await Cinema(workspace)
      for (answer, status, left) in [("", Int32(1), 2), ("y", 0, 1)] {
        let terminal = try await TerminalSession.open(workspace, try cinema.line(["remove", "movies"]))
        try await terminal.wait("the question") { $0.words.contains("of all users, with 2 items?") }
        try await terminal.type(answer)
        try await terminal.press("Enter")
        #expect(try await terminal.exitStatus() == status)
        #expect(try await cinema.listed().count == left)
      }
      #expect(try await Curl(server: cinema.server).has("a"), "the server goes on")
      let again = try await cinema.tables("remove", "movies", "--yes")
      #expect(again.status == 1, "\(again)")
    }
  }

  @Test("several are removed together, or none")
  func several() async throws {
    try await Workspace.use { workspace in
      let cinema = try await Cinema(workspace)
      try await Curl(server: cinema.server).post(#"{"id":"p","title":"Faust"}"#, to: "plays")
      try await Curl(server: cinema.server).delete("m", from: "movies")
      #expect(try await cinema.tables("remove", "movies", "operas", "--yes").status == 1)
      #expect(try await cinema.listed().count == 3)
      let removed = try await cinema.tables("remove", "plays", "movies", "movies", "--yes")
      let said = "Removed the tables movies, plays: 2 lists, 2 items, 1 trace of a deleted item.\n"
      #expect(removed.status == 0 && removed.output == said, "\(removed)")
      #expect(try await cinema.listed().map(\.name) == ["TodoItem"])
    }
  }
}
