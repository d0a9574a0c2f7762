import Terminal

/// What is printed on the key.
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

  private static let named: [Key: String] = [
    .enter: "Enter", .escape: "Esc", .tab: "Tab", .backTab: "Shift-Tab", .backspace: "Backspace",
    .delete: "Delete", .insert: "Insert", .up: "Up", .down: "Down", .left: "Left", .right: "Right",
    .home: "Home", .end: "End", .pageUp: "PgUp", .pageDown: "PgDn",
    .controlLeft: "Ctrl-Left", .controlRight: "Ctrl-Right",
  ]
}
