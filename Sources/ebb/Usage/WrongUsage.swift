import ArgumentParser
import Glibc
import Words

/// A command line that can't be used, and why.
///
/// The argument library keeps its errors to itself and hands out English sentences alone. So they are read here, by the
/// words they begin with; a test gives it each kind of mistake.
enum WrongUsage: Equatable {
  case command(String, nearest: String?)
  /// A command of other programs, and the sentence about its place here.
  case inList(String, CommandKey)
  case option(String, nearest: String?)
  case missingValue(option: String)
  case unwantedValue(option: String)
  case badValue(String, option: String, allowed: [String])
  case missingArgument(String)
  case word(String)
  /// A sentence of our own, in the user's language.
  case said(String)

  /// Nil for an error that is not about the command line.
  static func sentence(for error: any Error, _ arguments: [String]) -> String? {
    // A bare exit code was said in words before.
    guard !(error is ExitCode), Ebb.exitCode(for: error) == .validationFailure else { return nil }
    let path = CommandTree.ofProgram().map { TypedCommand($0, arguments) }
    return WrongUsage(said: Ebb.message(for: error), path).sentence(path?.name ?? "ebb")
  }

  /// Says the sentence about the command line, and ends the program.
  static func end(with sentence: String) -> Never {
    LogOptions.report(sentence, about: Array(CommandLine.arguments.dropFirst()))
    exit(ExitStatus.wrongUsage)
  }

  /// For what the argument library would read as something else than was meant. Nil if there is no such word.
  static func sentence(beforeReading arguments: [String]) -> String? {
    sentence(forTextIn: arguments) ?? sentence(forEmptyValuesIn: arguments) ?? sentence(forSettingsIn: arguments)
  }

  /// Nil unless a word begins with one hyphen and has several letters. The argument library would take each letter for
  /// an option: of `ebb add -dash` it found `-h`, showed the help, and the text was lost. In a filter other programs
  /// have a hyphen before what is left out.
  static func sentence(forTextIn arguments: [String]) -> String? {
    let word = arguments.prefix { $0 != "--" }
      .first { $0.hasPrefix("-") && !$0.hasPrefix("--") && $0.count > 2 }
    guard let word else { return nil }
    let typed = CommandTree.ofProgram().map { TypedCommand($0, arguments) }
    let option = word.printable
    return ErrorMessages.catalogue.text(
      typed?.command.takesFilter == true ? .wrongOptionLeavesOut : .wrongOptionText,
      ["command": typed?.name ?? "ebb", "option": option, "rest": String(option.dropFirst())])
  }

  /// Without a value they say as much as without the option.
  private static let optionsThatMayBeEmpty: Set<String> = ["--label"]

  /// Nil unless an option has an empty value: a variable of a script that is not set must not stand for the usual list.
  /// After `--store=` the argument library would take the next word for the file.
  static func sentence(forEmptyValuesIn arguments: [String]) -> String? {
    let words = arguments.prefix { $0 != "--" }
    let emptied = words.indices.dropFirst().filter { words[$0].isEmpty }
      .first { takesValue(words[$0 - 1], after: words[..<($0 - 1)]) && !optionsThatMayBeEmpty.contains(words[$0 - 1]) }
      .map { words[$0 - 1] }
    let cut = words.filter { $0.hasPrefix("--") && $0.count > 3 && $0.firstIndex(of: "=") == $0.indices.last }
      .map { String($0.dropLast()) }
      .first { !optionsThatMayBeEmpty.contains($0) }
    guard let option = emptied ?? cut else { return nil }
    let command = CommandTree.ofProgram().map { TypedCommand($0, arguments).name } ?? "ebb"
    return WrongUsage.missingValue(option: option.printable).sentence(command)
  }

  /// True for an option that has a value, of the program or of the command that the words before it name.
  private static func takesValue(_ option: String, after words: ArraySlice<String>) -> Bool {
    if SettingFlags.takesValue(option) { return true }
    guard option.hasPrefix("--"), let tree = CommandTree.ofProgram() else { return false }
    return TypedCommand(tree, Array(words)).command.argument(called: option)?.kind == "option"
  }

  /// Nil unless a setting of the list stands behind a command of the server, which has none of them, as in `ebb serve
  /// --config FILE`. The argument library would read it as the program's, and it would have no effect. Every command
  /// takes `--color`.
  static func sentence(forSettingsIn arguments: [String]) -> String? {
    let words = arguments.prefix { $0 != "--" }
    let behind = words.drop { !["serve", "token"].contains($0) }
    let settings = behind.map { String($0.prefix { $0 != "=" }) }
      .filter { $0 != "--color" && SettingFlags.takesValue($0) }
    // The tree of commands is made of their help, and most lines have no such word.
    guard !settings.isEmpty, let typed = CommandTree.ofProgram().map({ TypedCommand($0, arguments) }),
      let option = settings.first(where: { typed.command.argument(called: $0) == nil })
    else { return nil }
    return WrongUsage.option(option, nearest: nil).sentence(typed.name)
  }

  /// For an option that does nothing unless another is given too.
  static func needless(_ option: String, without other: String) -> ValidationError {
    ValidationError(ErrorMessages.catalogue.text(.wrongWithoutEffect, ["option": option, "name": other]))
  }

  /// For an option that does nothing beside another.
  static func either(_ option: String, or other: String) -> ValidationError {
    ValidationError(ErrorMessages.catalogue.text(.wrongEitherOption, ["option": option, "name": other]))
  }

  /// Nil if all words are UTF-8, and the variables that Ebb reads. Swift repairs those that are not: another text would
  /// be kept than was typed, and another file opened.
  static func sentence(forBytesOf words: CommandLine.Type) -> String? {
    let variables = ["EBB_STORE", "EBB_SERVER", "EBB_TOKEN", "EBB_CONFIG", "EBB_CA_FILE"]
    let broken = words.arguments.indices.first { words.unsafeArgv[$0].map(isUTF8) == false }
    let word = broken.map { words.arguments[$0] } ?? variables.first { getenv($0).map(isUTF8) == false }
    return word.map { ErrorMessages.catalogue.text(.wrongNotUTF8, ["word": $0.printable]) }
  }

  private static func isUTF8(_ text: UnsafeMutablePointer<CChar>) -> Bool { String(validatingCString: text) != nil }

  init(said message: String, _ path: TypedCommand?) {
    let quoted = message.split(separator: "'", omittingEmptySubsequences: false).map(String.init)
    let first = quoted.count > 1 ? quoted[1] : ""
    let name = String(first.prefix { $0 != " " })
    if let path, let word = path.unknown, path.isProgram, let place = Nearest.placeInList(of: word) {
      self = .inList(word, place)
    } else if let word = path?.unknown {
      self = .command(word, nearest: Nearest.word(to: word, among: path?.command.commandNames ?? []))
    } else if message.hasPrefix("Unknown option ") {
      self = .option(first, nearest: Nearest.word(to: first, among: path?.command.options ?? []))
    } else if message.hasPrefix("Missing expected argument "), let path, let option = path.unknownOption {
      // The library looks for what is missing first.
      self = .option(option, nearest: Nearest.word(to: option, among: path.command.options))
    } else if message.hasPrefix("Missing value for ") {
      self = .missingValue(option: name)
    } else if message.hasPrefix("The option ") {
      self = .unwantedValue(option: name)
    } else if message.hasPrefix("The value ") {
      let option = quoted.count > 3 ? String(quoted[3].prefix { $0 != " " }) : ""
      self = .badValue(first, option: option, allowed: path?.command.argument(called: option)?.allValues ?? [])
    } else if message.hasPrefix("Missing expected argument ") {
      self = .missingArgument(first.replacing(" ...", with: ""))
    } else if message.hasPrefix("Unexpected argument ") || message.contains(" unexpected arguments: ") {
      self = .word(first)
    } else {
      self = .said(message)
    }
  }

  /// `command` is the command as it is typed.
  private func sentence(_ command: String) -> String {
    let catalogue = ErrorMessages.catalogue
    switch self {
    case .command(let word, nil):
      return catalogue.text(.wrongCommand, ["command": command, "word": word.printable])
    case .command(let word, let nearest?):
      return catalogue.text(.wrongCommandNear, ["word": word.printable, "nearest": nearest])
    case .inList(let word, let place): return catalogue.text(place, ["word": word.printable])
    case .option(let option, nil):
      return catalogue.text(.wrongOption, ["command": command, "option": option.printable])
    case .option(let option, let nearest?):
      return catalogue.text(
        .wrongOptionNear, ["command": command, "option": option.printable, "nearest": nearest])
    case .missingValue(let option): return catalogue.text(.wrongMissingValue, ["command": command, "option": option])
    case .unwantedValue(let option): return catalogue.text(.wrongUnwantedValue, ["option": option])
    case .badValue(let value, let option, []):
      return catalogue.text(.wrongValue, ["command": command, "option": option, "value": value.printable])
    case .badValue(let value, let option, let allowed):
      let words = allowed.joined(separator: catalogue.text(.listSeparator))
      return catalogue.text(.commandBadFlag, ["flag": option, "value": value.printable, "allowed": words])
    case .missingArgument(let name): return catalogue.text(.wrongMissingArgument, ["command": command, "name": name])
    case .word(let word): return catalogue.text(.wrongWord, ["command": command, "word": word.printable])
    case .said(let sentence): return sentence
    }
  }
}
