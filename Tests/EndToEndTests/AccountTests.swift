import Testing

@Suite("A list meets another account", .serialized, .timeLimit(.minutes(5)))
struct AccountTests {
  /// A list that belongs to one server, with a change that waits for it, and another server.
  private struct Move {
    let home: ServerProcess
    let work: ServerProcess
    /// The list, with the other server set.
    var device: Device

    init(_ workspace: Workspace) async throws {
      home = try await ServerProcess.start(workspace)
      work = try await ServerProcess.start(workspace, database: workspace.path("work.sqlite"))
      device = Device(workspace, server: home.url)
      _ = try await device.add("milk")
      try await device.ebb("sync")
      _ = try await device.add("bread")
      device.server = work.url
    }

    func texts(at server: ServerProcess) async throws -> [String] {
      try await Curl(server: server).items().map(\.text)
    }
  }

  @Test("a script gets one sentence with both servers, both answers and purge, and nothing is sent")
  func script() async throws {
    try await Workspace.use { workspace in
      let move = try await Move(workspace)
      let outcome = try await move.device.attempt("sync")
      #expect(outcome.status == 1 && outcome.complaints.count == 1 && outcome.output.isEmpty, "\(outcome)")
      for words in [move.home.url, move.work.url, "--account same", "--account new", "ebb purge", "nothing was sent"] {
        #expect(outcome.error.contains(words), "\(words)")
      }
      #expect(try await move.texts(at: move.work) == [])
      #expect(try await move.device.status().pending == 1)
    }
  }

  @Test("--account new sends all of it there as new, and the old server keeps what it had")
  func takenAlong() async throws {
    try await Workspace.use { workspace in
      let move = try await Move(workspace)
      try await move.device.ebb("sync", "--account", "new")
      #expect(try await move.texts(at: move.work) == ["bread", "milk"])
      #expect(try await move.texts(at: move.home) == ["milk"])
      try await move.device.ebb("sync")
      #expect(try await move.device.status().pending == 0)
    }
  }

  @Test("a server of ours may move to another address without a question")
  func movedServer() async throws {
    try await Workspace.use { workspace in
      var move = try await Move(workspace)
      move.device.server = try CountingProxy(to: move.home).url
      try await move.device.ebb("sync")
      #expect(try await move.texts(at: move.home) == ["bread", "milk"])
    }
  }

  @Test(
    "a server whose database is another than before gets nothing, until --account same says that it is the same list")
  func sameList() async throws {
    try await Workspace.use { workspace in
      var move = try await Move(workspace)
      try await move.home.stop()
      try DatabaseFile(path: move.home.database).rename(to: "00000000-0000-4000-8000-000000000000")
      let restored = try await ServerProcess.start(workspace, database: move.home.database, port: move.home.port)
      move.device.server = restored.url
      let outcome = try await move.device.attempt("sync")
      #expect(outcome.status == 1 && outcome.error.contains("--account same"), "\(outcome)")
      #expect(try await move.texts(at: restored) == ["milk"])
      try await move.device.ebb("sync", "--account", "same")
      #expect(try await move.texts(at: restored) == ["bread", "milk"])
      try await move.device.ebb("sync")
      #expect(try await move.device.items().map(\.text).sorted() == ["bread", "milk"])
    }
  }

  @Test("in a terminal sync asks, and goes on with the answer")
  func asked() async throws {
    try await Workspace.use { workspace in
      let move = try await Move(workspace)
      for (answer, status, sent) in [("", Int32(1), []), ("t", 0, ["bread", "milk"])] {
        let terminal = try await TerminalSession.open(workspace, try move.device.words(["sync"]))
        try await terminal.wait("the question") { screen in
          screen.words.contains("1 change waits for it") && screen.words.contains("t: send all as new")
        }
        try await terminal.type(answer)
        try await terminal.press("Enter")
        #expect(try await terminal.exitStatus() == status)
        #expect(try await move.texts(at: move.work) == sent)
      }
    }
  }

  @Test("in the list the refresh asks: Esc leaves it, t takes it along")
  func inTheList() async throws {
    try await Workspace.use { workspace in
      let move = try await Move(workspace)
      let list = try await TerminalSession.list(move.device)
      try await list.press("r")
      try await list.wait("the question") {
        $0.lines.joined().contains("1 change waits for it") && $0.status.contains("t send as new")
      }
      try await list.press("Escape")
      try await list.wait("the list") { $0.status.contains("↑1") && $0.status.contains("? help") }
      #expect(try await move.texts(at: move.work) == [])
      try await list.press("r")
      try await list.wait("the question again") { $0.status.contains("t send as new") }
      try await list.press("t")
      try await list.wait("all to be sent") { !$0.status.contains("↑") && $0.status.contains("sent 2") }
      #expect(try await move.texts(at: move.work) == ["bread", "milk"])
    }
  }
}
