package import FoundationEssentials
import Glibc
import TableProtocol

/// A day as a calendar on the wall shows it, without a time or a time zone. Years 0 to 9999.
package struct CalendarDay: Sendable, Hashable, Comparable {
  private let date: CivilDate

  package var year: Int { Int(date.year) }
  /// 1–12.
  package var month: Int { Int(date.month) }
  /// 1–31.
  package var day: Int { Int(date.day) }

  /// Returns nil if there is no such day.
  package init?(year: Int, month: Int, day: Int) {
    guard let date = CivilDate(year: Int64(year), month: Int64(month), day: Int64(day)) else { return nil }
    self.date = date
  }

  /// Reads `yyyy-MM-dd`, and nothing else.
  package init?(_ text: some StringProtocol) {
    guard let date = CivilDate(text) else { return nil }
    self.date = date
  }

  /// The day it is at a moment in the time zone of the process.
  package init(_ moment: Date) {
    var seconds = time_t(moment.timeIntervalSince1970.rounded(.down))
    var parts = tm()
    localtime_r(&seconds, &parts)
    let local = CivilDate(
      year: Int64(parts.tm_year) + 1_900, month: Int64(parts.tm_mon) + 1, day: Int64(parts.tm_mday))
    date = local ?? CivilDate(daysSinceEpoch: 0)
  }

  /// When the day begins in the time zone of the process.
  var start: Timestamp {
    var parts = tm()
    (parts.tm_year, parts.tm_mon, parts.tm_mday, parts.tm_isdst) =
      (Int32(year - 1_900), Int32(month - 1), Int32(day), -1)
    return Timestamp(milliseconds: Int64(mktime(&parts)) * 1_000)
  }

  /// When the next day begins in the time zone of the process.
  package var end: Date {
    let (midnight, hour) = (adding(days: 1).start.date, 3_600.0)
    // If clocks are set forward at midnight there is none; if they are set back then, there are two.
    return [midnight - hour, midnight, midnight + hour].first { CalendarDay($0) > self } ?? midnight + hour
  }

  /// 10:00 UTC, which is on this day from ten hours west of UTC to thirteen hours east of it.
  var commonMoment: Timestamp { Timestamp(milliseconds: date.daysSinceEpoch * 86_400_000 + 36_000_000) }

  private init(number: Int) {
    date = CivilDate(daysSinceEpoch: Int64(min(max(number, Self.first), Self.last)))
  }

  /// 0000-01-01 and 9999-12-31 as days since 1970.
  private static let (first, last) = (-719_528, 2_932_896)

  private var number: Int { Int(date.daysSinceEpoch) }

  /// 1 for Monday to 7 for Sunday.
  package var weekday: Int {
    let days = (number + 3) % 7
    return (days < 0 ? days + 7 : days) + 1
  }

  /// `yyyy-MM-dd`.
  package var text: String {
    "\(Self.padded(year, 4))-\(Self.padded(month, 2))-\(Self.padded(day, 2))"
  }

  /// The day so many days later, earlier when negative. Stops at the first and the last day there is.
  package func adding(days: Int) -> CalendarDay {
    CalendarDay(number: number + min(max(days, -9_999_999), 9_999_999))
  }

  /// The same day of a later month, or the last day of that month where it is shorter.
  package func adding(months: Int) -> CalendarDay {
    let count = year * 12 + month - 1 + months
    return (0..<4).lazy.compactMap { CalendarDay(year: count / 12, month: count % 12 + 1, day: day - $0) }.first
      ?? CalendarDay(number: Self.last)
  }

  /// How many days this day lies after another.
  package func days(since other: CalendarDay) -> Int { number - other.number }

  package static func < (left: CalendarDay, right: CalendarDay) -> Bool { left.number < right.number }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
