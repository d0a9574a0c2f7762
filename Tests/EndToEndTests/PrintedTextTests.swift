import Foundation
import TableProtocol
import Testing

@Suite("Text from elsewhere that a command prints", .timeLimit(.minutes(5)))
struct PrintedTextTests {
  @Test("steers no terminal: the path of a store that is not there", arguments: [["list"], ["export"], ["done", "x"]])
  func path(words: [String]) async throws {
    try await Workspace.use { workspace in
      let path = workspace.path("a\u{1B}]0;b\u{7}\u{202E}c")
      let outcome = try await CommandRunner(workspace: workspace).run([try Binary.ebb()] + words + ["--store", path])
      #expect(outcome.error.contains("a ]0;b  c"), "\(outcome)")
      #expect(!outcome.error.unicodeScalars.contains { $0 != "\n" && $0.steersTerminal }, "\(outcome)")
    }
  }

  @Test("steers no terminal: the id of an item, which may be anything in a store that another program wrote")
  func handle() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      _ = try await device.add("milk")
      try StoreFile(device.store).execute("UPDATE TodoItem SET id = 'a' || char(27) || 'bc'")
      #expect(try await device.ebb("list").output == "a bc [ ]   milk\n")
      let agenda = try await device.ebb("agenda").output
      #expect(agenda.contains("a bc [ ]") && !agenda.contains("\u{1B}"), "\(agenda)")
    }
  }

  @Test("is a sentence if a change that waits is damaged")
  func damagedJournal() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace, server: "http://127.0.0.1:1")
      let milk = try await device.add("milk")
      try StoreFile(device.store).execute("UPDATE MS_TableOperations SET properties = 'x'")
      for words in [["done", milk], ["sync", "--dry-run"]] {
        let outcome = try await CommandRunner(workspace: workspace).run(try device.words(words))
        #expect(outcome.status == 1 && outcome.complaints.count == 1, "\(outcome)")
        #expect(outcome.error.hasPrefix("ebb: ") && outcome.error.contains("or it is damaged"), "\(outcome)")
      }
    }
  }

  @Test("has an end: the id of an item that can't be stored", arguments: [[], ["--json"]])
  func endlessID(words: [String]) async throws {
    try await Workspace.use { workspace in
      let id = String(repeating: "x", count: 1_000_000)
      let stub = try StubServer(
        workspace, status: 200, #"{"items":[{"id":"\#(id)","text":"a","version":"v"}]}"#,
        headers: ["Content-Type": "application/json"])
      let outcome = try await CommandRunner(workspace: workspace).run(
        [try Binary.ebb(), "sync", "--server", stub.url, "--store", workspace.path("list.sqlite")] + words)
      #expect(outcome.status == 1 && outcome.error.contains(String(repeating: "x", count: 255) + "…"))
      #expect(outcome.output.utf8.count < 1_000 && outcome.error.utf8.count < 1_000)
    }
  }

  @Test("is ASCII on a terminal whose locale has no UTF-8; without a locale the terminal has it")
  func locales() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace, server: "http://127.0.0.1:1")
      let handle = try await device.add("Café␤noir")
      for words in [["list"], ["agenda"], ["show", handle]] {
        let line = try device.words(words)
        let ascii = try await TerminalSession.open(workspace, line, environment: ["LANG": "C"])
        let screen = try await ascii.wait("the item in ASCII") { $0.words.contains("^ Caf? =") }
        #expect(screen.words.allSatisfy { $0.isASCII }, "\(screen)")
        let unset = try await TerminalSession.open(workspace, line, environment: ["LANG": ""])
        try await unset.wait("the item in UTF-8") { $0.words.contains("↑ Café ≡") }
      }
      let complaint = try device.words(["done", "Café"])
      let errors = try await TerminalSession.open(
        workspace, ["sh", "-c", "\"$@\" | cat", "sh"] + complaint, environment: ["LANG": "C"])
      let said = try await errors.wait("the complaint") { $0.words.contains("No item's handle begins with Caf?.") }
      #expect(said.words.allSatisfy { $0.isASCII }, "\(said)")
      let piped = try await CommandRunner(workspace: workspace).run(
        try device.words(["list"]), environment: ["LANG": "C"])
      #expect(piped.output.contains("↑ Café ≡"), "a program gets the text as it is: \(piped)")
    }
  }

  @Test("is ASCII and English with --ascii, in front of the command or behind it; data stays as it is")
  func ascii() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace, server: "http://127.0.0.1:1")
      func ebb(_ words: [String]) async throws -> Outcome {
        try await CommandRunner(workspace: workspace).run(
          try device.words(words), environment: ["LANG": "ja_JP.UTF-8"])
      }
      _ = try await ebb(["add", "Café “noir” 牛乳"])
      for words in [["list", "--ascii"], ["--ascii", "list"]] {
        let outcome = try await ebb(words)
        #expect(outcome.output.hasSuffix(" [ ] ^ Caf? \"noir\" ????\n"), "\(outcome)")
      }
      for words in [["list"], ["agenda"], ["status"], ["undo"], ["done", "nothing"], ["lsit"], ["conflicts"]] {
        let outcome = try await ebb(words + ["--ascii"])
        let printed = outcome.output + outcome.error
        #expect(printed.allSatisfy { $0.isASCII }, "\(words): \(outcome)")
      }
      _ = try await ebb(["redo"])
      #expect(try await ebb(["list", "--json", "--ascii"]).output.contains("Café “noir” 牛乳"))
      #expect(try await ebb(["export", "--ascii"]).output.contains("Café “noir” 牛乳"))
    }
  }

  @Test("is not broken on a terminal if it may be copied: the path of the configuration, a note")
  func whole() async throws {
    try await Workspace.use { workspace in
      let long = "notes of the year " + String(repeating: "x", count: 100)
      let path = workspace.path(long)
      let device = Device(workspace)
      let handle = try await device.add("Read␤\(long)")
      for (words, text) in [(["config", "path", "--config", path], path), (["show", handle], long)] {
        let terminal = try await TerminalSession.open(workspace, try device.words(words))
        try await terminal.wait("the text as it is") { $0.unwrapped.contains(text) }
      }
    }
  }

  @Test("is not broken on a terminal, nor put in ASCII, if it is the JSON of an import")
  func importedJSON() async throws {
    try await Workspace.use { workspace in
      let text = "Café" + String(repeating: " noir", count: 40)
      try text.write(toFile: workspace.path("list.txt"), atomically: true, encoding: .utf8)
      let words = try Device(workspace).words(["import", "--json", "--ascii", workspace.path("list.txt")])
      let terminal = try await TerminalSession.open(workspace, words)
      try await terminal.wait("the text as it is") { $0.unwrapped.contains("\"text\":\"\(text)\"") }
    }
  }
}
