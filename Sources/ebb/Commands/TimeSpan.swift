/// A span of time as options have it: a number and the letter of a unit, as in `90d`.
enum TimeSpan {
  /// The number times the worth of its unit. Nil if the result is outside of `range`, and for anything else, such as a
  /// number with a sign.
  static func parse(_ text: String, units: [Character: Int64], in range: ClosedRange<Int64>) -> Int64? {
    guard text.first != "+", let unit = text.last.flatMap({ units[$0] }), let number = Int64(text.dropLast()) else {
      return nil
    }
    let (span, isTooLong) = number.multipliedReportingOverflow(by: unit)
    return !isTooLong && range.contains(span) ? span : nil
  }
}
