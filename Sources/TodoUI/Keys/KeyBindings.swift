import Terminal

/// Which keys each command is on: the defaults of `Resources/keys/default.keys`, and what a user put in their place.
package struct KeyBindings: Sendable, Equatable {
  /// In the order of the table of commands: to make a dictionary by commands takes longer than all the looking up of a
  /// start.
  private var keys: [[Key]]

  /// A line that is no `command = keys`, or names a command or a key there is not.
  package struct Problem: Error, Equatable, Sendable {
    /// The name of the command or the key, or the line.
    package let word: String
  }

  /// Reads lines like `add = a n`; what follows a `#` at the start of a line is a comment. Bytes, since it is done at
  /// each start.
  init(parsing source: [UInt8]) throws(Problem) {
    self.init()
    var rest = source[...]
    var place = 0
    while let line = rest.nextWord(before: UInt8(ascii: "\n")) {
      guard line.first != UInt8(ascii: "#") else { continue }
      guard let sign = line.firstIndex(of: UInt8(ascii: "=")) else { throw Problem(word: line.text) }
      var words = line[..<sign]
      let name = words.nextWord(before: space) ?? []
      guard let index = CommandTable.index(named: name, from: place) else { throw Problem(word: name.text) }
      keys[index] = try Self.keys(named: line[(sign + 1)...])
      place = index + 1
    }
  }

  private init() {
    keys = Array(repeating: [], count: CommandTable.entries.count)
  }

  /// The keys that are built into the program. A test holds that they parse.
  package static let standard = (try? KeyBindings(parsing: PackageResources.default_keys)) ?? KeyBindings()

  /// Puts a command on other keys, named with spaces or commas between them, in place of its own. No keys: it is on
  /// none.
  package mutating func bind(_ name: String, to names: String) throws(Problem) {
    guard let index = CommandTable.index(named: Array(name.utf8)[...]) else { throw Problem(word: name) }
    keys[index] = try Self.keys(named: Array(names.utf8)[...])
  }

  /// A comma that stands alone is the key.
  private static func keys(named names: ArraySlice<UInt8>) throws(Problem) -> [Key] {
    var keys: [Key] = []
    var rest = names
    while var word = rest.nextWord(before: space) {
      if word.count == 1, let byte = word.first {
        keys.append(.character(Character(UnicodeScalar(byte))))
      } else {
        while let name = word.nextWord(before: UInt8(ascii: ",")) {
          guard let key = KeyName.key(name.text) else { throw Problem(word: name.text) }
          keys.append(key)
        }
      }
    }
    return keys
  }

  /// The keys of the command that stands at this place of the table of commands.
  func keys(at index: Int) -> [Key] { keys[index] }

  func keys(of command: Command) -> [Key] {
    CommandTable.entries.firstIndex { $0.command == command }.map(keys(at:)) ?? []
  }

  /// The command was given other keys than its own.
  func moves(_ command: Command) -> Bool { keys(of: command) != Self.standard.keys(of: command) }

  /// The places in the table of the commands that were given other keys than their own.
  var moved: [Int] { self == .standard ? [] : keys.indices.filter { keys[$0] != Self.standard.keys[$0] } }

  /// The name of a command's first key, for hints; empty when it is on none.
  package func name(of command: Command) -> String {
    keys(of: command).first.map(KeyName.text) ?? ""
  }

  /// The names of all its keys, in order.
  package func names(of command: Command) -> [String] {
    keys(of: command).map(KeyName.text)
  }
}

private let space = UInt8(ascii: " ")

extension ArraySlice<UInt8> {
  /// Takes away the bytes up to the next separator, and that; nil at the end. No word is empty.
  fileprivate mutating func nextWord(before separator: UInt8) -> ArraySlice<UInt8>? {
    while !isEmpty {
      let end = firstIndex(of: separator) ?? endIndex
      let word = self[..<end]
      self = dropFirst(word.count + 1)
      if !word.isEmpty { return word }
    }
    return nil
  }

  fileprivate var text: String { String(decoding: self, as: UTF8.self) }
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

  /// `lower` is in small letters. The bit that tells small letters from capitals is set in all other signs of our
  /// names.
  private static func isSame(_ name: String, _ lower: String) -> Bool {
    name.utf8.count == lower.utf8.count && zip(name.utf8, lower.utf8).allSatisfy { $0 | 0x20 == $1 }
  }
}
