/// Dates as people say them: `today`, `fri`, `+3d`, `24 dec`, and their like in other languages.
///
/// English is always understood, and so are the other languages of the interface: people who share a list need not
/// share a language.
package enum DueWords {
  package enum Meaning: Sendable, Hashable {
    case day(CalendarDay)
    /// No date at all.
    case never
  }

  /// Returns the day that a word means on a given day, in any case; nil for an unknown word.
  ///
  /// A weekday is the next one, never today; `this fri` may be today, and `next fri` is that of the next week, which
  /// begins on Monday. `eow` is the Friday to come, today included, `eom` the last day of the month. `3d`, `2w`, `1m`,
  /// `1y`, `+3` and `in 3 days` count from today. `12-24`, `24.12.`, `24 dec`, `24th` are the next such day, today
  /// included. A date may have its weekday beside it, as in `thu 24 dec`, and then only a right one. Spaces and hyphens
  /// between the parts do not matter, nor whether digits are wide.
  package static func meaning(of word: some StringProtocol, today: CalendarDay) -> Meaning? {
    let word = narrow(word.lowercased())
    if let name = name(word) { return name.meaning(today) }
    let day = CalendarDay(word) ?? numbers(word, today) ?? DueParts(word).day(today)
    return day.map(Meaning.day)
  }

  /// The words of a text that are a date: the first `count`, as many as make one together
  /// (`mié 2 de diciembre de 2026`). The meaning is nil where they are written as a date and there is no such day,
  /// or `read` does not allow it: `31 nov`, `thu 2 dec` on a Wednesday. Nil if the text begins with no date. `read`
  /// reads one candidate.
  static func longest(
    in words: [Substring], today: CalendarDay, read: (String) -> Meaning?
  ) -> (count: Int, meaning: Meaning?)? {
    for count in (1...mostWords).reversed() where count <= words.count && !isLink(words[count - 1]) {
      let text = words.prefix(count).joined(separator: " ")
      if let meaning = read(text) { return (count, meaning) }
      let parts = DueParts(narrow(text.lowercased()))
      if parts.day(today) != nil || parts.looksLikeDate(today) { return (count, nil) }
    }
    return nil
  }

  private static let mostWords = 6

  /// The day that words mean but for their weekday, if that is a wrong one: the 2nd for `thu 2 dec` on a Wednesday. The
  /// key of a date before them is passed over.
  package static func dayOfOtherWeekday(_ words: String, today: CalendarDay) -> CalendarDay? {
    let value = DueKey.split(words[...])?.value ?? words[...]
    let parts = DueParts(narrow(value.lowercased()))
    return parts.day(today) == nil ? parts.dayBesideWeekday(today) : nil
  }

  /// The key of words that have today or a later day behind `overdue:`, as typed: `vencida` of `vencida:mañana`.
  /// Nil for other words.
  package static func keyBeforeDayToCome(_ words: String, today: CalendarDay) -> String? {
    guard let (key, value) = DueKey.split(words[...]), key == .overdue, TypedDue(words, today: today)?.meaning == nil,
      case .day(let day)? = TypedDue("due:\(value)", today: today)?.meaning, day >= today
    else { return nil }
    return String(words.prefix { !$0.isColon })
  }

  /// A word that stands between the parts of a date, and never at its end: `of`.
  private static func isLink(_ word: Substring) -> Bool { DueParts.links.contains(word.lowercased()) }

  /// Returns the day that a word means in a filter: as `meaning(of:today:)` reads it, or a past day of this year beside
  /// its weekday, as a list shows it. `fri 18 sep` is past in November. A list shows the year if it is another one.
  static func listedMeaning(of word: some StringProtocol, today: CalendarDay) -> Meaning? {
    if let meaning = meaning(of: word, today: today) { return meaning }
    let day = DueParts(narrow(word.lowercased())).lastBesideWeekday(today)
    return day.flatMap { $0.year == today.year ? .day($0) : nil }
  }

  /// Returns the day that a word means as a date of something past, such as what was done, made or due; nil for an
  /// unknown word.
  ///
  /// A weekday is the last one, today included, `3d` is three days ago, `12-24` the last such day, unless a weekday
  /// beside it says that it is to come. `24th` is that of this month or of the last month that has such a day.
  /// `tomorrow` and a date with its year keep their day. Nil for a distance that says that it lies ahead: `in 3 days`,
  /// `+3`.
  static func pastMeaning(of word: some StringProtocol, today: CalendarDay) -> Meaning? {
    let word = narrow(word.lowercased())
    let meaning = listedMeaning(of: word, today: today)
    guard case .day(let day)? = meaning, day > today else { return meaning }
    switch name(word) {
    case .weekday, .weekdayFromToday: return .day(day.adding(days: -7))
    case .daysAhead, .weekdayOfNextWeek, .weekdayAndWeek, .weekend, .endOfWeek, .endOfMonth, .endOfYear, .nextWeek,
      .nextMonth, .never, nil:
      break
    }
    let parts = DueParts(word)
    if let distance = parts.distance(today) { return distance.back.map(Meaning.day) }
    if parts.dayBesideWeekday(today) == day { return .day(day) }
    if let last = parts.lastDayOfMonth(today) { return .day(last) }
    let digits = word.split { !$0.isASCII || !$0.isNumber }
    // The last is `24.12.26`.
    let hasYear = digits.contains { $0.count == 4 } || digits.count == 3 && word.contains(".")
    if hasYear || name(word) != nil { return .day(day) }
    return last(month: day.month, day: day.day, today).map(Meaning.day)
  }

  /// Returns the day that a word means as the date of an overdue item: as `pastMeaning` reads it, but a weekday is the
  /// last one before today. Today is not overdue.
  static func overdueMeaning(of word: some StringProtocol, today: CalendarDay) -> Meaning? {
    let meaning = pastMeaning(of: word, today: today)
    return isWeekday(word) && meaning == .day(today) ? .day(today.adding(days: -7)) : meaning
  }

  static func isWeekday(_ word: some StringProtocol) -> Bool {
    if case .weekday? = name(narrow(word.lowercased())) { true } else { false }
  }

  /// True for the words for Saturday and Sunday together. As a date they are the Saturday.
  static func isWeekend(_ word: some StringProtocol) -> Bool {
    if case .weekend? = name(narrow(word.lowercased())) { true } else { false }
  }

  /// True for what may still become a name: `tod`.
  static func isBeginning(_ word: some StringProtocol) -> Bool {
    let word = joined(narrow(word.lowercased()))
    return names.keys.contains { $0.hasPrefix(word) } || DueParts.months.keys.contains { $0.hasPrefix(word) }
      || (nextWords + thisWords).contains { lead in
        lead.hasPrefix(word)
          || (word.hasPrefix(lead) && names.keys.contains { $0.hasPrefix(word.dropFirst(lead.count)) })
      }
  }

  /// Digits and signs of East Asian keyboards, which are as wide as a letter there, as those of ASCII.
  package static func narrow(_ word: String) -> String {
    let wide = WideSigns.printable
    guard word.unicodeScalars.contains(where: { wide.contains($0) || $0 == WideSigns.space }) else { return word }
    let scalars = word.unicodeScalars.map { scalar in
      scalar == WideSigns.space ? " " : wide.contains(scalar) ? Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar : scalar
    }
    return String(String.UnicodeScalarView(scalars))
  }

  /// Without what may stand between the parts of a date.
  static func joined(_ word: String) -> String { word.filter { !" -_".contains($0) } }

  private static func name(_ word: String) -> Name? {
    let word = joined(word)
    if let name = nameWithoutArticle(word) { return name }
    guard let article = articles.first(where: { word.hasPrefix($0) }) else { return nil }
    return nameWithoutArticle(String(word.dropFirst(article.count)))
  }

  private static func nameWithoutArticle(_ word: String) -> Name? {
    if let name = names[word] { return name }
    if let weekday = weekday(word, after: nextWords) ?? weekday(word, before: nextEndings) {
      return .weekdayOfNextWeek(weekday)
    }
    if let weekday = weekday(word, after: thisWords) { return .weekdayFromToday(weekday) }
    // `next week fri`; `fri week` is another day than `fri next week`.
    if let weekday = weekday(word, after: ["nextweek"]) { return .weekdayOfNextWeek(weekday) }
    return weekday(word, before: ["week"]).map { .weekdayAndWeek($0) }
  }

  /// The weekday that stands behind one of the leads, from 1.
  private static func weekday(_ word: String, after leads: [String]) -> Int? {
    for lead in leads where word.hasPrefix(lead) {
      if case .weekday(let weekday)? = names[String(word.dropFirst(lead.count))] { return weekday }
    }
    return nil
  }

  /// The weekday that stands before one of the endings, from 1.
  private static func weekday(_ word: String, before endings: [String]) -> Int? {
    for ending in endings where word.hasSuffix(ending) {
      if case .weekday(let weekday)? = names[String(word.dropLast(ending.count))] { return weekday }
    }
    return nil
  }

  enum Part {
    case year, month, day
  }

  /// `2026-12-24`, `12-24`, `24.12.`, `24.12.26`; with a slash only what can be read in one way.
  private static func numbers(_ word: String, _ today: CalendarDay) -> CalendarDay? {
    date(word, "-", [.year, .month, .day], today) ?? date(word, ".", [.day, .month, .year], today)
      ?? slashed(word, today)
  }

  /// `2026/12/24`, `24/12`, `12/24`. `3/4` is the third of April for some and the fourth of March for others.
  private static func slashed(_ word: String, _ today: CalendarDay) -> CalendarDay? {
    let isYearFirst = word.prefix { $0 != "/" }.count == 4
    return isYearFirst ? date(word, "/", [.year, .month, .day], today) : SlashedDate(word, today: today)?.onlyDay
  }

  /// A date of numbers in this order. One without a year is the next such day. Between points the year may have two
  /// digits, since there the day always comes first.
  static func date(
    _ word: String, _ separator: Character, _ order: [Part], _ today: CalendarDay
  ) -> CalendarDay? {
    var texts = word.split(separator: separator, omittingEmptySubsequences: false)
    if separator == ".", texts.count == 3, texts[2].isEmpty { texts.removeLast() }
    let parts = texts.count == 3 ? order : texts.count == 2 ? order.filter { $0 != .year } : []
    guard !parts.isEmpty else { return nil }
    var values: [Part: Int] = [:]
    for (part, text) in zip(parts, texts) {
      guard let number = number(text, atMost: part == .year ? 4 : 2), part != .year || isYear(text, separator) else {
        return nil
      }
      values[part] = part == .year && text.count == 2 ? 2_000 + number : number
    }
    guard let month = values[.month], let day = values[.day] else { return nil }
    if let year = values[.year] { return CalendarDay(year: year, month: month, day: day) }
    return next(month: month, day: day, today)
  }

  private static func isYear(_ text: Substring, _ separator: Character) -> Bool {
    text.count == 4 || separator == "." && text.count == 2
  }

  /// The next such day, today included; the 29th of February may take years.
  static func next(month: Int, day: Int, _ today: CalendarDay) -> CalendarDay? {
    (today.year...today.year + 8).lazy.compactMap { CalendarDay(year: $0, month: month, day: day) }
      .first { $0 >= today }
  }

  /// The last such day before today; the 29th of February may be years back.
  static func last(month: Int, day: Int, _ today: CalendarDay) -> CalendarDay? {
    (0...8).lazy.compactMap { CalendarDay(year: today.year - $0, month: month, day: day) }.first { $0 < today }
  }

  static func number(_ text: some StringProtocol, atMost digits: Int) -> Int? {
    guard !text.isEmpty, text.utf8.count <= digits, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    return Int(text)
  }
}

// MARK: Names of days

extension DueWords {
  enum Name {
    case daysAhead(Int)
    /// 1 for Monday to 7 for Sunday.
    case weekday(Int)
    /// A weekday from 1 to 7 that may be today: `this fri`.
    case weekdayFromToday(Int)
    case weekdayOfNextWeek(Int)
    /// Seven days after the next such day: `fri week`.
    case weekdayAndWeek(Int)
    case weekend, endOfWeek, endOfMonth, endOfYear, nextWeek, nextMonth, never

    func meaning(_ today: CalendarDay) -> Meaning {
      switch self {
      case .daysAhead(let days): .day(today.adding(days: days))
      case .weekday(let weekday): .day(today.adding(days: (weekday - today.weekday + 6) % 7 + 1))
      case .weekdayFromToday(let weekday): .day(today.adding(days: (weekday - today.weekday + 7) % 7))
      case .weekdayOfNextWeek(let weekday): .day(today.adding(days: 7 - today.weekday + weekday))
      case .weekdayAndWeek(let weekday): .day(today.adding(days: (weekday - today.weekday + 6) % 7 + 8))
      case .weekend: .day(today.adding(days: (13 - today.weekday) % 7))
      case .endOfWeek: .day(today.adding(days: (12 - today.weekday) % 7))
      case .endOfMonth: .day(today.adding(days: 1 - today.day).adding(months: 1).adding(days: -1))
      case .endOfYear: .day(CalendarDay(year: today.year, month: 12, day: 31) ?? today)
      case .nextWeek: .day(today.adding(days: 8 - today.weekday))
      case .nextMonth: .day(today.adding(days: 1 - today.day).adding(months: 1))
      case .never: .never
      }
    }
  }

  /// Before the name of a weekday: that of the next week.
  private static let nextWords = ["next", "próximo", "proximo", "elpróximo", "elproximo", "来週の", "来週", "下"]

  /// Behind the name of a weekday: that of the next week.
  private static let nextEndings = ["nextweek", "queviene", "próximo", "proximo", "próxima", "proxima"]

  /// Spanish says `el lunes` and `la semana que viene`.
  private static let articles = ["el", "la"]

  /// Before the name of a weekday: the one to come, today included.
  private static let thisWords = ["this", "este", "今週の", "今週", "這", "这", "本"]

  static let names: [String: Name] = {
    var names: [String: Name] = [:]
    for words in [english, spanish, japanese, chinese] { names.merge(words) { first, _ in first } }
    return names
  }()

  private static let english = table(
    [
      ("today tod tonight", .daysAhead(0)), ("tomorrow tom tmr tmrw", .daysAhead(1)), ("yesterday", .daysAhead(-1)),
      ("dayaftertomorrow thedayaftertomorrow", .daysAhead(2)), ("weekend thisweekend", .weekend),
      ("eow endofweek", .endOfWeek), ("eom endofmonth", .endOfMonth),
      ("eoy endofyear", .endOfYear), ("nextweek", .nextWeek), ("nextmonth", .nextMonth), ("none never", .never),
      ("aweek inaweek", .daysAhead(7)), ("aweekago", .daysAhead(-7)),
    ],
    weekdays: "mon,monday tue,tues,tuesday wed,wednesday thu,thur,thurs,thursday fri,friday sat,saturday sun,sunday")

  private static let spanish = table(
    [
      ("hoy estanoche", .daysAhead(0)), ("mañana manana", .daysAhead(1)), ("ayer", .daysAhead(-1)),
      ("pasadomañana pasadomanana", .daysAhead(2)), ("finde findesemana", .weekend),
      ("finaldesemana finaldelasemana", .endOfWeek), ("findemes finaldemes", .endOfMonth),
      ("findeaño findeano", .endOfYear), ("próximasemana proximasemana", .nextWeek),
      ("semanaqueviene semanapróxima semanaproxima", .nextWeek),
      ("próximomes proximomes mesqueviene mespróximo mesproximo", .nextMonth), ("nunca ninguna", .never),
    ],
    weekdays:
      "lun,lunes mar,martes mié,mie,miércoles,miercoles jue,jueves vie,viernes sáb,sab,sábado,sabado dom,domingo")

  private static let japanese = table(
    [
      ("今日 きょう 今夜 今晩", .daysAhead(0)), ("明日 あした あす", .daysAhead(1)), ("昨日 きのう", .daysAhead(-1)),
      ("明後日 あさって", .daysAhead(2)), ("週末 今週末", .weekend), ("今週中", .endOfWeek), ("月末 今月末", .endOfMonth),
      ("年末", .endOfYear), ("来週", .nextWeek),
      // The Monday after that.
      ("再来週", .weekdayOfNextWeek(8)), ("来月", .nextMonth), ("なし 無し", .never),
    ],
    weekdays: "月,月曜,月曜日 火,火曜,火曜日 水,水曜,水曜日 木,木曜,木曜日 金,金曜,金曜日 土,土曜,土曜日 日,日曜,日曜日")

  private static let chinese = table(
    [
      ("今天 今晚", .daysAhead(0)), ("明天", .daysAhead(1)), ("昨天", .daysAhead(-1)), ("後天 后天", .daysAhead(2)),
      ("大後天 大后天 三天後 三天后", .daysAhead(3)), ("兩天後 两天后", .daysAhead(2)),
      ("週末 周末 這週末 這周末 这周末 本週末 本周末", .weekend), ("週底 周底 本週底 本周底", .endOfWeek),
      ("月底 本月底", .endOfMonth), ("年底", .endOfYear),
      ("下週 下周 下星期 下禮拜", .nextWeek), ("下個月 下个月 下月", .nextMonth), ("無 无", .never),
    ],
    weekdays: ["一", "二", "三", "四", "五", "六", "日 天"].map { days in
      days.split(separator: " ").flatMap { day in ["週", "周", "星期", "禮拜", "礼拜"].map { $0 + day } }
        .joined(separator: ",")
    }.joined(separator: " "))

  /// `weekdays` from Monday on, those of one day with commas between them.
  private static func table(_ words: [(String, Name)], weekdays: String) -> [String: Name] {
    let days = weekdays.split(separator: " ").enumerated().map { number, names in
      (names.split(separator: ",").map(String.init), Name.weekday(number + 1))
    }
    let rows = words.map { words, name in (words.split(separator: " ").map(String.init), name) } + days
    return Dictionary(rows.flatMap { words, name in words.map { ($0, name) } }) { first, _ in first }
  }
}
