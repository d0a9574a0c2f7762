import Testing

@Suite("Undo and redo", .serialized, .timeLimit(.minutes(5)))
struct UndoTests {
  @Test("every command's change is undone and done again, newest first, and said in words")
  func commands() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      let handle = try await device.add("milk")
      try await device.ebb("edit", handle, "oat milk")
      try await device.ebb("done", handle)
      try await device.ebb("delete", handle)
      for said in ["delete “oat milk”", "complete “oat milk”", "edit “oat milk”", "add “milk”"] {
        #expect(try await device.ebb("undo").output == "undone: \(said)\n")
      }
      #expect(try await device.items("--all") == [])
      #expect(try await device.status().pending == 0)
      let nothing = try await device.attempt("undo")
      #expect(nothing.status == 1 && nothing.complaints.count == 1 && nothing.output.isEmpty)
      #expect(try await device.ebb("redo").output == "redone: add “milk”\n")
      #expect(try await device.items().map(\.handle) == [handle])
      try await device.ebb("edit", handle, "bread")
      #expect(try await device.attempt("redo").status == 1)
    }
  }

  @Test("an edit that comes to the same text says so, and the next undo is of the change before")
  func sameText() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      let handle = try await device.add("milk")
      try await device.ebb("edit", handle, "oat milk")
      let same = try await device.attempt("edit", handle, " oat milk ")
      #expect(same.status == 0 && same.error == "ebb: Nothing to change.\n", "\(same)")
      #expect(try await device.ebb("undo").output == "undone: edit “oat milk”\n")
    }
  }

  @Test("pri and append say so if they change none of the items, and not if they change one")
  func sameWords() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      let (milk, tea) = (try await device.add("(A) milk"), try await device.add("tea"))
      for (command, handle, word) in [("pri", milk, "a"), ("pri", tea, "none"), ("append", tea, "due:none")] {
        let same = try await device.attempt(command, handle, word)
        #expect(same.status == 0 && same.error == "ebb: Nothing to change.\n", "\(command): \(same)")
      }
      let some = try await device.attempt("depri", milk, tea)
      #expect(some.status == 0 && some.error.isEmpty, "\(some)")
      try await device.ebb("undo")
      #expect(try await device.items().map(\.text) == ["(A) milk", "tea"])
    }
  }

  @Test("a delete that was synced is undone on every device, under the same id")
  func afterSync() async throws {
    try await Workspace.use { workspace in
      let server = try await ServerProcess.start(workspace)
      let laptop = Device(workspace, name: "laptop", server: server.url)
      let phone = Device(workspace, name: "phone", server: server.url)
      let handle = try await laptop.add("milk")
      try await laptop.ebb("sync")
      let id = try await laptop.items().map(\.id)
      try await phone.ebb("sync")
      try await laptop.ebb("delete", handle)
      try await laptop.ebb("sync")
      try await phone.ebb("sync")
      #expect(try await phone.items() == [])
      try await laptop.ebb("undo")
      try await laptop.ebb("sync")
      try await phone.ebb("sync")
      #expect(try await phone.items().map(\.id) == id)
      try await laptop.ebb("redo")
      try await laptop.ebb("sync")
      try await phone.ebb("sync")
      #expect(try await phone.items() == [])
      #expect(try await laptop.status().conflicts == 0)
    }
  }

  @Test("what another device changed since stays, and is said")
  func changedSince() async throws {
    try await Workspace.use { workspace in
      let server = try await ServerProcess.start(workspace)
      let laptop = Device(workspace, name: "laptop", server: server.url)
      let phone = Device(workspace, name: "phone", server: server.url)
      let handle = try await laptop.add("milk")
      try await laptop.ebb("edit", handle, "oat milk")
      try await laptop.ebb("sync")
      try await phone.ebb("sync")
      try await phone.ebb("edit", handle, "rice milk")
      try await phone.ebb("sync")
      try await laptop.ebb("sync")
      let outcome = try await laptop.attempt("undo")
      #expect(outcome.status == 1 && outcome.complaints.count == 1)
      #expect(outcome.error.contains("the text was changed since, by another device, and stays"))
      #expect(try await laptop.items().map(\.text) == ["rice milk"])
    }
  }

  @Test("u and Ctrl-R in the list, also for what a command did before it was opened")
  func keys() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      let handle = try await device.add("milk")
      try await device.ebb("delete", handle)
      let list = try await TerminalSession.list(device)
      try await list.press("u")
      try await list.wait("the item and the word") {
        $0.shows("milk") && $0.status.contains("undone: delete “milk”")
      }
      try await list.press("Space")
      try await list.wait("the item to leave") { !$0.shows("milk") }
      try await list.press("u")
      try await list.wait("the item to be open again") { $0.shows("milk") }
      try await list.press("C-r")
      try await list.wait("the item to be done again") {
        !$0.shows("milk") && $0.status.contains("redone: complete “milk”")
      }
      #expect(try await device.items("--done").map(\.text) == ["milk"])
    }
  }
}
