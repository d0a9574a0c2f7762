import Testing

@Suite("The server would take away most of the list", .serialized, .timeLimit(.minutes(5)))
struct BrakeTests {
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
        $0.status.contains("The server would take away 15 of 20 items here.") && $0.status.contains("y go on")
      }
      try await list.press("Escape")
      try await list.wait("the list") { $0.status.contains("? help") && $0.rows.count == 20 }
      try await list.press("r")
      try await list.wait("the question again") { $0.status.contains("y go on") }
      try await list.press("y")
      try await list.wait("what is left") { $0.rows.count == 5 }
    }
  }

  @Test("sync asks in a terminal; a script gets a sentence that names --yes")
  func commands() async throws {
    try await Workspace.use { workspace in
      let device = try await stripped(workspace)
      let script = try await device.attempt("sync")
      #expect(script.status == 1 && script.complaints.count == 1 && script.error.contains("--yes"), "\(script)")
      for (answer, status, left) in [("", Int32(1), 20), ("y", 0, 5)] {
        let terminal = try await TerminalSession.open(workspace, try device.words(["sync"]))
        try await terminal.wait("the question") { $0.lines.contains { $0.contains("15 of 20") } }
        try await terminal.type(answer)
        try await terminal.press("Enter")
        #expect(try await terminal.exitStatus() == status)
        #expect(try await device.items().count == left)
      }
    }
  }
}
