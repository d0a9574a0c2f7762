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
  case list(TodoQuery, asJSON: Bool)
  case setComplete([String], Bool)
  case delete([String])
  case edit(handle: String, text: String)
  case undo, redo
  case sync(SyncChoices)
}

/// What is read of a plain command line.
private struct PlainLine {
  private(set) var flags = SettingFlags()
  private var words: [String] = []
  /// Of `ebb list`, and one of `ebb sync`.
  private var listFlags: [String] = []

  /// False for a word that the argument library should look at: a flag that is not known or is there twice, an option
  /// without its value.
  mutating func take(_ argument: String, isBeforeCommand: Bool, next: () -> String?) -> Bool {
    if !argument.hasPrefix("-") {
      words.append(argument)
      return !argument.isEmpty
    }
    if ["--all", "--done", "--json"].contains(argument) {
      guard !isBeforeCommand && !listFlags.contains(argument) else { return false }
      listFlags.append(argument)
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
    default: return false
    }
    return true
  }

  func task(of command: String) -> PlainTask? {
    if command == "list" { return list }
    if command == "sync" { return sync }
    guard listFlags.isEmpty else { return nil }
    switch command {
    case "undo": return words.isEmpty ? .undo : nil
    case "redo": return words.isEmpty ? .redo : nil
    case "edit": return words.count > 1 ? .edit(handle: words[0], text: Self.text(Array(words.dropFirst()))) : nil
    case "add", "done", "undone", "delete":
      guard !words.isEmpty else { return nil }
      return command == "add" ? .add(text: Self.text(words)) : change(command)
    default: return nil
    }
  }

  private func change(_ command: String) -> PlainTask {
    command == "delete" ? .delete(words) : .setComplete(words, command == "done")
  }

  private var list: PlainTask? {
    let (all, done) = (listFlags.contains("--all"), listFlags.contains("--done"))
    guard !(all && done) else { return nil }
    let view: TodoView = all ? .all : done ? .done : .open
    return .list(TodoQuery(view: view, filter: Self.text(words)), asJSON: listFlags.contains("--json"))
  }

  /// A refresh with nothing new is over sooner than the library has read this.
  private var sync: PlainTask? {
    guard words.isEmpty, listFlags.allSatisfy({ $0 == "--json" }) else { return nil }
    return .sync(SyncChoices(json: !listFlags.isEmpty))
  }

  private static func text(_ words: [String]) -> String { words.joined(separator: " ") }
}
