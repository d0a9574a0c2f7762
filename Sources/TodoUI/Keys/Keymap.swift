import Terminal
import Words

/// Which key does what, place by place.
struct Keymap: Sendable, Equatable {
  let bindings: KeyBindings
  private let tables: [KeyTable]
  private let claims: [Claim]

  private struct Claim: Sendable, Equatable {
    let place: Place
    let key: String
    let first: Command
    let second: Command
  }

  /// Where two commands claim one key in one place, one that is on its own keys has it, then the one earlier in the
  /// table; so a key that was given to another command in the configuration never changes what it does by accident. The
  /// other keeps those of its own keys that are free. Where text is typed, keys that write text are no commands.
  init(_ bindings: KeyBindings = .standard) {
    self.bindings = bindings
    var tables = Place.allCases.map { KeyTable($0) }
    var claims: [Claim] = []
    let moved = bindings.moved
    for number in CommandTable.entries.indices.filter({ !moved.contains($0) }) + moved {
      let (entry, keys) = (CommandTable.entries[number], bindings.keys(at: number))
      for place in entry.places {
        guard let index = tables.firstIndex(where: { $0.place == place }) else { continue }
        for key in keys where tables[index].allows(key) {
          guard let first = tables[index].command(for: key) else {
            tables[index].add(key, entry.command)
            continue
          }
          claims.append(
            Claim(place: place, key: KeyName.text(key), first: first, second: entry.command))
        }
      }
    }
    for number in moved {
      let (entry, keys) = (CommandTable.entries[number], bindings.keys(at: number))
      for index in tables.indices where !keys.isEmpty && entry.places.contains(tables[index].place) {
        tables[index].restore(entry.command, given: keys)
      }
    }
    self.tables = tables
    self.claims = claims
  }

  /// Keys that two commands claim in one place: each pair of a key and a command once, with the rival in the place that
  /// comes first, the list above all.
  var collisions: [KeyCollision] {
    var told: [KeyCollision] = []
    for place in Place.allCases {
      for claim in claims where claim.place == place {
        if told.contains(where: { $0.key == claim.key && $0.second == claim.second }) { continue }
        told.append(
          KeyCollision(
            key: claim.key, place: place, first: claim.first, second: claim.second,
            kept: names(of: claim.second, in: place)))
      }
    }
    return told
  }

  static let standard = Keymap()

  func command(for key: Key, in place: Place) -> Command? {
    tables.first { $0.place == place }?.command(for: key)
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
    let given = bindings.keys(of: command).filter { self.command(for: $0, in: place) == command }
    if !given.isEmpty || !bindings.moves(command) { return given }
    return KeyBindings.standard.keys(of: command).filter { self.command(for: $0, in: place) == command }
  }

  /// Which of the keys of a command this one is, counted from 1: the number of a saved filter.
  func number(of key: Key, for command: Command) -> Int? {
    bindings.keys(of: command).firstIndex(of: key).map { $0 + 1 }
  }
}

/// The keys of one place. Arrays, since to make a dictionary by keys takes longer than all the looking up of a start.
private struct KeyTable: Sendable, Equatable {
  let place: Place
  private let isText: Bool
  /// By the number of the key.
  private var commands = [Command?](repeating: nil, count: Key.numbers)
  /// The keys without a number.
  private var bindings: [Binding] = []

  private struct Binding: Sendable, Equatable {
    let key: Key
    let command: Command
  }

  init(_ place: Place) {
    self.place = place
    isText = place.isText
  }

  /// Where text is typed, keys that write text are no commands.
  func allows(_ key: Key) -> Bool { !(isText && key.isText) }

  func command(for key: Key) -> Command? {
    if let number = key.number { return commands[number] }
    return bindings.first { $0.key == key }?.command
  }

  mutating func add(_ key: Key, _ command: Command) {
    if let number = key.number {
      commands[number] = command
    } else {
      bindings.append(Binding(key: key, command: command))
    }
  }

  /// Puts a command that has none of the keys it was given on those of its own keys that are free.
  mutating func restore(_ command: Command, given keys: [Key]) {
    guard !keys.contains(where: { self.command(for: $0) == command }) else { return }
    for key in KeyBindings.standard.keys(of: command) where allows(key) && self.command(for: key) == nil {
      add(key, command)
    }
  }
}

extension Key {
  /// Keys are numbered below this.
  fileprivate static let numbers = 432

  /// Nil for a character beyond ASCII, also with Ctrl or Alt, and for what is no key to be bound.
  fileprivate var number: Int? {
    switch self {
    case .character(let character): character.asciiNumber
    case .control(let character): character.asciiNumber.map { 128 + $0 }
    case .alt(let character): character.asciiNumber.map { 256 + $0 }
    case .function(let number): (1...24).contains(number) ? 383 + number : nil
    case .enter: 408
    case .escape: 409
    case .tab: 410
    case .backTab: 411
    case .backspace: 412
    case .delete: 413
    case .insert: 414
    case .up: 415
    case .down: 416
    case .left: 417
    case .right: 418
    case .home: 419
    case .end: 420
    case .pageUp: 421
    case .pageDown: 422
    case .controlLeft: 423
    case .controlRight: 424
    case .altBackspace: 425
    case .paste, .unknown: nil
    }
  }

  /// It writes a character where text is typed.
  var isText: Bool {
    if case .character = self { true } else { false }
  }
}

extension Character {
  /// From 0 to 127; nil if it is no character of ASCII.
  fileprivate var asciiNumber: Int? { utf8.count == 1 ? utf8.first.map(Int.init) : nil }
}

/// A key that two commands claim in one place. The first of them has it, the second does not.
package struct KeyCollision: Equatable, Sendable {
  /// Its name.
  package let key: String
  package let place: Place
  package let first: Command
  package let second: Command
  /// The names of the keys that the second command has there.
  package let kept: [String]

  /// The place is the first of those where the second command means something. If it is another, the command has the
  /// key in that one.
  package var isInFirstPlace: Bool {
    CommandTable.entries.first { $0.command == second }?.places.first == place
  }
}
