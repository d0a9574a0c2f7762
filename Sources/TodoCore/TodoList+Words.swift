import OfflineSync

/// What is offered while a `+` or an `@` is typed. Both look at all open items: not for the main thread.
extension TodoList {
  private static let mostWords = 200

  /// The projects of the open items that begin so, without regard to case: with their `+`, most used first, at most 200.
  package func projects(beginning prefix: String = "") throws -> [String] {
    try words("+", prefix) { $0.projects }
  }

  /// The contexts of the open items that begin so, without regard to case: with their `@`, most used first, at most 200.
  package func contexts(beginning prefix: String = "") throws -> [String] {
    try words("@", prefix) { $0.contexts }
  }

  private func words(
    _ sign: String, _ prefix: String, _ words: (TodoNotation) -> [String]
  ) throws -> [String] {
    let beginning = TextMatcher(TextPattern(sign + prefix, .wordBeginning))
    var rows = TodoQuery(view: .open).rows(today: today())
    rows.condition = .all(
      [rows.condition, .fits(column: TodoColumn.text, TextPattern(sign + prefix, .wordBeginning))].compactMap(\.self))
    var uses: [String: Int] = [:]
    try context.store.read { store in
      try store.forEachText(of: TodoColumn.text, rows) { text in
        for word in words(TodoNotation(text)) where beginning.matches(word) { uses[word, default: 0] += 1 }
      }
    }
    let sorted = uses.sorted { $0.value == $1.value ? $0.key < $1.key : $0.value > $1.value }
    return sorted.prefix(Self.mostWords).map(\.key)
  }
}
