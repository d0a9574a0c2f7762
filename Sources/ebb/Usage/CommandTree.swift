import ArgumentParser
import FoundationEssentials

/// The commands and their options, as the argument library knows them. It is asked only when something is wrong.
struct CommandTree: Decodable {
  let commandName: String
  let aliases: [String]?
  let subcommands: [CommandTree]?
  let arguments: [Argument]?

  struct Argument: Decodable {
    let kind: String
    let names: [Name]?
    let valueName: String?
    let allValues: [String]?

    struct Name: Decodable {
      let kind: String
      let name: String

      /// As it is typed.
      var text: String { (kind == "long" ? "--" : "-") + name }
    }

    func isCalled(_ name: String) -> Bool { names?.contains { $0.text == name } ?? false }
  }

  private struct Dump: Decodable {
    let command: CommandTree
  }

  /// Nil if the library describes itself in another way than this version of it does; a test says so.
  static func ofProgram() -> CommandTree? {
    try? JSONDecoder().decode(Dump.self, from: Data(Ebb._dumpHelp().utf8)).command
  }

  func subcommand(_ word: String) -> CommandTree? {
    subcommands?.first { $0.commandName == word || $0.aliases?.contains(word) == true }
  }

  /// The names of its commands, and their other names.
  var commandNames: [String] { subcommands?.flatMap { [$0.commandName] + ($0.aliases ?? []) } ?? [] }

  /// The options in long form.
  var options: [String] {
    let names = (arguments ?? []).flatMap { $0.names ?? [] }
    return names.filter { $0.kind == "long" }.map(\.text)
  }

  func argument(called name: String) -> Argument? { arguments?.first { $0.isCalled(name) } }

  /// It has a filter for words.
  var takesFilter: Bool { arguments?.contains { $0.kind == "positional" && $0.valueName == "filter" } ?? false }

  fileprivate var takesWords: Bool { arguments?.contains { $0.kind == "positional" } ?? false }
}

/// The command that a command line is about.
struct TypedCommand {
  /// As it is typed: `ebb token add`.
  private(set) var name: String
  private(set) var command: CommandTree
  /// The first word in the place of a command that is none, unless an option before it is none.
  private(set) var unknown: String?
  /// The first option that the command does not have.
  private(set) var unknownOption: String?

  /// No command that there is was typed.
  var isProgram: Bool { !name.contains(" ") }

  init(_ tree: CommandTree, _ arguments: [String]) {
    name = tree.commandName
    command = tree
    var rest = arguments[...]
    var hasWords = false
    while let word = rest.popFirst(), word != "--" {
      if word.hasPrefix("-"), word != "-" {
        let option = String(word.prefix { $0 != "=" })
        let argument = command.argument(called: option)
        if argument == nil, !command.options.isEmpty {
          unknownOption = option
          return
        }
        if argument?.kind == "option", !word.contains("=") { _ = rest.popFirst() }
      } else if !hasWords, let next = command.subcommand(word) {
        name += " " + next.commandName
        command = next
      } else if command.takesWords || command.subcommands == nil {
        hasWords = true
      } else {
        unknown = word
        return
      }
    }
  }
}
