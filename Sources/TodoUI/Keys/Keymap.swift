import Terminal

/// Which key does what, place by place.
struct Keymap: Sendable {
  private let commands: [Place: [Key: Command]]

  /// Where two entries claim one key in one place, the earlier has it.
  init(_ entries: [CommandEntry] = CommandTable.entries) {
    var commands: [Place: [Key: Command]] = [:]
    for entry in entries {
      for place in entry.places {
        for key in entry.keys where commands[place]?[key] == nil {
          commands[place, default: [:]][key] = entry.command
        }
      }
    }
    self.commands = commands
  }

  static let standard = Keymap()

  func command(for key: Key, in place: Place) -> Command? {
    commands[place]?[key]
  }

  /// The name of a command's first key, for hints.
  static func keyName(of command: Command) -> String {
    CommandTable.entries.first { $0.command == command }?.keys.first.map(KeyName.text) ?? ""
  }
}
