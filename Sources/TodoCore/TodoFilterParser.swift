import OfflineSync
import TableProtocol

/// Reads a filter from left to right.
///
///     filter  = either
///     either  = all (("|" | "OR") all)*
///     all     = one ("AND"? one)*
///     one     = ("!" | "NOT") one | "(" either ")" | word | phrase
///
/// `OR`, `AND` and `NOT` are signs in capitals and as words of their own, `OR` and `AND` between two others.
struct TodoFilterParser {
  let text: [Character]
  let today: CalendarDay
  private var place = 0
  /// Parentheses and `!` around this place, and parentheses alone.
  private var depth = 0
  private var groups = 0
  private var words = 0
  var namesDone = false
  var dates: [FilterDate] = []

  private static let deepest = 20
  private static let mostWords = 100
  /// Longer words are looked for by their beginning.
  static let longestWord = 200

  init(_ text: String, today: CalendarDay) {
    self.text = WideFilter.narrowed(Array(text))
    self.today = today
  }

  mutating func whole() throws(FilterProblem) -> RowCondition? {
    skipSpaces()
    guard place < text.count else { return nil }
    let condition = try either()
    guard place == text.count else { throw problem(.unopened, place..<place + 1, isUnfinished: false) }
    return condition
  }

  private mutating func either() throws(FilterProblem) -> RowCondition {
    var conditions = [try all(after: place..<place)]
    while let sign = orSign {
      place = sign.upperBound
      conditions.append(try all(after: sign))
    }
    return conditions.count == 1 ? conditions[0] : .any(conditions)
  }

  /// `before` is the sign that needs something behind it.
  private mutating func all(after before: Range<Int>) throws(FilterProblem) -> RowCondition {
    var conditions: [RowCondition] = []
    while true {
      skipSpaces()
      guard place < text.count, orSign == nil, text[place] != ")" else { break }
      if !conditions.isEmpty, let sign = sign("AND") {
        place = sign.upperBound
        skipSpaces()
        guard place < text.count, orSign == nil, text[place] != ")" else { throw nothing(at: sign) }
      }
      conditions.append(try one())
    }
    if conditions.isEmpty { throw nothing(at: before) }
    return conditions.count == 1 ? conditions[0] : .all(conditions)
  }

  /// `|`, or `OR` as a word of its own, if that stands here.
  private var orSign: Range<Int>? {
    guard place < text.count else { return nil }
    return text[place] == "|" ? place..<place + 1 : place > 0 && isSpace(text[place - 1]) ? sign("OR") : nil
  }

  /// The place of this word, if it stands here as one of its own.
  private func sign(_ word: String) -> Range<Int>? {
    let end = place + word.count
    guard end <= text.count, text[place..<end].elementsEqual(word), end == text.count || isSpace(text[end]) else {
      return nil
    }
    return place..<end
  }

  private mutating func one(isNegated: Bool = false) throws(FilterProblem) -> RowCondition {
    let start = place
    words += 1
    guard words <= Self.mostWords, depth < Self.deepest else {
      throw problem(.tooLong, start..<text.count, isUnfinished: false)
    }
    if text[place] == "(", priorityEnd == nil { return try group() }
    if text[place] == "\"" { return try phrase() }
    let not = sign("NOT")
    guard text[place] == "!" || not != nil else { return try word(isNegated: isNegated) }
    place = not?.upperBound ?? place + 1
    if not != nil { skipSpaces() }
    guard place < text.count, !isSpace(text[place]), orSign == nil, text[place] != ")" else {
      throw problem(.nothingThere, start..<(not?.upperBound ?? place), isUnfinished: place == text.count)
    }
    depth += 1
    defer { depth -= 1 }
    return .not(try one(isNegated: true))
  }

  private mutating func group() throws(FilterProblem) -> RowCondition {
    let start = place
    place += 1
    depth += 1
    groups += 1
    defer { (depth, groups) = (depth - 1, groups - 1) }
    skipSpaces()
    guard place < text.count else { throw problem(.unclosed, start..<start + 1, isUnfinished: true) }
    if text[place] == ")" { throw problem(.nothingThere, start..<place + 1, isUnfinished: false) }
    let condition = try either()
    guard place < text.count else { throw problem(.unclosed, start..<start + 1, isUnfinished: true) }
    place += 1
    return condition
  }

  /// Nothing stands at the beginning, after a `|`, or between two of them.
  private func nothing(at sign: Range<Int>) -> FilterProblem {
    if !sign.isEmpty { return problem(.nothingThere, sign, isUnfinished: place == text.count) }
    let isClosing = place < text.count && text[place] == ")"
    return problem(
      isClosing && groups == 0 ? .unopened : .nothingThere, place..<min(text.count, place + 1), isUnfinished: false)
  }

  func problem(
    _ reason: FilterProblem.Reason, _ range: Range<Int>, isUnfinished: Bool? = nil
  ) -> FilterProblem {
    FilterProblem(
      reason: reason, place: range, word: String(text[range]),
      isUnfinished: isUnfinished ?? (range.upperBound == text.count))
  }

  private mutating func skipSpaces() {
    while place < text.count, isSpace(text[place]) { place += 1 }
  }

  private func isSpace(_ character: Character) -> Bool { character.isWhitespace || character == "\0" }
}

// MARK: Words

extension TodoFilterParser {
  /// The place behind `(A)`, if that is a word of its own here.
  private var priorityEnd: Int? {
    guard place + 2 < text.count, text[place] == "(", text[place + 2] == ")", text[place + 1].isASCII,
      text[place + 1].isLetter
    else {
      return nil
    }
    let end = place + 3
    return end == text.count || isSpace(text[end]) || text[end] == "|" || text[end] == ")" ? end : nil
  }

  private mutating func word(isNegated: Bool) throws(FilterProblem) -> RowCondition {
    if let end = priorityEnd {
      defer { place = end }
      return .compare(.priority, .equal, text[place + 1].uppercased())
    }
    let start = place
    let isQuoted = text[place] == "'"
    if let end = endOfQuotedValue(from: start) { place = end } else { try skipWord(isQuoted: isQuoted) }
    let word = String(text[start..<place].prefix(Self.longestWord))
    if isQuoted {
      guard word.count > 1 else { throw problem(.nothingThere, start..<place) }
      return Self.quoted(word.dropFirst())
    }
    if isLeftOutByHyphen(start..<place) { throw problem(.hyphen, start..<place, isUnfinished: false) }
    if word.hasPrefix("+") || word.hasPrefix("@") { return Self.text(word, .wordBeginning) }
    place = try endOfDate(start..<place)
    if let keyed = try keyed(start..<place) { return keyed }
    return Self.text(word, !isNegated && Self.mayBeLoose(word) ? .loosely : .contained)
  }

  /// `"oat milk"`: the letters as they stand, with their spaces. Without a closing quote it goes to the end of the
  /// filter.
  private mutating func phrase() throws(FilterProblem) -> RowCondition {
    let start = place
    let end = text[(start + 1)...].firstIndex(of: "\"") ?? text.count
    place = min(text.count, end + 1)
    let words = text[start + 1..<end]
    guard words.contains(where: { !isSpace($0) }) else { throw problem(.nothingThere, start..<place) }
    return Self.text(String(words.prefix(Self.longestWord)), .contained)
  }

  /// Behind `due:wed` also `2 dec` belongs to it: as many words as make a date with it, or a range of two.
  private func endOfDate(_ word: Range<Int>) throws(FilterProblem) -> Int {
    guard let colon = text[word].firstIndex(where: \.isColon),
      let direction = self.direction(behind: text[word.lowerBound..<colon])
    else { return word.upperBound }
    let value = text[(colon + 1)..<word.upperBound].drop { "<>=".contains($0) }
    guard !value.isEmpty else { return word.upperBound }
    let more = text[word.upperBound...].prefix { !"|()!'\"".contains($0) }.split(separator: " ")
    let words = ([value] + more).map { Substring($0) }
    guard let found = dateWords(in: words, direction), found.count > 1 else { return word.upperBound }
    let end = more[found.count - 2].endIndex
    if !found.areDays { throw problem(.noDate, word.lowerBound..<end) }
    return end
  }

  /// How many of the words, from the first on, are a date or a range of two, and whether there are such days:
  /// `20 days ago..3 days ago`. Nil if they begin with no date.
  private func dateWords(in words: [Substring], _ direction: DayInterval.Direction) -> (count: Int, areDays: Bool)? {
    guard let place = words.firstIndex(where: { $0.firstRange(of: "..") != nil }),
      let dots = words[place].firstRange(of: "..")
    else { return longestDate(in: words, direction) }
    let from: [Substring] = Array(words[..<place]) + [words[place][..<dots.lowerBound]]
    var areDays = true
    if place > 0 || !from[0].isEmpty {
      guard !from[place].isEmpty, let first = longestDate(in: from, direction), first.count == from.count else {
        return longestDate(in: words, direction)
      }
      areDays = first.areDays
    }
    let to: [Substring] = [words[place][dots.upperBound...]] + Array(words[(place + 1)...])
    guard !to[0].isEmpty, let last = longestDate(in: to, direction) else {
      return (count: place + 1, areDays: areDays)
    }
    return (count: place + last.count, areDays: areDays && last.areDays)
  }

  private func longestDate(in words: [Substring], _ direction: DayInterval.Direction) -> (count: Int, areDays: Bool)? {
    let found = DueWords.longest(in: words, today: today) {
      DayInterval.meaning(of: $0, today: today, direction)
        ?? (DayInterval.isSpan($0, today: today) ? .day(today) : nil)
    }
    return found.map { (count: $0.count, areDays: $0.meaning != nil) }
  }

  /// Parentheses inside a word belong to it when they are a pair: `call(Léo)`. In a quoted word others do too.
  private mutating func skipWord(isQuoted: Bool) throws(FilterProblem) {
    var opened: [Int] = []
    while place < text.count, !isSpace(text[place]) {
      switch text[place] {
      case "|" where !isQuoted: return try checkClosed(opened, isQuoted)
      case "(": opened.append(place)
      case ")" where !opened.isEmpty: opened.removeLast()
      case ")" where groups > 0 || !isQuoted: return
      default: break
      }
      place += 1
    }
    try checkClosed(opened, isQuoted)
  }

  private func checkClosed(_ opened: [Int], _ isQuoted: Bool) throws(FilterProblem) {
    guard let first = opened.first, !isQuoted else { return }
    throw problem(.unclosed, first..<first + 1, isUnfinished: true)
  }

  /// As it stands; a project or a context as a whole.
  private static func quoted(_ word: Substring) -> RowCondition {
    text(word, word.count > 1 && (word.first == "+" || word.first == "@") ? .wholeWord : .contained)
  }

  static func text(_ word: some StringProtocol, _ fit: TextPattern.Fit) -> RowCondition {
    .fits(column: TodoColumn.text, TextPattern(String(word), fit))
  }

  /// Two letters would fit nearly everything. Nor is it for scripts that set no spaces between words, where a whole
  /// sentence would count as one.
  private static func mayBeLoose(_ word: String) -> Bool {
    word.count >= 3 && word.unicodeScalars.allSatisfy { $0.properties.isAlphabetic && $0.value < 0x0E00 }
  }
}
