import ArgumentParser
import TodoCore
import Words

/// `ebb complete -- WORD…`: what the last word, of those after `ebb` on a command line, can become. For the scripts in
/// `Resources/completions`; it stands in no list of commands.
///
/// The first line of the answer says what follows: `words`, a line each with a tab and what the word means, or that the
/// shell shall complete `files` or `folders`. A failure is an answer without words: nobody wants to read of it while
/// typing.
struct Completion {
  /// Nil for a command line of another command.
  init?(_ arguments: some Sequence<String>) {
    var arguments = arguments.makeIterator()
    guard arguments.next() == "complete", arguments.next() == "--" else { return nil }
    line = CompletionLine(Array(IteratorSequence(arguments)))
  }

  private let line: CompletionLine

  func run() {
    var text = answer.kind.rawValue + "\n"
    for candidate in answer.candidates where candidate.value == candidate.value.printable {
      text += "\(line.prefix)\(candidate.value)\t\(candidate.meaning.printable)\n"
    }
    StandardOutput.bytes(Array(text.utf8))
  }

  /// A word, and what it means.
  struct Candidate: Equatable {
    let value: String
    var meaning = ""
  }

  enum Kind: String { case words, files, folders }

  private var answer: (kind: Kind, candidates: [Candidate]) {
    switch line.wanted {
    case .nothing: (.words, [])
    case .command: (.words, matching(Self.commands(below: line.command)))
    case .options(let options):
      (.words, matching(options.compactMap { Self.candidate(for: $0) }))
    case .value(let argument):
      switch ValueKind(argument) {
      case .oneOf(let values): (.words, matching(values.map { Candidate(value: $0) }))
      case .file: (.files, [])
      case .folder: (.folders, [])
      case .topic: (.words, matching(topics))
      case .handle: (.words, handles)
      case .filter: (.words, filterWords)
      case .priority: (.words, priorityWords)
      case .text: (.words, textWords)
      case .unknown: (.words, [])
      }
    }
  }

  private func matching(_ candidates: [Candidate]) -> [Candidate] {
    candidates.filter { $0.value.hasPrefix(line.beginning) }
  }

  private static func commands(below command: any ParsableCommand.Type) -> [Candidate] {
    CommandPath.children(of: command).compactMap { command in
      command.configuration.commandName.map { Candidate(value: $0, meaning: command.configuration.abstract) }
    }
  }

  /// The argument library describes its own flags in English only.
  private static func candidate(for option: CommandSyntax.Argument) -> Candidate? {
    option.longName.map { name in
      Candidate(value: name, meaning: ["--help", "--version"].contains(name) ? "" : option.abstract ?? "")
    }
  }

  private var topics: [Candidate] {
    let below = CommandPath.command(line.words) ?? Ebb.self
    let topics = line.words.isEmpty ? HelpTopic.allCases.map { Candidate(value: $0.rawValue, meaning: $0.summary) } : []
    let commands = Self.commands(below: below)
    return commands + topics.filter { topic in !commands.contains { $0.value == topic.value } }
  }

  private var handles: [Candidate] {
    guard let items = OfferedItems(line) else { return [] }
    return (try? items.handles()) ?? []
  }

  /// The letter of `ebb pri`, or what begins like one more handle before it.
  private var priorityWords: [Candidate] {
    matching(FilterWordList.letters) + (line.beginning.isEmpty ? [] : handles)
  }

  /// Words of a filter; a `!` before one is kept.
  private var filterWords: [Candidate] {
    let signs = line.beginning.prefix { $0 == "!" }
    let isDay = line.beginning.dropFirst(signs.count).hasPrefix("due:")
    let words = FilterWordList.filter + (isDay ? FilterWordList.weekdays : []) + (OfferedItems(line)?.names ?? [])
    return words.map { Candidate(value: signs + $0.value, meaning: $0.meaning) }
      .filter { $0.value.hasPrefix(line.beginning) }
  }

  /// Words of an item's text: nothing is offered before a sign says what is wanted.
  /// The words after the first handle of `ebb edit` may be handles too.
  private var textWords: [Candidate] {
    let mayBeHandle = line.command == EditCommand.self && !line.beginning.isEmpty
    let others = mayBeHandle && line.words.allSatisfy(NamedItems.looksLikeHandle) ? handles : []
    return others + wordsOfText
  }

  private var wordsOfText: [Candidate] {
    switch line.beginning.first {
    case "+", "@": matching(OfferedItems(line)?.names ?? [])
    case "(": line.words.isEmpty ? matching(FilterWordList.priorities) : []
    case "d": matching(FilterWordList.days)
    default: []
    }
  }
}

/// The kind of an argument's value, by the name that its help gives to the value.
private enum ValueKind {
  case oneOf([String])
  case handle, filter, priority, text, topic, file, folder, unknown

  init(_ argument: CommandSyntax.Argument) {
    if let values = argument.allValues, !values.isEmpty {
      self = .oneOf(values)
      return
    }
    self =
      switch argument.valueName {
      case "handle", "handles": .handle
      case "filter": .filter
      case "letter": .priority
      case "text": argument.kind == .positional ? .text : .unknown
      case "topic": .topic
      case "when": .oneOf(ListPreferences.colorWords)
      case "file", "path": .file
      case "folder": .folder
      default: .unknown
      }
  }
}
