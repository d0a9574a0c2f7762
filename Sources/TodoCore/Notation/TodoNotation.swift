/// The signs of todo.txt in an item's text: priority, projects, contexts, and the due date.
///
/// Words are separated by spaces only, and only the first line counts. The store sorts by the same rules in
/// SQL, so a text ends at a NUL.
package struct TodoNotation: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    /// `(A)` at the very beginning, with a space behind it.
    case priority
    /// `+` and at least one more character.
    case project
    /// `@` and at least one more character.
    case context
    /// The `DueWord`, when it is a date; other words that begin so count for nothing.
    case due
  }

  /// A word that means something, and where it stands in the text.
  package struct Word: Sendable, Hashable {
    package let kind: Kind
    package let range: Range<String.Index>
  }

  package let text: String
  /// In the order of the text.
  package let words: [Word]
  /// `A` to `Z`.
  package let priority: Character?
  package let due: CalendarDay?

  package init(_ text: String) {
    self.text = text
    let dueWord = DueWord(text)
    var scanner = NotationScanner(due: dueWord?.day == nil ? nil : dueWord?.range.lowerBound)
    let end = Self.endOfFirstLine(text)
    for word in text.utf8[..<end].split(separator: UInt8(ascii: " ")) { scanner.read(word, in: text) }
    words = scanner.words
    priority = scanner.priority
    due = dueWord?.day
  }

  /// Where the first line of a text ends: what stands below it is a note. A text ends at a NUL.
  static func endOfFirstLine(_ text: String) -> String.Index {
    text.utf8.firstIndex { $0 == 0 || $0 == UInt8(ascii: "\n") } ?? text.endIndex
  }

  /// With their sign, in the order of the text.
  package var projects: [String] { words(.project) }
  package var contexts: [String] { words(.context) }

  private func words(_ kind: Kind) -> [String] {
    words.compactMap { $0.kind == kind ? String(text[$0.range]) : nil }
  }
}

private struct NotationScanner {
  private(set) var words: [TodoNotation.Word] = []
  private(set) var priority: Character?
  /// Where the word with the date begins; nil if the text has none.
  private let due: String.Index?

  init(due: String.Index?) { self.due = due }

  mutating func read(_ word: Substring.UTF8View, in text: String) {
    guard let kind = kind(of: word, in: text) else { return }
    words.append(TodoNotation.Word(kind: kind, range: word.startIndex..<word.endIndex))
  }

  private mutating func kind(of word: Substring.UTF8View, in text: String) -> TodoNotation.Kind? {
    switch word.first {
    case UInt8(ascii: "+"): return word.count > 1 ? .project : nil
    case UInt8(ascii: "@"): return word.count > 1 ? .context : nil
    case UInt8(ascii: "("):
      guard word.startIndex == text.startIndex, let letter = PriorityLetter(text) else { return nil }
      priority = letter.character
      return .priority
    default: return word.startIndex == due ? .due : nil
    }
  }
}

/// The priority at the beginning of a text: a capital letter in parentheses, and a space.
struct PriorityLetter {
  static let opening = "("
  static let closing = ") "

  let character: Character

  init?(_ text: String) {
    let bytes = Array(text.utf8.prefix(4))
    guard bytes.count == 4, bytes[0] == UInt8(ascii: "("), bytes[2] == UInt8(ascii: ")"), bytes[3] == UInt8(ascii: " "),
      (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(bytes[1])
    else { return nil }
    character = Character(UnicodeScalar(bytes[1]))
  }
}

/// The word of a text that says when the item is due: the first one of the first line that begins with `due:`, whatever
/// follows. The item has a date if the rest of this word is one; no later word counts. `RowValue.due` is this rule for
/// the store, and `TypedDue` the one for texts that are typed, which become such.
struct DueWord {
  static let mark = "due:"

  let range: Range<String.Index>
  /// The day; nil if the word says none.
  let day: CalendarDay?

  init?(_ text: String) {
    let words = text.utf8[..<TodoNotation.endOfFirstLine(text)].split(separator: UInt8(ascii: " "))
    guard let word = words.first(where: { $0.starts(with: Self.mark.utf8) }) else { return nil }
    range = word.startIndex..<word.endIndex
    day = CalendarDay(Substring(word.dropFirst(Self.mark.utf8.count)))
  }
}

extension TodoNotation {
  /// True if a word of the first line says when the item is due, whether or not it is a date. Looks at bytes: a text
  /// may have a million.
  package static func mentionsDate(_ text: String) -> Bool { DueWord(text) != nil }

  /// True if the text begins as a done item does in a todo.txt. Only an import takes it for one: many a text of
  /// something to do begins so.
  package static func looksDone(_ text: String) -> Bool { text.drop { $0.isWhitespace }.hasPrefix("x ") }
}

/// Texts with another priority or another date. The rest of each text is unchanged, to the letter.
extension TodoNotation {
  /// The lowest priority the keys give; a person may write any letter down to `Z`.
  private static let lowest: Character = "C"

  /// The text with this priority, or without one. A character that is none from `A` to `Z` changes nothing.
  package static func settingPriority(_ priority: Character?, in text: String) -> String {
    let rest = PriorityLetter(text) == nil ? text[...] : Substring(text.unicodeScalars.dropFirst(4))
    guard let priority else { return String(rest) }
    guard ("A"..."Z").contains(priority), priority.isASCII else { return text }
    return PriorityLetter.opening + String(priority) + PriorityLetter.closing + rest
  }

  /// One letter higher. An item without a priority gets the lowest of the three that are in common use, C; A stays.
  package static func raisingPriority(in text: String) -> String {
    guard let priority = PriorityLetter(text)?.character else { return settingPriority(lowest, in: text) }
    return settingPriority(priority == "A" ? "A" : priority.neighbour(-1), in: text)
  }

  /// One letter lower. From C on the priority goes, as from `Z`: letters below C were typed, and are kept.
  package static func loweringPriority(in text: String) -> String {
    guard let priority = PriorityLetter(text)?.character else { return text }
    return settingPriority(priority == lowest || priority == "Z" ? nil : priority.neighbour(1), in: text)
  }

  /// Returns the text with this due date, or without one. A new date goes to the end of the first line.
  package static func settingDue(_ day: CalendarDay?, in text: String) -> String {
    guard let word = DueWord(text) else {
      guard let day else { return text }
      let end = endOfFirstLine(text)
      return String(text[..<end]) + (end == text.startIndex ? "" : " ") + DueWord.mark + day.text + text[end...]
    }
    if let day {
      return String(text[..<word.range.lowerBound]) + DueWord.mark + day.text + text[word.range.upperBound...]
    }
    var rest = removing(word.range, from: text)
    // The next of several would count from now on.
    while let next = DueWord(rest), next.day != nil { rest = removing(next.range, from: rest) }
    return rest
  }

  /// The text with this due date from a field beside it. Another date gives way to it; a word such as `due:fri`, which
  /// is none here, stays: the date stands before it, since the first one counts.
  package static func addingDue(_ day: CalendarDay, to text: String) -> String {
    guard let word = DueWord(text), word.day == nil else { return settingDue(day, in: text) }
    return text[..<word.range.lowerBound] + DueWord.mark + day.text + " " + text[word.range.lowerBound...]
  }

  /// Takes one of the spaces beside the word along.
  static func removing(_ range: Range<String.Index>, from text: String) -> String {
    joined(String(text[..<range.lowerBound]), text[range.upperBound...])
  }

  /// Both parts, without one of the spaces that were beside a word between them.
  static func joined(_ before: String, _ after: Substring) -> String {
    let (before, after) = (before.unicodeScalars, after.unicodeScalars)
    if before.last == " " { return String(before.dropLast()) + String(after) }
    return String(before) + String(after.first == " " ? after.dropFirst() : after)
  }
}

extension Character {
  fileprivate func neighbour(_ step: Int) -> Character {
    guard let code = asciiValue else { return self }
    return Character(UnicodeScalar(UInt8(Int(code) + step)))
  }
}
