import OfflineSync

/// What was typed into the filter, as conditions that must all hold.
///
/// It is read while it is typed: whatever stands there is a filter and never an error, and what is not finished yet hides
/// no more than it would when it is.
struct TodoFilter {
  let conditions: [RowCondition]

  private let today: CalendarDay

  /// Longer words are looked for by their beginning.
  private static let longestWord = 200

  init(_ text: String, today: CalendarDay) {
    self.today = today
    var conditions: [RowCondition] = []
    for word in text.split(whereSeparator: { $0.isWhitespace || $0 == "\0" }) {
      if let condition = Self.condition(word.prefix(Self.longestWord), today) { conditions.append(condition) }
    }
    self.conditions = conditions
  }

  private static func condition(_ word: Substring, _ today: CalendarDay) -> RowCondition? {
    guard word.hasPrefix("!") else { return positive(word, today, isLoose: true) }
    return positive(word.dropFirst(), today, isLoose: false).map(RowCondition.not)
  }

  private static func positive(_ word: Substring, _ today: CalendarDay, isLoose: Bool) -> RowCondition? {
    guard let first = word.first else { return nil }
    switch first {
    case "'": return quoted(word.dropFirst())
    case "+", "@": return text(word, .wordBeginning)
    default: break
    }
    let small = word.lowercased()
    if small.hasPrefix(DueWord.mark) { return due(small.dropFirst(DueWord.mark.count), today) }
    if let letter = priority(word) { return .compare(.priority, .equal, letter) }
    return text(word, isLoose && mayBeLoose(word) ? .loosely : .contained)
  }

  /// As it stands; a project or a context as a whole.
  private static func quoted(_ word: Substring) -> RowCondition? {
    guard let first = word.first else { return nil }
    return text(word, word.count > 1 && (first == "+" || first == "@") ? .wholeWord : .contained)
  }

  private static func text(_ word: some StringProtocol, _ fit: TextPattern.Fit) -> RowCondition {
    .fits(column: TodoColumn.text, TextPattern(String(word), fit))
  }

  /// Two letters would fit nearly everything. Nor is it for scripts that set no spaces between words, where a whole
  /// sentence would count as one.
  private static func mayBeLoose(_ word: Substring) -> Bool {
    word.count >= 3 && word.unicodeScalars.allSatisfy { $0.properties.isAlphabetic && $0.value < 0x0E00 }
  }

  /// `(A)` or `(a)`.
  private static func priority(_ word: Substring) -> String? {
    let bytes = Array(word.uppercased().utf8)
    guard bytes.count == 3, bytes[0] == UInt8(ascii: "("), bytes[2] == UInt8(ascii: ")"),
      (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(bytes[1])
    else { return nil }
    return String(UnicodeScalar(bytes[1]))
  }
}

extension TodoFilter {
  /// What follows `due:`, in small letters.
  private static func due(_ word: Substring, _ today: CalendarDay) -> RowCondition {
    switch word {
    case "overdue": return .compare(.due, .less, today.text)
    case "week":
      return .all([
        .compare(.due, .greater, today.adding(days: -1).text), .compare(.due, .less, today.adding(days: 7).text),
      ])
    default: break
    }
    if word.hasPrefix("<") || word.hasPrefix(">") {
      guard case .day(let day) = DueWords.meaning(of: word.dropFirst(), today: today) else { return .has(.due) }
      return .compare(.due, word.hasPrefix("<") ? .less : .greater, day.text)
    }
    if isYearAndMore(word) { return text(DueWord.mark + word, .contained) }
    switch DueWords.meaning(of: word, today: today) {
    case .day(let day): return .compare(.due, .equal, day.text)
    case .never: return .not(.has(.due))
    case nil: return mayBecomeDate(word) ? .has(.due) : text(DueWord.mark + word, .contained)
    }
  }

  /// `tod`, `+`, `12`.
  private static func mayBecomeDate(_ word: Substring) -> Bool {
    "overdue".hasPrefix(word) || "week".hasPrefix(word) || DueWords.isBeginning(word)
      || word.utf8.allSatisfy { (UInt8(ascii: "+")...UInt8(ascii: "9")).contains($0) }
  }

  /// `2026`, `2026-1`: all the days that begin so.
  private static func isYearAndMore(_ word: Substring) -> Bool {
    (4..<10).contains(word.utf8.count) && word.utf8.prefix(4).allSatisfy { (48...57).contains($0) }
      && word.utf8.dropFirst(4).allSatisfy { (48...57).contains($0) || $0 == UInt8(ascii: "-") }
  }
}
