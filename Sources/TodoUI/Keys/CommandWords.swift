import Words

/// The words by which the palette finds a command: its name, its label in the hints, and what other programs call it.
/// Those of English count in every language, for people keep the habits of other programs.
struct CommandWords {
  private let text: Catalogue

  init(_ text: Catalogue) { self.text = text }

  /// The accents of the languages here: many keyboards lack them.
  private static let plainLetters: [Character: Character] = [
    "á": "a", "é": "e", "í": "i", "ó": "o", "ú": "u", "ü": "u", "ñ": "n",
  ]

  /// The words in small letters and without accents, as they are compared with what was typed.
  static func folded(_ words: String) -> String { String(words.lowercased().map { plainLetters[$0] ?? $0 }) }

  /// The name, and the label that the hints show, folded.
  func labels(of command: Command) -> [String] {
    [command.name, text.optionalText(named: "hint." + command.name)].compactMap { $0.map(Self.folded) }
  }

  /// The names of the command in other programs, folded.
  func aliases(of command: Command) -> [String] { words(named: "alias." + command.name) }

  /// The command of `ebb` in a shell that a word means; nil if it means none, or one that the list has too.
  func shellCommand(_ word: String) -> String? {
    CommandTable.shell.first { $0 == word || words(named: "shell." + $0).contains(word) }
  }

  /// A word that must not be taken for a part of another name.
  func isForeign(_ word: String) -> Bool {
    shellCommand(word) != nil || CommandTable.settings.contains(word) || CommandTable.editors.contains(word)
  }

  /// The one of these commands of which a word is most like this one; nil if none is like it.
  func nearest(to word: String, among commands: [Command]) -> Command? {
    // Each letter is one letter away from any other.
    guard word.count > 1 else { return nil }
    let names = commands.flatMap { command in
      (labels(of: command) + aliases(of: command)).map { (name: $0, command: command) }
    }
    let near = names.map { (distance: EditDistance.between($0.name, word), name: $0.name, command: $0.command) }
      .min { ($0.distance, $0.name) < ($1.distance, $1.name) }
    return near.flatMap { $0.distance <= (word.count + 2) / 3 ? $0.command : nil }
  }

  private func words(named name: String) -> [String] {
    [text, Catalogue.english].flatMap { catalogue in
      Self.folded(catalogue.optionalText(named: name) ?? "").split(separator: " ").map(String.init)
    }
  }
}

/// How many letters have to be put in, taken out or changed to make one word of another (Levenshtein).
private enum EditDistance {
  static func between(_ first: String, _ second: String) -> Int {
    let second = Array(second)
    var row = Array(0...second.count)
    for (index, letter) in first.enumerated() {
      var previous = row[0]
      row[0] = index + 1
      for (column, other) in second.enumerated() {
        let changed = previous + (letter == other ? 0 : 1)
        previous = row[column + 1]
        row[column + 1] = min(changed, previous + 1, row[column] + 1)
      }
    }
    return row[second.count]
  }
}
