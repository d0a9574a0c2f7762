import Terminal
import Words

/// Which key does what, place by place.
struct Keymap: Sendable, Equatable {
  let bindings: KeyBindings
  private let commands: [Place: [Key: Command]]
  /// Keys that two commands claim in one place.
  let collisions: [KeyCollision]

  /// Where two commands claim one key in one place, the one earlier in the table has it. Where text is typed, keys
  /// that write text are no commands.
  init(_ bindings: KeyBindings = .standard) {
    self.bindings = bindings
    var commands: [Place: [Key: Command]] = [:]
    var collisions: [KeyCollision] = []
    for entry in CommandTable.entries {
      for place in entry.places {
        for key in bindings.keys(of: entry.command) where !(place.isText && key.isText) {
          if let first = commands[place]?[key] {
            let collision = KeyCollision(key: KeyName.text(key), first: first, second: entry.command)
            if !collisions.contains(collision) { collisions.append(collision) }
          } else {
            commands[place, default: [:]][key] = entry.command
          }
        }
      }
    }
    self.commands = commands
    self.collisions = collisions
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

/// A key that two commands claim in one place. The first of them has it.
package struct KeyCollision: Equatable, Sendable {
  /// Its name.
  package let key: String
  package let first: Command
  package let second: Command
}
