import Foundation
import Testing

/// What a person does all day in the list, in a real terminal against a real server.
@Suite("Living in the list", .serialized, .timeLimit(.minutes(5)))
struct LivingInTheListTests {
  /// Microseconds between two presses of one key by a person: less would be a key that is held.
  private static let handsPause: UInt32 = 250_000

  /// Two devices with a server between them, and the list of the first on the screen.
  private struct Desk {
    let laptop: Device
    let phone: Device
    let list: TerminalSession

    init(_ workspace: Workspace, _ texts: String...) async throws {
      let server = try await ServerProcess.start(workspace)
      laptop = Device(workspace, name: "laptop", server: server.url)
      phone = Device(workspace, name: "phone", server: server.url)
      for text in texts { _ = try await laptop.add(text) }
      try await laptop.ebb("sync")
      try await phone.ebb("sync")
      list = try await TerminalSession.list(laptop)
    }

    func handle(_ text: String) async throws -> String {
      try #require(try await phone.items("--all").first { $0.text == text }).handle
    }
  }

  @Test("pulled twice at the first row it refreshes, and the receipt says that both sides agree")
  func pull() async throws {
    try await Workspace.use { workspace in
      let desk = try await Desk(workspace, "milk")
      _ = try await desk.phone.add("bread")
      try await desk.phone.ebb("sync")
      // On a slow machine the second pull may come too late: then it is another first one.
      var screen = try await desk.list.screen()
      while !screen.shows("bread") {
        try await desk.list.press("k")
        usleep(Self.handsPause)
        // It gives for a moment only: a slow machine may show it sprung back already, and the pull begins again.
        screen = try await desk.list.wait("the list to give") {
          $0.lines[1].contains("pull to sync") || $0.lines[1].hasPrefix("▌") || $0.shows("bread")
        }
        guard screen.lines[1].contains("pull to sync") else { continue }
        try await desk.list.press("k")
        screen = try await desk.list.wait("a refresh, or the list to spring back") {
          $0.shows("bread") || $0.lines[1].hasPrefix("▌")
        }
      }
      try await desk.list.wait("the receipt") { $0.lines.joined().contains("2 here, 2 there, the same") }
    }
  }

  @Test("what changed meanwhile is told, marked, and read in the digest")
  func away() async throws {
    try await Workspace.use { workspace in
      let desk = try await Desk(workspace, "milk", "call mother", "rent")
      try await desk.phone.ebb("done", try await desk.handle("rent"))
      try await desk.phone.ebb("edit", try await desk.handle("milk"), "oat milk")
      _ = try await desk.phone.add("bread")
      try await desk.phone.ebb("sync")
      try await desk.list.press("r")
      let screen = try await desk.list.wait("the quiet line") {
        $0.lines.contains { $0.contains("3 changes: 1 new, 1 done, 1 edited") }
      }
      #expect(screen.lines.contains { $0.contains("● [ ]   oat milk") })
      #expect(screen.lines.contains { $0.contains("● [ ]   bread") })
      try await desk.list.press("w")
      try await desk.list.wait("the digest") {
        $0.lines[0].contains("While you were away") && $0.lines[3].contains("bread")
      }
      try await desk.list.press("q")
      try await desk.list.wait("the marks to go") { !$0.lines.joined().contains("●") && $0.shows("bread") }
    }
  }

  @Test("several conflicts alike are decided with one key, and one undo takes back what was done to several rows")
  func several() async throws {
    try await Workspace.use { workspace in
      let desk = try await Desk(workspace, "one", "two", "three")
      for text in ["one", "two", "three"] {
        let handle = try await desk.handle(text)
        try await desk.phone.ebb("edit", handle, text + " theirs")
        try await desk.laptop.ebb("edit", handle, text + " mine")
      }
      try await desk.phone.ebb("sync")
      try await desk.list.press("r")
      try await desk.list.wait("three conflicts") { $0.status.contains("≠3") }
      try await desk.list.press("c")
      try await desk.list.wait("the first one") { $0.status.contains("1 of 3") }
      try await desk.list.press("T")
      try await desk.list.wait("their texts") { $0.shows("one theirs") && $0.shows("three theirs") }
      try await desk.list.press("g", "v", "j", "x")
      try await desk.list.wait("two to be done") { !$0.shows("one theirs") && !$0.shows("two theirs") }
      try await desk.list.press("u")
      try await desk.list.wait("both to be open again") { $0.shows("one theirs") && $0.shows("two theirs") }
    }
  }

  @Test("pasted lines are shown first, and nothing of them is ever a command")
  func paste() async throws {
    try await Workspace.use { workspace in
      let desk = try await Desk(workspace, "milk")
      try await desk.list.paste("dddd\nq\nxxx yyy")
      try await desk.list.wait("the question") { $0.lines[0].contains("Add 3 items?") }
      try await desk.list.press("Enter")
      try await desk.list.wait("the items") {
        $0.shows("dddd") && $0.shows("q") && $0.shows("xxx yyy") && $0.shows("milk")
      }
    }
  }

  @Test("what was being typed when the program was killed is offered, and not while it is typed elsewhere")
  func draft() async throws {
    try await Workspace.use { workspace in
      let desk = try await Desk(workspace, "milk")
      try await desk.list.press("a")
      try await desk.list.type("half a thought")
      let store = StoreFile(desk.laptop.store)
      _ = try await waitFor {
        try store.remembers("half a thought") ? true : nil
      } otherwise: {
        "the draft never came to the store"
      }
      let beside = try await TerminalSession.list(desk.laptop)
      try await beside.press("R")
      try await beside.wait("no draft") { $0.lines.joined(separator: "\n").contains("No unsaved line is left.") }
      try await beside.press("q")
      try await desk.list.signal(SIGKILL)
      _ = try await desk.list.exitStatus()
      let again = try await TerminalSession.list(desk.laptop)
      try await again.wait("the offer") { $0.lines.joined(separator: "\n").contains("R resumes it") }
      try await again.press("R")
      try await again.wait("the draft") { $0.lines.joined(separator: "\n").contains("▌  [ ]   half a thought") }
      try await again.type(" more")
      try await again.press("Enter")
      try await again.wait("the item") { $0.shows("half a thought more") }
    }
  }

  @Test("items are typed one after the other, and each is a step of its own to undo")
  func capture() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      let list = try await TerminalSession.list(device)
      try await list.press("a")
      for text in ["milk", "bread", "qdx"] {
        try await list.type(text)
        try await list.press("Enter")
        try await list.wait("\(text) above the next line") { $0.shows(text) && $0.lines.contains("▌  [ ]") }
      }
      try await list.press("Enter")
      try await list.press("u")
      try await list.wait("the last one to go") { $0.rows == ["[ ] milk", "[ ] bread"] }
      #expect(try await device.items().map(\.text) == ["milk", "bread"])
    }
  }

  @Test("E hands the terminal to the user's editor and takes it back, whatever becomes of it")
  func note() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      _ = try await device.add("milk")
      let script = workspace.path("editor")
      let text =
        "printf 'in the editor: '; read answer\n"
        + "case $answer in save) printf 'oat milk\\n\\ntwo litres\\n' > \"$1\";; break) echo lost > \"$1\"; kill -9 $$;; esac\n"
      try text.write(toFile: script, atomically: true, encoding: .utf8)
      // The shell reads it: Linux runs no file that a program started by another test may still have open for writing.
      let list = try await TerminalSession.open(
        workspace, try device.words([]), environment: ["VISUAL": "sh \(script)", "TMPDIR": workspace.path("")])
      func editor(_ screen: Screen) -> Bool { screen.lines.contains { $0.hasSuffix("in the editor:") } }
      try await list.wait("the item") { $0.shows("milk") }
      try await list.press("E")
      try await list.wait("the editor", until: editor)
      try await list.type("save")
      try await list.press("Enter")
      try await list.wait("what it wrote") { $0.lines.contains { $0.hasSuffix("oat milk ≡") } }
      #expect(try await device.items().map(\.text) == ["oat milk\n\ntwo litres"])
      try await list.press("E")
      try await list.wait("the editor", until: editor)
      try await list.type("break")
      try await list.press("Enter")
      try await list.wait("where it is kept") { $0.words.contains("What it wrote is in") }
      try await list.press("E")
      try await list.wait("the editor", until: editor)
      try await list.press("Enter")
      try await list.wait("that nothing changed") {
        $0.words.contains("The editor changed nothing.")
      }
      #expect(try await device.items().map(\.text) == ["oat milk\n\ntwo litres"])
      try await list.press("q")
      #expect(try await list.exitStatus() == 0)
    }
  }
}
