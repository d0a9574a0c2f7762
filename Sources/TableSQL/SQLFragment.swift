package import TableProtocol

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

/// A mistake in a query, found before the database is asked.
package enum QuerySQLError: Error, Hashable, Sendable {
  case unknownColumn(String)
  /// A column of time was compared with this text.
  case notATimestamp(String)
  /// Written out, the condition is longer than ``FilterSQL/longestSQL``.
  case tooComplex
}
