import Foundation
import Testing

@Suite("The server's database is put back from a copy", .serialized, .timeLimit(.minutes(5)))
struct RestoredServerTests {
  /// Two devices with 35 items, and a server put back to the copy of the night, with 25 and an older text.
  private func restored(_ workspace: Workspace) async throws -> (laptop: Device, phone: Device) {
    let server = try await ServerProcess.start(workspace)
    let laptop = Device(workspace, name: "laptop", server: server.url)
    let phone = Device(workspace, name: "phone", server: server.url)
    for number in 1...25 { _ = try await laptop.add("Item \(number)") }
    try await laptop.ebb("sync")
    let runner = CommandRunner(workspace: workspace)
    let copy = workspace.path("copy.sqlite")
    let made = try await runner.ebb("serve", "backup", copy, "--database", server.database)
    try #require(made.status == 0, "\(made)")
    for number in 26...35 { _ = try await laptop.add("Item \(number)") }
    let handle = try #require(try await laptop.items().first { $0.text == "Item 3" }?.handle)
    try await laptop.ebb("edit", handle, "Item 3, corrected")
    try await laptop.ebb("sync")
    try await phone.ebb("sync")
    try await server.stop()
    let restored = try await runner.ebb("serve", "restore", copy, "--database", server.database)
    try #require(restored.status == 0, "\(restored)")
    _ = try await ServerProcess.start(workspace, database: server.database, port: server.port)
    return (laptop, phone)
  }

  private func texts(_ device: Device) async throws -> Set<String> { Set(try await device.items().map(\.text)) }

  @Test("no command takes anything away; what is sent back heals the server, and the other device is not asked")
  func sentBack() async throws {
    try await Workspace.use { workspace in
      let (laptop, phone) = try await restored(workspace)
      let before = try await texts(laptop)
      #expect(before.count == 35)
      for flags in [["sync"], ["sync", "--full", "--yes"], ["sync", "--pull-only"]] {
        let outcome = try await CommandRunner(workspace: workspace).run(try laptop.words(flags))
        #expect(outcome.status == 2 && outcome.error.contains("11 items") && outcome.error.contains("--restored"))
        #expect(try await texts(laptop) == before)
      }
      let conflicts = try await laptop.attempt("conflicts")
      #expect(conflicts.output.contains("went back") && conflicts.output.contains("corrected"), "\(conflicts)")
      let listed: [ListedConflict] = try await laptop.ebb("conflicts", "--json").decoded()
      #expect(!listed.isEmpty && listed.allSatisfy { $0.kind == "held" }, "\(listed)")
      try await laptop.ebb("sync", "--restored", "send")
      let other = try await phone.attempt("sync")
      #expect(other.status == 0, "\(other)")
      #expect(try await texts(laptop) == before)
      #expect(try await texts(phone) == before)
    }
  }

  @Test(
    "an answer that comes with the first sync after the restore counts",
    arguments: ["send", "server"], [["sync"], ["sync", "--full"]])
  func givenFirst(answer: String, command: [String]) async throws {
    try await Workspace.use { workspace in
      let (laptop, _) = try await restored(workspace)
      let (before, sends) = (try await texts(laptop), answer == "send")
      let outcome = try await CommandRunner(workspace: workspace).run(
        try laptop.words(command + ["--restored", answer]))
      #expect(outcome.status == 0 && outcome.error.isEmpty, "\(outcome)")
      let after = try await texts(laptop)
      #expect(sends ? after == before : after.count == 25 && after.contains("Item 3"), "\(after)")
      if !sends {
        try await laptop.ebb("undo")
        #expect(try await texts(laptop) == before)
      }
    }
  }

  @Test("sync asks in a terminal, and k takes what the server has")
  func asked() async throws {
    try await Workspace.use { workspace in
      let (laptop, _) = try await restored(workspace)
      for (answer, status, left) in [("", Int32(2), 35), ("k", 0, 25)] {
        let terminal = try await TerminalSession.open(workspace, try laptop.words(["sync"]))
        try await terminal.wait("the question") { $0.words.contains("11 items") }
        try await terminal.type(answer)
        try await terminal.press("Enter")
        #expect(try await terminal.exitStatus() == status)
        #expect(try await laptop.items().count == left)
      }
    }
  }
}
