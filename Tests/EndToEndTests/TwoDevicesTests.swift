import Foundation
import Testing

@Suite("Two devices, one item", .serialized, .timeLimit(.minutes(5)))
struct TwoDevicesTests {
  /// Two devices that have the same item from one server.
  private struct Pair {
    let server: ServerProcess
    let laptop: Device
    let phone: Device
    let handle: String

    init(_ workspace: Workspace, _ text: String) async throws {
      server = try await ServerProcess.start(workspace)
      laptop = Device(workspace, name: "laptop", server: server.url)
      phone = Device(workspace, name: "phone", server: server.url)
      handle = try await laptop.add(text)
      try await laptop.ebb("sync")
      try await phone.ebb("sync")
    }

    /// Both edit the item without a sync; the phone's edit reaches the server, the laptop's meets it there.
    func clash(_ mine: String, _ theirs: String) async throws {
      try await laptop.ebb("edit", handle, mine)
      try await phone.ebb("edit", handle, theirs)
      try await phone.ebb("sync")
      let sync = try await laptop.attempt("sync")
      #expect(sync.status == 2)
      let status = try await laptop.ebb("status").output
      #expect(status.hasPrefix("waiting to be sent: 0\nconflicts: 1\nrefused by the server: 0\n"), "\(status)")
      #expect(sync.output.contains("1 conflict · ") && sync.output.hasSuffix(", otherwise the same\n"))
    }

    /// The laptop deletes the item without a sync; the phone's edit reaches the server, the deletion meets it there.
    func clash(deletingWhatBecomes theirs: String) async throws {
      try await laptop.ebb("delete", handle)
      try await phone.ebb("edit", handle, theirs)
      try await phone.ebb("sync")
      #expect(try await laptop.attempt("sync").status == 2)
    }

    func settled(_ texts: String...) async throws {
      try await laptop.ebb("sync")
      try await phone.ebb("sync")
      for device in [laptop, phone] {
        #expect(try await device.items("--all").map(\.text).sorted() == texts.sorted())
        #expect(try await device.status().conflicts == 0)
        #expect(try await device.status().pending == 0)
      }
    }

    func conflicts() async throws -> [ListedConflict] {
      try await laptop.ebb("conflicts", "--json").decoded()
    }
  }

  @Test("edits of different fields, and of different words, are merged and nobody is asked")
  func mergedWithoutAsking() async throws {
    try await Workspace.use { workspace in
      let pair = try await Pair(workspace, "call the bank about the loan")
      try await pair.laptop.ebb("edit", pair.handle, "phone the bank about the loan")
      try await pair.phone.ebb("done", pair.handle)
      try await pair.phone.ebb("edit", pair.handle, "call the bank about the mortgage")
      try await pair.phone.ebb("sync")
      try await pair.settled("phone the bank about the mortgage")
      #expect(try await pair.laptop.items("--all").map(\.complete) == [true])
    }
  }

  @Test("two tags that two devices added to one item are merged, and both devices have the same line")
  func tags() async throws {
    try await Workspace.use { workspace in
      let pair = try await Pair(workspace, "call the bank")
      try await pair.laptop.ebb("append", pair.handle, "+a")
      try await pair.phone.ebb("append", pair.handle, "+b")
      try await pair.phone.ebb("sync")
      try await pair.settled("call the bank +a +b")
    }
  }

  @Test(
    "the same words: conflicts shows the copies, the rest goes on, and resolve decides",
    arguments: [
      ("mine", ["oat milk"]), ("theirs", ["rice milk"]), ("both", ["oat milk", "rice milk"]),
      ("merged", ["oat rice milk"]),
    ])
  func resolved(keep: String, texts: [String]) async throws {
    try await Workspace.use { workspace in
      let pair = try await Pair(workspace, "milk")
      try await pair.clash("oat milk", "rice milk")
      let conflict = try #require(try await pair.conflicts().first)
      #expect(conflict.handle == pair.handle && conflict.kind == "conflict" && conflict.status == 412)
      #expect([conflict.base, conflict.mine, conflict.theirs].map { $0?.text } == ["milk", "oat milk", "rice milk"])
      #expect(conflict.merged == "oat rice milk")
      let printed = try await pair.laptop.ebb("conflicts").output
      #expect(
        printed.contains(
          /before +milk\n  here, \d\d:\d\d +{\+oat\+} milk\n  there, \d\d:\d\d +{\+rice\+} milk\n  merged +/))
      #expect(printed.contains("ebb resolve \(pair.handle) --keep mine|theirs|both|merged"))
      let other = try await pair.laptop.add("bread")
      #expect(try await pair.laptop.attempt("sync").status == 2)
      #expect(try await Curl(server: pair.server).items().map(\.text).contains("bread"))
      try await pair.laptop.ebb("delete", other)
      try await pair.laptop.ebb("resolve", pair.handle, "--keep", keep)
      #expect(try await pair.conflicts().isEmpty)
      try await pair.laptop.ebb("sync")
      try await pair.phone.ebb("sync")
      for device in [pair.laptop, pair.phone] {
        #expect(try await device.items("--all").map(\.text).sorted() == texts)
        #expect(try await device.status().pending == 0)
      }
    }
  }

  @Test("resolve takes the words of the list, here and there, and merged only where there is such a text")
  func wordsOfTheList() async throws {
    try await Workspace.use { workspace in
      let pair = try await Pair(workspace, "milk")
      try await pair.clash(deletingWhatBecomes: "rice milk")
      let refused = try await pair.laptop.attempt("resolve", pair.handle, "--keep", "merged")
      #expect(refused.status == 1 && refused.error.contains("make no merged one"), "\(refused)")
      #expect(try await pair.laptop.ebb("resolve", pair.handle, "--keep", "there").output.contains("rice milk"))
    }
  }

  @Test("several conflicts are decided as one step of undo, and none if one of the handles waits for no decision")
  func severalAtOnce() async throws {
    try await Workspace.use { workspace in
      let pair = try await Pair(workspace, "milk")
      let bread = try await pair.laptop.add("bread")
      try await pair.laptop.ebb("sync")
      try await pair.phone.ebb("sync")
      for (device, words) in [(pair.phone, ["rice", "white"]), (pair.laptop, ["oat", "rye"])] {
        try await device.ebb("edit", pair.handle, words[0] + " milk")
        try await device.ebb("edit", bread, words[1] + " bread")
        _ = try await device.attempt("sync")
      }
      let tea = try await pair.laptop.add("tea")
      let refused = try await pair.laptop.attempt("resolve", pair.handle, tea, "--keep", "mine")
      #expect(refused.status == 1 && refused.output.isEmpty, "\(refused)")
      #expect(refused.complaints == ["ebb: \(tea) waits for no decision. Run ebb conflicts to see what does."])
      #expect(try await pair.conflicts().count == 2)
      let said = try await pair.laptop.ebb("resolve", "\(pair.handle),\(bread)", "--keep", "theirs").output
      #expect(said.split(separator: "\n").count == 2 && said.contains("rice milk") && said.contains("white bread"))
      #expect(try await pair.conflicts().isEmpty)
      try await pair.laptop.ebb("undo")
      #expect(try await pair.conflicts().count == 2)
      try await pair.laptop.ebb("resolve", bread, pair.handle, bread, "--keep", "mine")
      #expect(try await Set(pair.laptop.items().map(\.text)) == ["oat milk", "rye bread", "tea"])
    }
  }

  @Test("an item deleted here and edited there can be named by its handle, and decided")
  func deletedHere() async throws {
    try await Workspace.use { workspace in
      let pair = try await Pair(workspace, "milk")
      try await pair.clash(deletingWhatBecomes: "rice milk")
      let conflict = try #require(try await pair.conflicts().first)
      #expect(conflict.mine == nil && conflict.theirs?.text == "rice milk")
      let printed = try await pair.laptop.ebb("conflicts").output
      #expect(printed.contains("\n  Deleted here, changed on the server.\n"), "\(printed)")
      #expect(printed.contains(/here, \d\d:\d\d +deleted\n  there, \d\d:\d\d +{\+rice\+} milk\n/), "\(printed)")
      try await pair.laptop.ebb("resolve", conflict.handle, "--keep", "theirs")
      try await pair.settled("rice milk")
    }
  }

  @Test("what cannot be resolved is one sentence and exit code 1; without --keep it is wrong usage")
  func refusals() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      let handle = try await device.add("milk")
      for name in ["nosuch", handle] {
        let outcome = try await device.attempt("resolve", name, "--keep", "mine")
        #expect(outcome.status == 1 && outcome.complaints.count == 1 && outcome.output.isEmpty, "\(outcome)")
      }
      #expect(try await device.attempt("resolve", handle).status == 64)
      #expect(try await device.attempt("resolve", handle, "--keep", "none").status == 64)
      #expect(try await device.ebb("conflicts", "--json").output == "[]\n")
      #expect(try await device.ebb("conflicts").output == "Nothing waits for a decision.\n")
    }
  }

  @Test("in the list the second device sees the mark, opens it with c, edits the two into one, and it goes out")
  func inTheList() async throws {
    try await Workspace.use { workspace in
      let pair = try await Pair(workspace, "milk")
      try await pair.phone.ebb("edit", pair.handle, "rice milk")
      try await pair.phone.ebb("sync")
      let list = try await TerminalSession.list(pair.laptop, size: (40, 10))
      try await list.press("e", "C-u")
      try await list.type("oat milk")
      try await list.press("Enter")
      try await list.wait("the edit") { $0.shows("oat milk") }
      try await list.press("r")
      try await list.wait("the mark") { $0.lines[1].contains("≠ [ ]   oat milk") }
      try await list.press("c")
      try await list.wait("the three copies") { screen in
        [("before ", " milk"), ("here, ", " {+oat+} milk"), ("there, ", " {+rice+} milk")].allSatisfy { side in
          screen.lines.contains { $0.hasPrefix(side.0) && $0.hasSuffix(side.1) }
        }
      }
      try await list.press("e")
      try await list.wait("the two in one line") { $0.lines[1] == "> oat rice milk" }
      try await list.type("!")
      try await list.press("Enter")
      try await list.wait("the item to wait") { $0.lines[1].contains("↑ [ ]   oat rice milk!") }
      try await list.press("r")
      try await list.wait("the item to be sent") { $0.shows("oat rice milk!") && !$0.lines[1].contains("↑") }
      try await pair.settled("oat rice milk!")
    }
  }

  @Test("a sync whose change the server refuses ends with 1, and says where to look")
  func refused() async throws {
    try await Workspace.use { workspace in
      let server = try await ServerProcess.start(workspace)
      let laptop = Device(workspace, name: "laptop", server: server.url)
      let file = workspace.path("long.txt")
      try Data(repeating: UInt8(ascii: "a"), count: 1_100_000).write(to: URL(filePath: file))
      try await laptop.ebb("import", file)
      let sync = try await laptop.attempt("sync")
      #expect(sync.status == 1 && sync.complaints.count == 1, "\(sync)")
      #expect(sync.error.hasPrefix("ebb: 0 in conflict, 1 refused: ebb conflicts shows them"), "\(sync)")
      let handle = try #require(try await laptop.items().first).handle
      let both = try await laptop.attempt("resolve", handle, "--keep", "both")
      #expect(both.status == 1 && both.output.isEmpty, "\(both)")
      #expect(both.error.hasPrefix("ebb: The server refused the change of \(handle) and would refuse"), "\(both)")
      #expect(try await laptop.items().count == 1)
    }
  }
}
