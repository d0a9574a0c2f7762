import TodoCore

/// An item in parts, as programs keep it that have fields of their own for what here stands in the text.
struct ItemParts {
  /// More lines than one go to the note.
  var line = ""
  var note = ""
  var priority: Character?
  var due: CalendarDay?
  /// Without signs.
  var projects: [String] = []
  var contexts: [String] = []
  /// Words that may be in the text as projects or as contexts; else they become contexts.
  var categories: [String] = []

  /// The text with what it does not say itself: so a text that has it all stays unchanged. If the line has no word, the
  /// first line of the note takes its place. Nil if neither has one.
  var text: String? {
    var lines = Self.linesFromFirstWord(of: line)
    var note = note
    if lines.isEmpty { (lines, note) = (Self.linesFromFirstWord(of: note), "") }
    guard var first = lines.popFirst() else { return nil }
    for word in newWords(first) { first += " " + word }
    if let due, TodoNotation(first).due != due { first = TodoNotation.addingDue(due, to: first) }
    if let priority, !Self.isSame(TodoNotation(first).priority, priority) {
      first = TodoNotation.settingPriority(priority, in: first)
    }
    return ([first] + lines + (note.isEmpty ? [] : [note])).joined(separator: "\n")
  }

  private static func linesFromFirstWord(of text: String) -> ArraySlice<String> {
    NumberedLines(text).map { String($0.line) }.drop { $0.utf8.allSatisfy { $0 <= 0x20 } }
  }

  private func newWords(_ line: String) -> [String] {
    let notation = TodoNotation(line)
    var known = Set(notation.projects + notation.contexts)
    let projects = projects.compactMap(Self.word).map { "+" + $0 }
    let contexts = contexts.compactMap(Self.word).map { "@" + $0 }
    var new = (projects + contexts).filter { known.insert($0).inserted }
    for word in categories.compactMap(Self.word) where !known.contains("+" + word) && !known.contains("@" + word) {
      known.insert("@" + word)
      new.append("@" + word)
    }
    return new
  }

  /// A word ends at a space or a line break. Nil if nothing is left.
  private static func word(_ name: String) -> String? {
    let parts = name.split { $0 == " " || $0 == "\t" || $0.isNewline }
    return parts.isEmpty ? nil : parts.joined(separator: "_")
  }

  /// Those that iCalendar has one number for count as one.
  private static func isSame(_ old: Character?, _ new: Character) -> Bool {
    old.map { PriorityNumber($0).number } == PriorityNumber(new).number
  }

  /// The line without a priority at its beginning and a date at its end, which have fields of their own. They stay if
  /// the fields would not bring them back to the letter.
  static func lineWithoutFields(_ line: String) -> String {
    let notation = TodoNotation(line)
    var rest = line[...]
    if notation.priority != nil { rest = rest.dropping(4) }
    if let due = notation.due, rest.hasSuffix(" due:\(due.text)") { rest = Substring(rest.utf8.dropLast(15)) }
    var parts = ItemParts()
    parts.line = String(rest)
    parts.priority = notation.priority.map { PriorityNumber($0).letter }
    parts.due = notation.due
    return parts.text == line ? parts.line : line
  }
}

/// A priority in iCalendar: 1 for (A) to 9 for (I) and all below it.
struct PriorityNumber {
  let number: Int

  init(_ letter: Character) {
    number = letter.asciiValue.map { min(Int($0) - 64, 9) } ?? 0
  }

  /// Nil for a number that is none, and for 0, which means no priority.
  init?(_ text: some StringProtocol) {
    guard let number = Int(text), (1...9).contains(number) else { return nil }
    self.number = number
  }

  var letter: Character { Character(UnicodeScalar(UInt8(64 + number))) }
}
