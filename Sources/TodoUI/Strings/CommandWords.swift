package import Words

extension Catalogue {
  /// What a command does, in a few words.
  package func help(_ command: Command) -> String {
    text(named: "help." + command.rawValue)
  }

  /// The same in one word for the hint row.
  func hint(_ command: Command) -> String {
    optionalText(named: "hint." + command.rawValue) ?? help(command)
  }

  /// Where one is, as a heading over its keys.
  package func name(of place: Place) -> String {
    text(named: "place." + place.rawValue)
  }
}
