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

extension DueWords {
  enum Name {
    case daysAhead(Int)
    /// 1 for Monday to 7 for Sunday.
    case weekday(Int)
    case nextWeek, nextMonth, never

    func meaning(_ today: CalendarDay) -> Meaning {
      switch self {
      case .daysAhead(let days): .day(today.adding(days: days))
      case .weekday(let weekday): .day(today.adding(days: (weekday - today.weekday + 6) % 7 + 1))
      case .nextWeek: .day(today.adding(days: 8 - today.weekday))
      case .nextMonth: .day(today.adding(days: 1 - today.day).adding(months: 1))
      case .never: .never
      }
    }
  }

  /// English is always understood, and so are the other languages of the interface: whoever shares a list need not
  /// share a language.
  static let names: [String: Name] = {
    var names: [String: Name] = [:]
    for words in [english, spanish, japanese, chinese] { names.merge(words) { first, _ in first } }
    return names
  }()

  private static let english = table(
    today: ["today"], tomorrow: ["tomorrow", "tmr"], after: [], nextWeek: ["nextweek"], nextMonth: ["nextmonth"],
    never: ["none"],
    weekdays: [
      ["mon", "monday"], ["tue", "tues", "tuesday"], ["wed", "wednesday"], ["thu", "thurs", "thursday"],
      ["fri", "friday"], ["sat", "saturday"], ["sun", "sunday"],
    ])

  private static let spanish = table(
    today: ["hoy"], tomorrow: ["mañana", "manana"], after: ["pasadomañana", "pasadomanana"],
    nextWeek: ["próximasemana", "proximasemana"], nextMonth: ["próximomes", "proximomes"], never: ["nunca", "ninguna"],
    weekdays: [
      ["lun", "lunes"], ["mar", "martes"], ["mié", "mie", "miércoles", "miercoles"], ["jue", "jueves"],
      ["vie", "viernes"], ["sáb", "sab", "sábado", "sabado"], ["dom", "domingo"],
    ])

  private static let japanese = table(
    today: ["今日", "きょう"], tomorrow: ["明日", "あした", "あす"], after: ["明後日", "あさって"], nextWeek: ["来週"],
    nextMonth: ["来月"], never: ["なし", "無し"],
    weekdays: ["月", "火", "水", "木", "金", "土", "日"].map { [$0, $0 + "曜", $0 + "曜日"] })

  private static let chinese = table(
    today: ["今天"], tomorrow: ["明天"], after: ["後天", "后天"], nextWeek: ["下週", "下周"],
    nextMonth: ["下個月", "下个月", "下月"], never: ["無", "无"],
    weekdays: [["一"], ["二"], ["三"], ["四"], ["五"], ["六"], ["日", "天"]].map { days in
      ["週", "周", "星期", "禮拜", "礼拜"].flatMap { week in days.map { week + $0 } }
    })

  private static func table(
    today: [String], tomorrow: [String], after: [String], nextWeek: [String], nextMonth: [String], never: [String],
    weekdays: [[String]]
  ) -> [String: Name] {
    let rows: [([String], Name)] =
      [
        (today, .daysAhead(0)), (tomorrow, .daysAhead(1)), (after, .daysAhead(2)), (nextWeek, .nextWeek),
        (nextMonth, .nextMonth), (never, .never),
      ] + weekdays.enumerated().map { ($1, .weekday($0 + 1)) }
    return Dictionary(rows.flatMap { words, name in words.map { ($0, name) } }) { first, _ in first }
  }
}
