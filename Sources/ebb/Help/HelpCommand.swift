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
    case (_, nil) where words.isEmpty: StandardOutput.line(Ebb.helpMessage() + "\n\n" + HelpTopic.list)
    case (let command?, nil): StandardOutput.line(Ebb.helpMessage(for: command))
    case (let command, let topic?):
      let usage = command.map { Ebb.helpMessage(for: $0) + "\n\n" } ?? ""
      Pager.show { isForTerminal, width in
        usage + (isForTerminal ? MarkdownPage(topic.page, width: width).text : topic.page)
      }
    case (nil, nil): throw CommandFailure.unknownTopic(words.joined(separator: " "), nearest: nearest)
    }
  }

  private var nearest: String? {
    guard let word = words.first else { return nil }
    return NearestWord.word(to: word, among: CommandPath.names(of: Ebb.self) + HelpTopic.allCases.map(\.rawValue))
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

/// The word that somebody may have meant.
enum NearestWord {
  /// Of several that are as near the first; nil if none is near: a letter in three may be wrong, missing, too many, or in
  /// the place of its neighbour.
  static func word(to typed: String, among words: [String]) -> String? {
    let distances = words.map { (word: $0, distance: distance(typed.lowercased(), $0.lowercased())) }
    guard let best = distances.min(by: { $0.distance < $1.distance }) else { return nil }
    return best.distance <= max(1, typed.count / 3) ? best.word : nil
  }

  /// How many letters have to be changed, put in, taken out or swapped with the next. At most `longest` are looked at.
  private static func distance(_ left: String, _ right: String) -> Int {
    let (left, right) = (Array(left.prefix(longest)), Array(right.prefix(longest)))
    var before: [Int] = []
    var row = Array(0...right.count)
    for (i, letter) in left.enumerated() {
      var next = [i + 1]
      for (j, other) in right.enumerated() {
        var least = min(row[j] + (letter == other ? 0 : 1), row[j + 1] + 1, next[j] + 1)
        if i > 0, j > 0, letter == right[j - 1], left[i - 1] == other { least = min(least, before[j - 1] + 1) }
        next.append(least)
      }
      (before, row) = (row, next)
    }
    return row[right.count]
  }

  private static let longest = 40
}
