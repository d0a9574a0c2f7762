/// A piece of SQLite's SQL with the values of its `?` marks, in their order.
package struct SQLFragment: Sendable, Hashable {
  package var sql: String
  package var arguments: [FieldValue]

  package init(_ sql: String, _ arguments: [FieldValue] = []) {
    self.sql = sql
    self.arguments = arguments
  }
}

/// Where a column of the wire is found in a database, and what it holds.
package struct SQLColumn: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    case text, bool, number
    /// Whole milliseconds since 1970, UTC, as an integer.
    case milliseconds
    /// The wire's own form, `yyyy-MM-ddTHH:mm:ss.SSSZ`, which sorts as time does.
    case timestampText

    var isTime: Bool { self == .milliseconds || self == .timestampText }
  }

  /// A column name in quotes, or an expression in parentheses.
  package let expression: String
  package let kind: Kind

  package init(_ expression: String, _ kind: Kind) {
    self.expression = expression
    self.kind = kind
  }
}

/// Functions that SQLite has not and a store must register. Each takes one argument and gives null
/// for null.
package enum SQLFunctionName {
  /// Lower case of all of Unicode; SQLite's own knows ASCII only.
  package static let lower = "ebb_lower"
  package static let upper = "ebb_upper"
  /// Milliseconds since 1970 of a timestamp in text, or null when it is none.
  package static let milliseconds = "ebb_milliseconds"
}

package enum QuerySQLError: Error, Hashable, Sendable {
  case unknownColumn(String)
  /// A column of time was compared with this text.
  case notATimestamp(String)
  /// Written out, the condition is longer than a database should be asked.
  case tooComplex
}
