import Glibc
import Testing

@Suite("The terminal", .serialized, .timeLimit(.minutes(5)))
struct TerminalTests {
  @Test("is given back as it was, however the list is ended", arguments: [SIGTERM, SIGHUP, SIGINT])
  func restoredAfterASignal(signal: Int32) async throws {
    try await Workspace.use { workspace in
      let list = try await TerminalSession.list(Device(workspace))
      try await list.signal(signal)
      _ = try await list.exitStatus()
      try await expectRestored(list)
    }
  }

  @Test("is given back as it was when the list is left with q")
  func restoredAfterLeaving() async throws {
    try await Workspace.use { workspace in
      let list = try await TerminalSession.list(Device(workspace))
      try await list.press("q")
      #expect(try await list.exitStatus() == 0)
      try await expectRestored(list)
    }
  }

  @Test("leaving while changes wait asks nothing, and keeps them")
  func leavesAtOnce() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      let list = try await TerminalSession.list(device)
      try await list.add("Not sent yet")
      try await list.press("q")
      #expect(try await list.exitStatus() == 0)
      #expect(try await device.items().map(\.text) == ["Not sent yet"])
    }
  }

  @Test("may change its size at any time, also to almost nothing")
  func resizes() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      for number in 1...30 { _ = try await device.add("買牛奶 🌱 Item \(number)") }
      let list = try await TerminalSession.list(device)
      for (columns, rows) in [(40, 10), (120, 40), (20, 5), (7, 3), (2, 2), (80, 24)] {
        try await list.resize(columns: columns, rows: rows)
        try await list.press("j")
      }
      let screen = try await list.wait("a full list again") { $0.rows.count >= 15 }
      #expect(screen.lines.count == 24)
      try await list.press("G")
      try await list.wait("the list to be usable") { !$0.rows.isEmpty }
    }
  }

  @Test("shows wide and combining characters in their places")
  func showsWideCharacters() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      let list = try await TerminalSession.list(device)
      for text in ["買牛奶", "e\u{301}te\u{301}", "Water 🌱 now", "naïve"] { try await list.add(text) }
      #expect(Set(try await device.items().map(\.text)) == ["買牛奶", "e\u{301}te\u{301}", "Water 🌱 now", "naïve"])
    }
  }

  @Test("the filter narrows the list as it is typed, and Esc brings everything back")
  func filters() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      for text in ["Buy milk", "Call home", "Buy tea"] { _ = try await device.add(text) }
      let list = try await TerminalSession.list(device)
      try await list.wait("everything") { $0.rows.count == 3 }
      try await list.press("/")
      try await list.type("buy")
      try await list.wait("two of three") { $0.rows.count == 2 && !$0.shows("Call home") }
      try await list.press("Escape")
      try await list.wait("everything again") { $0.rows.count == 3 }
    }
  }

  @Test(
    "the letters of a pasted text, or of a sequence nobody knows, are no commands, marked by the terminal or not",
    arguments: [
      ([:], "\u{1B}[200~dd\rq\u{1B}[201~"), (["TERM": "screen", "TMUX": ""], "eggs dd\rxx dd\rquit\r"),
    ])
  func strayLetters(environment: [String: String], paste: String) async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      for text in ["Buy milk", "Call home", "Buy tea"] { _ = try await device.add(text) }
      let list = try await TerminalSession.list(device, environment: environment)
      try await list.wait("everything") { $0.rows.count == 3 }
      // One after the other, and all in one piece, as a slow program reads them.
      let strays = ["\u{1B}[1;9d", "\u{1B}[Mddd", "\u{1B}]11;ddd\u{7}", "\u{1B}Pxdd\u{1B}\\", "\u{1B}[<0;9;9M"]
      for pieces in [strays + [paste], [strays.joined() + paste]] {
        for piece in pieces { try await list.send(piece) }
        try await list.wait("the question") { $0.status.contains("add all") }
        try await list.press("Escape")
        try await list.wait("the list again") { $0.status.contains("? help") }
      }
      try await list.add("Still here")
      #expect(try await device.items().count == 4)
    }
  }

  @Test("several lines that were typed ahead, and came at once, are added one after the other")
  func typedAhead() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      let list = try await TerminalSession.list(device)
      try await list.send("aBuy milk\rBuy tea\r\r")
      try await list.wait("both") { $0.rows.count == 2 && $0.status.contains("? help") }
      #expect(Set(try await device.items().map(\.text)) == ["Buy milk", "Buy tea"])
    }
  }

  private func expectRestored(_ list: TerminalSession) async throws {
    let settings = try await list.settings()
    #expect(settings.before == settings.after)
    #expect(try await list.leftOn() == "alternate 0, cursor 1, mouse 0, keypad 0")
  }
}
