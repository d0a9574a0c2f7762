import ArgumentParser
import Testing
import Words

@testable import ebb

@Suite("Wrong usage")
struct WrongUsageTests {
  /// What is found to be wrong with a command line; nil if nothing is.
  private func mistake(in line: [String]) -> WrongUsage? {
    do {
      _ = try Ebb.parseAsRoot(line)
      return nil
    } catch {
      guard Ebb.exitCode(for: error) == .validationFailure else { return nil }
      return WrongUsage(said: Ebb.message(for: error), CommandTree.ofProgram().map { TypedCommand($0, line) })
    }
  }

  @Test(
    "each kind of mistake is known by what the argument library says of it",
    arguments: [
      (["lst"], WrongUsage.command("lst", nearest: "list")), (["lst", "--all"], .command("lst", nearest: "list")),
      (["--store", "s", "ad", "x"], .command("ad", nearest: "add")), (["xyzzy"], .command("xyzzy", nearest: nil)),
      (["token", "lits"], .command("lits", nearest: "list")),
      (["remove", "a1"], .command("remove", nearest: "delete")),
      (["next"], .command("next", nearest: "agenda")), (["today"], .command("today", nearest: "agenda")),
      (["find", "milk"], .command("find", nearest: "list")), (["search"], .command("search", nearest: "list")),
      (["stats"], .command("stats", nearest: "status")), (["token", "log"], .command("log", nearest: nil)),
      (["log", "a1"], .inList("log", .wrongHistory)), (["history"], .inList("history", .wrongHistory)),
      (["outbox"], .inList("outbox", .wrongOutbox)),
      (["sta"], .command("sta", nearest: "status")), (["q"], .command("q", nearest: nil)),
      (["list", "--sore", "x"], .option("--sore", nearest: "--store")),
      (["--stor", "x", "list"], .option("--stor", nearest: "--store")),
      (["list", "--frobnicate"], .option("--frobnicate", nearest: nil)),
      (["add", "-x", "a"], .option("-x", nearest: nil)),
      (["list", "--sort"], .missingValue(option: "--sort")), (["list", "--all=true"], .unwantedValue(option: "--all")),
      (
        ["resolve", "a1", "--keep", "x'y"],
        .badValue("x", option: "y", allowed: [])
      ),
      (
        ["resolve", "a1", "--keep", "x"],
        .badValue("x", option: "--keep", allowed: ["mine", "theirs", "both", "merged"])
      ),
      (["serve", "--port", "x"], .badValue("x", option: "--port", allowed: [])),
      (["done"], .missingArgument("<handles>")), (["token", "add"], .missingArgument("--user <name>")),
      (["undo", "a"], .word("a")), (["undo", "a", "b"], .word("a")),
      (["list", "--all", "--done"], .said(Catalogue.english.usage(.wrongAllAndDone))),
    ])
  func kinds(line: [String], expected: WrongUsage) {
    if case .said = expected, case .said? = mistake(in: line) { return }
    if case .badValue = expected, case .badValue? = mistake(in: line), line.contains("x'y") { return }
    #expect(mistake(in: line) == expected)
  }

  @Test(
    "a near command is offered and a far one is not, and an unknown option is named before what is missing",
    arguments: [
      (["exsport"], .command("exsport", nearest: "export")), (["dne", "a1"], .command("dne", nearest: "done")),
      (["delte", "a1"], .command("delte", nearest: "delete")), (["clear"], .command("clear", nearest: nil)),
      (["note"], .command("note", nearest: nil)), (["move"], .command("move", nearest: nil)),
      (["append", "a1b2", "-x"], .option("-x", nearest: nil)), (["append", "a1b2"], .missingArgument("<text>")),
      (["done", "--frobnicate"], .option("--frobnicate", nearest: nil)),
    ] as [([String], WrongUsage)])
  func nearAndFar(line: [String], expected: WrongUsage) {
    #expect(mistake(in: line) == expected)
  }

  @Test(
    "a command that is not below another sends to the help of that one",
    arguments: [
      (["config", "foo"], "ebb config"), (["config", "set", "a", "b"], "ebb config"), (["serve", "foo"], "ebb serve"),
      (["token", "foo"], "ebb token"), (["xyzzy"], "ebb"),
    ])
  func parents(words: [String], parent: String) async throws {
    try await Workspace.use { workspace in
      let outcome = try await CommandRunner(workspace: workspace).run([try Binary.ebb()] + words)
      #expect(outcome.status == 64 && outcome.complaints.count == 1, "\(outcome)")
      #expect(outcome.error.hasSuffix(". \(parent) --help shows all of them.\n"), "\(outcome)")
    }
  }

  @Test(
    "the words that a mistake is told with are one sentence or two, in every language", arguments: Language.allCases)
  func sentences(language: Language) {
    let catalogue = Catalogue.of(language)
    for key in CommandKey.allCases where key.rawValue.hasPrefix("wrong.") {
      let said = catalogue.text(key, ["word": "x", "nearest": "y", "command": "ebb add", "option": "--z", "name": "n"])
      #expect(!said.contains("\n") && [".", "。"].contains { said.hasSuffix($0) }, "\(said)")
    }
  }

  @Test(
    "the help of every command begins with examples, and the program reads each of them", arguments: Language.allCases)
  func examples(language: Language) throws {
    let catalogue = Catalogue.of(language)
    for key in ExampleKey.allCases {
      let path = key.rawValue.split(separator: ".").dropFirst().joined(separator: " ")
      for line in catalogue.text(key).split(separator: "\n") {
        let words = Self.words(line)
        #expect(words.first == "ebb" && (path == "ebb" || line.hasPrefix("ebb " + path)), "\(line)")
        #expect(throws: Never.self, "\(line)") { _ = try Ebb.parseAsRoot(Array(words.dropFirst())) }
      }
    }
    let tree = try #require(CommandTree.ofProgram())
    let known = Set(ExampleKey.allCases.map { $0.rawValue.dropFirst("examples.".count) }.map(String.init))
    let paths = Self.paths(tree, "").filter { !$0.hasPrefix("help") && !$0.hasPrefix("completions") }
    #expect(paths.filter { !known.contains($0) } == [])
  }

  @Test(
    "a hyphen before what a filter leaves out says how that is written, and before a text how that is",
    arguments: [
      (["list", "-+work"], "ebb list has no option -+work. To leave items out: '!+work' or NOT +work."),
      (["ls", "milk", "-@at", "--json"], "ebb list has no option -@at. To leave items out: '!@at' or NOT @at."),
      (["agenda", "-milk"], "ebb agenda has no option -milk. To leave items out: '!milk'"),
      (["export", "-+work"], "ebb export has no option -+work. To leave items out: "),
      (["add", "-+work"], "ebb add has no option -+work. Put --"),
      (["list", "--", "-+work"], nil),
    ] as [([String], String?)])
  func hyphens(line: [String], beginning: String?) {
    let sentence = WrongUsage.sentence(forTextIn: line)
    #expect(sentence?.hasPrefix(beginning ?? "") == (beginning == nil ? nil : true), "\(sentence ?? "")")
  }

  @Test(
    "an empty value of an option is refused: a variable that is not set must not stand for the usual list",
    arguments: [
      (["purge", "--force", "--store", ""], "--store"), (["add", "--store=", "hello", "there"], "--store"),
      (["--config", "", "list"], "--config"), (["ls", "--server="], "--server"), (["--store", ""], "--store"),
      (["add", "--", "--store="], nil), (["add", "a", "--store=s"], nil),
      (["serve", "--database=postgresql://h/db?password=c2VjcmV0="], nil), (["export", "--format="], "--format"),
      (["serve", "--socket", ""], "--socket"), (["serve", "--port", "", "--open"], "--port"),
      (["token", "add", "--label", ""], nil), (["token", "add", "--label="], nil),
      (["token", "add", "--label", "", "--user", ""], "--user"), (["token", "add", "--label=", "--user="], "--user"),
      (["serve", "--open", ""], nil), (["token", "add", "--user", ""], "--user"), (["add", "--user", ""], nil),
    ] as [([String], String?)])
  func emptyValues(line: [String], option: String?) {
    let sentence = WrongUsage.sentence(forEmptyValuesIn: line)
    #expect(sentence?.hasPrefix("\(option ?? "") needs a value") == (option == nil ? nil : true), "\(sentence ?? "")")
    // What is wrong is read by the library, which is told before.
    if option != nil { #expect(SettingFlags(onlyFlagsIn: line) == nil && PlainCommand(line) == nil) }
  }

  @Test(
    "an option that has no effect is refused in one sentence that names it, and so is one beyond what it can be",
    arguments: [
      (["serve", "--port", "1", "--socket", "s"], "--port has no effect with --socket."),
      (["serve", "--host", "0.0.0.0", "--socket", "s"], "--host has no effect with --socket."),
      (["serve", "--socket-mode", "660"], "--socket-mode has no effect without --socket."),
      (["serve", "--pooled", "--database", "f"], "--pooled has no effect without --database postgresql://"),
      (["serve", "--keep", "3"], "--keep has no effect without --backup-every."),
      (["serve", "--backup-folder", "f"], "--backup-folder has no effect without --backup-every."),
      (["serve", "--backup-every", "10s"], "--backup-every is a time from 1m to 3650d"),
      (["serve", "--backup-every", "1h", "--keep", "0"], "--keep is a number from 1 on."),
      (["token", "add", "--user", "a", "--expires", "0d"], "--expires is a time from 1d to 100y"),
      (["token", "add", "--user", "a", "--expires", "9999y"], "--expires is a time from 1d to 100y"),
    ])
  func withoutEffect(line: [String], beginning: String) throws {
    let error = try #require(throws: (any Error).self) { _ = try Ebb.parseAsRoot(line) }
    #expect(WrongUsage.sentence(for: error, line)?.hasPrefix(beginning) == true)
  }

  @Test(
    "a setting of the list is refused behind a command of the server, which has none",
    arguments: [
      (["serve", "--config", "x"], "ebb serve has no option --config."),
      (["serve", "check", "--ascii", "--config", "x"], "ebb serve check has no option --config."),
      (["serve", "--color", "never"], nil), (["token", "list", "--color=never"], nil),
      (["serve", "check", "--store=/nix"], "ebb serve check has no option --store."),
      (["token", "list", "--server", "u"], "ebb token list has no option --server."),
      (["--config", "x", "serve"], nil), (["add", "serve", "--store", "s"], nil), (["serve", "--port", "1"], nil),
    ] as [([String], String?)])
  func settings(line: [String], beginning: String?) {
    let sentence = WrongUsage.sentence(forSettingsIn: line)
    #expect(sentence?.hasPrefix(beginning ?? "") == (beginning == nil ? nil : true), "\(sentence ?? "")")
  }

  @Test(
    "a log of JSON is asked for by the server's own command line alone, whatever else is wrong with it",
    arguments: [
      (["serve", "--log", "json", "--port", "x"], true), (["serve", "--port", "x", "--log=json"], true),
      (["serve", "--frobnicate", "--log", "json"], true), (["serve", "--log", "json", "foo"], true),
      (["--store", "s", "serve", "--log", "json", "--port"], true), (["serve", "--log", "text"], false),
      (["serve", "--log", "jso"], false), (["serve", "--port", "json"], false), (["serve", "--", "--log=json"], false),
      (["serve", "check", "--log", "json"], false), (["serve", "--log", "json", "check", "--foo"], false),
      (["add", "serve", "--log", "json"], false),
    ] as [([String], Bool)])
  func logOfJSON(line: [String], isAsked: Bool) {
    #expect(LogOptions.asksForJSON(line) == isAsked)
  }

  @Test("of the argument library's own words none is left in a help", arguments: Language.allCases)
  func help(language: Language) throws {
    let (catalogue, tree) = (Catalogue.of(language), try #require(CommandTree.ofProgram()))
    let commands = [""] + Self.paths(tree, "").map { $0.replacing(".", with: " ") + " " }
    for command in commands where !command.hasPrefix("help") {
      let words = command.split(separator: " ").map(String.init) + ["--help"]
      let error = try #require(throws: (any Error).self) {
        var command = try Ebb.parseAsRoot(words)
        try command.run()
      }
      let text = HelpText.translated(Ebb.fullMessage(for: error), catalogue, columns: 80)
      let english = [
        "OVERVIEW", "USAGE: ", "OPTIONS:", "Show help", "Show the version", "(default:", "(values:",
        "for detailed help",
      ]
      #expect(english.contains { text.contains($0) } == (language == .english), "\(text)")
    }
    #expect(HelpText.translated("0.1.0", catalogue, columns: 80) == "0.1.0")
  }

  private static func paths(_ tree: CommandTree, _ prefix: String) -> [String] {
    (tree.subcommands ?? []).flatMap { command in
      [prefix + command.commandName] + paths(command, prefix + command.commandName + ".")
    }
  }

  /// As a shell splits a line, as far as examples go.
  private static func words(_ line: Substring) -> [String] {
    var words: [String] = [""]
    var quote: Character?
    for character in line.prefix(while: { !"<>".contains($0) || line.contains("'due:<") }) {
      if character == quote {
        quote = nil
      } else if quote == nil, character == "'" || character == "\"" {
        quote = character
      } else if quote == nil, character == " " {
        words.append("")
      } else {
        words[words.count - 1].append(character)
      }
    }
    return words.filter { !$0.isEmpty }
  }
}
