import ArgumentParser
import TodoCore

/// A command that is given often, by scripts too, and carried out in an instant: what it is to do, and on which store.
struct PlainCommand: Equatable {
  let task: PlainTask
  let flags: SettingFlags

  init(_ task: PlainTask, _ flags: SettingFlags) {
    self.task = task
    self.flags = flags
  }

  /// Reads a command line of a command, words, and flags that are each a word of their own, before the command too. Nil
  /// for any other, also for what may be wrong.
  ///
  /// The argument library takes longer to read a command line than these commands take to be carried out. So it gets
  /// what is not as simple as this, and every mistake.
  init?(_ arguments: some Sequence<String>) {
    var arguments = arguments.makeIterator()
    var line = PlainLine()
    var command: String?
    while let argument = arguments.next() {
      if command == nil && !argument.hasPrefix("-") {
        command = argument
      } else if !line.take(argument, isBeforeCommand: command == nil, next: { arguments.next() }) {
        return nil
      }
    }
    guard let task = command.flatMap({ line.task(of: $0) }) else { return nil }
    self.init(task, line.flags)
  }
}

/// A command that the argument library reads if its line is not plain.
protocol PlainlyRead: ParsableCommand {
  var plain: PlainCommand { get }
}

extension PlainlyRead {
  func run() throws { try plain.run() }
}

enum PlainTask: Equatable {
  case add(text: String)
  /// An item for each line of standard input. `isAsked` is false if only a text is missing: then a terminal is not
  /// read.
  case addLines(isAsked: Bool)
  case list(TodoQuery, asJSON: Bool)
  case show([String], asJSON: Bool)
  case setComplete([String], Bool)
  case delete([String], isSure: Bool)
  case edit(handle: String, text: String)
  /// A handle, and words that name further items or are the text of this one: the list decides.
  case editOrOpen(handle: String, words: [String], mayAsk: Bool)
  /// Opens the items in the user's editor.
  case openEditor([String], mayAsk: Bool)
  case rewrite([String], CommandRewrite)
  /// Adds words to the text of an item, unless all of them name items: then they were hardly meant as a text.
  case rewriteUnlessHandles(String, CommandRewrite)
  case undo, redo
  case sync(SyncChoices)
}

/// A change that a command such as `ebb append` makes to the text of an item; the rest of the text stays. Keys of the
/// list have `ItemRewrite`.
enum CommandRewrite: Equatable {
  /// A letter, as it was typed.
  case priority(String)
  case noPriority
  case append(String)
  case prepend(String)
}

/// The words and flags of a plain command line.
private struct PlainLine {
  private(set) var flags = SettingFlags()
  private var words: [String] = []
  private var switches: [Switch] = []

  /// The flags without a value that a plain command may have.
  private enum Switch: String {
    case all = "--all"
    case done = "--done"
    case json = "--json"
    case yes = "--yes"
    case noInput = "--no-input"
    case editor = "--editor"

    init?(_ argument: String) {
      self.init(rawValue: argument == "-y" ? "--yes" : argument)
    }
  }

  /// False for a word that the argument library should look at: a flag that is not known or is there twice, an option
  /// without its value.
  mutating func take(_ argument: String, isBeforeCommand: Bool, next: () -> String?) -> Bool {
    if !argument.hasPrefix("-") || argument == "-" {
      words.append(argument)
      return !argument.isEmpty && !isBeforeCommand
    }
    if argument == "--ascii", !flags.ascii {
      flags.ascii = true
      return true
    }
    if let flag = Switch(argument) {
      guard !isBeforeCommand && !switches.contains(flag) else { return false }
      switches.append(flag)
      return true
    }
    guard let value = next(), !value.isEmpty, !value.hasPrefix("-") else { return false }
    return setOnce(value, for: argument)
  }

  private mutating func setOnce(_ value: String, for flag: String) -> Bool {
    switch flag {
    case "--store" where flags.store == nil: flags.store = value
    case "--server" where flags.server == nil: flags.server = value
    case "--token-file" where flags.tokenFile == nil: flags.tokenFile = value
    case "--ca-file" where flags.caFile == nil: flags.caFile = value
    case "--config" where flags.config == nil: flags.config = value
    case "--color" where flags.color == nil: flags.color = value
    default: return false
    }
    return true
  }

  func task(of command: String) -> PlainTask? {
    switch command {
    case "list", "ls": list
    case "show", "info", "view": words.isEmpty || !hasOnly(.json) ? nil : .show(words, asJSON: has(.json))
    case "sync": sync
    case "undo": isBare && words.isEmpty ? .undo : nil
    case "redo": isBare && words.isEmpty ? .redo : nil
    case "edit", "e": edit
    case "add", "a", "new": isBare ? add : nil
    case "done", "do": isBare && !words.isEmpty ? .setComplete(words, true) : nil
    case "undone", "reopen": isBare && !words.isEmpty ? .setComplete(words, false) : nil
    case "delete", "rm", "del": delete
    case "pri": isBare && words.count > 1 ? .rewrite(words.dropLast(), .priority(words[words.count - 1])) : nil
    case "depri": isBare && !words.isEmpty ? .rewrite(words, .noPriority) : nil
    case "append": isBare && words.count > 1 ? .rewriteUnlessHandles(words[0], .append(textAfterHandle)) : nil
    case "prepend": isBare && words.count > 1 ? .rewriteUnlessHandles(words[0], .prepend(textAfterHandle)) : nil
    default: nil
    }
  }

  private var isBare: Bool { switches.isEmpty }

  private func has(_ flag: Switch) -> Bool { switches.contains(flag) }

  private func hasOnly(_ flags: Switch...) -> Bool { switches.allSatisfy(flags.contains) }

  private var textAfterHandle: String { Self.text(Array(words.dropFirst())) }

  private var add: PlainTask {
    words == ["-"] ? .addLines(isAsked: true) : words.isEmpty ? .addLines(isAsked: false) : .add(text: Self.text(words))
  }

  private var edit: PlainTask? {
    guard !words.isEmpty, hasOnly(.editor, .noInput) else { return nil }
    guard has(.editor) || words.count == 1 else {
      return .editOrOpen(handle: words[0], words: Array(words.dropFirst()), mayAsk: !has(.noInput))
    }
    return .openEditor(words, mayAsk: !has(.noInput))
  }

  private var delete: PlainTask? {
    guard !words.isEmpty, hasOnly(.yes, .noInput) else { return nil }
    return .delete(words, isSure: !isBare)
  }

  private var list: PlainTask? {
    guard hasOnly(.all, .done, .json), !(has(.all) && has(.done)) else { return nil }
    let view: TodoView = has(.all) ? .all : has(.done) ? .done : .open
    return .list(TodoQuery(view: view, filter: Self.text(words)), asJSON: has(.json))
  }

  /// A refresh with nothing new is over sooner than the library has read this.
  private var sync: PlainTask? {
    guard words.isEmpty, hasOnly(.json, .noInput) else { return nil }
    return .sync(SyncChoices(json: has(.json), mayAsk: !has(.noInput)))
  }

  private static func text(_ words: [String]) -> String { words.joined(separator: " ") }
}
