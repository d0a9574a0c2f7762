import Terminal

/// Which keys each command is on: the defaults of `Resources/keys/default.keys`, and what a user put in their place.
package struct KeyBindings: Sendable, Equatable {
  private(set) var keys: [Command: [Key]] = [:]

  /// A line that is no `command = keys`, or names a command or a key there is not.
  package struct Problem: Error, Equatable, Sendable {
    /// The name of the command or the key, or the line.
    package let word: String
  }

  /// Reads lines like `add = a n`; what follows a `#` at the start of a line is a comment.
  init(parsing source: String) throws(Problem) {
    for line in source.split(separator: "\n") where line.first != "#" {
      guard let sign = line.firstIndex(of: "=") else { throw Problem(word: String(line)) }
      let name = line[..<sign].split(separator: " ").first ?? ""
      try bind(String(name), to: String(line[line.index(after: sign)...]))
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
    guard let command = Command(named: name) else { throw Problem(word: name) }
    var keys: [Key] = []
    for word in Self.words(names) {
      guard let key = KeyName.key(word) else { throw Problem(word: String(word)) }
      keys.append(key)
    }
    self.keys[command] = keys
  }

  /// A comma that stands alone is the key.
  private static func words(_ names: String) -> [Substring] {
    names.split(separator: " ").flatMap { $0 == "," ? [$0] : $0.split(separator: ",") }
  }

  func keys(of command: Command) -> [Key] { keys[command] ?? [] }

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

/// What is printed on the key, both ways.
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
      named[key] ?? ""
    }
  }

  /// The key of this name, in capitals or not; nil for one there is not. A single character is itself.
  static func key(_ name: some StringProtocol) -> Key? {
    if name.count == 1, let character = name.first { return .character(character) }
    let lower = name.lowercased()
    if lower == "space" { return .character(" ") }
    if let key = byName[lower] { return key }
    if lower.hasPrefix("ctrl-"), lower.count == 6, let last = lower.last, last.isASCII, last.isLetter {
      return .control(last)
    }
    if lower.hasPrefix("alt-"), lower.count == 5, let last = lower.last, last.isASCII { return .alt(last) }
    guard lower.hasPrefix("f"), let number = Int(lower.dropFirst()), (1...24).contains(number) else { return nil }
    return .function(number)
  }

  private static let named: [Key: String] = [
    .enter: "Enter", .escape: "Esc", .tab: "Tab", .backTab: "Shift-Tab", .backspace: "Backspace",
    .delete: "Delete", .insert: "Insert", .up: "Up", .down: "Down", .left: "Left", .right: "Right",
    .home: "Home", .end: "End", .pageUp: "PgUp", .pageDown: "PgDn",
    .controlLeft: "Ctrl-Left", .controlRight: "Ctrl-Right", .altBackspace: "Alt-Bksp",
  ]

  private static let byName = Dictionary(uniqueKeysWithValues: named.map { ($1.lowercased(), $0) })
}
