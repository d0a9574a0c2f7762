import Terminal

/// Which key does what, place by place.
struct Keymap: Sendable, Equatable {
  let bindings: KeyBindings
  private let commands: [Place: [Key: Command]]

  /// Where two commands claim one key in one place, the one earlier in the table has it. Where text is typed, keys
  /// that write text are no commands.
  init(_ bindings: KeyBindings = .standard) {
    self.bindings = bindings
    var commands: [Place: [Key: Command]] = [:]
    for entry in CommandTable.entries {
      for place in entry.places {
        for key in bindings.keys(of: entry.command) where !(place.isText && key.isText) {
          if commands[place]?[key] == nil { commands[place, default: [:]][key] = entry.command }
        }
      }
    }
    self.commands = commands
  }

  static let standard = Keymap()

  func command(for key: Key, in place: Place) -> Command? {
    commands[place]?[key]
  }

  /// The name of the first key that does this in this place; empty when none does.
  func name(of command: Command, in place: Place) -> String {
    bindings.keys(of: command).first { commands[place]?[$0] == command }.map(KeyName.text) ?? ""
  }

  /// The names of all keys that do this in this place.
  func names(of command: Command, in place: Place) -> [String] {
    bindings.keys(of: command).filter { commands[place]?[$0] == command }.map(KeyName.text)
  }

  /// Which of the keys of a command this one is, counted from 1: the number of a saved filter.
  func number(of key: Key, for command: Command) -> Int? {
    bindings.keys(of: command).firstIndex(of: key).map { $0 + 1 }
  }
}

extension Key {
  /// It writes a character where text is typed.
  var isText: Bool {
    if case .character = self { true } else { false }
  }
}
