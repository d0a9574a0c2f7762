import OfflineSync
import TableProtocol

/// The typed filter as a condition on rows.
///
/// Every list and every command reads a filter through this. A word that is not understood is an error with its place,
/// and never a match for everything.
package struct TodoFilter: Sendable, Hashable {
  /// Nil for an empty filter.
  let condition: RowCondition?
  /// It asks when something was done: then the open items are not all there is to look at.
  let namesDone: Bool
  /// The dates in it, in their order.
  package let dates: [FilterDate]

  package init(_ text: String, today: CalendarDay) throws(FilterProblem) {
    var parser = FilterParser(text, today: today)
    condition = try parser.whole()
    namesDone = parser.namesDone
    dates = parser.dates
  }

  /// Why a filter can't be used; nil for one that can.
  package static func problem(in text: String, today: CalendarDay) -> FilterProblem? {
    do throws(FilterProblem) {
      _ = try TodoFilter(text, today: today)
      return nil
    } catch {
      return error
    }
  }
}

/// The days that a word of a filter means.
package struct FilterDate: Sendable, Hashable {
  /// The characters of the word, from 0.
  package let place: Range<Int>
  /// Nil for no limit.
  package let first: CalendarDay?
  package let last: CalendarDay?
}

/// Why a filter can't be used, and where.
package struct FilterProblem: Error, Sendable, Hashable {
  package enum Reason: Sendable, Hashable {
    /// The text after a key such as `due:` is no date.
    case noDate
    /// The range ends before it begins.
    case backwards
    /// A parenthesis is not closed, or not opened.
    case unclosed, unopened
    /// A `|` or a `!` has nothing beside it, or a pair of parentheses has nothing in it.
    case nothingThere
    /// More words or parentheses than a filter may have.
    case tooLong
  }

  package let reason: Reason
  /// The characters of the filter that are not understood, from 0.
  package let place: Range<Int>
  /// The same as a text.
  package let word: String
  /// It may still become something: it is the end of the filter, and more can be typed.
  package let isUnfinished: Bool
}

/// Reads a filter from left to right.
///
///     filter  = either
///     either  = all ("|" all)*
///     all     = one one*
///     one     = "!" one | "(" either ")" | word
struct FilterParser {
  private let text: [Character]
  private let today: CalendarDay
  private var place = 0
  /// Parentheses and `!` around this place, and parentheses alone.
  private var depth = 0
  private var groups = 0
  private var words = 0
  private(set) var namesDone = false
  private(set) var dates: [FilterDate] = []

  private static let deepest = 20
  private static let mostWords = 100
  /// Longer words are looked for by their beginning.
  private static let longestWord = 200

  init(_ text: String, today: CalendarDay) {
    self.text = Array(text)
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
    while place < text.count, text[place] == "|" {
      place += 1
      conditions.append(try all(after: place - 1..<place))
    }
    return conditions.count == 1 ? conditions[0] : .any(conditions)
  }

  /// `before` is the sign that needs something behind it.
  private mutating func all(after before: Range<Int>) throws(FilterProblem) -> RowCondition {
    var conditions: [RowCondition] = []
    while true {
      skipSpaces()
      guard place < text.count, text[place] != "|", text[place] != ")" else { break }
      conditions.append(try one())
    }
    if conditions.isEmpty { throw nothing(at: before) }
    return conditions.count == 1 ? conditions[0] : .all(conditions)
  }

  private mutating func one(isNegated: Bool = false) throws(FilterProblem) -> RowCondition {
    let start = place
    words += 1
    guard words <= Self.mostWords, depth < Self.deepest else {
      throw problem(.tooLong, start..<text.count, isUnfinished: false)
    }
    if text[place] == "(", priorityEnd == nil { return try group() }
    guard text[place] == "!" else { return try word(isNegated: isNegated) }
    place += 1
    guard place < text.count, !isSpace(text[place]), text[place] != "|", text[place] != ")" else {
      throw problem(.nothingThere, start..<place)
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

  private func problem(
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

extension FilterParser {
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
    try skipWord(isQuoted: isQuoted)
    let word = String(text[start..<place].prefix(Self.longestWord))
    if isQuoted {
      guard word.count > 1 else { throw problem(.nothingThere, start..<place) }
      return Self.quoted(word.dropFirst())
    }
    if word.hasPrefix("+") || word.hasPrefix("@") { return Self.text(word, .wordBeginning) }
    if let keyed = try keyed(start..<place) { return keyed }
    return Self.text(word, !isNegated && Self.mayBeLoose(word) ? .loosely : .contained)
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

  private static func text(_ word: some StringProtocol, _ fit: TextPattern.Fit) -> RowCondition {
    .fits(column: TodoColumn.text, TextPattern(String(word), fit))
  }

  /// Two letters would fit nearly everything. Nor is it for scripts that set no spaces between words, where a whole
  /// sentence would count as one.
  private static func mayBeLoose(_ word: String) -> Bool {
    word.count >= 3 && word.unicodeScalars.allSatisfy { $0.properties.isAlphabetic && $0.value < 0x0E00 }
  }
}

// MARK: Words with a key

extension FilterParser {
  private enum Key {
    case due, overdue, created, done, note

    init?(_ name: String) {
      switch name {
      case _ where DueKey.dueNames.contains(name): self = .due
      case _ where DueKey.overdueNames.contains(name): self = .overdue
      case "created", "creada", "creado", "作成", "建立": self = .created
      case "done", "hecha", "hecho", "完了", "完成": self = .done
      case "note", "nota", "メモ", "備註", "备注": self = .note
      default: return nil
      }
    }
  }

  /// Nil for a word without a key.
  private mutating func keyed(_ range: Range<Int>) throws(FilterProblem) -> RowCondition? {
    let characters = text[range]
    guard let colon = characters.firstIndex(where: { $0 == ":" || $0 == "：" }),
      let key = Key(String(characters[..<colon]).lowercased())
    else { return nil }
    let value = String(characters[(colon + 1)...]).lowercased()
    switch key {
    case .note:
      let written = String(characters[(colon + 1)...].prefix(Self.longestWord))
      return value.isEmpty ? Self.text("\n", .contained) : Self.text(written, .belowFirstLine)
    case .due, .overdue:
      if value.isEmpty { return key == .due ? .has(.due) : .compare(.due, .less, today.text) }
      if Self.overdueWords.contains(value) { return .compare(.due, .less, today.text) }
      if case .never? = DueWords.meaning(of: value, today: today) { return .not(.has(.due)) }
      let days = try interval(value, range, isPast: false)
      dates.append(FilterDate(place: range, first: days.first, last: days.last))
      return days.condition { .compare(.due, $0, $1.text) }
    case .created:
      let created = RowValue.column(SystemColumn.createdAt)
      return try moments(value, range) { .all([.not(.compare(created, .less, $0)), .compare(created, .less, $1)]) }
    case .done:
      namesDone = true
      let isDone = RowCondition.matches(.compare(TodoColumn.complete, .equal, .bool(true)))
      if value.isEmpty { return isDone }
      return .all([isDone, try moments(value, range) { .changed(from: $0, before: $1) }])
    }
  }

  private static let overdueWords: Set = ["overdue", "vencida", "vencidas", "期限切れ", "逾期", "過期"]

  /// The days as moments in the time zone of the process, from the first to the one after the last.
  private mutating func moments(
    _ value: String, _ range: Range<Int>, _ condition: (String, String) -> RowCondition
  ) throws(FilterProblem) -> RowCondition {
    let days = try interval(value, range, isPast: true)
    dates.append(FilterDate(place: range, first: days.first, last: days.last))
    return condition(
      days.first?.start.text ?? "", days.last?.adding(days: 1).start.text ?? RowValue.absent)
  }

  /// Days from the first to the last; nil for no limit.
  private struct Interval {
    var first: CalendarDay?
    var last: CalendarDay?

    func condition(_ compare: (RowCondition.Relation, CalendarDay) -> RowCondition) -> RowCondition {
      if let first, first == last { return compare(.equal, first) }
      let from = first.map { compare(.greater, $0.adding(days: -1)) }
      let until = last.map { compare(.less, $0.adding(days: 1)) }
      return .all([from, until].compactMap(\.self))
    }
  }

  /// `fri`, `<=fri`, `mon..fri`, `2026-12`, `week`.
  private func interval(_ value: String, _ range: Range<Int>, isPast: Bool) throws(FilterProblem) -> Interval {
    if let dots = value.firstRange(of: "..") {
      let (from, to) = (value[..<dots.lowerBound], value[dots.upperBound...])
      guard !from.isEmpty || !to.isEmpty else { throw noDate(value, range, isPast) }
      let first = from.isEmpty ? nil : try days(from, range, isPast).lowerBound
      guard !to.isEmpty else { return Interval(first: first, last: nil) }
      var last = try days(to, range, isPast).upperBound
      // `mon..fri` on a Wednesday: the Friday after that Monday.
      if let first, last < first, !isPast, case .day(let day)? = DueWords.meaning(of: to, today: first) { last = day }
      if let first, last < first { throw problem(.backwards, range) }
      return Interval(first: first, last: last)
    }
    for sign in ["<=", ">=", "=<", "=>", "<", ">", "="] where value.hasPrefix(sign) {
      let days = try days(value.dropFirst(sign.count), range, isPast)
      switch sign {
      case "<": return Interval(first: nil, last: days.lowerBound.adding(days: -1))
      case ">": return Interval(first: days.upperBound.adding(days: 1), last: nil)
      case "<=", "=<": return Interval(first: nil, last: days.upperBound)
      case ">=", "=>": return Interval(first: days.lowerBound, last: nil)
      default: return Interval(first: days.lowerBound, last: days.upperBound)
      }
    }
    let days = try days(value[...], range, isPast)
    return Interval(first: days.lowerBound, last: days.upperBound)
  }

  private func days(
    _ word: Substring, _ range: Range<Int>, _ isPast: Bool
  ) throws(FilterProblem) -> ClosedRange<CalendarDay> {
    if let span = span(String(word), isPast) { return span }
    // `2026-11-2` is on the way to `2026-11-27`.
    let isDateBegun = word.utf8.count == 9 && CalendarDay(word.dropLast() + "0" + word.suffix(1)) != nil
    if isDateBegun { throw noDate(String(word), range, isPast) }
    let meaning = isPast ? DueWords.pastMeaning(of: word, today: today) : DueWords.meaning(of: word, today: today)
    guard case .day(let day)? = meaning else { throw noDate(String(word), range, isPast) }
    return day...day
  }

  /// Words for several days.
  private func span(_ word: String, _ isPast: Bool) -> ClosedRange<CalendarDay>? {
    switch word {
    case "week", "semana", "今週", "週", "本週", "本周", "這週":
      return isPast ? today.adding(days: -6)...today : today...today.adding(days: 6)
    case "month", "mes", "今月", "本月", "這個月": return month(of: today)
    case "nextweek", "next-week", "próximasemana", "proximasemana", "来週", "下週", "下周":
      let monday = today.adding(days: 8 - today.weekday)
      return monday...monday.adding(days: 6)
    case "nextmonth", "next-month", "próximomes", "proximomes", "来月", "下個月", "下月":
      return month(of: month(of: today).upperBound.adding(days: 1))
    default: break
    }
    let parts = word.split(separator: "-", omittingEmptySubsequences: false)
    guard let year = parts.first, year.utf8.count == 4, let number = DueWords.number(year, atMost: 4) else {
      return nil
    }
    if parts.count == 1, let first = CalendarDay(year: number, month: 1, day: 1) {
      return first...month(of: first.adding(months: 11)).upperBound
    }
    guard parts.count == 2, parts[1].utf8.count == 2, let second = DueWords.number(parts[1], atMost: 2),
      let first = CalendarDay(year: number, month: second, day: 1)
    else { return nil }
    return month(of: first)
  }

  private func month(of day: CalendarDay) -> ClosedRange<CalendarDay> {
    let first = day.adding(days: 1 - day.day)
    return first...first.adding(months: 1).adding(days: -1)
  }

  private func noDate(_ word: String, _ range: Range<Int>, _ isPast: Bool) -> FilterProblem {
    problem(.noDate, range, isUnfinished: range.upperBound == text.count && Self.mayBecomeDate(word, isPast))
  }

  /// `tod`, `+`, `12`, `2026-1`.
  private static func mayBecomeDate(_ word: String, _ isPast: Bool) -> Bool {
    let word = word.drop { "<>=".contains($0) }
    let names = ["week", "month", "semana", "mes"] + (isPast ? [] : Array(overdueWords))
    return names.contains { $0.hasPrefix(word) } || DueWords.isBeginning(word) || word.hasSuffix(".")
      || word.utf8.allSatisfy { (UInt8(ascii: "+")...UInt8(ascii: "9")).contains($0) }
  }
}
