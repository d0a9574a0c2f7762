package import FoundationEssentials
import Glibc
package import TodoCore

extension Catalogue {
  /// A date as people say it: today, tomorrow, the day of the week for a week, else day and month. A past date says so:
  /// `overdue:yesterday`, `overdue:3 days ago`, `overdue:1 Oct 2026`. All of them mean the same day when they are
  /// typed.
  package func due(_ day: CalendarDay, today: CalendarDay, isDone: Bool) -> String {
    if day < today && !isDone {
      let isLong = today.days(since: day) > Self.longestDelay
      return text(.dueOverdue, ["date": isLong ? words(for: day, today: today) : date(day, today: today)])
    }
    return text(.dueOn, ["date": words(for: day, today: today)])
  }

  /// The same as `ebb --plain` says it: `due tomorrow`.
  package func spokenDue(_ day: CalendarDay, today: CalendarDay, isDone: Bool) -> String {
    let isOverdue = day < today && !isDone
    return text(isOverdue ? .overdue : .due, ["date": words(for: day, today: today)])
  }

  /// As in the column of dates, with the date itself: `tomorrow, Thu 26 Nov`, `Fri 27 Nov`, `3 days ago, Sun 22 Nov`.
  package func dueWithDate(_ day: CalendarDay, today: CalendarDay, isDone: Bool) -> String {
    let (said, whole) = (date(day, today: today, isDone: isDone), weekdayAndDay(day, today: today))
    return whole.contains(said) ? whole : said + text(.listSeparator) + whole
  }

  private func words(for day: CalendarDay, today: CalendarDay) -> String {
    if day == today { return text(.dueToday) }
    if day == today.adding(days: 1) { return text(.dueTomorrow) }
    if day == today.adding(days: -1) { return text(.dateYesterday) }
    if day > today && day < today.adding(days: 7) { return weekday(of: day) }
    // Without its year a past day would be the next of its name.
    return dayAndMonth(day, today: today, saysYear: day < today)
  }

  private func weekday(of day: CalendarDay) -> String {
    let names = text(.weekdays).split(separator: " ")
    return names.count == 7 ? String(names[day.weekday % 7]) : day.text
  }

  /// Past days are counted for so long; then the date says more.
  private static let longestDelay = 30

  /// A date in a column of its own: `3 days ago`, `today`, `Tue`, `24 Dec`, `15 Jan 2027`. Of done items the days since
  /// are not counted.
  package func date(_ day: CalendarDay, today: CalendarDay, isDone: Bool = false) -> String {
    switch day.days(since: today) {
    case 0: return text(.dueToday)
    case 1: return text(.dueTomorrow)
    case -1: return text(.dateYesterday)
    case 2...6: return name(.dateWeekdays, day.weekday % 7) ?? day.text
    case let days where !isDone && (-Self.longestDelay...(-2)).contains(days): return text(.agoDays, count: -days)
    default: return dayAndMonth(day, today: today)
    }
  }

  /// The widest date there is, for a column that dates stand in.
  package func widestDates(today: CalendarDay) -> [String] {
    [text(.agoDays, count: Self.longestDelay), dayAndMonth(today.adding(months: 400), today: today)]
  }

  private func dayAndMonth(_ day: CalendarDay, today: CalendarDay, saysYear: Bool = false) -> String {
    guard let month = name(.dateMonths, day.month - 1) else { return day.text }
    let number = String(day.day)
    if day.year == today.year && !saysYear { return text(.dateDay, ["day": number, "month": month]) }
    return text(.dateYear, ["day": number, "month": month, "year": String(day.year)])
  }

  /// One of the words of a text that lists them.
  private func name(_ key: StringKey, _ index: Int) -> String? {
    let names = text(key).split(separator: " ")
    return names.indices.contains(index) ? String(names[index]) : nil
  }

  /// `Fri 27 Nov`, with the year where it is another one.
  package func weekdayAndDay(_ day: CalendarDay, today: CalendarDay) -> String {
    guard let weekday = name(.dateWeekdays, day.weekday % 7) else { return day.text }
    return text(.dateWeekdayAndDay, ["weekday": weekday, "date": dayAndMonth(day, today: today)])
  }

  /// A text with its dates in words, also between the marks of a comparison: `due:Fri 27 Nov` for `due:2026-11-27`.
  package func withDatesInWords(_ words: String, today: CalendarDay) -> String {
    words.replacing(/(^|\s|\[-|\{\+)due:([0-9]{4}-[0-9]{2}-[0-9]{2})(?![0-9])/) { match -> String in
      guard let day = CalendarDay(match.2) else { return String(match.0) }
      return String(match.1) + text(.dueOn, ["date": weekdayAndDay(day, today: today)])
    }
  }

  /// The sentence about words that are no date, after `2 Dec is a Wed.` if only their weekday is wrong, and after the
  /// forms that work if it has slashes and could be two days.
  package func explained(_ sentence: String, noDate words: String, today: CalendarDay) -> String {
    if let date = SlashedDate(ambiguous: words, today: today), let first = date.dayFirst, let second = date.monthFirst {
      let hasYear = words.count { $0 == "/" || $0 == "／" } > 1
      let values: KeyValuePairs = [
        "date": words, "first": dayAndMonth(first, today: today), "second": dayAndMonth(second, today: today),
        "points": "\(first.day).\(first.month)." + (hasYear ? String(first.year) : ""), "whole": first.text,
      ]
      return sentences(text(.noticeSlashedDate, values), sentence)
    }
    guard let day = DueWords.dayOfOtherWeekday(words, today: today), let weekday = name(.dateWeekdays, day.weekday % 7)
    else { return sentence }
    return sentences(text(.dateWeekdayIs, ["date": dayAndMonth(day, today: today), "weekday": weekday]), sentence)
  }

  /// The sentence about words in the text of an item that are no date, with their key. A day to come behind `overdue:`
  /// is a date, so that another sentence names the right key.
  package func explained(_ sentence: String, noDateInItem words: String, today: CalendarDay) -> String {
    guard let key = DueWords.keyBeforeDayToCome(words, today: today) else {
      return explained(sentence, noDate: words, today: today)
    }
    return text(.noticeDayToCome, ["words": words, "key": key])
  }

  /// `Fri 27 Nov`, `Fri 27 Nov..Sun 29 Nov`, `..Fri 27 Nov`: as a filter has them.
  package func words(for days: FilterDate, today: CalendarDay) -> String {
    let (first, last) = (days.first, days.last)
    if let first, first == last { return weekdayAndDay(first, today: today) }
    return [first, last].map { $0.map { weekdayAndDay($0, today: today) } ?? "" }.joined(separator: "..")
  }

  /// A past moment: `14:02` today, `yesterday 14:02`, `Tue 17 Nov 14:02`.
  package func time(_ date: Date, now: Date) -> String {
    let (day, today) = (CalendarDay(date), CalendarDay(now))
    let time = LocalMoment(date).time()
    switch day.days(since: today) {
    case 0: return time
    case -1: return text(.dateDayAndTime, ["day": text(.dateYesterday), "time": time])
    default: return text(.dateDayAndTime, ["day": weekdayAndDay(day, today: today), "time": time])
    }
  }

  /// The time since a moment, in the largest unit that is at least one.
  package func ago(since date: Date, _ now: Date) -> String {
    let seconds = max(0, Int(now.timeIntervalSince(date)))
    switch seconds {
    case ..<60: return text(.agoSeconds, count: seconds)
    case ..<3_600: return text(.agoMinutes, count: seconds / 60)
    case ..<86_400: return text(.agoHours, count: seconds / 3_600)
    default: return text(.agoDays, count: seconds / 86_400)
    }
  }

  /// A span of time: `0:20`, `12:00`, `1:05:00`.
  package func span(seconds: Int) -> String {
    let parts = [seconds / 3_600, seconds / 60 % 60, seconds % 60]
    let shown = parts[0] > 0 ? parts[...] : parts[1...]
    return shown.enumerated().map { index, part in
      index > 0 && part < 10 ? "0\(part)" : String(part)
    }.joined(separator: ":")
  }
}

/// A moment in local time: year to minute, in the time zone of the process.
package struct LocalMoment: Equatable, Sendable {
  package var year: Int
  package var month: Int
  package var day: Int
  package var hour: Int
  package var minute: Int

  package init(year: Int, month: Int, day: Int, hour: Int, minute: Int) {
    self.year = year
    self.month = month
    self.day = day
    self.hour = hour
    self.minute = minute
  }

  package init(_ date: Date) {
    var seconds = time_t(date.timeIntervalSince1970.rounded(.down))
    var parts = tm()
    localtime_r(&seconds, &parts)
    self.init(
      year: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday),
      hour: Int(parts.tm_hour), minute: Int(parts.tm_min))
  }

  /// `09:12`, with the date before it when that is not today.
  package func text(today: LocalMoment) -> String {
    if (year, month, day) == (today.year, today.month, today.day) { return time() }
    return "\(year)-" + Self.padded(month) + "-" + Self.padded(day) + " " + time()
  }

  /// The same of a change whose day alone may be known: then it is said without a time.
  package static func text(ofChange moment: Date, today: LocalMoment) -> String {
    moment.standsForDay ? CalendarDay(moment).text : LocalMoment(moment).text(today: today)
  }

  /// `09:12`
  package func time() -> String {
    Self.padded(hour) + ":" + Self.padded(minute)
  }

  private static func padded(_ number: Int) -> String {
    number < 10 ? "0\(number)" : String(number)
  }
}

extension Catalogue {
  /// With the language's sign between thousands.
  package func number(_ number: Int) -> String {
    let digits = Array(String(number.magnitude))
    var result = number < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0 && (digits.count - index) % 3 == 0 { result += text(.thousands) }
      result.append(digit)
    }
    return result
  }

  /// With one digit after the point.
  package func seconds(_ seconds: Double) -> String {
    let tenths = Int((max(0, seconds) * 10).rounded())
    return number(tenths / 10) + text(.decimalPoint) + String(tenths % 10)
  }

  package func bytes(_ count: Int) -> String {
    if count < 1_000 { return text(.bytes, ["count": number(count)]) }
    return text(.kilobytes, ["count": number((count + 500) / 1_000)])
  }
}

extension Catalogue {
  /// The heading of a group.
  package func name(of group: TodoGroup, today: CalendarDay) -> String {
    switch group {
    case .overdue: text(.groupOverdue)
    case .today: text(.groupToday)
    case .sevenDays: text(.groupSevenDays)
    case .later: text(.groupLater)
    case .undated: text(.groupUndated)
    case .priority(let letter?): text(.groupPriority, ["letter": String(letter)])
    case .priority(nil): text(.groupNoPriority)
    case .project(let name?): name
    case .project(nil): text(.groupNoProject)
    case .day(let day?): name(ofPast: day, today: today)
    case .day(nil): text(.groupDayUnknown)
    }
  }

  /// `Yesterday`, `Tue 17 Nov`.
  private func name(ofPast day: CalendarDay, today: CalendarDay) -> String {
    if day == today { return text(.groupToday) }
    if day == today.adding(days: -1) { return text(.groupYesterday) }
    return weekdayAndDay(day, today: today)
  }
}
