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
