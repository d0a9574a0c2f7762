import Testing

@Suite("Handles", .serialized, .timeLimit(.minutes(5)))
struct HandleTests {
  @Test("list prints for each item a handle that names it and nothing else")
  func handlesAreUnique() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      for number in 1...5 { _ = try await device.add("Item \(number)") }
      let items = try await device.items()
      let printed = try await device.ebb("list").output
      for item in items {
        #expect(items.filter { $0.id.hasPrefix(item.handle) }.count == 1)
        #expect(printed.split(separator: "\n").contains { $0.contains(item.handle) && $0.contains(item.text) })
      }
    }
  }

  @Test("the whole id is a handle too, and several handles are done at once")
  func takesWholeIdsAndSeveral() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      for number in 1...3 { _ = try await device.add("Item \(number)") }
      let ids = try await device.items().map(\.id)
      try #require(ids.count == 3)
      try await device.ebb("done", ids[0], ids[1])
      #expect(try await device.items().map(\.id) == [ids[2]])
    }
  }

  /// Of 17 ids two begin with the same of the 16 digits.
  @Test("a handle that fits several items is refused, and nothing is changed")
  func refusesTheAmbiguous() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      for number in 1...17 { _ = try await device.add("Item \(number)") }
      let items = try await device.items()
      let digit = try #require(
        Dictionary(grouping: items) { $0.id.prefix(1) }.first { $0.value.count > 1 }?.key)
      for words in [["done", "\(digit)"], ["edit", "\(digit)", "Changed"], ["delete", "\(digit)"]] {
        try await expectRefusal(device, words)
      }
      #expect(try await device.items("--all") == items)
    }
  }

  @Test("a handle that fits no item is refused, and what else was named is left as it is")
  func refusesTheUnknown() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      let handle = try await device.add("Item")
      let items = try await device.items("--all")
      for words in [
        ["done", "nosuch"], ["undone", "nosuch"], ["delete", handle, "nosuch"], ["edit", "nosuch", "x"],
      ] {
        try await expectRefusal(device, words)
      }
      #expect(try await device.items("--all") == items)
    }
  }

  @Test("an empty handle is refused, and where handles are printed is said")
  func refusesTheEmpty() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      _ = try await device.add("milk")
      let outcome = try await CommandRunner(workspace: workspace).run(try device.words(["done", ""]))
      #expect(outcome.status == 1)
      #expect(outcome.complaints == ["ebb: Give a handle: the letters before each item in `ebb list`."])
    }
  }

  private func expectRefusal(_ device: Device, _ words: [String]) async throws {
    let outcome = try await CommandRunner(workspace: device.workspace).run(try device.words(words))
    #expect([1, 64].contains(outcome.status) && outcome.complaints.count == 1 && outcome.output.isEmpty, "\(outcome)")
  }
}
