/// A date of numbers with slashes that does not begin with its year. Some write the day first, others the month:
/// `12/01/2026` is the 12th of January or the 1st of December.
package struct SlashedDate: Sendable, Hashable {
  package enum Order: Sendable, Hashable {
    case dayFirst, monthFirst
  }

  /// Nil if no calendar has this day.
  package let dayFirst: CalendarDay?
  /// Nil if no calendar has this day.
  package let monthFirst: CalendarDay?

  /// Returns nil for any other word, and for a date that no calendar has in either order. A date without a year is the
  /// next such day.
  package init?(_ word: some StringProtocol, today: CalendarDay) {
    let word = DueWords.narrow(String(word))
    dayFirst = DueWords.date(word, "/", [.day, .month, .year], today)
    monthFirst = DueWords.date(word, "/", [.month, .day, .year], today)
    if dayFirst == nil, monthFirst == nil { return nil }
  }

  /// Returns nil unless the words are a date with slashes that is one day in each order. A key before it, as in
  /// `due:1/12`, is passed over.
  package init?(ambiguous words: String, today: CalendarDay) {
    let value = DueKey.split(words[...])?.value ?? words[...]
    self.init(value, today: today)
    if onlyDay != nil { return nil }
  }

  /// The order in which alone this is a date. Nil if both are possible.
  package var order: Order? {
    if dayFirst == nil { return .monthFirst }
    return monthFirst == nil ? .dayFirst : nil
  }

  /// The day, if it is the same in every order in which this is a date.
  var onlyDay: CalendarDay? {
    order != nil || dayFirst == monthFirst ? dayFirst ?? monthFirst : nil
  }

  package func day(_ order: Order) -> CalendarDay? {
    switch order {
    case .dayFirst: dayFirst
    case .monthFirst: monthFirst
    }
  }
}
