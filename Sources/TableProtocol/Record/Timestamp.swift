/// A moment in UTC, in whole milliseconds since 1970: the finest step the wire shows
/// (wire 5), and the unit of the delta token.
public struct Timestamp: Sendable, Hashable, Comparable {
  /// Milliseconds since 1970-01-01T00:00:00.000Z, UTC. Negative before it.
  public let milliseconds: Int64

  public init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  public static let epoch = Timestamp(milliseconds: 0)

  /// The end of the year 9999. A later moment has no form on the wire.
  package static let lastOfDates = Timestamp(milliseconds: 253_402_300_799_999)

  public static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.milliseconds < right.milliseconds
  }

  /// The moment so many milliseconds later (earlier when negative). Stops at the ends of `Int64`.
  public func advanced(byMilliseconds step: Int64) -> Timestamp {
    let (sum, overflow) = milliseconds.addingReportingOverflow(step)
    return Timestamp(milliseconds: overflow ? (step > 0 ? .max : .min) : sum)
  }
}

extension Timestamp {
  /// The one form that goes on the wire: `yyyy-MM-ddTHH:mm:ss.SSSZ`, with exactly three digits of
  /// fraction. Some clients know no other form. Years outside 0000–9999 have none and are clamped.
  public var text: String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(24)
    appendText(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Milliseconds.
  private var inYearsOfFourDigits: Int64 { min(max(milliseconds, -62_167_219_200_000), Self.lastOfDates.milliseconds) }

  /// Appends ``text`` in UTF-8. Lists of thousands of rows are written through this.
  package func appendText(to bytes: inout [UInt8]) {
    let (day, inDay) = inYearsOfFourDigits.flooredDivision(by: 86_400_000)
    let date = CivilDate(daysSinceEpoch: day)
    Self.append(date.year, digits: 4, then: "-", to: &bytes)
    Self.append(date.month, digits: 2, then: "-", to: &bytes)
    Self.append(date.day, digits: 2, then: "T", to: &bytes)
    Self.append(inDay / 3_600_000, digits: 2, then: ":", to: &bytes)
    Self.append(inDay / 60_000 % 60, digits: 2, then: ":", to: &bytes)
    Self.append(inDay / 1_000 % 60, digits: 2, then: ".", to: &bytes)
    Self.append(inDay % 1_000, digits: 3, then: "Z", to: &bytes)
  }

  private static func append(
    _ number: Int64, digits: Int, then separator: Unicode.Scalar, to bytes: inout [UInt8]
  ) {
    var divisor: Int64 = 1
    for _ in 1..<digits { divisor *= 10 }
    while divisor > 0 {
      bytes.append(UInt8(ascii: "0") + UInt8(number / divisor % 10))
      divisor /= 10
    }
    bytes.append(UInt8(ascii: separator))
  }

  /// Reads `yyyy-MM-ddTHH:mm:ss`, then 0–9 digits of fraction, then `Z` or `±hh:mm`.
  ///
  /// A finer fraction is cut, never rounded: rounding up could move a delta token past rows that
  /// were not seen (wire 5). Nil for anything else, an impossible date included.
  public init?(_ text: some StringProtocol) {
    var scanner = TimestampScanner(text)
    guard let moment = scanner.moment() else { return nil }
    self = moment
  }
}

/// Walks over the bytes of a timestamp, once.
private struct TimestampScanner {
  private let bytes: [UInt8]
  private var position = 0

  init(_ text: some StringProtocol) {
    bytes = Array(text.utf8)
  }

  mutating func moment() -> Timestamp? {
    guard let year = number(digits: 4), skip("-"), let month = number(digits: 2), skip("-"),
      let day = number(digits: 2), skip("T") || skip("t") || skip(" "),
      let hour = number(digits: 2), skip(":"), let minute = number(digits: 2), skip(":"),
      let second = number(digits: 2), let fraction = fraction(), let offset = offset(),
      position == bytes.count, hour < 24, minute < 60, second < 61,
      let date = CivilDate(year: year, month: month, day: day)
    else { return nil }
    let seconds = date.daysSinceEpoch * 86_400 + hour * 3_600 + minute * 60 + min(second, 59) - offset * 60
    return Timestamp(milliseconds: seconds * 1_000 + fraction)
  }

  private mutating func number(digits: Int) -> Int64? {
    guard position + digits <= bytes.count else { return nil }
    var value: Int64 = 0
    for byte in bytes[position..<position + digits] {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
      value = value * 10 + Int64(byte - UInt8(ascii: "0"))
    }
    position += digits
    return value
  }

  private mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  /// Milliseconds; zero when there is no fraction.
  private mutating func fraction() -> Int64? {
    guard skip(".") else { return 0 }
    var milliseconds: Int64 = 0
    var digits = 0
    while let digit = number(digits: 1) {
      if digits < 3 { milliseconds = milliseconds * 10 + digit }
      digits += 1
    }
    guard (1...9).contains(digits) else { return nil }
    for _ in min(digits, 3)..<3 { milliseconds *= 10 }
    return milliseconds
  }

  /// Minutes east of UTC.
  private mutating func offset() -> Int64? {
    if skip("Z") || skip("z") { return 0 }
    let sign: Int64
    if skip("+") { sign = 1 } else if skip("-") { sign = -1 } else { return nil }
    guard let hours = number(digits: 2), skip(":"), let minutes = number(digits: 2), hours < 24, minutes < 60
    else { return nil }
    return sign * (hours * 60 + minutes)
  }
}

extension Timestamp {
  /// Reads a date of HTTP in any of its three forms (RFC 9110 5.6.7), as in `Sun, 06 Nov 1994 08:49:37 GMT`,
  /// `Sunday, 06-Nov-94 08:49:37 GMT` and `Sun Nov  6 08:49:37 1994`. Nil for anything else. A year of two digits
  /// is one from 1970 to 2069.
  package init?(httpDate text: some StringProtocol) {
    guard text.utf8.count <= 40 else { return nil }
    let parts = text.split { " ,-:".contains($0) }
    // The oldest form begins with the month and ends with the year.
    let order = parts.count == 7 ? [2, 1, 6, 3, 4, 5] : [1, 2, 3, 4, 5, 6]
    guard parts.count == 7 || (parts.count == 8 && parts[7] == "GMT"),
      let month = Self.months.firstIndex(of: String(parts[order[1]]))
    else { return nil }
    let numbers = order.map { index in
      let part = parts[index]
      return part.utf8.count <= 4 ? part.utf8.reduce(Int64?(0)) { $0?.followed(by: $1) } : nil
    }
    guard let day = numbers[0], var year = numbers[2], let hour = numbers[3], let minute = numbers[4],
      let second = numbers[5], hour < 24, minute < 60, second < 61
    else { return nil }
    if parts[order[2]].utf8.count == 2 { year += year < 70 ? 2_000 : 1_900 }
    guard let date = CivilDate(year: year, month: Int64(month + 1), day: day) else { return nil }
    let time = hour * 3_600 + minute * 60 + min(second, 59)
    self.init(milliseconds: (date.daysSinceEpoch * 86_400 + time) * 1_000)
  }

  /// The form of HTTP that goes on the wire, as in `Sun, 06 Nov 1994 08:49:37 GMT`. Cuts what is finer than a second.
  package var httpDate: String {
    let (seconds, _) = inYearsOfFourDigits.flooredDivision(by: 1_000)
    let (day, inDay) = seconds.flooredDivision(by: 86_400)
    let date = CivilDate(daysSinceEpoch: day)
    // The epoch was a Thursday.
    let weekday = Self.weekdays[Int(day.flooredDivision(by: 7).remainder)]
    var bytes = Array("\(weekday), ".utf8)
    Self.append(date.day, digits: 2, then: " ", to: &bytes)
    bytes += Array("\(Self.months[Int(date.month) - 1]) ".utf8)
    Self.append(date.year, digits: 4, then: " ", to: &bytes)
    Self.append(inDay / 3_600, digits: 2, then: ":", to: &bytes)
    Self.append(inDay / 60 % 60, digits: 2, then: ":", to: &bytes)
    Self.append(inDay % 60, digits: 2, then: " ", to: &bytes)
    return String(decoding: bytes, as: UTF8.self) + "GMT"
  }

  /// The same moment without what is finer than a second.
  package var wholeSecond: Timestamp {
    advanced(byMilliseconds: -milliseconds.flooredDivision(by: 1_000).remainder)
  }

  private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
}

extension Int64 {
  fileprivate func followed(by digit: UInt8) -> Int64? {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) ? self * 10 + Int64(digit - UInt8(ascii: "0")) : nil
  }
}
