import Testing

@Suite("The server would take away most of the list", .serialized, .timeLimit(.minutes(5)))
struct MassDeletionTests {
  /// A device with 20 items, of which another device deleted 15 at the server.
  private func stripped(_ workspace: Workspace) async throws -> Device {
    let server = try await ServerProcess.start(workspace)
    let laptop = Device(workspace, name: "laptop", server: server.url)
    let phone = Device(workspace, name: "phone", server: server.url)
    for number in 1...20 { _ = try await laptop.add("Item \(number)") }
    try await laptop.ebb("sync")
    try await phone.ebb("sync")
    let gone = try await phone.items().prefix(15).map(\.handle)
    let deleted = try await CommandRunner(workspace: workspace).run(try phone.words(["delete"] + gone))
    try #require(deleted.status == 0, "\(deleted)")
    try await phone.ebb("sync")
    return laptop
  }

  @Test("the list asks: Esc keeps them all, y lets them go")
  func inTheList() async throws {
    try await Workspace.use { workspace in
      let device = try await stripped(workspace)
      let list = try await TerminalSession.list(device)
      try await list.press("r")
      try await list.wait("the question") {
        $0.status.contains("The server would take away 15 of 20 items here.")
          && $0.status.contains("y let go") && $0.status.contains("b send back")
      }
      try await list.press("Escape")
      try await list.wait("the list") { $0.status.contains("? help") && $0.rows.count == 20 }
      try await list.press("r")
      try await list.wait("the question again") { $0.status.contains("y let go") && $0.status.contains("b send back") }
      try await list.press("y")
      try await list.wait("what is left") { $0.rows.count == 5 }
    }
  }

  @Test("in the list b brings back what others deleted, here and there")
  func sentBackInTheList() async throws {
    try await Workspace.use { workspace in
      let device = try await stripped(workspace)
      let list = try await TerminalSession.list(device)
      try await list.press("r")
      try await list.wait("the question") { $0.status.contains("b send back") }
      try await list.press("b")
      try await list.wait("all sent") { $0.status.contains("sent 15") && $0.rows.count == 20 }
      let phone = Device(workspace, name: "phone", server: device.server)
      try await phone.ebb("sync")
      #expect(try await phone.items().count == 20)
    }
  }

  @Test("sync asks in a terminal; a script gets a sentence that names --yes")
  func commands() async throws {
    try await Workspace.use { workspace in
      let device = try await stripped(workspace)
      let script = try await device.attempt("sync")
      #expect(script.status == 1 && script.complaints.count == 1 && script.error.contains("--yes"), "\(script)")
      #expect(script.error.contains("(15)") && script.error.contains("--restored send"), "\(script)")
      for (answer, status, left) in [("", Int32(1), 20), ("y", 0, 5)] {
        let terminal = try await TerminalSession.open(workspace, try device.words(["sync"]))
        try await terminal.wait("the question") { $0.words.contains("15 of 20") }
        try await terminal.type(answer)
        try await terminal.press("Enter")
        #expect(try await terminal.exitStatus() == status)
        #expect(try await device.items().count == left)
      }
    }
  }

  /// Two devices with six items, and their server with an empty database at the same place.
  private func emptied(_ workspace: Workspace) async throws -> (laptop: Device, phone: Device, server: ServerProcess) {
    let server = try await ServerProcess.start(workspace)
    let laptop = Device(workspace, name: "laptop", server: server.url)
    let phone = Device(workspace, name: "phone", server: server.url)
    for number in 1...6 { _ = try await laptop.add("Item \(number)") }
    try await laptop.ebb("sync")
    try await phone.ebb("sync")
    try await server.stop()
    let empty = try await ServerProcess.start(
      workspace, database: workspace.path("empty.sqlite"), port: server.port)
    return (laptop, phone, empty)
  }

  @Test("a server that was replaced by an empty one gets the whole list back, and nobody loses anything")
  func sentBack() async throws {
    try await Workspace.use { workspace in
      let (laptop, phone, server) = try await emptied(workspace)
      let stopped = try await laptop.attempt("sync")
      #expect(stopped.status == 1 && stopped.error.contains("--account same"), "\(stopped)")
      #expect(try await laptop.items().count == 6)
      let sent = try await laptop.attempt("sync", "--account", "same")
      #expect(sent.status == 0 && sent.output.contains("sent 6") && sent.output.contains("6 here, 6 there"), "\(sent)")
      #expect(try await Curl(server: server).items().count == 6)
      try await phone.ebb("sync", "--account", "same")
      #expect(try await phone.items().count == 6)
      #expect(try await Curl(server: server).items().count == 6)
    }
  }

  @Test("an option that has nothing to decide is not passed over in silence", arguments: [true, false])
  func needless(isAccount: Bool) async throws {
    try await Workspace.use { workspace in
      let server = try await ServerProcess.start(workspace)
      let device = Device(workspace, server: server.url)
      _ = try await device.add("milk")
      let options = isAccount ? ["--account", "new"] : ["--restored", "send"]
      let outcome = try await CommandRunner(workspace: workspace).run(try device.words(["sync"] + options))
      #expect(outcome.status == 0 && outcome.complaints.count == 1, "\(outcome)")
      #expect(outcome.error.contains("\(options[0]) had nothing to decide") && outcome.output.contains("sent 1"))
    }
  }

  @Test("sync asks in a terminal whether all of it goes back")
  func askedToSendBack() async throws {
    try await Workspace.use { workspace in
      let laptop = try await stripped(workspace)
      #expect(try await laptop.attempt("sync", "--no-input").status == 1)
      let advice = try await laptop.attempt("doctor")
      #expect(advice.output.contains("15 of 20") && advice.output.contains("--restored send"), "\(advice)")
      let terminal = try await TerminalSession.open(workspace, try laptop.words(["sync"]))
      try await terminal.wait("the question") { $0.words.contains("b: send them back") }
      try await terminal.type("b")
      try await terminal.press("Enter")
      #expect(try await terminal.exitStatus() == 0)
      let phone = Device(workspace, name: "phone", server: laptop.server)
      try await phone.ebb("sync")
      #expect(try await phone.items().count == 20)
    }
  }
}
