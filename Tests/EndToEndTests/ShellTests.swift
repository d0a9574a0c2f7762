import Foundation
import TableProtocol
import Terminal
import Testing
import TodoCore
import Words

@testable import ebb

@Suite("The commands in a shell", .serialized, .timeLimit(.minutes(5)))
struct ShellTests {
  /// Runs a line of a shell, in which `EBB` is the program and `STORE` the flag for the device's list.
  private func shell(_ device: Device, _ line: String, _ environment: [String: String] = [:]) async throws -> Outcome {
    let line = line.replacing("EBB", with: "'\(try Binary.ebb())'").replacing(
      "STORE", with: "--store '\(device.store)'")
    return try await CommandRunner(workspace: device.workspace).run(["/bin/sh", "-c", line], environment: environment)
  }

  @Test("each line of standard input becomes an item, and all of them are one change to undo")
  func addsLines() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      for words in ["add - STORE", "add STORE"] {
        let input = "printf 'milk +shop\\n\\n  \\r\\ntea due:2030-1-5\\r\\nlast'"
        let added = try await shell(device, "\(input) | EBB \(words)")
        #expect(added.status == 0 && added.output.split(separator: "\n").count == 3, "\(added)")
        #expect(try await device.items().map(\.text) == ["milk +shop", "tea due:2030-01-05", "last"])
        #expect(added.output.split(separator: "\n").map(String.init) == (try await device.items().map(\.handle)))
        try await device.ebb("undo")
        #expect(try await device.items() == [])
      }
    }
  }

  @Test(
    "an input that can't be taken adds nothing and is one sentence",
    arguments: [
      ("printf 'a\\nb\\377\\n' | EBB add - STORE", 1, "Line 2"), ("EBB add - STORE </dev/null", 64, "no text"),
      ("EBB add STORE </dev/null", 64, "no text"), ("EBB add - STORE </", 1, "it is a folder"),
      ("printf '\\n \\n' | EBB add - STORE", 64, "no text"),
    ])
  func badInput(line: String, status: Int32, words: String) async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      let outcome = try await shell(device, line)
      #expect(outcome.status == status && outcome.output.isEmpty, "\(outcome)")
      #expect(outcome.complaints.count == 1 && outcome.error.contains(words), "\(outcome)")
      #expect(try await device.items() == [])
    }
  }

  @Test(
    "an argument that is not UTF-8 is refused, not repaired: no other text is kept, and no other file opened",
    arguments: [
      "EBB add STORE \"$(printf 'caf\\351')\"", "EBB add STORE -- \"$(printf '\\377')\"",
      "EBB list STORE \"$(printf '\\377')\"", "EBB list --store \"$(printf 'x\\377')\"",
      "export E''BB_S''TORE=\"$(printf 'x\\377')\"; EBB add milk",
      "EBB status STORE --server \"$(printf 'http://\\377')\"",
    ])
  func badArgument(line: String) async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      let outcome = try await shell(device, line)
      #expect(outcome.status == 64 && outcome.output.isEmpty, "\(outcome)")
      #expect(outcome.complaints.count == 1 && outcome.error.contains("is not UTF-8. Give"), "\(outcome)")
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: workspace.path("")).filter { $0.hasPrefix("x") } == [])
      #expect(!FileManager.default.fileExists(atPath: device.store))
      #expect(try await device.add("\u{FFFD}").count > 3, "the sign for it is a sign like any other")
    }
  }

  @Test("several handles go with spaces or commas, titles are shown, and a second time does no harm")
  func severalHandles() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      let (milk, tea, bread) = (
        try await device.add("milk"), try await device.add("tea"), try await device.add("bread")
      )
      let done = try await device.attempt("done", "\(milk),\(tea)", bread, milk)
      #expect(
        done.output == [milk, tea, bread].enumerated().map { "\($1) [x]   \(["milk", "tea", "bread"][$0])\n" }.joined())
      #expect(done.status == 0 && done.error.isEmpty)
      let again = try await device.attempt("done", milk)
      #expect(again.status == 0 && again.error == "ebb: \(milk) was done already: milk\n", "\(again)")
      #expect(try await device.attempt("done", "\(milk),nothing").status == 1)
      try await device.ebb("delete", "\(milk),\(tea)")
      #expect(try await device.items("--all").map(\.text) == ["bread"])
      try await device.ebb("undo")
      #expect(try await device.items("--all").count == 3)
    }
  }

  @Test("what hands know from todo.txt works")
  func otherNames() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      let handle = try await device.add("milk␤two litres")
      try await device.ebb("pri", handle, "Ａ")
      #expect(try await device.items().map(\.text).first?.hasPrefix("(A) milk") == true)
      try await device.ebb("pri", handle, "(b)")
      try await device.ebb("append", handle, "@town", "due:2030-01-05")
      try await device.ebb("prepend", handle, "oat")
      #expect(try await device.items().map(\.text) == ["(B) oat milk @town due:2030-01-05\ntwo litres"])
      try await device.ebb("append", handle, "due:2030-02-01")
      try await device.ebb("depri", handle)
      #expect(try await device.items().map(\.text) == ["oat milk @town due:2030-02-01\ntwo litres"])
      #expect(try await device.attempt("pri", handle, "7").status == 64)
      try await device.ebb("prepend", handle, "(C) now")
      #expect(try await device.items().map(\.text) == ["(C) now oat milk @town due:2030-02-01\ntwo litres"])
      try await device.ebb("pri", handle, "none")
      #expect(try await device.items().map(\.text) == ["now oat milk @town due:2030-02-01\ntwo litres"])
      try await device.ebb("undo")
      try await device.ebb("prepend", handle, "(D) right")
      #expect(try await device.items().map(\.text).first?.hasPrefix("(D) right now oat milk") == true)
      try await device.ebb("do", handle)
      #expect(try await device.ebb("ls", "--done").output.contains("oat milk"))
      try await device.ebb("reopen", handle)
      try await device.ebb("rm", handle)
      #expect(try await device.ebb("ls").output.isEmpty)
    }
  }

  @Test("words that are all handles are not added to a text; a comma names several items, and -- begins a text")
  func handlesAreNoText() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      let (milk, tea) = (try await device.add("milk"), try await device.add("tea"))
      for command in ["append", "prepend"] {
        let refused = try await device.attempt(command, milk, tea)
        #expect(refused.status == 64 && refused.output.isEmpty, "\(refused)")
        #expect(refused.error.contains("ebb \(command) \(milk),\(tea) WORDS"), "\(refused)")
        #expect(refused.error.contains("ebb \(command) \(milk) -- \(tea)"), "\(refused)")
      }
      #expect(try await device.items().map(\.text) == ["milk", "tea"])
      try await device.ebb("append", "\(milk),\(tea)", "+shop")
      #expect(try await device.items().map(\.text) == ["milk +shop", "tea +shop"])
      let text = [try Binary.ebb(), "append", "--store", device.store, milk, "--", tea]
      #expect(try await CommandRunner(workspace: workspace).run(text).status == 0)
      #expect(try await device.items().map(\.text) == ["milk +shop \(tea)", "tea +shop"])
    }
  }

  @Test("a text that begins with a hyphen is not taken for a wish for help, and lost")
  func hyphens() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      for outcome in [
        try await device.attempt("add", "-dash"), try await device.attempt("add", "call", "-with", "him"),
      ] {
        #expect(outcome.status == 64 && outcome.error.contains("Put -- before"), "\(outcome)")
      }
      #expect(try await device.items().isEmpty)
    }
  }

  @Test("a configuration that is there and can't be read stops a command: the list may be another one")
  func unreadableConfiguration() async throws {
    try await Workspace.use { workspace in
      let folder = workspace.path("config/ebb/config.yaml")
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let outcome = try await Device(workspace).attempt("add", "milk")
      #expect(outcome.status == 64 && outcome.error.contains("config.yaml"))
    }
  }

  @Test("without a text an item opens in the editor; what is not changed there stays, and nothing is deleted")
  func editor() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      let (milk, tea) = (try await device.add("milk␤two litres"), try await device.add("tea"))
      func edit(_ words: String, _ editor: String) async throws -> Outcome {
        try await shell(device, "EBB edit \(words) STORE", ["EDITOR": editor])
      }
      #expect(try await edit(milk, "sed -i s/two/three/").output == "\(milk) [ ]   milk ≡\n")
      #expect(try await device.items().map(\.text).first == "milk\nthree litres")
      #expect(try await edit(milk, "true").error == "ebb: The editor changed nothing.\n")
      #expect(try await edit(milk, "sed -i d").status == 1)
      #expect(try await edit(milk, "false").status == 1)
      let both = try await edit("\(milk),\(tea)", "sed -i -e s/milk/oat/ -e s/tea/chai/")
      #expect(both.output == "\(milk) [ ]   oat ≡\n\(tea) [ ]   chai\n", "\(both)")
      try await device.ebb("undo")
      #expect(try await device.items().map(\.text) == ["milk\nthree litres", "tea"])
      #expect(try await edit("--editor \(milk) \(tea)", "sed -i -e 's/tea$//' -e 1d").status == 0)
      let stranger = try await edit("\(milk),\(tea)", "sed -i -e '$abread' -e s/milk/oat/")
      #expect(stranger.status == 1 && stranger.error.contains("bread"), "\(stranger)")
      #expect(try await device.items().map(\.text) == ["oat\nthree litres", "tea"])
      #expect(try await device.attempt("edit", milk).status == 64)
    }
  }

  /// The text in the file that the sentence names; the file is removed.
  private func kept(_ outcome: Outcome) throws -> String {
    let path = try #require(outcome.error.firstMatch(of: /\/\S+\/item\.txt/)).output
    defer { try? FileManager.default.removeItem(atPath: String(path.dropLast("/item.txt".count))) }
    return try String(contentsOfFile: String(path), encoding: .utf8)
  }

  @Test("a text whose item is deleted or changed while the editor is open is kept or printed, and that fails")
  func overtakenInEditor() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      func edit(_ handles: String, meanwhile command: String) async throws -> Outcome {
        let editor = "sh -c \"EBB \(command) >/dev/null; sed -i -e s/milk/oat/ -e s/tea/chai/ \\$1\" -"
          .replacing("EBB", with: try Binary.ebb()).replacing("STORE", with: "--store \(device.store)")
        return try await shell(device, "EBB edit \(handles) STORE", ["EDITOR": editor])
      }
      let milk = try await device.add("milk")
      for isAlone in [false, true] {
        let tea = try await device.add("tea")
        let gone = try await edit(isAlone ? tea : "\(milk) \(tea)", meanwhile: "delete STORE --yes \(tea)")
        #expect(gone.status == 1 && gone.complaints.count == 1, "\(gone)")
        #expect(gone.error.contains("\(tea) was deleted meanwhile"), "\(gone)")
        #expect(isAlone ? try kept(gone) == "chai\n" : gone.error.hasSuffix(": chai\n"), "\(gone)")
        #expect(gone.output == (isAlone ? "" : "\(milk) [ ]   oat\n"))
      }
      let tea = try await device.add("tea")
      let alone = try await edit(tea, meanwhile: "edit STORE \(tea) -- black tea")
      #expect(alone.status == 1 && alone.error.contains("\(tea) was changed meanwhile"), "\(alone)")
      #expect(try kept(alone) == "chai\n")
      try await device.ebb("undo")
      let changed = try await edit("\(milk) \(tea)", meanwhile: "edit STORE \(tea) -- green")
      #expect(changed.status == 1 && changed.output.isEmpty, "\(changed)")
      #expect(changed.complaints == ["ebb: \(tea) was changed meanwhile and is now “green”. Yours was: chai"])
    }
  }

  @Test("lines that are moved, emptied or removed change nothing, and that is said")
  func uselessLines() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      let (milk, tea) = (try await device.add("milk"), try await device.add("tea"))
      for (editor, words) in [("sed -i 1d", "ebb delete \(milk)\n"), ("sed -i '1!G;h;$!d'", "")] {
        let outcome = try await shell(device, "EBB edit \(milk) \(tea) STORE", ["EDITOR": editor])
        #expect(outcome.status == 0 && outcome.output.isEmpty, "\(outcome)")
        #expect(
          (words.isEmpty || outcome.error.contains(words)) && outcome.error.hasSuffix("The editor changed nothing.\n"),
          "\(outcome)")
      }
      #expect(try await device.items().map(\.text) == ["milk", "tea"])
    }
  }

  @Test("a word that looks like a handle and is none becomes no text, unless -- stands before it")
  func mistypedHandle() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      let (milk, tea) = (try await device.add("milk"), try await device.add("tea"))
      let stranger = ["0000", "ffff", "aaaa"].first { $0 != milk && $0 != tea } ?? ""
      for words in [stranger, "99zz", "\(tea) \(stranger)", "\(tea),\(stranger)"] {
        let outcome = try await shell(device, "EBB edit STORE \(milk) \(words)")
        #expect(outcome.status == 1 && outcome.output.isEmpty && outcome.complaints.count == 1, "\(outcome)")
        #expect(outcome.error.hasSuffix("ebb edit \(milk) -- \(words)\n"), "\(outcome)")
      }
      #expect(try await device.items().map(\.text) == ["milk", "tea"])
      _ = try await shell(device, "EBB edit STORE \(tea) room 1234; EBB edit STORE \(milk) -- \(stranger)")
      #expect(try await device.items().map(\.text) == [stranger, "room 1234"])
    }
  }

  @Test(
    "a handle looks like one by its length and its digits",
    arguments: [
      ("0000", true), ("beef", true), ("99zz", true), ("A1B2C", true), ("12ab-34cd", true), ("milk", false),
      ("h2o", false), ("covid19", false), ("due:1234", false), ("----", false), ("é123", false), ("", false),
    ])
  func likeness(word: String, isLike: Bool) {
    #expect(NamedItems.looksLikeHandle(word) == isLike)
  }

  @Test("an editor that leaves bytes that are not UTF-8 changes nothing, and what it wrote is kept")
  func editorOfBytes() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      let milk = try await device.add("milk")
      let outcome = try await shell(
        device, "EBB edit \(milk) STORE", ["EDITOR": "printf 'caf\\351' >", "TMPDIR": workspace.path("")])
      #expect(
        outcome.status == 1 && outcome.error.contains("not UTF-8") && !outcome.error.contains("ended"), "\(outcome)")
      let kept = try #require(outcome.error.firstMatch(of: /in (\/\S+item\.txt)/))
      #expect(try Data(contentsOf: URL(fileURLWithPath: String(kept.1))) == Data([0x63, 0x61, 0x66, 0xE9]))
      let gone = try await shell(device, "EBB edit \(milk) STORE", ["EDITOR": "rm"])
      #expect(gone.status == 1 && gone.error.contains("left no text"), "\(gone)")
      #expect(try await device.items().map(\.text) == ["milk"])
    }
  }

  @Test("edit with handles alone opens the items; any other word makes a text of them, and so does --")
  func editSeveral() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      let (milk, tea, bread) = (
        try await device.add("milk"), try await device.add("tea"), try await device.add("bread")
      )
      func edit(_ words: String) async throws -> Outcome {
        try await shell(device, "EBB edit STORE \(words)", ["EDITOR": "sed -i -e s/milk/oat/ -e s/tea/chai/"])
      }
      func texts() async throws -> [String] { try await device.items().map(\.text) }
      #expect(try await edit("\(milk) \(tea),\(bread) \(tea)").output == "\(milk) [ ]   oat\n\(tea) [ ]   chai\n")
      try await device.ebb("undo")
      #expect(try await texts() == ["milk", "tea", "bread"])
      #expect(try await edit("\(milk) \(tea) too").status == 0)
      #expect(try await texts() == ["\(tea) too", "tea", "bread"])
      #expect(try await edit("\(milk) -- \(tea)").status == 0)
      #expect(try await edit("-- \(bread) \(tea) \(milk)").status == 0)
      #expect(try await edit("\(tea) \(milk.prefix(3))").status == 0)
      #expect(try await texts() == [tea, String(milk.prefix(3)), "\(tea) \(milk)"], "what list prints is longer")
      #expect(try await edit("nothing \(tea)").status == 1)
      let noEditor = try await device.attempt("edit", milk, tea)
      #expect(noEditor.status == 64 && noEditor.error.hasSuffix("ebb edit \(milk) -- \(tea)\n"), "\(noEditor)")
    }
  }

  @Test("a sync without a server says how to set one, and promises nothing")
  func noServer() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      _ = try await device.add("milk")
      let outcome = try await shell(device, "EBB sync STORE")
      #expect(outcome.status == 64 && outcome.output.isEmpty && outcome.complaints.count == 1, "\(outcome)")
      #expect(outcome.error.contains("ebb config edit") && !outcome.error.contains("again"), "\(outcome)")
      #expect(outcome.error.contains("ebb join LINK"))
      let verify = try await shell(device, "EBB sync --verify STORE")
      #expect(verify.status == 64 && verify.error.contains("so nothing was compared. To join a list: ebb join LINK"))
    }
  }

  @Test("an option that a person mistypes is one sentence in their language, on standard error, and exit code 64")
  func wrongUsage() async throws {
    try await Workspace.use { workspace in
      let outcome = try await CommandRunner(workspace: workspace).ebb("lst", environment: ["LANG": "es_ES.UTF-8"])
      #expect(outcome.status == 64 && outcome.output.isEmpty)
      #expect(outcome.error == "ebb: No hay ninguna orden lst. La más parecida es list.\n")
    }
  }

  @Test("colours come with a flag and not into a pipe; dates are then in words that can be typed back")
  func colors() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      let handle = try await device.add("(A) rent +home due:2020-01-05")
      #expect(try await device.ebb("list").output == "\(handle) [ ]   (A) rent +home due:2020-01-05\n")
      let colored = try await device.ebb("list", "--color", "always").output
      #expect(colored.contains("\u{1B}[36m+home\u{1B}[0m") && colored.contains("overdue:5 Jan 2020"), "\(colored)")
      #expect(try await device.ebb("done", handle, "--color", "always").output.contains("\u{1B}["))
      #expect(try await device.attempt("list", "--color", "sometimes").status == 64)
    }
  }

  @Test("a terminal is asked before several are deleted, and gets colours; add without a text does not wait for one")
  func atATerminal() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      let (milk, tea) = (try await device.add("milk"), try await device.add("tea +home due:2020-01-05"))
      func run(_ words: [String], _ environment: [String: String] = [:]) async throws -> TerminalSession {
        try await TerminalSession.open(
          workspace, try device.words(words), environment: ["TERM": "xterm-256color"].merging(environment) { $1 })
      }
      for (answer, status, left) in [("n", Int32(1), 2), ("y", 0, 0)] {
        let terminal = try await run(["delete", milk, tea])
        try await terminal.wait("the question") { $0.lines.contains { $0.contains("Delete these 2 items?") } }
        try await terminal.type(answer)
        try await terminal.press("Enter")
        #expect(try await terminal.exitStatus() == status)
        #expect(try await device.items().count == left)
      }
      try await device.ebb("undo")
      #expect(try await run(["delete", milk, tea, "--yes"]).exitStatus() == 0)
      try await device.ebb("undo")
      let listed = try await run(["list"], ["NO_COLOR": "1"])
      try await listed.wait("a date in words") { $0.lines.contains { $0.contains("tea +home overdue:5 Jan 2020") } }
      #expect(try await run(["add"]).exitStatus() == 64)
    }
  }

  @Test("list --json has the days on which an item was made and completed")
  func days() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      let handle = try await device.add("milk")
      func days() async throws -> [String: Any] {
        let text = try await device.ebb("list", "--all", "--json").output
        return try #require((try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])?.first)
      }
      #expect(try await days()["done"] is NSNull)
      try await device.ebb("done", handle)
      let (created, done) = (try await days()["created"] as? String, try await days()["done"] as? String)
      #expect(created?.count == 10 && done?.count == 10 && created == done)
    }
  }
}

@Suite("How a command prints")
struct OutputLayoutTests {
  @Test(
    "a flag goes before NO_COLOR, that before FORCE_COLOR, and else a terminal is coloured that can be",
    arguments: [
      (TerminalOptions.ColorChoice.auto, true, ["TERM": "xterm"], true), (.auto, false, ["TERM": "xterm"], false),
      (.auto, true, ["TERM": "dumb"], false), (.auto, true, [:], false),
      (.auto, true, ["TERM": "xterm", "NO_COLOR": "1"], false), (.auto, true, ["TERM": "xterm", "NO_COLOR": ""], true),
      (.always, false, ["NO_COLOR": "1"], true), (.never, true, ["TERM": "xterm", "FORCE_COLOR": "1"], false),
      (.auto, false, ["FORCE_COLOR": "1"], true), (.auto, false, ["CLICOLOR_FORCE": "0"], false),
      (.auto, false, ["CLICOLOR_FORCE": "1", "NO_COLOR": "1"], false), (.depth(.palette256), false, [:], true),
    ])
  func colors(
    choice: TerminalOptions.ColorChoice, isTerminal: Bool, environment: [String: String], expected: Bool
  ) {
    #expect(OutputLayout.isColored(choice, isTerminal: isTerminal, EnvironmentVariables(environment)) == expected)
  }

  @Test("for a person handles stand in a column, and controls of a text do not reach the terminal")
  func line() throws {
    let layout = OutputLayout(isForPerson: true, paint: Paint(isOn: false), hasServer: true)
    let today = try #require(CalendarDay("2026-11-21"))
    let line = TodoLine(id: "a", text: "milk\u{1B}[2J due:2026-11-22\nnote", complete: false, state: .waiting)
    var lines = PersonLines(layout, today: today, width: 6)
    let text = lines.line(line, handle: "a1b2")
    #expect(text == "a1b2   [ ] ↑ milk [2J due:tomorrow ≡")
  }

  @Test("a row that is wider than the terminal goes on below its text, broken at a space")
  func wideLine() throws {
    let layout = OutputLayout(isForPerson: true, paint: Paint(isOn: true), hasServer: false, columns: 30)
    let line = TodoLine(id: "a", text: "call the plumber +house due:2026-12-22", complete: false, state: .synced)
    var lines = PersonLines(layout, today: try #require(CalendarDay("2026-11-21")), width: 4, indent: 2)
    let text = lines.line(line, handle: "a1b2").replacing(/\u{1B}\[[0-9;]*m/, with: "")
    #expect(text == "  a1b2 [ ]   call the plumber\n             +house due:22 Dec")
  }

  @Test("a message breaks between words on a terminal, and stays one line in a pipe")
  func wideMessage() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      _ = try await device.add("milk")
      let words = try device.words(["doctor", "--config", "/dev/null"])
      let piped = try await CommandRunner(workspace: workspace).run(words)
      let terminal = try await TerminalSession.open(workspace, words)
      _ = try await terminal.exitStatus()
      let screen = try await terminal.screen()
      let server = try #require(piped.output.split(separator: "\n").first { $0.contains("--server URL") })
      #expect(server.count > 80 && !server.contains("/dev/null") && screen.words.contains(server.dropFirst(6)))
    }
  }

  @Test("only lines that were changed are edits; a line that is gone or emptied is none")
  func editedLines() {
    let items = [("a1b2", TodoItem(id: "1", text: "milk\nnote")), ("c3d4", TodoItem(id: "2", text: "tea"))]
      .map { (handle: $0.0, item: $0.1) }
    #expect(EditedLines.text(of: items) == "a1b2 milk␤note\nc3d4 tea")
    #expect(EditedLines("a1b2 milk␤note\nc3d4 \n", items).edits.isEmpty)
    let edited = EditedLines("\nc3d4  chai\nzzzz bread\n", items)
    #expect(
      edited.edits == ["2": TypedText(text: "chai", seen: "tea")]
        && edited.lost == [LostLine("zzzz bread", .unknownHandle)])
    #expect(edited.withoutText == ["a1b2"])
    for first in ["chai", "tea"] {
      let twice = EditedLines("c3d4 \(first)\nc3d4 coffee", items)
      #expect(twice.edits["2"]?.text == (first == "tea" ? nil : first), "the first line counts")
      #expect(twice.lost == [LostLine("coffee", .secondLine(handle: "c3d4"))], "of two lines none is lost")
    }
  }
}
