import OfflineSync

/// Days from the first to the last, as a filter names them: `fri`, `<=fri`, `mon..fri`, `2026-12`, `week`.
struct DayInterval {
  /// Nil for no limit.
  let first: CalendarDay?
  let last: CalendarDay?

  enum Flaw: Error {
    /// With more typed behind it, it may become one.
    case noDate(mayBecomeOne: Bool)
    /// It ends before it begins.
    case backwards
  }

  /// Which of the days with its name a word means: `fri` is the next one or the last one.
  enum Direction {
    /// As for the date of an item.
    case ahead
    /// As for what was done or made: today, or the last day before it.
    case back
    /// As for what is overdue: a day before today.
    case backFromYesterday
  }

  /// Words that mean all days before today.
  static let overdueWords: Set = ["overdue", "vencida", "vencidas", "期限切れ", "逾期", "過期"]

  /// True for words that name several days: `this week`.
  static func isSpan(_ words: String, today: CalendarDay) -> Bool {
    DayReader(today: today, direction: .ahead).span(words.lowercased()) != nil
  }

  /// Returns the day that words mean when they look in this direction from today; nil for words that are no single day.
  static func meaning(of words: String, today: CalendarDay, _ direction: Direction) -> DueWords.Meaning? {
    switch direction {
    case .ahead: DueWords.listedMeaning(of: words, today: today)
    case .back: DueWords.pastMeaning(of: words, today: today)
    case .backFromYesterday: DueWords.overdueMeaning(of: words, today: today)
    }
  }

  init(_ value: String, today: CalendarDay, _ direction: Direction) throws(Flaw) {
    let reader = DayReader(today: today, direction: direction)
    if let dots = value.firstRange(of: "..") {
      self = try Self.between(value[..<dots.lowerBound], value[dots.upperBound...], reader)
      return
    }
    for sign in ["<=", ">=", "=<", "=>", "<", ">", "="] where value.hasPrefix(sign) {
      let days = try reader.days(value.dropFirst(sign.count))
      switch sign {
      case "<": self.init(nil, days.lowerBound.adding(days: -1))
      case ">": self.init(days.upperBound.adding(days: 1), nil)
      case "<=", "=<": self.init(nil, days.upperBound)
      case ">=", "=>": self.init(days.lowerBound, nil)
      default: self.init(days.lowerBound, days.upperBound)
      }
      return
    }
    let days = try reader.days(value[...])
    self.init(days.lowerBound, days.upperBound)
  }

  private init(_ first: CalendarDay?, _ last: CalendarDay?) {
    self.first = first
    self.last = last
  }

  private static func between(_ from: Substring, _ to: Substring, _ reader: DayReader) throws(Flaw) -> DayInterval {
    guard !from.isEmpty || !to.isEmpty else { throw reader.noDate("..") }
    var first = from.isEmpty ? nil : try reader.days(from).lowerBound
    guard !to.isEmpty else { return DayInterval(first, nil) }
    var last = try reader.days(to).upperBound
    if let start = first, last < start {
      if !reader.isPast, DueWords.isWeekday(from), case .day(let day)? = DueWords.pastMeaning(of: from, today: last) {
        // `mon..fri` on a Wednesday: this week's.
        first = day
      } else if case .day(let day)? = DueWords.meaning(of: to, today: start),
        // `today` and `3d` are counted from today, wherever the days begin.
        DueWords.isWeekday(to) || day.days(since: start) != last.days(since: reader.today)
      {
        last = day
      }
    }
    if let first, last < first { throw .backwards }
    return DayInterval(first, last)
  }

  func condition(_ compare: (RowCondition.Relation, CalendarDay) -> RowCondition) -> RowCondition {
    if let first, first == last { return compare(.equal, first) }
    let from = first.map { compare(.greater, $0.adding(days: -1)) }
    let until = last.map { compare(.less, $0.adding(days: 1)) }
    return .all([from, until].compactMap(\.self))
  }
}

/// Reads what names a day or several: `fri`, `next week`.
private struct DayReader {
  let today: CalendarDay
  let direction: DayInterval.Direction

  var isPast: Bool { direction != .ahead }

  func days(_ word: Substring) throws(DayInterval.Flaw) -> ClosedRange<CalendarDay> {
    if let span = span(String(word)) { return span }
    // `2026-11-2` is on the way to `2026-11-27`.
    let isDateBegun = word.utf8.count == 9 && CalendarDay(word.dropLast() + "0" + word.suffix(1)) != nil
    if isDateBegun { throw noDate(word) }
    guard case .day(let day)? = DayInterval.meaning(of: String(word), today: today, direction) else {
      throw noDate(word)
    }
    return day...day
  }

  /// Words for several days. `week` is the seven from today on, `this week` that of the calendar.
  func span(_ word: String) -> ClosedRange<CalendarDay>? {
    if DueWords.isWeekend(word) { return weekend }
    switch DueWords.joined(word) {
    case "week", "semana", "今週", "週", "本週", "本周", "這週":
      return isPast ? today.adding(days: -6)...today : today...today.adding(days: 6)
    case "thisweek", "estasemana": return week(from: today.adding(days: 1 - today.weekday))
    case "month", "thismonth", "mes", "estemes", "今月", "本月", "這個月": return month(of: today)
    case "nextweek", "próximasemana", "proximasemana", "来週", "下週", "下周":
      return week(from: today.adding(days: 8 - today.weekday))
    case "nextmonth", "próximomes", "proximomes", "来月", "下個月", "下月":
      return month(of: month(of: today).upperBound.adding(days: 1))
    case "lastweek", "semanapasada", "lasemanapasada", "先週", "上週", "上周", "上星期", "上禮拜":
      return week(from: today.adding(days: -6 - today.weekday))
    case "lastmonth", "mespasado", "elmespasado", "先月", "上個月", "上月":
      return month(of: today.adding(days: -today.day))
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

  private func week(from monday: CalendarDay) -> ClosedRange<CalendarDay> { monday...monday.adding(days: 6) }

  /// Saturday and Sunday of this week, which ends on Sunday. Looking back before Saturday, those of the week before.
  private var weekend: ClosedRange<CalendarDay> {
    let days = 6 - today.weekday
    let saturday = today.adding(days: isPast && days > 0 ? days - 7 : days)
    return saturday...saturday.adding(days: 1)
  }

  private func month(of day: CalendarDay) -> ClosedRange<CalendarDay> {
    let first = day.adding(days: 1 - day.day)
    return first...first.adding(months: 1).adding(days: -1)
  }

  func noDate(_ word: some StringProtocol) -> DayInterval.Flaw { .noDate(mayBecomeOne: mayBecomeDate(String(word))) }

  /// `tod`, `+`, `12`, `2026-1`.
  private func mayBecomeDate(_ word: String) -> Bool {
    let word = word.drop { "<>=".contains($0) }
    let spans = ["week", "month", "lastweek", "lastmonth", "semana", "mes"]
    let names = spans + (isPast ? [] : Array(DayInterval.overdueWords))
    return names.contains { $0.hasPrefix(word) } || DueWords.isBeginning(word) || word.hasSuffix(".")
      || word.utf8.allSatisfy { (UInt8(ascii: "+")...UInt8(ascii: "9")).contains($0) }
  }
}
