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

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
}

extension Int64 {
  fileprivate func followed(by digit: UInt8) -> Int64? {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) ? self * 10 + Int64(digit - UInt8(ascii: "0")) : nil
  }
}
