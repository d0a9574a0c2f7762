/// Dates as people say them: `today`, `fri`, `+3d`, `12-24`, and their like in other languages.
package enum DueWords {
  package enum Meaning: Sendable, Hashable {
    case day(CalendarDay)
    /// No date at all.
    case never
  }

  /// What a word says on a certain day, without regard to case; nil when it says nothing known.
  ///
  /// A weekday is the next one, never today. `nextweek` is its Monday and `nextmonth` its first day. `3d`, `2w`, `1m` and
  /// `1y` count from today, with a `+` or without. `12-24` and `24.12.` are the next such day, today included.
  package static func meaning(of word: some StringProtocol, today: CalendarDay) -> Meaning? {
    let word = word.lowercased()
    if let name = names[word] { return name.meaning(today) }
    let day =
      CalendarDay(word) ?? distance(word, today) ?? date(word, "-", [.year, .month, .day], today)
      ?? date(word, ".", [.day, .month, .year], today)
    return day.map(Meaning.day)
  }

  /// True for what may still become a name: `tod`.
  static func isBeginning(_ word: some StringProtocol) -> Bool {
    let word = word.lowercased()
    return names.keys.contains { $0.hasPrefix(word) }
  }

  /// The text with its `due:` word as a date, so that every program reads the same day from it. `due:none` goes; a
  /// word that says nothing known stays as it is.
  package static func resolved(_ text: String, today: CalendarDay) -> String {
    guard let word = DueWord(text) else { return text }
    switch meaning(of: word.value, today: today) {
    case .day(let day): return TodoNotation.settingDue(day, in: text)
    case .never: return TodoNotation.removing(word.range, from: text)
    case nil: return text
    }
  }

  /// `3d`, `+2w`, `1m`, `1y`.
  private static func distance(_ word: String, _ today: CalendarDay) -> CalendarDay? {
    let digits = word.dropFirst(word.hasPrefix("+") ? 1 : 0).dropLast()
    guard let count = number(digits, atMost: 4) else { return nil }
    switch word.last {
    case "d": return today.adding(days: count)
    case "w": return today.adding(days: count * 7)
    case "m": return today.adding(months: count)
    case "y": return today.adding(months: count * 12)
    default: return nil
    }
  }

  private enum Part {
    case year, month, day
  }

  /// A date of numbers in this order. One without a year is the next such day; the 29th of February may take years.
  private static func date(
    _ word: String, _ separator: Character, _ order: [Part], _ today: CalendarDay
  ) -> CalendarDay? {
    var texts = word.split(separator: separator, omittingEmptySubsequences: false)
    if separator == ".", texts.count == 3, texts[2].isEmpty { texts.removeLast() }
    let parts = texts.count == 3 ? order : texts.count == 2 ? order.filter { $0 != .year } : []
    guard !parts.isEmpty else { return nil }
    var values: [Part: Int] = [:]
    for (part, text) in zip(parts, texts) {
      guard let number = number(text, atMost: part == .year ? 4 : 2), part != .year || text.count == 4 else {
        return nil
      }
      values[part] = number
    }
    guard let month = values[.month], let day = values[.day] else { return nil }
    if let year = values[.year] { return CalendarDay(year: year, month: month, day: day) }
    let candidates = (today.year...today.year + 8).lazy.compactMap { CalendarDay(year: $0, month: month, day: day) }
    return candidates.first { $0 >= today }
  }

  private static func number(_ text: Substring, atMost digits: Int) -> Int? {
    guard !text.isEmpty, text.utf8.count <= digits, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    return Int(text)
  }
}
