import Foundation
import TableProtocol
import Testing
import TodoUI
import Words

@testable import ebb

@Suite("The commands for the configuration file", .serialized, .timeLimit(.minutes(5)))
struct ConfigCommandTests {
  private struct Row: Decodable, Equatable {
    let key: String
    let value: String?
    let origin: String
    var place: String?
    var wrong: String?
  }

  @Test("init makes a file and a folder that only their owner can read, and never writes over one")
  func makes() async throws {
    try await Workspace.use { workspace in
      let runner = CommandRunner(workspace: workspace)
      let path = workspace.path("config/ebb/config.yaml")
      #expect(try await runner.ebb("config", "path").output == path + "\n")
      #expect(try await runner.ebb("config", "init").status == 0)
      #expect(try permissions(of: path) == 0o600 && permissions(of: workspace.path("config/ebb")) == 0o700)
      #expect(try await runner.ebb("config", "check").status == 0)
      try "theme: dark\n".write(toFile: path, atomically: false, encoding: .utf8)
      let again = try await runner.ebb("config", "init")
      #expect(again.status == 1 && again.error.contains("already exists"), "\(again)")
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "theme: dark\n")
      let slip = try await runner.ebb("config", "init", "--config", workspace.path("typo/config.yaml"))
      #expect(slip.status == 1 && !FileManager.default.fileExists(atPath: workspace.path("typo")), "\(slip)")
      #expect(try await runner.ebb("config", "init", "--config", "/dev/null").status == 1)
      let none = try await runner.ebb("config", "check", "--config", "/dev/null")
      #expect(none.status == 0 && none.output.contains("Name another") && !none.output.contains("init"), "\(none)")
      #expect(try await runner.ebb("config", "check", "--config", workspace.path("none.yaml")).status == 64)
    }
  }

  @Test(
    "what init writes are the defaults: with every line in force nothing is other, and nothing is wrong",
    arguments: Language.allCases)
  func template(language: Language) throws {
    let paths = DefaultPaths(["HOME": "/home/o'neill"])
    let text = ConfigurationTemplate(Catalogue.of(language), paths).text
    #expect(try ConfigurationFile(path: "f", bytes: Array(text.utf8)) == nil)
    let inForce = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.hasPrefix("#") && !line.hasPrefix("# ") || line.hasPrefix("#  ") ? String(line.dropFirst()) : String(line)
    }.joined(separator: "\n")
    let review = ConfigurationReview(path: "f", bytes: Array(inForce.utf8), environment: [:])
    #expect(review.mistakes == [])
    let file = try #require(try ConfigurationFile(path: "f", bytes: Array(inForce.utf8)))
    #expect(file.text("store") == "/home/o'neill/.local/share/ebb/ebb.sqlite")
    var changed = try ListPreferences(SettingFlags(), file, environment: [:]).preferences(.english) { _ in }
    let standard = try ListPreferences(SettingFlags(), nil, environment: [:]).preferences(.english) { _ in }
    #expect(changed.bindings == standard.bindings && changed.mouse == standard.mouse)
    changed.configuresTheme = standard.configuresTheme
    #expect(changed == standard)
  }

  @Test("check names all mistakes at once, each with its line and the nearest name, and ends with 1")
  func mistakes() async throws {
    let lines = [
      "colour: never", "theme: drak", "sync:", "  wen: launch", "keys:", "  ad: a", "  add: Strg-X", "  quit: a",
      "filters:", "  1: due:<2026-13", "mouse: maybe", "server: not a server", "caFile: /nowhere/ca", "theme: dark",
      "key:", "  add: z", "colors: {ovredue: red}", "foo: @bar",
    ]
    try await Workspace.use { workspace in
      let path = workspace.path("bad.yaml")
      try lines.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
      let outcome = try await CommandRunner(workspace: workspace).ebb("config", "check", "--config", path)
      let found = outcome.output.split(separator: "\n").map { $0.dropFirst(path.count + 1) }
      #expect(outcome.status == 1)
      #expect(found.compactMap { Int($0.prefix { $0 != ":" }) } == [1, 2, 4, 6, 7, 8, 10, 11, 12, 13, 14, 16, 17, 18])
      for nearest in ["color.", "sync.when.", "keys.add.", "colors.overdue."] {
        #expect(found.contains { $0.hasSuffix("The nearest is \(nearest)") }, "\(nearest)")
      }
      #expect(found[10].contains("already, on line 2") && found[13].contains("not valid YAML"), "\(outcome)")
    }
  }

  @Test(
    "a file that can't be read says on which line and why, the same for check and for any command",
    arguments: [
      (Array("theme: dark\nserver: \"a\n\n".utf8), 2, "not closed"), (Array("keys: [a, b\n".utf8), 1, "not closed"),
      (Array("mouse: true\nsync:\n\twhen: live\n".utf8), 3, "tab"),
      (Array("theme: dark\nserver: caf".utf8) + [0xE9, 0x0A], 2, "not UTF-8"),
      (Array("filters:\n  1: !@phone due:week\n".utf8), 2, "begins with !"),
      (Array("theme: dark\nfilters: {1: +a, 3: !x y}\n".utf8), 2, "begins with !"),
      (Array("theme: &mine dark\n".utf8), 1, "begins with &"),
    ])
  func badLines(bytes: [UInt8], line: Int, words: String) async throws {
    try await Workspace.use { workspace in
      let path = workspace.path("bad.yaml")
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      let runner = CommandRunner(workspace: workspace)
      let check = try await runner.ebb("config", "check", "--config", path)
      #expect(check.status == 1 && check.output.hasPrefix("\(path):\(line): "), "\(check)")
      #expect(check.output.contains(words) && check.output.split(separator: "\n").count == 1, "\(check)")
      let list = try await runner.ebb("list", "--config", path)
      #expect(list.status == 64 && list.error.contains("line \(line) ") && list.error.contains(words), "\(list)")
    }
  }

  @Test(
    "a mistake says what to write",
    arguments: [
      ("sync: live", "sync has its settings below it. Write sync: {when: live}"),
      ("sync: {when: \"live chnage, 15\"}", "“chnage” is unknown, so Ebb will not sync by itself"),
      ("sync: {when: \"never, launch\"}", "sync.when can't be never, launch: other words can't stand beside “never”"),
      ("sync: {when: \"\"}", "sync.when has no value"), ("theme:", "theme has no value"),
      ("keys: {quit: \"\"}", "keys.quit has no value, so the default is used"),
      ("keys: {filter: }", "keys.filter has no value"),
      ("order: due", "order is chosen in the list"), ("server: list", "Write server: https://list.example"),
    ])
  func advice(line: String, words: String) async throws {
    try await Workspace.use { workspace in
      let path = workspace.path("bad.yaml")
      try line.write(toFile: path, atomically: true, encoding: .utf8)
      let check = try await CommandRunner(workspace: workspace).ebb("config", "check", "--config", path)
      #expect(check.status == 1 && check.output.hasPrefix("\(path):1: "), "\(check)")
      #expect(check.output.contains(words) && check.output.split(separator: "\n").count == 1, "\(check)")
    }
  }

  @Test(
    "each of several wrong words in one line is named",
    arguments: [
      ("sync: {when: \"launch, chnage, 15x\"}", "“chnage” is unknown", "“15x” is unknown"),
      ("keys: {add: \"a, Ctrl-Nix, F99\"}", "keys.add can't be Ctrl-Nix", "keys.add can't be F99"),
    ])
  func severalMistakes(line: String, first: String, second: String) async throws {
    try await Workspace.use { workspace in
      let path = workspace.path("bad.yaml")
      try line.write(toFile: path, atomically: true, encoding: .utf8)
      let check = try await CommandRunner(workspace: workspace).ebb("config", "check", "--config", path)
      let lines = check.output.split(separator: "\n")
      #expect(check.status == 1 && lines.count == 2 && lines.allSatisfy { $0.hasPrefix("\(path):1: ") }, "\(check)")
      #expect(lines.first?.contains(first) == true && lines.last?.contains(second) == true, "\(check)")
    }
  }

  @Test("a command is on no key if the file says none, and keeps its own if the file says nothing")
  func noKey() throws {
    let file = try #require(
      try ConfigurationFile(path: "f", bytes: Array("keys: {help: none, sort: '', undo: [U, F2]}".utf8)))
    var wrong: [String] = []
    let bindings = try ListPreferences(SettingFlags(), file, environment: [:])
      .preferences(.english) { wrong.append($0.key) }.bindings
    #expect(bindings.names(of: .common(.help)) == [] && bindings.names(of: .list(.sort)) == ["s"])
    #expect(bindings.names(of: .list(.undo)) == ["U", "F2"] && wrong == ["keys.sort"])
  }

  @Test("a key that is taken in one place only is named with the place, and show has it as what is in force")
  func keyOfOnePlace() async throws {
    try await Workspace.use { workspace in
      let path = workspace.path("colemak.yaml")
      try "keys: {add: a, edit: Enter, down: n}".write(toFile: path, atomically: true, encoding: .utf8)
      let runner = CommandRunner(workspace: workspace)
      let check = try await runner.ebb("config", "check", "--config", path)
      let said = "When asked which link: n is the key of decline and of down; decline has it, and down keeps j Down.\n"
      #expect(check.status == 1 && check.output == "\(path):1: \(said)", "\(check)")
      let rows: [Row] = try await runner.ebb("config", "show", "--json", "--config", path).decoded()
      #expect(rows.first { $0.key == "keys.down" }?.value == "n")
    }
  }

  @Test("a configuration file that was named and is not there is said so")
  func absent() async throws {
    try await Workspace.use { workspace in
      let path = workspace.path("none.yaml")
      for words in [["list"], ["config", "check"]] {
        let outcome = try await CommandRunner(workspace: workspace).run(
          [try Binary.ebb()] + words + ["--config", path])
        #expect(outcome.status == 64 && outcome.error.contains("There is no configuration file \(path)"), "\(outcome)")
      }
    }
  }

  @Test("show says where each value comes from, which of file and list counts, and never a token")
  func shows() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      _ = try await device.add("milk")
      let path = workspace.path("my.yaml")
      try "# mine\ntheme: dark\nkeys:\n  add: Ctrl-X\n".write(toFile: path, atomically: true, encoding: .utf8)
      let words = try device.words(["config", "show", "--json", "--config", path])
      let environment = ["EBB_TOKEN": "geheim", "EBB_SERVER": "http://anna:pw@list.example"]
      let outcome = try await CommandRunner(workspace: workspace).run(words, environment: environment)
      #expect(!(outcome.output + outcome.error).contains("geheim") && !outcome.output.contains("pw"), "\(outcome)")
      let rows: [Row] = try outcome.decoded()
      func row(_ key: String) -> Row? { rows.first { $0.key == key } }
      #expect(row("store") == Row(key: "store", value: device.store, origin: "flag", place: "--store"))
      #expect(row("theme") == Row(key: "theme", value: "dark", origin: "file", place: path + ":2"))
      #expect(row("keys.add") == Row(key: "keys.add", value: "Ctrl-X", origin: "file", place: path + ":4"))
      #expect(row("server")?.origin == "environment" && row("token")?.value == "set, and not shown")
      #expect(row("mouse") == Row(key: "mouse", value: "true", origin: "default", place: nil))
    }
  }

  @Test("show has what is in force where a value can't be used, and names that one")
  func showsWrongValues() async throws {
    let lines = [
      "theme: drak", "mouse: maybe", "keys:", "  add: Strg-X", "  edit: q", "  qiut: x", "filters:",
      "  1: due:<2026-13",
      "server: not a server", "columns: {text: id}", "colors: {overdue: rosy}", "ascii: true",
    ]
    try await Workspace.use { workspace in
      let path = workspace.path("bad.yaml")
      try lines.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
      let outcome = try await CommandRunner(workspace: workspace).ebb("config", "show", "--json", "--config", path)
      let rows: [Row] = try outcome.decoded()
      func row(_ key: String) -> Row? { rows.first { $0.key == key } }
      #expect(outcome.status == 0)
      #expect(row("theme") == Row(key: "theme", value: "auto", origin: "default", wrong: "drak"))
      #expect(row("mouse") == Row(key: "mouse", value: "true", origin: "default", wrong: "maybe"))
      #expect(row("keys.add") == Row(key: "keys.add", value: "a n", origin: "default", wrong: "Strg-X"))
      #expect(row("ascii") == Row(key: "ascii", value: "true", origin: "file", place: path + ":12"))
      for key in ["filters.1", "server", "columns.text", "colors.overdue"] {
        #expect(row(key)?.value == nil && row(key)?.wrong?.isEmpty == false, "\(key): \(outcome)")
      }
      #expect(row("keys.qiut") == nil)
      for (number, word) in [(1, "drak"), (2, "maybe"), (4, "Strg-X"), (6, "keys.quit"), (8, "due"), (9, "server")] {
        #expect(outcome.error.contains("bad.yaml:\(number): ") && outcome.error.contains(word), "\(outcome)")
      }
      let flag = try await CommandRunner(workspace: workspace).ebb("config", "show", "--server", "nowhere at all")
      #expect(flag.output.contains("server  none  (--server)") && flag.error.contains("nowhere at all"), "\(flag)")
    }
  }

  @Test("what the list remembers counts where the file says nothing; a filter of the list before that of the file")
  func owners() throws {
    let file = try #require(
      try ConfigurationFile(path: "f", bytes: Array("theme: dark\nfilters:\n  1: +a\n  2: +b".utf8)))
    let place = ConfigurationPlace(SettingFlags(config: "/f"), environment: [:], DefaultPaths(["HOME": "/h"]))
    func value(_ file: ConfigurationFile?, _ key: String) -> ConfigurationReport.Row? {
      ConfigurationReport(SettingFlags(), environment: ["HOME": "/h"], place, file) { name in
        switch name {
        case .theme: "light"
        case .order: "due"
        case .savedFilter(1): "+x"
        case .savedFilter, .panel: nil
        }
      }.rows.first { $0.key == key }
    }
    #expect(value(file, "theme")?.value == "dark" && value(nil, "theme")?.origin == .list)
    #expect(value(file, "filters.1")?.value == "+x" && value(file, "filters.2")?.value == "+b")
    #expect(value(nil, "order")?.value == "due")
  }

  @Test("edit opens the file, made if it is not there, and checks what was saved")
  func edits() async throws {
    try await Workspace.use { workspace in
      let runner = CommandRunner(workspace: workspace)
      let good = try await runner.ebb(
        "config", "edit", environment: ["EDITOR": "sed -i 's/#mouse: true/mouse: false/'"])
      #expect(good.status == 0 && good.output.contains("no mistakes"), "\(good)")
      let bad = try await runner.ebb("config", "edit", environment: ["VISUAL": "sed -i s/mouse/mous/"])
      #expect(bad.status == 1 && bad.output.contains("The nearest is mouse."), "\(bad)")
      let none = try await runner.ebb("config", "edit", environment: ["EDITOR": "no-such-editor"])
      #expect(none.status == 1 && none.error.contains("no-such-editor can't be started"), "\(none)")
    }
  }

  @Test("an editor that saves and then ends with an error is said so, and what it saved is checked all the same")
  func failedEditor() async throws {
    try await Workspace.use { workspace in
      let runner = CommandRunner(workspace: workspace)
      for (change, found) in [
        ("s/#mouse: true/mous: true/", "The nearest is mouse."), ("s/mous: true/mouse: true/", "no mistakes"),
      ] {
        let editor = "f() { sed -i '\(change)' \"$1\"; return 1; }; f"
        let edited = try await runner.ebb("config", "edit", environment: ["EDITOR": editor])
        #expect(edited.status == 1 && edited.output.contains(found) && edited.complaints.count == 1, "\(edited)")
        #expect(edited.error.contains("ended with an error. ") && edited.error.contains("config.yaml"), "\(edited)")
      }
    }
  }

  @Test("what Ebb makes only its owner can read, whatever the mask says")
  func isPrivate() async throws {
    try await Workspace.use { workspace in
      let before = umask(0o022)
      defer { umask(before) }
      let server = try await ServerProcess.start(workspace)
      let device = Device(workspace, name: "new/folder/list", server: server.url)
      _ = try await device.add("milk")
      try await device.ebb("sync")
      let folder = workspace.path("new/folder")
      for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
        #expect(try permissions(of: folder + "/" + name) & 0o077 == 0, "\(name)")
      }
      #expect(try permissions(of: folder) == 0o700 && permissions(of: workspace.path("new")) == 0o700)
    }
  }

  @Test("a key that is far from every name gets no other offered")
  func farKeys() {
    #expect(SettingKey.nearest(to: "keys.nope") == nil && SettingKey.nearest(to: "keys.cpoy") == "keys.copy")
    #expect(SettingKey.nearest(to: "colour") == "color" && SettingKey.nearest(to: "them") == "theme")
  }

  @Test("signs that YAML keeps for itself are found where a value begins, and nowhere else")
  func signs() {
    for (text, line) in [
      ("a: 1\nb: !x", 2), ("a: !", 1), ("a: &b c", 1), ("a:\n  - x\n  - !y", 3), ("a: [x, !y]", 1), ("a: {b: &c d}", 1),
      ("!a b: c", 1), ("a:\n  !x", 2), ("a: 'it''s' # !\nb: \"\\\"\"\nc: !x", 3), ("a: |\n  !x\n\n  !y\nb: !z", 5),
      ("f:\n  1: |\n    !x\n  2: !y", 4), ("a: b\n  !c\nd: !e", 3), ("- a: b\n  c: !d", 2), ("---\n  a: !b", 2),
      ("a:\n  x\n  !y\nb: !z", 4), ("a:\n  b: x\n  c: !y", 3), ("a:\n  b:\n    x\n  c: !y", 4),
      ("- a: |\n    x\n  c: !y", 3), ("a:\n- x\n- !y", 3), ("a:\n  |\n  !x\nb: !y", 4),
    ] {
      #expect(YAMLSigns.first(in: Array(text.utf8))?.line == line, "\(text)")
    }
    for text in [
      "", "a: x !y &z", "a: '!x'", "a: \"!x\\\" !y\"", "# !x", "a: b # !x", "a: x!y", "a: |\n  !x\n  &y",
      "a: [b!, 'c, !d']", "a: \"x\n  !y\"", "a: -!x", "a: http://x:!y", "a:\r\n  b: 1\r\n",
      "f:\n  1: +work |\n      !@phone\n  2: x", "a: b\n\n  &c\n", "- a\n  !b", "- a: b\n    !c",
      "a:\n  x\n  !y", "a:\n  x\n\n   y\n &z", "-\n  x\n  !y", "a:\n  - b:\n      x\n      !y", "a: # b\n  x\n  !y",
      "a:\n  |\n  !x", "- a: |\n   !x",
    ] {
      #expect(YAMLSigns.first(in: Array(text.utf8)) == nil, "\(text)")
    }
  }

  @Test("the keys of a file are found on their lines, also below others and in braces")
  func lines() {
    let lines = ConfigurationLines(
      "a: 1\n# a: 2\nb:\n  c: x # d: 3\n\n  'd': y\ne: {f: 1, g: 2}\n- h: 1\na: 3\nurl: http://x:1")
    #expect(["a", "b", "b.c", "b.d", "e.f", "e.g", "url"].map(lines.line(of:)) == [1, 3, 4, 6, 7, 7, 10])
    #expect(["c", "h", "b.a", "http"].compactMap(lines.line(of:)) == [])
    #expect(ConfigurationLines("a: 1\r\nb:\r\n  c: 2\r\n").line(of: "b.c") == 3)
    #expect(lines.repeated.map(\.key) == ["a"] && lines.repeated.first?.lines == [9])
  }
}
