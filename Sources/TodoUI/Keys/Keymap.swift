import Terminal
import Words

/// Which key does what, place by place.
struct Keymap: Sendable, Equatable {
  let bindings: KeyBindings
  private let commands: [Place: [Key: Command]]
  /// Keys that two commands claim in one place.
  let collisions: [KeyCollision]

  /// Where two commands claim one key in one place, one that is on its own keys has it, then the one earlier in the
  /// table; so a key that was given to another command in the configuration never changes what it does by accident. The
  /// other keeps those of its own keys that are free. Where text is typed, keys that write text are no commands.
  init(_ bindings: KeyBindings = .standard) {
    self.bindings = bindings
    var commands: [Place: [Key: Command]] = [:]
    var claims: [(place: Place, collision: KeyCollision)] = []
    let moved = bindings == .standard ? [] : Set(CommandTable.entries.map(\.command).filter(bindings.moves))
    let entries = CommandTable.entries.filter { !moved.contains($0.command) }
    let movedEntries = CommandTable.entries.filter { moved.contains($0.command) }
    for entry in entries + movedEntries {
      for place in entry.places {
        for key in bindings.keys(of: entry.command) where !(place.isText && key.isText) {
          if let first = commands[place]?[key] {
            claims.append((place, KeyCollision(key: KeyName.text(key), first: first, second: entry.command)))
          } else {
            commands[place, default: [:]][key] = entry.command
          }
        }
      }
    }
    for entry in movedEntries where !bindings.keys(of: entry.command).isEmpty {
      for place in entry.places
      where !bindings.keys(of: entry.command).contains(where: { commands[place]?[$0] == entry.command }) {
        let own = KeyBindings.standard.keys(of: entry.command)
        for key in own where commands[place]?[key] == nil && !(place.isText && key.isText) {
          commands[place, default: [:]][key] = entry.command
        }
      }
    }
    self.commands = commands
    collisions = Self.worthTelling(claims)
  }

  /// Each pair of a key and a command once: the rival in the place that comes first, the list above all.
  private static func worthTelling(_ claims: [(place: Place, collision: KeyCollision)]) -> [KeyCollision] {
    var told: [KeyCollision] = []
    for place in Place.allCases {
      for claim in claims where claim.place == place {
        let isTold = told.contains { $0.key == claim.collision.key && $0.second == claim.collision.second }
        if !isTold { told.append(claim.collision) }
      }
    }
    return told
  }

  static let standard = Keymap()

  func command(for key: Key, in place: Place) -> Command? {
    commands[place]?[key]
  }

  /// The name of the first key that does this in this place; empty when none does.
  func name(of command: Command, in place: Place) -> String {
    keys(of: command, in: place).first.map(KeyName.text) ?? ""
  }

  /// The names of all keys that do this in this place.
  func names(of command: Command, in place: Place) -> [String] {
    keys(of: command, in: place).map(KeyName.text)
  }

  private func keys(of command: Command, in place: Place) -> [Key] {
    let given = bindings.keys(of: command).filter { commands[place]?[$0] == command }
    if !given.isEmpty || !bindings.moves(command) { return given }
    return KeyBindings.standard.keys(of: command).filter { commands[place]?[$0] == command }
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

/// A key that two commands claim in one place. The first of them has it, the second does not.
package struct KeyCollision: Equatable, Sendable {
  /// Its name.
  package let key: String
  package let first: Command
  package let second: Command
}
