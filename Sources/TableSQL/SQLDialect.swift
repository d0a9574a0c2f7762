package import TableProtocol

/// The words of one database, where databases differ. ``FilterSQL`` and ``QuerySQL`` write what all have in common.
///
/// A database needs one type of this kind, and no change of the code that reads filters.
package protocol SQLDialect: Sendable {
  /// The name of a table or a column, quoted.
  func quoted(_ name: String) -> String

  /// The text of a complete statement. A fragment marks each argument with `?`; a database that numbers its
  /// arguments gets the numbers here, where all of them are known.
  func statement(_ fragment: SQLFragment) -> String

  /// A condition that always holds, or never.
  func constant(_ truth: Bool) -> String

  /// An operator that is true of two equal values and of two nulls, and is never unknown.
  var isSame: String { get }

  /// The opposite of ``isSame``.
  var isNotSame: String { get }

  /// An expression for the milliseconds since 1970 of a timestamp in text; null when the text is not a timestamp.
  func milliseconds(ofText expression: String) -> String

  /// A function of OData (wire 6.2) with its arguments at `$0`, `$1`…, each of which may stand there
  /// more than once. The functions of dates get milliseconds since 1970 and answer in UTC.
  func pattern(_ function: FilterFunction, argumentCount: Int) -> String

  /// A condition that holds for the members of a list of so many arguments, none of them null. The list may be empty,
  /// and then holds nothing.
  func isIn(_ operand: String, count: Int) -> String

  /// A key after `ORDER BY` that puts null before every value, or after every value when it descends.
  func sortKey(_ expression: String, ascending: Bool) -> String

  /// The argument of `LIMIT` that sets none.
  var noLimit: FieldValue { get }
}

extension FilterFunction {
  /// True for a function whose argument is a moment.
  package var isDatePart: Bool {
    switch self {
    case .year, .month, .day, .hour, .minute, .second: true
    case .startsWith, .endsWith, .contains, .length, .indexOf, .substring, .trim, .toLower, .toUpper, .concat,
      .replace, .floor, .ceiling, .round:
      false
    }
  }
}

/// A piece of SQL with the values of its `?` marks, in their order.
package struct SQLFragment: Sendable, Hashable {
  package var sql: String
  package var arguments: [FieldValue]

  package init(_ sql: String, _ arguments: [FieldValue] = []) {
    self.sql = sql
    self.arguments = arguments
  }

  /// The fragments one after another, with the text between each two.
  package static func joined(_ parts: [SQLFragment], by separator: String) -> SQLFragment {
    SQLFragment(parts.map(\.sql).joined(separator: separator), parts.flatMap(\.arguments))
  }
}

/// Where a column of the wire stands in a database, and what it holds.
package struct SQLColumn: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    case text, bool, number
    /// Whole milliseconds since 1970, UTC, as an integer.
    case milliseconds
    /// The wire's own form, `yyyy-MM-ddTHH:mm:ss.SSSZ`, which sorts as time does.
    case timestampText

    package var isTime: Bool { self == .milliseconds || self == .timestampText }
  }

  /// A column name in quotes, or an expression in parentheses.
  package let expression: String
  package let kind: Kind

  package init(_ expression: String, _ kind: Kind) {
    self.expression = expression
    self.kind = kind
  }
}
