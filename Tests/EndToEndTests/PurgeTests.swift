import Testing

@testable import ebb

@Suite("Purging a list", .serialized, .timeLimit(.minutes(5)))
struct PurgeTests {
  @Test("refused while a change waits; forced it says what went; the next sync brings back what the server has")
  func purge() async throws {
    try await Workspace.use { workspace in
      let server = try await ServerProcess.start(workspace)
      let device = Device(workspace, server: server.url)
      for text in ["milk", "bread"] { _ = try await device.add(text) }
      try await device.ebb("sync")
      let synced = try await device.items().map(\.id)
      let tea = try await device.add("tea")
      let refused = try await device.attempt("purge")
      #expect(refused.status == 1 && refused.complaints.count == 1 && refused.output.isEmpty, "\(refused)")
      #expect(refused.error.contains("1 change ") && refused.error.contains("sync first, or use --force"))
      #expect(try await device.items().count == 3)
      let forced = try await device.ebb("purge", "--force")
      #expect(forced.output == "3 items removed here · 1 change dropped\n" && forced.error.isEmpty)
      #expect(try await device.items("--all") == [])
      #expect(try await device.status().pending == 0)
      #expect(try await Curl(server: server).items().map(\.text) == ["bread", "milk"])
      try await device.ebb("sync")
      #expect(try await Set(device.items().map(\.id)) == Set(synced))
      #expect(try await device.attempt("done", tea).status == 1)
    }
  }

  @Test("needs no server and looks at no setting of one, and an empty list is fine")
  func offline() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace, server: "not an address")
      let purged = try await device.ebb("purge")
      #expect(purged.output == "0 items removed here\n")
    }
  }

  @Test("a change that no server can get is not to be synced first")
  func noServer() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      _ = try await device.add("milk")
      let refused = try await device.attempt("purge")
      #expect(refused.status == 1 && refused.complaints.count == 1, "\(refused)")
      #expect(refused.error.contains("there is no server to send it to") && !refused.error.contains("sync first"))
    }
  }

  @Test("without a server it is said how to decide a conflict, and no sentence says to sync first")
  func conflictWithoutServer() async throws {
    try await Workspace.use { workspace in
      let server = try await ServerProcess.start(workspace)
      let laptop = Device(workspace, name: "laptop", server: server.url)
      let phone = Device(workspace, name: "phone", server: server.url)
      let handle = try await laptop.add("milk")
      for device in [laptop, phone] { try await device.ebb("sync") }
      try await laptop.ebb("edit", handle, "oat milk")
      try await phone.ebb("edit", handle, "soy milk")
      try await phone.ebb("sync")
      #expect(try await laptop.attempt("sync").status == 2)
      let offline = Device(workspace, name: "laptop")
      for unsent in [0, 1] {
        if unsent > 0 { _ = try await offline.add("tea") }
        let refused = try await offline.attempt("purge")
        #expect(refused.status == 1 && refused.complaints.count == 1, "\(refused)")
        #expect(refused.error.contains("1 conflict ") && refused.error.contains("ebb conflicts"), "\(refused)")
        #expect(refused.error.contains("there is no server to send it to") == (unsent > 0), "\(refused)")
        #expect(!refused.error.contains("sync first"), "\(refused)")
      }
    }
  }

  @Test("of what a server lost, a purge without one says that it has to be named before a sync can ask")
  func heldWithoutServer() throws {
    let failure = CommandFailure.lossWithoutServer(unsent: 2, conflicts: 0, held: 3)
    let sentence = try #require(ErrorMessages.sentence(for: failure))
    #expect(sentence.contains("2 changes") && sentence.contains("lost 3 items"), "\(sentence)")
    #expect(!sentence.contains("sync first") && !sentence.contains("conflict"), "\(sentence)")
    #expect(sentence.contains("name it with --server URL and sync"), "\(sentence)")
  }

  @Test("an open list shows a purge made by a command")
  func openList() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      let list = try await TerminalSession.list(device)
      try await list.add("milk")
      try await device.ebb("purge", "--force")
      try await list.wait("the item to leave") { $0.rows.isEmpty && !$0.status.contains("↑") }
    }
  }

  @Test("waits for its turn while another program syncs")
  func takesTurns() async throws {
    try await Workspace.use { workspace in
      let server = try await ServerProcess.start(workspace)
      let proxy = try CountingProxy(to: server)
      let device = Device(workspace, server: proxy.url)
      _ = try await device.add("milk")
      proxy.hold()
      async let sync = device.attempt("sync")
      _ = try await waitFor {
        proxy.requests.isEmpty ? nil : true
      } otherwise: {
        "the sync asked nothing"
      }
      async let purge = device.attempt("purge")
      proxy.release()
      #expect(try await sync.status == 0)
      let purged = try await purge
      #expect(purged.status == 0 && purged.output == "1 item removed here\n", "\(purged)")
      #expect(try await Curl(server: server).items().map(\.text) == ["milk"])
    }
  }
}
