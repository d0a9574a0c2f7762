import ArgumentParser
import FoundationEssentials

/// The arguments of a command, as they are declared.
struct CommandSyntax {
  /// An option, a flag, or a word at a place of its own.
  struct Argument: Decodable, Equatable {
    enum Kind: String, Decodable { case positional, option, flag }
    struct Name: Decodable, Equatable {
      let kind: String
      let name: String
    }
    let kind: Kind
    var names: [Name]?
    var valueName: String?
    /// All that it can be, if that is a list of words.
    var allValues: [String]?
    var abstract: String?
    var isRepeating = false
    var shouldDisplay = true

    /// As it is written: `--all`.
    var longName: String? { names?.first { $0.kind == "long" }.map { "--" + $0.name } }
  }

  let arguments: [Argument]

  init(arguments: [Argument]) { self.arguments = arguments }

  /// As the argument library describes it for other programs; without arguments if that can't be read.
  init(_ command: any ParsableCommand.Type) {
    struct Dump: Decodable {
      struct Command: Decodable { let arguments: [Argument]? }
      let command: Command
    }
    let dump = try? JSONDecoder().decode(Dump.self, from: Data(command._dumpHelp().utf8))
    arguments = (dump?.command.arguments ?? []).filter(\.shouldDisplay)
  }

  var options: [Argument] { arguments.filter { $0.kind != .positional } }

  func option(_ longName: String) -> Argument? { options.first { $0.longName == longName } }

  /// The word that stands at a place, counted from 0. The last one may stand there several times.
  func positional(_ place: Int) -> Argument? {
    let positionals = arguments.filter { $0.kind == .positional }
    if place < positionals.count { return positionals[place] }
    return positionals.last.flatMap { $0.isRepeating ? $0 : nil }
  }
}
