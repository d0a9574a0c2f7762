package import FoundationEssentials
import Glibc

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

  /// `09:12`
  package func time() -> String {
    Self.padded(hour) + ":" + Self.padded(minute)
  }

  private static func padded(_ number: Int) -> String {
    number < 10 ? "0\(number)" : String(number)
  }
}
