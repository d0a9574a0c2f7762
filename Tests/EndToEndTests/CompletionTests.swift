import Foundation
import Testing

@testable import ebb

@Suite("What a command line can become")
struct CompletionTests {
  /// The words that are offered for the last of these, with what they mean after a tab; the first line is the kind.
  private func answer(_ workspace: Workspace, _ words: String..., environment: [String: String] = [:]) async throws
    -> [String]
  {
    let outcome = try await CommandRunner(workspace: workspace).run(
      [try Binary.ebb(), "complete", "--"] + words, environment: environment)
    #expect(outcome.status == 0 && outcome.error.isEmpty, "\(outcome)")
    return outcome.output.split(separator: "\n").map(String.init)
  }

  @Test("commands and options are offered as they are declared, in the user's language, and none twice")
  func commands() async throws {
    try await Workspace.use { workspace in
      #expect(
        try await answer(workspace, "un") == ["words", "undone\tReopen items.", "undo\tUndo your last change."])
      let spanish = try await answer(workspace, "lis", environment: ["LC_ALL": "es_ES.UTF-8"])
      #expect(spanish == ["words", "list\tMuestra las tareas pendientes."])
      #expect(try await answer(workspace, "serve", "chec").map { $0.prefix(5) } == ["words", "check"])
      let flags = try await answer(workspace, "list", "--all", "--").map { $0.prefix { $0 != "\t" } }
      #expect(flags.contains("--done") && flags.contains("--help") && !flags.contains("--all"))
      #expect(try await answer(workspace, "list", "--sort", "d") == ["words", "due\t"])
      #expect(try await answer(workspace, "list", "--sort=d") == ["words", "--sort=due\t"])
      let colors = ["auto", "never", "always", "16", "256", "truecolor"]
      #expect(try await answer(workspace, "--color", "") == ["words"] + colors.map { $0 + "\t" })
      #expect(try await answer(workspace, "--store", "") == ["files"])
      #expect(try await answer(workspace, "serve", "--backup-folder", "") == ["folders"])
      #expect(try await answer(workspace, "completions", "f") == ["words", "fish\t"])
      #expect(try await answer(workspace, "help", "wi").first == "words")
      #expect(try await answer(workspace, "help", "wi").last?.hasPrefix("wire\t") == true)
    }
  }

  @Test("handles are offered with their texts: open ones to complete, done ones to reopen, none twice")
  func handles() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      let milk = try await device.add("buy milk +shop\nwith a note")
      let tea = try await device.add("tea")
      try await device.ebb("done", tea)
      let store = ["--store", device.store]
      #expect(try await answer(workspace, store[0], store[1], "done", "") == ["words", "\(milk)\tbuy milk +shop"])
      let after = try await answer(workspace, "done", "--store=\(device.store)", "")
      #expect(after == ["words", "\(milk)\tbuy milk +shop"])
      #expect(try await answer(workspace, store[0], store[1], "undone", "") == ["words", "\(tea)\ttea"])
      #expect(try await answer(workspace, store[0], store[1], "delete", "").count == 3)
      #expect(try await answer(workspace, store[0], store[1], "delete", tea, "").count == 2)
      #expect(try await answer(workspace, store[0], store[1], "done", String(milk.prefix(2))).count == 2)
      #expect(try await answer(workspace, store[0], store[1], "done", "zz") == ["words"])
      #expect(try await answer(workspace, store[0], store[1], "resolve", "") == ["words"])
      let letters = try await answer(workspace, store[0], store[1], "pri", milk, "")
      #expect(letters.count == 28 && letters[1].hasPrefix("A\t") && letters[27].hasPrefix("none\t"), "\(letters)")
      #expect(try await answer(workspace, store[0], store[1], "pri", "x", String(milk.prefix(2))).count == 2)
      let edit = ["edit", "--store", device.store]
      #expect(try await answer(workspace, edit[0], edit[1], edit[2], tea, String(milk.prefix(2))).count == 2)
      #expect(try await answer(workspace, edit[0], edit[1], edit[2], tea, "to", String(milk.prefix(2))) == ["words"])
    }
  }

  @Test("projects, contexts and the words of filters are offered, after a ! too; a text only has them after its sign")
  func words() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      for text in ["milk +shop @town", "bread +shop"] { _ = try await device.add(text) }
      let environment = ["EBB_STORE": device.store]
      func answer(_ words: String...) async throws -> [String] {
        try await CommandRunner(workspace: workspace).run(
          [try Binary.ebb(), "complete", "--"] + words, environment: environment
        ).output.split(separator: "\n").map(String.init)
      }
      #expect(try await answer("list", "+") == ["words", "+shop\t2"])
      #expect(try await answer("list", "!@") == ["words", "!@town\t1"])
      #expect(try await answer("list", "due:o") == ["words", "due:overdue\tbefore today"])
      #expect(try await answer("list", "due:f") == ["words", "due:fri\tthe next such day"])
      #expect(try await answer("list", "!due:m") == ["words", "!due:mon\tthe next such day"])
      #expect(try await answer("list", "done:n") == ["words", "done:none\tcompleted on a day that is not known"])
      #expect(try await answer("add", "") == ["words"])
      #expect(try await answer("add", "more", "@") == ["words", "@town\t1"])
      #expect(try await answer("add", "(B") == ["words", "(B)\tthis priority"])
      #expect(try await answer("edit", "abcd", "due:to").count == 3)
      let every = try await answer("list", "").dropFirst().map { $0.prefix { $0 != "\t" } }
      for word in every where word.last != ":" {
        #expect(try await device.attempt("list", String(word)).status == 0, "\(word)")
      }
    }
  }

  @Test("what fails is an answer without words: no list, a damaged one, a wrong configuration; and no list is made")
  func silence() async throws {
    try await Workspace.use { workspace in
      let none = workspace.path("none.sqlite")
      #expect(try await answer(workspace, "--store", none, "done", "") == ["words"])
      #expect(!FileManager.default.fileExists(atPath: none))
      let damaged = workspace.path("damaged.sqlite")
      try Data(repeating: 0x41, count: 9_000).write(to: URL(fileURLWithPath: damaged))
      #expect(try await answer(workspace, "--store", damaged, "done", "") == ["words"])
      try Data([0xFF, 0xFE]).write(to: URL(fileURLWithPath: workspace.path("bad.yaml")))
      #expect(try await answer(workspace, "--config", workspace.path("bad.yaml"), "done", "") == ["words"])
      #expect(try await answer(workspace) == ["words"] + answer(workspace, "").dropFirst())
      #expect(try await answer(workspace, "no such", "thing", "--what", "") == ["words"])
    }
  }

  @Test("no answer has a control character in it, whatever an item holds")
  func controls() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      let handle = try await device.add("a\u{1B}[31mb\tc\u{202E} +x\u{7}y +fine")
      let words = try await answer(workspace, "--store", device.store, "done", "")
      #expect(words == ["words", "\(handle)\ta [31mb c  +x y +fine"])
      let names = try await answer(workspace, "--store", device.store, "list", "+").dropFirst()
      #expect(names.allSatisfy { $0.unicodeScalars.allSatisfy { $0 == "\t" || $0.value >= 0x20 } }, "\(names)")
    }
  }
}

@Suite("A shell completes", .timeLimit(.minutes(3)))
struct ShellCompletionTests {
  enum Shell: String, CaseIterable, Sendable {
    case bash, zsh, fish

    /// How it is started without anybody's settings.
    var command: [String] {
      switch self {
      case .bash: ["bash", "--norc", "--noprofile"]
      case .zsh: ["zsh", "-f"]
      case .fish: ["fish", "--no-config"]
      }
    }

    /// What makes it complete commands of Ebb. Where the line stands that follows, nothing else is on the screen.
    var setUp: String {
      switch self {
      case .bash: "PS1='$ '; source <(ebb completions bash); clear"
      case .zsh: "PS1='$ '; autoload -U compinit; compinit -D -u; source <(ebb completions zsh); clear"
      case .fish: "function fish_prompt; echo '$ '; end; ebb completions fish | source; clear"
      }
    }
  }

  /// A terminal with the shell in it, and `ebb` where it looks for programs.
  private func open(_ shell: Shell, _ device: Device) async throws -> TerminalSession {
    let workspace = device.workspace
    let folder = workspace.path("bin")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: folder + "/ebb", withDestinationPath: try Binary.ebb())
    let path = workspace.environment()["PATH"] ?? ""
    let terminal = try await TerminalSession.open(
      workspace, shell.command, size: (120, 40),
      environment: ["PATH": folder + ":" + path, "EBB_STORE": device.store, "TERM": "screen-256color"])
    try await terminal.wait("a prompt") { $0.lines.contains { !$0.allSatisfy(\.isWhitespace) } }
    try await terminal.type(shell.setUp)
    try await terminal.press("Enter")
    try await terminal.wait("an empty line") { screen in
      let lines = screen.lines.filter { !$0.allSatisfy(\.isWhitespace) }
      return lines.count == 1 && lines[0].trimmingCharacters(in: .whitespaces) == "$"
    }
    return terminal
  }

  @Test("commands, options, values and projects", arguments: Shell.allCases)
  func words(shell: Shell) async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      _ = try await device.add("milk +shopping @town")
      let terminal = try await open(shell, device)
      for (typed, completed) in [
        ("ebb li", "ebb list "), ("--so", "ebb list --sort "), ("pri", "ebb list --sort priority "),
        ("+shop", "ebb list --sort priority +shopping "), ("@to", "ebb list --sort priority +shopping @town "),
        ("due:ov", "ebb list --sort priority +shopping @town due:overdue"),
      ] {
        try await terminal.type(typed)
        try await terminal.press("Tab")
        try await terminal.wait(completed) { $0.lines.contains { ($0 + " ").hasPrefix("$ " + completed) } }
      }
    }
  }

  @Test("files and folders", arguments: Shell.allCases)
  func files(shell: Shell) async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      let folder = workspace.path("files/calendars")
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try Data().write(to: URL(fileURLWithPath: workspace.path("files/todo.txt")))
      let terminal = try await open(shell, device)
      for name in ["calendars/", "todo.txt"] {
        try await terminal.type("ebb import \(workspace.path("files"))/\(name.prefix(3))")
        try await terminal.press("Tab")
        try await terminal.wait(name) { $0.lines.joined().contains("/files/\(name)") }
        #expect(!(try await terminal.screen().words.contains("no matches found")))
        try await terminal.press("C-u")
      }
    }
  }

  @Test("handles, with the texts of the items beside them", arguments: Shell.allCases)
  func handles(shell: Shell) async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      let handles = try await [device.add("buy milk"), device.add("call 買茶 $HOME")]
      let terminal = try await open(shell, device)
      try await terminal.type("ebb done ")
      try await terminal.press("Tab")
      try await terminal.press("Tab")
      // Where both handles begin alike, bash writes that first, and lists them at the second Tab after it.
      if shell == .bash { try await terminal.press("Tab") }
      try await terminal.wait("both items") { screen in
        let text = screen.lines.joined(separator: "\n")
        return handles.allSatisfy(text.contains) && text.contains("buy milk") && text.contains("$HOME")
      }
    }
  }

  /// What a name could do if a shell read it: run a command, in each way there is to write one.
  private static let hostile = [
    "+a;touch${IFS}pwned", "+b$(touch${IFS}pwned)", "+c`touch${IFS}pwned`", "+d|touch${IFS}pwned", "+e&touch\tpwned",
    "+f'\";touch${IFS}pwned;'", "+g>pwned", "+h(touch${IFS}pwned)", "+i\\", "+j!!", "+k*?[a]{b,c}~",
  ]

  @Test("names that a shell could take for commands as plain words: nothing of them is run", arguments: Shell.allCases)
  func hostileNames(shell: Shell) async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      for (number, name) in Self.hostile.enumerated() { _ = try await device.add("item\(number) \(name)") }
      let terminal = try await open(shell, device)
      try await terminal.type("cd \(workspace.path("home")); clear")
      try await terminal.press("Enter")
      for (number, name) in Self.hostile.enumerated() {
        try await terminal.type("clear; ebb list \(name.prefix(2))")
        try await terminal.press("Tab")
        try await terminal.wait("the rest of \(name)") { screen in
          screen.lines.contains { $0.contains("ebb list \(name.prefix(2))") && !$0.hasSuffix(String(name.prefix(2))) }
        }
        try await terminal.press("Enter")
        try await terminal.wait("the item with \(name)") { screen in
          screen.lines.contains { $0.contains("] ") && $0.contains("item\(number) ") }
        }
      }
      let left = try FileManager.default.contentsOfDirectory(atPath: workspace.path("home"))
      #expect(!left.contains { $0.hasPrefix("pwned") }, "\(left)")
    }
  }

  @Test("bash puts a quoted word together again, and offers nothing that would end the quotes")
  func quotes() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      for name in ["+b$(touch${IFS}pwned)", "+bread", "+b'x"] { _ = try await device.add("item " + name) }
      let script = """
        source <("$0" completions bash); ebb() { :; }; COMP_WORDBREAKS=$' \\t\\n"\\'@><=;|&(:'
        command() { shift; "$EBB" "$@"; }
        try() { COMP_LINE=$1 COMP_POINT=${#1}; shift; COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_TYPE=9; _ebb
          printf '%s|' "${COMPREPLY[@]}"; echo; }
        try 'ebb list "+b' ebb list '"+b'
        try "ebb list '+b" ebb list "'+b"
        try 'ebb list due:to' ebb list due : to
        try 'ebb list --sort=te' ebb list --sort = te
        """
      let outcome = try await CommandRunner(workspace: workspace).run(
        ["bash", "-c", script, try Binary.ebb()], environment: ["EBB_STORE": device.store, "EBB": try Binary.ebb()])
      #expect(
        outcome.output == "+b'x|+bread|\n+b$(touch${IFS}pwned)|+bread|\ntoday|tomorrow|\ntext|\n", "\(outcome)")
    }
  }
}
