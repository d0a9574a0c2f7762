/// A date made of numbers and words: `24dec`, `dec 24 2027`, `thu 24 dec`, `24th`, `in 3 days`, `12月24日`.
struct DueParts {
  private enum Part: Equatable {
    /// Of one or two digits, and of more.
    case number(Int)
    case large(Int)
    case word(String)

    var count: Int? {
      switch self {
      case .number(let count), .large(let count): count
      case .word: nil
      }
    }

    var word: String? {
      if case .word(let word) = self { word } else { nil }
    }

    /// A count of one or two digits, as a day has.
    var day: Int? {
      if case .number(let day) = self { day } else { nil }
    }

    var month: Int? { word.flatMap { DueParts.months[$0] } }

    var isWeekday: Bool {
      if case .weekday? = word.flatMap({ DueWords.names[$0] }) { true } else { false }
    }
  }

  private let parts: [Part]
  /// It has a number as in `24th`.
  private let isOrdinal: Bool

  private init(_ parts: [Part], isOrdinal: Bool) {
    self.parts = parts
    self.isOrdinal = isOrdinal
  }

  init(_ word: String) {
    let runs = Self.runs(word)
    isOrdinal = !Self.ordinals.isDisjoint(with: runs)
    parts = runs.compactMap { run in
      if let number = DueWords.number(run, atMost: 4) { return run.count > 2 ? .large(number) : .number(number) }
      return Self.fillers.contains(run) ? nil : .word(run)
    }
  }

  /// Runs of digits and of letters, with separators only between them; none if anything else stands there.
  private static func runs(_ word: String) -> [String] {
    guard let first = word.first, !separators.contains(first) else { return [] }
    var runs: [String] = []
    var before: Kind?
    for character in word {
      guard let kind = Kind(character) else { return [] }
      if kind == before, kind != .sign, kind != .separator, let last = runs.indices.last {
        runs[last].append(character)
      } else if kind != .separator {
        runs.append(String(character))
      }
      before = kind
    }
    return runs
  }

  private enum Kind {
    case digit, letter, sign, separator

    init?(_ character: Character) {
      if ("0"..."9").contains(character) {
        self = .digit
      } else if character == "+" {
        self = .sign
      } else if DueParts.separators.contains(character) {
        self = .separator
      } else if character.isLetter {
        self = .letter
      } else {
        return nil
      }
    }
  }

  private static let separators: Set<Character> = [" ", "-", "_", ".", ",", "/"]

  func day(_ today: CalendarDay) -> CalendarDay? {
    distance(today)?.day ?? named(today) ?? besideWeekday(today)
  }

  /// A day so far from today.
  struct Distance {
    let day: CalendarDay
    /// The day as far back from today. Nil if the words say that it lies ahead, as `in 3 days`, `+3` and `3日後` do.
    let back: CalendarDay?
  }

  /// `3d`, `+2w`, `+3`, `in 3 days`, `in two weeks`, `3 days ago`.
  func distance(_ today: CalendarDay) -> Distance? {
    if let day = past(today) { return Distance(day: day, back: day) }
    var rest = parts[...]
    var isAhead = parts.suffix(2) == [.word("from"), .word("now")]
    if isAhead { rest.removeLast(2) }
    if let lead = rest.first?.word, lead == "+" || Self.leads.contains(lead) {
      rest.removeFirst()
      isAhead = true
    }
    guard let count = rest.first?.count ?? rest.first?.word.flatMap({ Self.counts[$0] }) else { return nil }
    rest.removeFirst()
    if rest.isEmpty {
      return parts[0] == .word("+") ? Distance(day: today.adding(days: count), back: nil) : nil
    }
    guard case .word(let unit)? = rest.first, rest.count == 1, let day = Self.day(count, unit, from: today) else {
      return nil
    }
    isAhead = isAhead || unit.hasSuffix("後") || unit.hasSuffix("后")
    return Distance(day: day, back: isAhead ? nil : Self.day(-count, unit, from: today))
  }

  /// `3 days ago`, `hace 3 días`, `3 日前`, `3 天前`: as lists write of what is overdue.
  private func past(_ today: CalendarDay) -> CalendarDay? {
    let (words, counts) = (parts.compactMap(\.word), parts.compactMap(\.day))
    guard counts.count == 1, words.count + 1 == parts.count, let first = words.first, let last = words.last else {
      return nil
    }
    if words.count == 2, last == "ago" || first == "hace" {
      return Self.day(-counts[0], last == "ago" ? first : last, from: today)
    }
    guard words.count == 1, last.hasSuffix("前") else { return nil }
    return Self.day(-counts[0], last == "日前" ? "d" : String(last.dropLast()), from: today)
  }

  private static func day(_ count: Int, _ unit: String, from today: CalendarDay) -> CalendarDay? {
    if days.contains(unit) { return today.adding(days: count) }
    if weeks.contains(unit) { return today.adding(days: count * 7) }
    if monthUnits.contains(unit) { return today.adding(months: count) }
    return years.contains(unit) ? today.adding(months: count * 12) : nil
  }

  /// A date with its weekday, as the list shows it: `thu 24 dec`, `12月24日 木曜`. `this thu 24 dec` is the same.
  private func besideWeekday(_ today: CalendarDay) -> CalendarDay? {
    guard let (weekday, rest) = splitWeekday(today), let day = rest.named(today) else { return nil }
    if day.weekday == weekday { return day }
    // Without a year it may be a day that has just passed: `tue 24 nov`, said on the 25th.
    return lastBesideWeekday(today).flatMap { today.days(since: $0) <= 60 ? $0 : nil }
  }

  /// The last such day before today, for a date without a year whose weekday fits that day.
  func lastBesideWeekday(_ today: CalendarDay) -> CalendarDay? {
    guard let (weekday, rest) = splitWeekday(today), rest.year == nil, rest.namesMonth, let next = rest.named(today),
      let last = DueWords.last(month: next.month, day: next.day, today)
    else { return nil }
    return last.weekday == weekday ? last : nil
  }

  private var namesMonth: Bool { parts.contains { $0.month != nil || $0.word == "月" } }

  /// The day that stands beside a weekday, whether that is right or not.
  func dayBesideWeekday(_ today: CalendarDay) -> CalendarDay? { splitWeekday(today)?.rest.named(today) }

  /// The weekday at one end, from 1, and the rest, if that is a date.
  private func splitWeekday(_ today: CalendarDay) -> (weekday: Int, rest: DueParts)? {
    let hasLead = parts.first == .word("this") || parts.first == .word("next")
    let parts = hasLead ? parts.dropFirst() : parts[...]
    for (part, rest) in [(parts.first, parts.dropFirst()), (parts.last, parts.dropLast())] {
      guard let name = part?.word, case .weekday(let weekday)? = DueWords.names[name] else { continue }
      let rest = DueParts(Array(rest), isOrdinal: isOrdinal)
      if rest.named(today) != nil { return (weekday, rest) }
    }
    return nil
  }

  private var year: Int? {
    for part in parts { if case .large(let year) = part { return year } }
    return nil
  }

  /// Written as a date, whether there is such a day or not.
  func looksLikeDate(_ today: CalendarDay) -> Bool {
    if splitWeekday(today) != nil || Self.areDayAndMonth(parts[...], days: 0...99) { return true }
    // Beside a weekday `31 nov` is meant as a date, and `mar 99` is not. In Spanish `mar` is a Tuesday and March.
    let ends = [(parts.first, parts.dropFirst()), (parts.last, parts.dropLast())]
    return ends.contains { part, rest in part?.isWeekday == true && Self.areDayAndMonth(rest, days: 1...31) }
  }

  /// A number and the name of a month, in any order, and at most a year.
  private static func areDayAndMonth(_ parts: ArraySlice<Part>, days: ClosedRange<Int>) -> Bool {
    let (words, numbers) = (parts.compactMap(\.word), parts.compactMap(\.day))
    guard words.count == 1, months[words[0]] != nil, numbers.count == 1, parts.count <= 3 else { return false }
    return days.contains(numbers[0])
  }

  /// `24dec`, `dec 24`, `24 dec 2027`, `12月24日`, `2027年12月24日`, `24日`, `24th`; `2026 12 24` where a weekday is beside
  /// it.
  private func named(_ today: CalendarDay) -> CalendarDay? {
    let words = parts.filter { $0.count == nil }
    let numbers = parts.compactMap(\.count)
    if let day = dayOfMonth { return nextDay(day, today) }
    if words.isEmpty { return ofNumbers(numbers) }
    if let day = eastAsian(words, numbers, today) { return day }
    let (months, days) = (parts.compactMap(\.month), parts.compactMap(\.day))
    guard months.count == 1, days.count == 1 else { return nil }
    if parts.count == 2 { return DueWords.next(month: months[0], day: days[0], today) }
    guard parts.count == 3, case .large(let year) = parts[2], year > 999 else { return nil }
    return CalendarDay(year: year, month: months[0], day: days[0])
  }

  private func ofNumbers(_ numbers: [Int]) -> CalendarDay? {
    guard numbers.count == 3, case .large(let year)? = parts.first, year > 999 else { return nil }
    return CalendarDay(year: year, month: numbers[1], day: numbers[2])
  }

  /// `12月24日`, `2027年12月24日`, with `號` or `号` in place of `日`.
  private func eastAsian(_ words: [Part], _ numbers: [Int], _ today: CalendarDay) -> CalendarDay? {
    // A number stands before each word.
    guard parts.count == 2 * words.count, parts.indices.allSatisfy({ (parts[$0].count == nil) == ($0 % 2 == 1) }),
      [.word("日"), .word("號"), .word("号")].contains(words.last), words.dropLast().last == .word("月")
    else { return nil }
    if words.count == 2 { return DueWords.next(month: numbers[0], day: numbers[1], today) }
    guard words.count == 3, words[0] == .word("年"), case .large(let year) = parts[0], year > 999 else { return nil }
    return CalendarDay(year: year, month: numbers[1], day: numbers[2])
  }

  /// The day of a month that is not named: 24 for `24th` and `24日`.
  private var dayOfMonth: Int? {
    guard case .number(let day)? = parts.first else { return nil }
    return parts.count == 1 && isOrdinal || parts.dropFirst() == [.word("日")] ? day : nil
  }

  /// The next such day of any month, today included.
  private func nextDay(_ day: Int, _ today: CalendarDay) -> CalendarDay? {
    (0..<12).lazy.compactMap { Self.day(day, inMonth: $0, from: today) }.first { $0 >= today }
  }

  /// The last such day of any month before today. Nil unless these parts are a day without its month: `24th`, `24日`.
  func lastDayOfMonth(_ today: CalendarDay) -> CalendarDay? {
    guard let day = dayOfMonth else { return nil }
    return (0..<12).lazy.compactMap { Self.day(day, inMonth: -$0, from: today) }.first { $0 < today }
  }

  /// The day with this number in a month: 0 is the month of today, -1 the one before. Nil if that month is too short.
  private static func day(_ number: Int, inMonth months: Int, from today: CalendarDay) -> CalendarDay? {
    let month = today.adding(days: 1 - today.day).adding(months: months)
    return CalendarDay(year: month.year, month: month.month, day: number)
  }

  private static let ordinals: Set = ["st", "nd", "rd", "th"]
  /// Between the parts of a date, and never its end.
  static let links: Set = ["of", "the", "de", "el"]
  private static let fillers = ordinals.union(links)
  private static let leads: Set = ["in", "en", "dentro"]
  /// Only before a unit: `dec two` is no date.
  private static let counts = [
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6,
    "un": 1, "una": 1, "dos": 2, "tres": 3, "cuatro": 4, "cinco": 5, "seis": 6,
  ]
  private static let days: Set = ["d", "day", "days", "día", "dia", "días", "dias", "日後", "天", "天後", "天后"]
  private static let weeks: Set = [
    "w", "week", "weeks", "sem", "semana", "semanas", "週間", "週間後", "週後", "週", "周", "周后", "星期", "個星期後",
  ]
  private static let monthUnits: Set = [
    "m", "month", "months", "mes", "meses", "か月", "か月後", "ヶ月", "ヶ月後", "個月", "個月後", "个月", "个月后",
  ]
  private static let years: Set = ["y", "year", "years", "año", "ano", "años", "anos", "年後", "年", "年后"]

  static let months: [String: Int] = {
    let names = [
      "january jan enero ene", "february feb febrero", "march mar marzo", "april apr abril abr", "may mayo",
      "june jun junio", "july jul julio", "august aug agosto ago", "september sep sept septiembre",
      "october oct octubre", "november nov noviembre", "december dec diciembre dic",
    ]
    return names.enumerated().reduce(into: [:]) { months, month in
      for name in month.element.split(separator: " ") { months[String(name)] = month.offset + 1 }
    }
  }()
}
