import OfflineSync
import TableProtocol

/// The typed filter as a condition on rows.
///
/// Every list and every command reads a filter through this. A word that is not understood is an error with its place,
/// and never a match for everything.
package struct TodoFilter: Sendable, Hashable {
  /// Nil for an empty filter.
  let condition: RowCondition?
  /// It asks when something was done: then the open items are not all there is to look at.
  let namesDone: Bool
  /// The dates in it, in their order.
  package let dates: [FilterDate]

  package init(_ text: String, today: CalendarDay) throws(FilterProblem) {
    var parser = TodoFilterParser(text, today: today)
    condition = try parser.whole()
    namesDone = parser.namesDone
    dates = parser.dates
  }

  /// True if `or` stands in small letters between two other words. A filter looks for it as for any word, and as a rule
  /// it was meant as the sign.
  package static func hasSmallOr(_ text: String) -> Bool {
    // In quotes the sign is a word too.
    if text.contains("\"") || text.contains("＂") { return false }
    return text.split(whereSeparator: \.isWhitespace).dropFirst().dropLast().contains { $0 == "or" || $0 == "Or" }
  }

  /// Why a filter can't be used; nil for one that can.
  package static func problem(in text: String, today: CalendarDay) -> FilterProblem? {
    do throws(FilterProblem) {
      _ = try TodoFilter(text, today: today)
      return nil
    } catch {
      return error
    }
  }
}

/// The days that a word of a filter means.
package struct FilterDate: Sendable, Hashable {
  /// The characters of the word, from 0.
  package let place: Range<Int>
  /// Nil for no limit.
  package let first: CalendarDay?
  package let last: CalendarDay?
}

/// Why a filter can't be used, and where.
package struct FilterProblem: Error, Sendable, Hashable {
  package enum Reason: Sendable, Hashable {
    /// The text after a key such as `due:` is no date.
    case noDate
    /// The text after `pri:` is no letter and no range of letters.
    case noPriority
    /// The range ends before it begins.
    case backwards
    /// A parenthesis is not closed, or not opened.
    case unclosed, unopened
    /// A `|` or a `!` has nothing beside it, or a pair of parentheses has nothing in it.
    case nothingThere
    /// More words or parentheses than a filter may have.
    case tooLong
    /// A hyphen stands before a project, a context or a key, as other programs have it to leave items out.
    case hyphen
  }

  package let reason: Reason
  /// The characters of the filter that are not understood, from 0.
  package let place: Range<Int>
  /// The same as a text.
  package let word: String
  /// It may still become something: it is the end of the filter, and more can be typed.
  package let isUnfinished: Bool

  /// The key of the word as it was typed, without its colon: `due`.
  package var key: String { String(word.prefix { !$0.isColon }) }
}
