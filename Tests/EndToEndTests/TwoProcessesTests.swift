import Testing

@Suite("Two programs on one store", .serialized, .timeLimit(.minutes(5)))
struct TwoProcessesTests {
  @Test("the open list shows what a command does, without a key being pressed")
  func listFollowsCommands() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      let list = try await TerminalSession.list(device)
      let handle = try await device.add("From a script")
      try await list.wait("the command's item") { $0.shows("From a script") }
      try await device.ebb("edit", handle, "From a script, edited")
      try await list.wait("the command's edit") { $0.shows("From a script, edited") }
      try await device.ebb("done", handle)
      try await list.wait("the command's item to leave") { $0.rows.isEmpty }
    }
  }

  @Test("a command sees what the open list has just done")
  func commandsFollowTheList() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      let list = try await TerminalSession.list(device)
      try await list.add("From the list")
      #expect(try await device.items().map(\.text) == ["From the list"])
      try await list.press("Space")
      try await list.wait("the item to leave") { $0.rows.isEmpty }
      #expect(try await device.items("--done").map(\.text) == ["From the list"])
    }
  }

  @Test("two open lists show the same")
  func listsFollowEachOther() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      let left = try await TerminalSession.list(device)
      let right = try await TerminalSession.list(device)
      try await left.add("From the left")
      try await right.wait("the left's item") { $0.shows("From the left") }
      try await right.add("From the right")
      try await left.wait("the right's item") { $0.shows("From the right") }
    }
  }

  @Test("many commands at once all succeed, and none is lost")
  func commandsWaitForEachOther() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 1...8 { group.addTask { _ = try await device.add("Item \(number)") } }
        try await group.waitForAll()
      }
      #expect(try await device.items().count == 8)
      #expect(try await device.status().pending == 8)
    }
  }

  @Test("two syncs at once send no change twice")
  func syncsTakeTurns() async throws {
    try await Workspace.use { workspace in
      let server = try await ServerProcess.start(workspace)
      let proxy = try CountingProxy(to: server)
      let alone = Device(workspace, name: "alone", server: proxy.url)
      let both = Device(workspace, name: "both", server: proxy.url)
      for number in 1...5 {
        _ = try await alone.add("Alone \(number)")
        _ = try await both.add("Both \(number)")
      }
      try await alone.ebb("sync")
      let writesOfOne = proxy.writes.count
      #expect(writesOfOne > 0)
      proxy.forget()
      proxy.hold()
      async let first = both.attempt("sync")
      async let second = both.attempt("sync")
      try await proxy.waitForRequest()
      proxy.release()
      #expect(try await [first.status, second.status] == [0, 0])
      #expect(proxy.writes.count == writesOfOne, "\(proxy.requests)")
      #expect(try await both.status().pending == 0)
      #expect(try await Curl(server: server).items().count == 10)
    }
  }
}
