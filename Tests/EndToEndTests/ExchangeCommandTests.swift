import Foundation
import Testing

@Suite("Import and export", .serialized, .timeLimit(.minutes(5)))
struct ExchangeCommandTests {
  private static let lines = """
    (A) 2026-11-01 Call  mum +family @phone due:2026-11-30
    No date t:2026-12-01
    x 2026-11-20 2026-11-01 Pay rent pri:B
    Buy milk␤two litres

    """

  private func file(_ workspace: Workspace, _ name: String, _ text: String) throws -> String {
    try Data(text.utf8).write(to: URL(fileURLWithPath: workspace.path(name)))
    return workspace.path(name)
  }

  /// Runs `ebb` with these words in a shell, on the device's list.
  private func shell(_ device: Device, _ words: String, _ rest: String) async throws -> Outcome {
    let command = try device.words(words.split(separator: " ").map(String.init)).joined(separator: " ")
    return try await CommandRunner(workspace: device.workspace).run(["/bin/sh", "-c", command + rest])
  }

  @Test("a todo.txt comes in once, goes out the same, and undo takes all of it back")
  func todoTxt() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      let todo = try file(workspace, "todo.txt", Self.lines)
      let imported = try await device.ebb("import", todo)
      #expect(imported.output.contains("4 items imported") && imported.error.isEmpty, "\(imported)")
      #expect(imported.output.split(separator: "\n").count == 5 && imported.output.contains("[x]   (B) Pay rent"))
      #expect(try await device.ebb("export", "--all").output == Self.lines)
      let again = try await device.ebb("import", todo)
      #expect(again.output == "Nothing new to import. 4 are here already.\n")
      try await device.ebb("undo")
      #expect(try await device.ebb("export", "--all").output == "")
      try await device.ebb("redo")
      #expect(try await device.ebb("export", "--all").output == Self.lines)
    }
  }

  @Test("a pipe is read with and without a dash, and is not asked")
  func pipes() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      let many = (1...30).map { "item \($0)" }.joined(separator: "\n")
      let path = try file(workspace, "many", many)
      let first = try await shell(device, "import -", " < \(path)")
      #expect(first.status == 0 && first.output.contains("30 items imported"), "\(first)")
      #expect(first.output.contains("item 20\nand 10 more\n") && !first.output.contains("item 21"), "\(first)")
      #expect(try await shell(device, "import", " < \(path)").output.hasPrefix("Nothing new"))
      #expect(try await device.items().map(\.text) == (1...30).map { "item \($0)" })
    }
  }

  @Test("every format comes back into a new list, and into this one as nothing new")
  func formats() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      try await device.ebb("import", try file(workspace, "todo.txt", Self.lines))
      let texts = try await device.items("--all").map { "\($0.complete) \($0.text)" }.sorted()
      for format in ["todotxt", "json", "markdown", "ics", "csv"] {
        let out = try await device.ebb("export", "--all", "--format", format).output
        let path = try file(workspace, "out.\(format)", out)
        let again = try await device.ebb("import", path)
        #expect(again.output.hasPrefix("Nothing new to import. 4 are here"), "\(format): \(again)")
        let other = Device(workspace, name: format)
        try await other.ebb("import", path)
        #expect(try await other.items("--all").map { "\($0.complete) \($0.text)" }.sorted() == texts, "\(format)")
      }
    }
  }

  @Test("JSON brings a list back to the letter, with its ids and moments")
  func exact() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      let milk = try await device.add("milk\nnote")
      try await device.ebb("done", milk)
      _ = try await device.add("tea")
      let out = try await device.ebb("export", "--all", "--format", "json").output
      let other = Device(workspace, name: "other")
      try await other.ebb("import", try file(workspace, "backup.json", out))
      #expect(try await other.ebb("export", "--all", "--format", "json").output == out)
      #expect(try await other.items("--all").map(\.id) == (try await device.items("--all").map(\.id)))
      // What `ebb list --json` prints is read too.
      let listed = try file(workspace, "list.json", try await device.ebb("list", "--all", "--json").output)
      #expect(try await other.ebb("import", listed).output.hasPrefix("Nothing new"))
    }
  }

  @Test("a dry run shows what would come in, and makes no list")
  func dryRun() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      let todo = try file(workspace, "todo.txt", Self.lines)
      let outcome = try await device.ebb("import", "--dry-run", todo)
      #expect(
        outcome.output.hasPrefix("+ [ ]   (A) Call  mum") && outcome.output.contains("4 items would be imported."))
      #expect(!FileManager.default.fileExists(atPath: device.store))
      try await device.ebb("import", todo)
      #expect(try await device.ebb("import", "-n", todo).output == "0 items would be imported. 4 are here already.\n")
    }
  }

  @Test("what does not come in is said with its lines, each kind as a sentence")
  func leftOut() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      let list = try file(workspace, "list.md", "# Shop\n\n- [ ] milk\n  oat\ntext\nmore\n- [ ]\n- [x] tea\u{7}cup\n")
      let outcome = try await device.ebb("import", list)
      #expect(
        outcome.complaints == [
          "ebb: Left out, not an item of a check list: lines 1, 5–6.", "ebb: Left out, no text: line 7.",
          "ebb: Control characters became spaces: line 8.",
        ])
      #expect(try await device.items("--all").map(\.text) == ["milk\noat", "tea cup"])
    }
  }

  @Test("lines with control characters are named, a tab among them, but not one in a note, which stays")
  func controlCharacters() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      let lines = "milk\ntea\u{7}cup\nrye\tbread\nrice\u{2028}pudding\nlist␤\tone\nin \u{1B}[31mred\n"
      let todo = try file(workspace, "todo.txt", lines)
      #expect(
        try await device.ebb("import", todo).complaints == ["ebb: Control characters became spaces: lines 2–4, 6."])
      let texts = try await device.items().map(\.text)
      #expect(texts == ["milk", "tea cup", "rye bread", "rice pudding", "list\n\tone", "in  [31mred"])
    }
  }

  @Test("the lines of a todo.txt that come out in another form are named, once; all others come out the same")
  func otherForms() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      let lines = "2026-11-05 (A) date first\nx (C) Done\nx 2026-11-10 (A) 2026-11-01 weird\n"
      let todo = try file(workspace, "todo.txt", lines)
      #expect(
        try await device.ebb("import", todo).complaints == [
          "ebb: In a form of another program: lines 2–3. ebb export writes the standard form, such as "
            + "x 2026-11-20 2026-11-01 buy milk pri:A"
        ])
      #expect(try await device.ebb("import", todo).complaints == [])
      let written = try await device.ebb("export", "--all").output.split(separator: "\n").sorted()
      #expect(written == ["2026-11-05 (A) date first", "x 2026-11-10 2026-11-01 weird pri:A", "x Done pri:C"])
    }
  }

  @Test("values that are not understood are named with their lines, and an item without a date has no day of its own")
  func strangeValues() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      let table = try file(workspace, "list.csv", "title,due,priority\nA,2026-13-45,high\nB,24.12.2026,1\n")
      #expect(
        try await device.ebb("import", table).complaints == [
          "ebb: Not understood, so not kept: due “2026-13-45” (line 2), priority “1” (line 3)."
        ])
      #expect(try await device.items().map(\.text) == ["(A) A", "B due:2026-12-24"])
      let days = try file(workspace, "days.csv", "title,due\nC,12/01/2020\n")
      #expect(
        try await device.ebb("import", days).complaints == [
          "ebb: Not kept, for day and month can't be told apart: due “12/01/2020” (line 2) could be Sun 12 Jan 2020 or "
            + "Tue 1 Dec 2020. Write such dates as 2026-12-24."
        ])
      let todo = try file(workspace, "todo.txt", "2026-11-20 dated\nundated\n")
      try await device.ebb("import", todo)
      let list = try await device.ebb("list", "dated", "--json").output
      #expect(list.contains("\"created\":\"2026-11-20\"") && list.contains("\"created\":null"), "\(list)")
    }
  }

  @Test("a dry run in a pipe has all items, and items that differ have their lines and ids")
  func wholePreview() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      let list = try file(workspace, "list.txt", (1...30).map { "task \($0)\n" }.joined())
      let preview = try await device.ebb("import", "-n", list).output.split(separator: "\n")
      #expect(preview.count == 31 && preview[29] == "+ [ ]   task 30")
      let id = "0f0c1a52-7d94-4c1e-9a55-1d2f6b7c8e01"
      try await device.ebb("import", try file(workspace, "a.csv", "id,text\n\(id),milk\n"))
      let other = try file(workspace, "b.csv", "id,text\n,tea\n\(id),oat\n")
      let outcome = try await device.ebb("import", "-n", "--json", other)
      #expect(outcome.complaints == ["ebb: Left out, here with another text or state: line 3 (0f0c1a52)."])
      #expect(
        outcome.output.contains("\"others\":[{\"line\":3,\"file\":null,\"reason\":\"differs\",\"id\":\"\(id)\"}]"))
    }
  }

  @Test("at a terminal many items are asked for, even if the input or the messages go elsewhere")
  func asksAtTheTerminal() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      let list = try file(workspace, "list.txt", (1...21).map { "task \($0)\n" }.joined())
      let ebb = "'\(try Binary.ebb())' import --store '\(device.store)'"
      for words in ["\(ebb) <'\(list)'", "\(ebb) '\(list)' 2>/dev/null", "cat '\(list)' | \(ebb) --json"] {
        let terminal = try await TerminalSession.open(workspace, ["sh", "-c", "\(words); echo status $?; read answer"])
        try await terminal.wait("the question") { $0.words.contains("Import 21 items?") }
        try await terminal.type("n\n")
        try await terminal.wait("the end") { $0.words.contains("status 1") }
        #expect(!FileManager.default.fileExists(atPath: device.store))
      }
      let terminal = try await TerminalSession.open(workspace, ["sh", "-c", "\(ebb) <'\(list)'; read answer"])
      try await terminal.wait("the question") { $0.words.contains("Import 21 items?") }
      try await terminal.type("y\n")
      try await terminal.wait("the items") { $0.words.contains("21 items imported") }
    }
  }

  @Test("a folder of calendars is read with its lists as projects")
  func folder() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      let folder = URL(fileURLWithPath: workspace.path("calendars/home"))
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      for name in ["milk", "tea"] {
        let todo = "BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:\(name)\nSUMMARY:\(name)\nEND:VTODO\nEND:VCALENDAR\n"
        try Data(todo.utf8).write(to: folder.appendingPathComponent(name + ".ics"))
      }
      try Data("BEGIN:VCAL".utf8).write(to: folder.appendingPathComponent("cut.ics"))
      let imported = try await device.ebb("import", workspace.path("calendars"))
      #expect(imported.complaints == ["ebb: Left out, not as the format has it: home/cut.ics."])
      #expect(try await device.items().map(\.text) == ["milk +home", "tea +home"])
      let none = try await device.attempt("import", workspace.path("home"))
      #expect(none.status == 1 && none.complaints.count == 1 && none.error.contains("without .ics files"), "\(none)")
    }
  }

  @Test("folders in folders are read too, and one that a link leads back to is read once")
  func deepFolders() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      let folder = URL(fileURLWithPath: workspace.path("calendars/anna/home"))
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let todo = "BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:a\nSUMMARY:milk\nEND:VTODO\nEND:VCALENDAR\n"
      try Data(todo.utf8).write(to: folder.appendingPathComponent("milk.ics"))
      try FileManager.default.createSymbolicLink(
        at: folder.appendingPathComponent("back"), withDestinationURL: URL(fileURLWithPath: workspace.path("calendars"))
      )
      let imported = try await device.ebb("import", workspace.path("calendars"))
      #expect(imported.output.contains("1 item imported") && imported.error.isEmpty, "\(imported)")
      #expect(try await device.items().map(\.text) == ["milk +home"])
    }
  }

  @Test("an array of JSON that has no items is no line of a todo.txt", arguments: ["[1,2]", " [\"milk\",\n null ]\n"])
  func otherArrays(text: String) async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      let outcome = try await device.attempt("import", try file(workspace, "numbers", text))
      #expect(outcome.status == 1 && outcome.output.isEmpty, "\(outcome)")
      #expect(outcome.complaints.count == 2 && outcome.error.contains("Nothing was imported"), "\(outcome)")
      let isOneLine = !text.dropLast().contains("\n")
      #expect(outcome.error.contains("items 1–2") == isOneLine, "\(outcome)")
      #expect(!outcome.error.contains("lines 1."), "one line is one, whatever is left out of it: \(outcome)")
      #expect(!FileManager.default.fileExists(atPath: device.store))
      let line = try await device.ebb("import", try file(workspace, "line", "[1] buy milk [2]\n"))
      #expect(line.output.contains("[1] buy milk"))
    }
  }

  @Test("a file that several programs import at once comes in once")
  func atOnce() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      _ = try await device.add("first")
      let many = try file(workspace, "many.txt", (1...2_000).map { "item \($0)\n" }.joined())
      let command = try device.words(["import", many]).joined(separator: " ")
      let line = "for i in 1 2 3 4; do \(command) & done; wait"
      let outcome = try await CommandRunner(workspace: workspace).run(["/bin/sh", "-c", line])
      #expect(outcome.output.contains("2,000 items imported") && outcome.error.isEmpty, "\(outcome)")
      #expect(try await device.items().count == 2_001)
    }
  }

  @Test("--json has the counts and every new item, with its handle and id if it was added")
  func json() async throws {
    struct Report: Decodable, Equatable {
      struct Item: Decodable, Equatable {
        let handle: String?
        let id: String?
        let text: String
        let complete: Bool
      }
      let added: Int
      let here: Int
      let differs: Int
      let leftOut: Int
      let items: [Item]
    }
    try await Workspace.use { workspace in
      let device = Device(workspace)
      let todo = try file(workspace, "list.md", "- [ ] milk\n  oat\n- [x] tea\n- [ ]\n")
      let dry: Report = try await device.ebb("import", "--json", "--dry-run", todo).decoded()
      #expect(dry.added == 2 && dry.items[0] == Report.Item(handle: nil, id: nil, text: "milk\noat", complete: false))
      let report: Report = try await device.ebb("import", "--json", todo).decoded()
      #expect((report.added, report.here, report.differs, report.leftOut) == (2, 0, 0, 1))
      #expect(report.items.map(\.handle) == (try await device.items("--all").map(\.handle)))
      #expect(report.items.map(\.id) == (try await device.items("--all").map(\.id)))
      let again = try await device.ebb("import", "--json", todo)
      let others = "[{\"line\":4,\"file\":null,\"reason\":\"noText\",\"id\":null}]"
      #expect(
        again.output == "{\"added\":0,\"here\":2,\"differs\":0,\"leftOut\":1,\"items\":[],\"others\":\(others)}\n")
      let large = try file(workspace, "large.txt", (1...30).map { "item \($0)\n" }.joined())
      let all: Report = try await device.ebb("import", "--json", large).decoded()
      #expect(all.items.count == 30)
    }
  }

  @Test("a file that can't be imported is one sentence, and makes no list")
  func badFiles() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      let png = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 0x0D])
      let files: [(name: String, bytes: Data, says: String)] = [
        ("a.png", png, "not a text file"), ("latin1", Data([0x63, 0xE9, 0x0A]), "not text in UTF-8"),
        ("empty", Data(), "no item"), ("blank", Data(" \n\n".utf8), "no item"),
        ("a.json", Data("{\"a\":1}".utf8), "not a list in the format json"),
        ("b.json", Data("[{\"text\":\"a\"},\n{]".utf8), "line 2"),
        ("c.json", Data("{\"version\":9}".utf8), "newer Ebb"),
        ("a.ics", Data("BEGIN:VCALENDAR\n".utf8), "format ics"), ("a.csv", Data("a,b\n1,2\n".utf8), "names no column"),
        ("e.ics", Data("BEGIN:VCALENDAR\nEND:VCALENDAR\n".utf8), "no item"),
      ]
      for (name, bytes, says) in files {
        try bytes.write(to: URL(fileURLWithPath: workspace.path(name)))
        let outcome = try await device.attempt("import", workspace.path(name))
        #expect(outcome.status == 1 && outcome.output.isEmpty && outcome.complaints.count == 1, "\(outcome)")
        #expect(outcome.error.contains(says) && outcome.error.contains("Nothing was imported"), "\(outcome)")
      }
      let absent = try await device.attempt("import", workspace.path("absent"))
      #expect(absent.status == 1 && absent.error.contains("no such file or folder"), "\(absent)")
      #expect(!FileManager.default.fileExists(atPath: device.store))
    }
  }

  @Test("wrong usage is exit code 64")
  func wrongUsage() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      for words in [
        ["import", "--format", "pdf", "x"], ["export", "--format", "taskwarrior"], ["export", "--all", "--done"],
        ["export", "due:<2026-13"], ["import", "a", "b"],
      ] {
        let outcome = try await CommandRunner(workspace: workspace).run(try device.words(words))
        #expect(outcome.status == 64 && outcome.output.isEmpty, "\(outcome)")
      }
    }
  }

  @Test("an export takes the filter, the view and the order of a list, and handles if they are wanted")
  func choices() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      let milk = try await device.add("milk +shop due:2026-12-02")
      let tea = try await device.add("tea +shop due:2026-12-01")
      let rent = try await device.add("rent")
      try await device.ebb("done", rent)
      // Without the day of creation.
      func out(_ words: String...) async throws -> [String] {
        let outcome = try await CommandRunner(workspace: workspace).run(try device.words(["export"] + words))
        return outcome.output.split(separator: "\n").map { String($0.dropFirst(11)) }
      }
      #expect(try await out("+shop", "--sort", "due") == ["tea +shop due:2026-12-01", "milk +shop due:2026-12-02"])
      #expect(try await out("--done", "--with-ids").first?.hasSuffix("rent uid:\(rent)") == true)
      #expect(try await out("--with-ids", "mlk") == ["milk +shop due:2026-12-02 uid:\(milk)"])
      #expect(try await out("nothing like it") == [])
      let withIDs = try await device.ebb("export", "--with-ids").output.replacing("tea", with: "green tea")
      let again = try await device.ebb("import", try file(workspace, "ids.txt", withIDs))
      #expect(
        again.output == "Nothing new to import. 1 is here already. 1 is here with another text or state, which stays.\n"
      )
      #expect(try await device.items().map(\.handle).contains(tea))
    }
  }

  @Test("an export that can't be written is a sentence, and one that nobody reads on ends quietly")
  func outputs() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      let many = try file(workspace, "many.txt", (1...3_000).map { "item \($0)\n" }.joined())
      try await device.ebb("import", many)
      let full = try await shell(device, "export", " > /dev/full")
      #expect(full.status == 1 && full.complaints.count == 1, "\(full)")
      let head = try await shell(device, "export", " | head -n 1")
      #expect(head.output == "item 1\n" && head.error.isEmpty, "\(head)")
    }
  }

  @Test("a list that is not there yet is exported as an empty file, and is not made")
  func noList() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      let (lines, json) = (try await device.ebb("export"), try await device.ebb("export", "--format", "json"))
      #expect(lines.output == "" && json.output == "{\"version\":1,\"items\":[]}\n")
      #expect(!FileManager.default.fileExists(atPath: device.store))
    }
  }

  @Test("a terminal is asked before many items come in")
  func terminal() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      let many = try file(workspace, "many.txt", (1...21).map { "item \($0)\n" }.joined())
      let words = try device.words(["import", many])
      let nothing = try await TerminalSession.open(workspace, try device.words(["import"]))
      try await nothing.wait("what to do") { $0.words.contains("Say which file to import") }
      let question = try await TerminalSession.open(workspace, words)
      try await question.wait("the question") { $0.words.contains("Import 21 items?") }
      try await question.type("n")
      try await question.press("Enter")
      try await question.wait("the answer") { $0.words.contains("Nothing was imported.") }
      #expect(!FileManager.default.fileExists(atPath: device.store), "who says no has no list")
      let answer = try await TerminalSession.open(workspace, words)
      try await answer.wait("the question") { $0.words.contains("Import 21 items?") }
      try await answer.type("y")
      try await answer.press("Enter")
      try await answer.wait("the receipt") { $0.words.contains("21 items imported") }
      #expect(try await device.items().count == 21)
    }
  }
}
