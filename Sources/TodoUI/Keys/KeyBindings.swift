import Terminal

/// Which keys each command is on: the defaults of `Resources/keys/default.keys`, and what a user put in their place.
package struct KeyBindings: Sendable, Equatable {
  /// A list, since to make a dictionary by commands takes longer than all the looking up of a start.
  private var entries: [Entry] = []

  private struct Entry: Sendable, Equatable {
    let command: Command
    var keys: [Key]
  }

  /// A line that is no `command = keys`, or names a command or a key there is not.
  package struct Problem: Error, Equatable, Sendable {
    /// The name of the command or the key, or the line.
    package let word: String
  }

  /// Reads lines like `add = a n`; what follows a `#` at the start of a line is a comment.
  init(parsing source: String) throws(Problem) {
    for line in source.utf8.split(separator: UInt8(ascii: "\n")) where line.first != UInt8(ascii: "#") {
      guard let sign = line.firstIndex(of: UInt8(ascii: "=")) else { throw Problem(word: String(Substring(line))) }
      let name = line[..<sign].drop { $0 == Self.space }.prefix { $0 != Self.space }
      try bind(String(Substring(name)), to: line[line.index(after: sign)...])
    }
  }

  private init() {}

  /// The keys that are built into the program. A test holds that they parse.
  package static let standard: KeyBindings = {
    let source = String(decoding: PackageResources.default_keys, as: UTF8.self)
    return (try? KeyBindings(parsing: source)) ?? KeyBindings()
  }()

  /// Puts a command on other keys, named with spaces or commas between them, in place of its own. No keys: it is on none.
  package mutating func bind(_ name: String, to names: String) throws(Problem) {
    try bind(name, to: names[...].utf8)
  }

  private mutating func bind(_ name: String, to names: Substring.UTF8View) throws(Problem) {
    guard let command = Command(named: name) else { throw Problem(word: name) }
    var keys: [Key] = []
    for word in Self.names(in: names) {
      guard let key = KeyName.key(word) else { throw Problem(word: String(word)) }
      keys.append(key)
    }
    if let index = entries.firstIndex(where: { $0.command == command }) {
      entries[index].keys = keys
    } else {
      entries.append(Entry(command: command, keys: keys))
    }
  }

  /// A comma that stands alone is the key.
  private static func names(in text: Substring.UTF8View) -> [Substring] {
    var names: [Substring] = []
    for word in text.split(separator: space) {
      if word.count == 1 || !word.contains(comma) {
        names.append(Substring(word))
      } else {
        for name in word.split(separator: comma) { names.append(Substring(name)) }
      }
    }
    return names
  }

  private static let space = UInt8(ascii: " ")
  private static let comma = UInt8(ascii: ",")

  func keys(of command: Command) -> [Key] {
    entries.first { $0.command == command }?.keys ?? []
  }

  /// The command was given other keys than its own.
  func moves(_ command: Command) -> Bool { keys(of: command) != Self.standard.keys(of: command) }

  /// The name of a command's first key, for hints; empty when it is on none.
  package func name(of command: Command) -> String {
    keys(of: command).first.map(KeyName.text) ?? ""
  }

  /// The names of all its keys, in order.
  package func names(of command: Command) -> [String] {
    keys(of: command).map(KeyName.text)
  }
}

/// Converts between keys and the names printed on them.
enum KeyName {
  static func text(_ key: Key) -> String {
    switch key {
    case .character(" "): "Space"
    case .character(let character): String(character)
    case .control(let letter): "Ctrl-" + letter.uppercased()
    case .alt(let letter): "Alt-" + letter.uppercased()
    case .function(let number): "F\(number)"
    case .paste, .unknown: ""
    case .enter, .escape, .tab, .backTab, .backspace, .delete, .insert, .up, .down, .left, .right, .home, .end, .pageUp,
      .pageDown, .controlLeft, .controlRight, .altBackspace:
      named.first { $0.key == key }?.name ?? ""
    }
  }

  /// The key of this name, in capitals or not; nil for one there is not. A single character is itself.
  static func key(_ name: some StringProtocol) -> Key? {
    if name.utf8.count == 1 || name.count == 1, let character = name.first { return .character(character) }
    let lower = name.lowercased()
    if lower == "space" { return .character(" ") }
    if let named = named.first(where: { isSame($0.name, lower) }) { return named.key }
    if lower.hasPrefix("ctrl-"), lower.count == 6, let last = lower.last, last.isASCII, last.isLetter {
      return .control(last)
    }
    if lower.hasPrefix("alt-"), lower.count == 5, let last = lower.last, last.isASCII { return .alt(last) }
    guard lower.hasPrefix("f"), let number = Int(lower.dropFirst()), (1...24).contains(number) else { return nil }
    return .function(number)
  }

  private static let named: [(key: Key, name: String)] = [
    (.enter, "Enter"), (.escape, "Esc"), (.tab, "Tab"), (.backTab, "Shift-Tab"), (.backspace, "Backspace"),
    (.delete, "Delete"), (.insert, "Insert"), (.up, "Up"), (.down, "Down"), (.left, "Left"), (.right, "Right"),
    (.home, "Home"), (.end, "End"), (.pageUp, "PgUp"), (.pageDown, "PgDn"), (.controlLeft, "Ctrl-Left"),
    (.controlRight, "Ctrl-Right"), (.altBackspace, "Alt-Bksp"),
  ]

  /// `lower` is in small letters. The bit that tells small letters from capitals is set in all other signs of our names.
  private static func isSame(_ name: String, _ lower: String) -> Bool {
    name.utf8.count == lower.utf8.count && zip(name.utf8, lower.utf8).allSatisfy { $0 | 0x20 == $1 }
  }
}
