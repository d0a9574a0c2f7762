import Foundation
import Glibc
import Testing

@Suite("The configuration file", .serialized, .timeLimit(.minutes(5)))
struct ConfigurationTests {
  /// Runs the body with a device whose configuration file has these lines, and with the file's path.
  private func with(_ lines: String, _ body: (Workspace, String) async throws -> Void) async throws {
    try await Workspace.use { workspace in
      let folder = workspace.path("config/ebb")
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let path = folder + "/config.yaml"
      try lines.write(toFile: path, atomically: true, encoding: .utf8)
      try await body(workspace, path)
    }
  }

  @Test("puts commands on other keys, and the hints name them")
  func rebinds() async throws {
    try await with("keys:\n  add: z\n  quit: [Q, F10]\n") { workspace, _ in
      let list = try await TerminalSession.list(Device(workspace))
      try await list.wait("the new key") { $0.lines.contains { $0.contains("z add") } }
      try await list.press("z")
      try await list.type("By another key")
      try await list.press("Enter")
      try await list.wait("the item") { $0.shows("By another key") }
      try await list.press("Enter", "Q")
      #expect(try await list.exitStatus() == 0)
    }
  }

  @Test("has the list sync when it opens, where it says so", arguments: ["launch", "[change, launch]"])
  func syncsAtLaunch(when: String) async throws {
    try await with("sync:\n  when: \(when)\n") { workspace, _ in
      let server = try await ServerProcess.start(workspace)
      let other = Device(workspace, name: "other", server: server.url)
      _ = try await other.add("From the other device")
      try await other.ebb("sync")
      let list = try await TerminalSession.list(Device(workspace, server: server.url))
      try await list.wait("what the other device has") { $0.shows("From the other device") }
    }
  }

  @Test("has filters under numbers, until the list keeps others")
  func savedFilters() async throws {
    try await with("filters:\n  1: +milk due:week\n  2: tea\n") { workspace, _ in
      let device = Device(workspace)
      for text in ["Buy milk", "Buy tea"] { _ = try await device.add(text) }
      let list = try await TerminalSession.list(device)
      try await list.wait("everything") { $0.rows.count == 2 }
      try await list.press("2")
      try await list.wait("one of two") { $0.rows == ["[ ] Buy tea"] }
      try await list.press("S", "1", "1")
      try await list.press("Escape", "Escape")
      try await list.wait("everything again") { $0.rows.count == 2 }
      try await list.press("1")
      try await list.wait("the list's own") { $0.rows == ["[ ] Buy tea"] }
    }
  }

  @Test("a filter that is not understood is marked in the panel, and the counts beside it are true")
  func wrongFilterInPanel() async throws {
    try await with("filters:\n  1: +work due:wek\n  2: milk\n") { workspace, _ in
      let device = Device(workspace)
      _ = try await device.add("Buy milk +shop due:today")
      let list = try await TerminalSession.list(device, size: (120, 24))
      for words in ["Today            1", "+shop            1", "1 +work due:wek  !", "2 milk           1"] {
        try await list.wait(words) { screen in screen.lines.contains { $0.contains(words) } }
      }
    }
  }

  @Test(
    "a value that can't be used is named with its key and its file, and what it may be; the list opens all the same",
    arguments: [
      ("theme: blue", "theme", "blue", "auto, terminal, light, dark, plain"),
      ("colors:\n  overdue: pinkish", "colors.overdue", "pinkish", "#ff8800"),
      ("mouse: maybe", "mouse", "maybe", "false"),
      ("color: 17", "color", "17", "truecolor"),
      ("sync:\n  when: sometimes", "sync.when", "sometimes", "launch"),
      ("sync:\n  when: never, launch", "sync.when", "never, launch", "launch"),
      ("sync:\n  when: 0m", "sync.when", "0m", "15m"),
      ("keys:\n  add: a Hyper-X", "keys.add", "Hyper-X", "Ctrl-X"),
    ])
  func badValue(lines: String, key: String, value: String, allowed: String) async throws {
    try await with(lines) { workspace, path in
      let list = try await TerminalSession.list(Device(workspace), size: (400, 24))
      try await list.wait("the value is named") { screen in
        [path, key, value, allowed].allSatisfy { screen.words.contains($0) }
      }
      // A command that shows no list does not need it.
      #expect(try await Device(workspace).attempt("add", "milk").error.isEmpty)
    }
  }

  @Test("a list whose token can't be read opens and says so, and asks the server nothing before it is there")
  func missingToken() async throws {
    try await with("server: http://127.0.0.1:1\ntokenFile: token\n") { workspace, _ in
      let (device, token) = (Device(workspace), workspace.path("config/ebb/token"))
      _ = try await device.add("milk")
      let list = try await TerminalSession.list(device, size: (400, 24))
      try await list.wait("the file is named") { screen in
        ["milk", token, "is not there", "ebb join"].allSatisfy { screen.words.contains($0) }
      }
      try await list.press("r")
      try await list.wait("nothing is sent, and the file is named again") { screen in
        ["no token", token, "is not there", "ebb join"].allSatisfy { screen.words.contains($0) }
      }
      #expect(try await !list.screen().words.contains("refused"))
      try "".write(toFile: token, atomically: true, encoding: .utf8)
      try await list.press("r")
      try await list.wait("the reason is the present one") { screen in
        ["no token", token, "is empty"].allSatisfy { screen.words.contains($0) }
          && !screen.words.contains("is not there")
      }
      try "secret\n".write(toFile: token, atomically: true, encoding: .utf8)
      try await list.press("r")
      try await list.wait("the token is used") { $0.words.contains("offline") }
    }
  }

  @Test("a named pipe is not waited for, as the file of settings, of a token or of authorities")
  func namedPipe() async throws {
    try await Workspace.use { workspace in
      let pipe = workspace.path("pipe")
      #expect(mkfifo(pipe, 0o600) == 0)
      let device = Device(workspace, server: "http://127.0.0.1:1")
      let flags = [("--config", "can't be used"), ("--token-file", "no token"), ("--ca-file", "no certificate")]
      for (flag, says) in flags {
        let outcome = try await device.attempt("sync", flag, pipe)
        #expect(outcome.status != 0 && outcome.complaints.count == 1 && outcome.error.contains(says), "\(outcome)")
      }
    }
  }

  @Test("a pipe of the shell is read, and /dev/null is no file of settings")
  func shellPipes() async throws {
    try await Workspace.use { workspace in
      let list = try Device(workspace).words(["list"]).joined(separator: " ") + " --config"
      let runner = CommandRunner(workspace: workspace)
      for line in ["\(list) <(sleep 0.2; echo storee: x)", "(sleep 0.2; echo storee: x) | \(list) /dev/stdin"] {
        let outcome = try await runner.run(["bash", "-c", line])
        #expect(outcome.status == 0 && outcome.error.contains("storee"), "\(outcome)")
      }
      let none = try await runner.run(["bash", "-c", "\(list) /dev/null"])
      #expect(none.status == 0 && !none.error.contains("/dev/null"), "\(none)")
    }
  }

  @Test("doctor names all its mistakes at once, and ends with how many checks are well")
  func allMistakes() async throws {
    try await with("theme: pink\ncolour: never\ncolors:\n  overdu: red\nkeys:\n  refresh: d\nfilters:\n  2: due:blah\n")
    { workspace, _ in
      let outcome = try await Device(workspace).attempt("doctor")
      for word in [
        "theme can't be pink", "colour", "colors.overdu", "refresh keeps r F5", "filters.2",
        "“due:blah” (character 1) is no date",
      ] {
        #expect(outcome.output.contains(word), "\(outcome)")
      }
      let last = outcome.output.split(separator: "\n").last ?? ""
      #expect(last.contains(" warn, ") && last.contains("settings"), "\(outcome)")
    }
  }

  @Test("a relative path in it begins in its own folder, wherever a command is given")
  func relativePaths() async throws {
    try await with("theme: dark\nstore: lists/my.sqlite\n") { workspace, path in
      let runner = CommandRunner(workspace: workspace)
      for (folder, isFirst) in [("home", true), ("data", false)] {
        let added = try await runner.run(
          ["sh", "-c", "cd \"$1\" && exec \"$0\" add milk", try Binary.ebb(), workspace.path(folder)])
        #expect(added.status == 0 && added.error.isEmpty != isFirst, "\(added)")
        // The place where the name stands, and not that of a flag.
        if isFirst { #expect(added.error.contains("check store in \(path):2") && !added.error.contains("--store")) }
      }
      let store = workspace.path("config/ebb/lists/my.sqlite")
      #expect(FileManager.default.fileExists(atPath: store))
      #expect(try await runner.ebb("list").output.split(separator: "\n").count == 2)
      for words in [["config", "show"], ["doctor"]] {
        let outcome = try await runner.run([try Binary.ebb()] + words)
        #expect(outcome.output.contains(store), "\(outcome)")
      }
    }
  }

  @Test(
    "a path in it that only a shell would read is named with its line by the check and by commands that need it",
    arguments: ["$HOME/my.sqlite", "~anna/my.sqlite"])
  func pathsForShells(written: String) async throws {
    try await with("theme: dark\nstore: \(written)\ntokenFile: \(written)\n") { workspace, path in
      let runner = CommandRunner(workspace: workspace)
      for words in [["list"], ["add", "milk"], ["status"]] {
        let outcome = try await runner.run([try Binary.ebb()] + words)
        #expect(outcome.status == 64 && outcome.output.isEmpty && outcome.complaints.count == 1, "\(outcome)")
        #expect(outcome.error.hasPrefix("ebb: \(path):2: store can't begin with $ or ~name, as \(written)"))
        #expect(outcome.error.contains("~/ is your home folder"), "\(outcome)")
      }
      let check = try await runner.ebb("config", "check")
      #expect(check.status == 1 && check.output.split(separator: "\n").count == 2, "\(check)")
      #expect(check.output.contains("\(path):2: store") && check.output.contains("\(path):3: tokenFile"), "\(check)")
      let shown = try await runner.ebb("config", "show")
      #expect(shown.status == 0 && shown.output.contains("store  none"), "\(shown)")
      #expect(shown.error.contains(":2: store"), "\(shown)")
      #expect(try await runner.ebb("doctor").output.contains(":2: store"))
      #expect(try await Device(workspace).attempt("add", "milk").status == 0, "a flag goes before it")
      let made = try FileManager.default.contentsOfDirectory(atPath: workspace.path("config/ebb"))
      #expect(made == ["config.yaml"])
    }
  }

  @Test("/dev/null is none")
  func none() async throws {
    try await with("theme: [") { workspace, _ in
      let outcome = try await Device(workspace).attempt("add", "milk", "--config", "/dev/null")
      #expect(outcome.status == 0 && outcome.error.isEmpty, "\(outcome)")
    }
  }

  @Test("a file that is no YAML is named with the line, for every command")
  func noYAML() async throws {
    try await with("theme: dark\nfilters:\n  1: @home\n") { workspace, path in
      let outcome = try await Device(workspace).attempt("list")
      #expect(outcome.status == 64)
      #expect(outcome.complaints.count == 1 && outcome.error.contains(path), "\(outcome)")
      #expect(outcome.error.contains("line 3"), "\(outcome)")
    }
  }

  @Test("a key that is there twice is named")
  func duplicates() async throws {
    try await with("theme: dark\ntheme: light\n") { workspace, _ in
      let outcome = try await Device(workspace).attempt("list")
      #expect(outcome.status == 64)
      #expect(outcome.error.contains("it sets theme more than once"), "\(outcome)")
    }
  }

  @Test("a key that means nothing is told on standard error, and in the list where that is open")
  func unknownKey() async throws {
    try await with("colour: never\nkeys:\n  fly: f\n  quit: a\nfilters:\n") { workspace, path in
      let device = Device(workspace)
      let outcome = try await device.attempt("add", "milk")
      #expect(outcome.status == 0)
      #expect(outcome.error == "ebb: \(path): Ebb has no setting called colour, keys.fly.\n")
      let list = try await TerminalSession.list(device, size: (120, 24))
      try await list.wait("all remarks") { screen in
        let said = screen.words
        return [
          "has 3 mistakes; ebb config check", "Ebb has no setting called colour, keys.fly.",
          "In the list: a is the key of add and of quit; add has it, and quit keeps q Ctrl-C",
        ].allSatisfy { said.contains($0) }
      }
    }
  }

  @Test("flags come before it, in whatever order they stand", arguments: [["--color", "never"], ["--color=never"]])
  func flags(color: [String]) async throws {
    try await with("color: truecolor\nmouse: true\n") { workspace, _ in
      let list = try await TerminalSession.open(
        workspace, try Device(workspace).words(["--ascii", "--no-mouse"] + color))
      try await list.wait("the list") { !$0.status.allSatisfy(\.isWhitespace) }
      #expect(try await list.leftOn().contains("mouse 0"))
      let bad = try await TerminalSession.open(
        workspace, try Device(workspace).words(["--color", "sometimes"]), size: (200, 24),
        environment: ["TERM": "xterm-256color"])
      #expect(try await bad.exitStatus() == 64)
      #expect(try await bad.screen().lines.first?.contains("--color can't be sometimes") == true)
    }
  }

  @Test("gives names for columns that Ebb's own server has no use for: then nothing is sent there or taken from it")
  func columns() async throws {
    try await with("columns: {text: title, complete: isComplete}\n") { workspace, _ in
      let server = try await ServerProcess.start(workspace)
      let device = Device(workspace, server: server.url)
      _ = try await device.add("Milk")
      let outcome = try await device.attempt("sync")
      #expect(outcome.status == 1 && outcome.error.contains("needs no other names"), "\(outcome)")
      let there = try await CommandRunner(workspace: workspace).run([
        "curl", "-sS", "--noproxy", "*", "\(server.url)/tables/TodoItem",
      ])
      #expect(there.output.contains(#""items":[]"#), "\(there)")
      let report = try await DoctorReport(device)
      #expect(report["columns"]?.hasPrefix("warn: This is Ebb's own server") == true, "\(report)")
    }
  }

  @Test("with names for columns that can't be is refused, before anything is sent")
  func badColumns() async throws {
    try await with("columns:\n  text: version\n") { workspace, path in
      let server = try await ServerProcess.start(workspace)
      let device = Device(workspace, server: server.url)
      let outcome = try await device.attempt("sync")
      #expect(outcome.status == 64 && outcome.error.contains("columns") && outcome.error.contains(path), "\(outcome)")
    }
  }
}
