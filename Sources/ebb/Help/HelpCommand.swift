import ArgumentParser
import Words

/// `ebb help`: more of a command, or a page of the documentation. A command and a topic of one name are shown together.
struct HelpCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "help", abstract: ErrorMessages.usage(.help), discussion: ErrorMessages.usage(.helpMore))

  @Argument(help: .usage(.helpTopic, valueName: "topic"))
  var words: [String] = []

  func run() throws {
    let command = CommandPath.command(words)
    let topic = words.count == 1 ? HelpTopic(rawValue: words[0]) : nil
    switch (command, topic) {
    case (_, nil) where words.isEmpty: StandardOutput.line(Self.usage(of: Ebb.self) + "\n\n" + HelpTopic.list)
    case (let command?, nil): StandardOutput.line(Self.usage(of: command))
    case (let command, let topic?):
      let usage = command.map { Self.usage(of: $0) + "\n\n" } ?? ""
      Pager.show { isForTerminal, width in
        usage + (isForTerminal ? topic.page(width: width) : topic.page)
      }
    case (nil, nil): throw CommandFailure.unknownTopic(words.joined(separator: " "), nearest: nearest)
    }
  }

  private static func usage(of command: any ParsableCommand.Type) -> String {
    let catalogue = ErrorMessages.catalogue
    let help = Ebb.helpMessage(for: command, columns: HelpText.libraryColumns(catalogue))
    return HelpText.translated(help, catalogue, columns: Pager.columns)
  }

  private var nearest: String? {
    guard let word = words.first else { return nil }
    return Nearest.word(to: word, among: CommandPath.names(of: Ebb.self) + HelpTopic.allCases.map(\.rawValue))
  }
}

/// Commands by their names, one below the other.
enum CommandPath {
  /// The command that these words name, as in `serve backup`. Nil for words that name none; of no words the program.
  static func command(_ words: [String]) -> (any ParsableCommand.Type)? {
    words.reduce(Ebb.self) { command, word in command.flatMap { child(word, of: $0) } }
  }

  static func child(_ name: String, of command: any ParsableCommand.Type) -> (any ParsableCommand.Type)? {
    children(of: command).first { names(itself: $0).contains(name) }
  }

  /// The names of the commands below one, without aliases.
  static func names(of command: any ParsableCommand.Type) -> [String] {
    children(of: command).compactMap { $0.configuration.commandName }
  }

  static func children(of command: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
    command.configuration.subcommands.filter { $0.configuration.shouldDisplay }
  }

  private static func names(itself command: any ParsableCommand.Type) -> [String] {
    [command.configuration.commandName].compactMap(\.self) + command.configuration.aliases
  }
}
