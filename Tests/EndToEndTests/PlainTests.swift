import Foundation
import Testing

@Suite("The list told line by line", .serialized, .timeLimit(.minutes(5)))
struct PlainTests {
  private func open(
    _ device: Device, kind: String = "dumb", environment: [String: String] = [:]
  ) async throws -> TerminalSession {
    let list = try await TerminalSession.open(
      device.workspace, try device.words(["--plain"]), environment: environment.merging(["TERM": kind]) { $1 })
    try await list.wait("the welcome") { $0.says("Ebb. ") && $0.says("items") }
    return list
  }

  @Test("adds, moves, refreshes and leaves, and all of it reads as text", arguments: ["dumb", "xterm-256color"])
  func story(kind: String) async throws {
    try await Workspace.use { workspace in
      let server = try await ServerProcess.start(workspace)
      let other = Device(workspace, name: "other", server: server.url)
      _ = try await other.add("From the other device")
      try await other.ebb("sync")
      let device = Device(workspace, server: server.url)
      let list = try await open(device, kind: kind)
      try await list.press("a")
      try await list.type("買牛奶 today")
      try await list.wait("what is typed") { $0.lines.contains("add: 買牛奶 today") }
      try await list.press("Enter")
      try await list.wait("the new item") { $0.lines.contains("Added: 買牛奶 today") }
      try await list.press("Enter")
      try await list.press("r")
      try await list.wait("the receipt") { $0.lines.contains { $0.hasPrefix("sent 1, received ") } }
      _ = try await other.add("Later")
      try await other.ebb("sync")
      try await list.press("r")
      try await list.wait("what came") { $0.says("1 change: 1 new, w show, ] next") }
      try await list.press("g")
      try await list.press("j")
      try await list.wait("the second row") { $0.lines.contains { $0.hasPrefix("2 of 3, ") } }
      try await list.press("q")
      #expect(try await list.exitStatus() == 0)
      let screen = try await list.screen()
      let welcome = "Ebb. Open, 0 items. Keys act at once, without Enter; ? lists them."
      #expect(screen.lines.first == welcome, "\(screen)")
      #expect(!screen.says("add: "), "\(screen)")
      let settings = try await list.settings()
      #expect(settings.before == settings.after)
      #expect(try await other.ebb("sync").status == 0)
      #expect(try await Set(other.items().map(\.text)) == ["From the other device", "Later", "買牛奶 today"])
    }
  }

  @Test("sends nothing but text and line ends where the terminal knows no more")
  func bytes() async throws {
    let bytes = try await recorded(
      ["--plain"], kind: "dumb", keys: "awater plants\r\rj?\u{1B}", wait: "1 of 1, water plants")
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.contains("Added: water plants\r\n"), "\(text)")
    #expect(text.contains("a n: add an item\r\n"), "\(text)")
    #expect(bytes.allSatisfy { $0 >= 32 || $0 == 10 || $0 == 13 }, "\(text)")
  }

  @Test("on a terminal that can do more, only asks that pastes are marked")
  func pastes() async throws {
    let bytes = try await recorded(["--plain"], kind: "xterm-256color", keys: "awater plants\r\r")
    let text = String(decoding: bytes, as: UTF8.self)
    let rest = text.replacingOccurrences(of: "\u{1B}[?2004h", with: "").replacingOccurrences(
      of: "\u{1B}[?2004l", with: "")
    #expect(rest.contains("Added: water plants\r\n") && !rest.contains("\u{1B}"), "\(text)")
  }

  @Test("without --plain no colour is sent where NO_COLOR is set, nor with --color never, nor in the plain theme")
  func noColor() async throws {
    let colored = try await recorded([], kind: "xterm-256color", keys: "awater plants +home\r\r", wait: "plants")
    #expect(Self.colors(in: colored) > 0)
    let bare = try await recorded(
      [], kind: "xterm-256color", keys: "awater plants +home\r\r", wait: "plants", environment: ["NO_COLOR": "1"])
    #expect(Self.colors(in: bare) == 0, "\(String(decoding: bare, as: UTF8.self).debugDescription)")
    let never = try await recorded(
      ["--color", "never"], kind: "xterm-256color", keys: "awater plants +home\r\r", wait: "plants")
    #expect(Self.colors(in: never) == 0)
  }

  /// What reaches the terminal while these keys are pressed, one by one, and the list is left.
  private func recorded(
    _ flags: [String], kind: String, keys: String, wait word: String = "Added",
    environment: [String: String] = [:]
  ) async throws -> [UInt8] {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      let record = workspace.path("record")
      let command = try device.words(flags).joined(separator: " ")
      let list = try await TerminalSession.open(
        workspace, ["script", "-qefc", command, record], environment: environment.merging(["TERM": kind]) { $1 })
      try await list.wait("the list") { $0.says("items") || $0.says("quit") }
      for key in keys { try await list.send(String(key)) }
      try await list.wait("what was typed") { $0.says(word) }
      try await list.send("qq")
      #expect(try await list.exitStatus() == 0)
      let bytes = try Data(contentsOf: URL(fileURLWithPath: record))
      // `script` writes a line of its own at the beginning and at the end.
      let lines = bytes.split(separator: 10, omittingEmptySubsequences: false)
      return Array(lines.dropFirst().filter { !$0.starts(with: Data("Script done".utf8)) }.joined(separator: [10]))
    }
  }

  /// How many of the sequences that set how text looks name a colour.
  private static func colors(in bytes: [UInt8]) -> Int {
    let text = String(decoding: bytes, as: UTF8.self)
    return text.matches(of: /\u{1B}\[([0-9;]*)m/).count { match in
      match.1.split(separator: ";").compactMap { Int($0) }.contains {
        (30...38).contains($0) || (40...48).contains($0) || $0 >= 90
      }
    }
  }
}

extension Screen {
  fileprivate func says(_ words: String) -> Bool {
    lines.joined(separator: " ").contains(words)
  }
}
