import Terminal
import Words

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
    default: named[key] ?? ""
    }
  }

  /// The key of this name, in capitals or not; nil for one there is not. A single character is itself.
  static func key(_ name: some StringProtocol) -> Key? {
    if name.count == 1, let character = name.first { return .character(character) }
    let lower = name.lowercased()
    if lower == "space" { return .character(" ") }
    if let key = byName[lower] { return key }
    if let letter = letter(of: lower, after: "ctrl-") { return .control(letter) }
    if let letter = letter(of: lower, after: "alt-") { return .alt(letter) }
    guard lower.hasPrefix("f"), let number = Int(lower.dropFirst()), (1...24).contains(number) else { return nil }
    return .function(number)
  }

  private static func letter(of name: String, after prefix: String) -> Character? {
    guard name.hasPrefix(prefix), name.count == prefix.count + 1, let last = name.last else { return nil }
    return last.isASCII && last.isLetter ? last : nil
  }

  private static let named: [Key: String] = [
    .enter: "Enter", .escape: "Esc", .tab: "Tab", .backTab: "Shift-Tab", .backspace: "Backspace",
    .delete: "Delete", .insert: "Insert", .up: "Up", .down: "Down", .left: "Left", .right: "Right",
    .home: "Home", .end: "End", .pageUp: "PgUp", .pageDown: "PgDn",
    .controlLeft: "Ctrl-Left", .controlRight: "Ctrl-Right",
  ]

  private static let byName = Dictionary(uniqueKeysWithValues: named.map { ($1.lowercased(), $0) })
}
