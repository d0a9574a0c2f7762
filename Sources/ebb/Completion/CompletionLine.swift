import ArgumentParser

/// A command line that somebody is typing, as far as it goes: which command, and what can stand where they are.
struct CompletionLine {
  /// The kind of word that can stand there.
  enum Wanted: Equatable {
    /// The value of an option, after `--name=` or a space, or a word at its place.
    case value(CommandSyntax.Argument)
    /// Options, of those that are not there yet.
    case options([CommandSyntax.Argument])
    /// A command below this one.
    case command
    case nothing
  }

  let command: any ParsableCommand.Type
  /// The words at places of their own.
  let words: [String]
  let flags: SettingFlags
  let wanted: Wanted
  /// The part before the word that is wanted, without a space between them: `--sort=`.
  let prefix: String
  /// The beginning of that word.
  let beginning: String

  /// `typed` are the words after the program's name; the last one, which may be empty, is the one to complete.
  init(_ typed: [String]) {
    var before = WordsBefore()
    for word in typed.dropLast() { before.read(word) }
    let last = typed.last ?? ""
    let isOption = last.hasPrefix("-") && before.awaited == nil && !before.isText
    let sign = isOption && last.hasPrefix("--") ? last.firstIndex(of: "=") : nil
    command = before.command
    words = before.words
    flags = before.flags
    prefix = sign.map { String(last[...$0]) } ?? ""
    beginning = String(last.dropFirst(prefix.count))
    wanted = before.wanted(optionOfValue: sign.map { String(last[..<$0]) }, isOption: isOption)
  }
}

/// The command and options before the word to complete.
private struct WordsBefore {
  private(set) var command: any ParsableCommand.Type = Ebb.self
  private(set) var words: [String] = []
  private(set) var flags = SettingFlags()
  /// The option whose value comes next.
  private(set) var awaited: CommandSyntax.Argument?
  /// Two dashes ended the options.
  private(set) var isText = false
  /// The names of options that are there already.
  private var used: [String] = []

  mutating func read(_ word: String) {
    if let option = awaited {
      flags.note(word, for: option.longName)
      awaited = nil
    } else if word == "--" && !isText {
      isText = true
    } else if word.hasPrefix("--") && !isText {
      readOption(word)
    } else if words.isEmpty, let below = CommandPath.child(word, of: command) {
      command = below
    } else if isText || !word.hasPrefix("-") {
      words.append(word)
    }
  }

  private mutating func readOption(_ word: String) {
    let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
    guard let name = parts.first, let option = CommandSyntax(command).option(name) else { return }
    used.append(name)
    if parts.count > 1 {
      flags.note(parts[1], for: name)
    } else if option.kind == .option {
      awaited = option
    }
  }

  /// `optionOfValue` stands before the `=` of the word to complete.
  func wanted(optionOfValue name: String?, isOption: Bool) -> CompletionLine.Wanted {
    if let awaited { return .value(awaited) }
    if words.isEmpty, !isOption, !CommandPath.children(of: command).isEmpty { return .command }
    let syntax = CommandSyntax(command)
    if let name { return syntax.option(name).map(CompletionLine.Wanted.value) ?? .nothing }
    if isOption { return .options(syntax.options.filter { $0.isRepeating || !used.contains($0.longName ?? "") }) }
    return syntax.positional(words.count).map(CompletionLine.Wanted.value) ?? .nothing
  }
}

extension SettingFlags {
  /// Notes the flags by which a list is found.
  fileprivate mutating func note(_ value: String, for option: String?) {
    if option == "--store" { store = value }
    if option == "--config" { config = value }
  }
}
