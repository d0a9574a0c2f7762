package import TableProtocol

/// SQLite's words. Some conditions call a ``SQLiteFunction``, which the connection must register.
package struct SQLiteDialect: SQLDialect {
  package init() {}

  package func quoted(_ name: String) -> String {
    // Hardly any name has a quote in it, and looking for one among the bytes is far cheaper than a search of the text.
    let sign = UInt8(ascii: "\"")
    return "\"" + (name.utf8.contains(sign) ? name.replacing("\"", with: "\"\"") : name) + "\""
  }

  package func statement(_ fragment: SQLFragment) -> String { fragment.sql }

  /// Truth is a number.
  package func constant(_ truth: Bool) -> String { truth ? "1" : "0" }

  package var isSame: String { "IS" }
  package var isNotSame: String { "IS NOT" }

  package func milliseconds(ofText expression: String) -> String {
    "\(SQLiteFunction.milliseconds.name)(\(expression))"
  }

  package func isIn(_ operand: String, count: Int) -> String {
    "\(operand) IN (\(Array(repeating: "?", count: count).joined(separator: ", ")))"
  }

  package var noLimit: FieldValue { .integer(-1) }

  /// SQLite sorts null before every value.
  package func sortKey(_ expression: String, ascending: Bool) -> String {
    expression + (ascending ? "" : " DESC")
  }

  /// Positions count from 0 in OData and from 1 in SQLite; a negative one counts as 0. `substr` is exact, where `LIKE`
  /// would ignore case. For `instr` and `replace` there are functions of our own: see `sqlite_add_searches`.
  package func pattern(_ function: FilterFunction, argumentCount: Int) -> String {
    switch function {
    case .startsWith: "(substr($0, 1, length($1)) = $1)"
    case .endsWith: "(length($0) >= length($1) AND substr($0, length($0) - length($1) + 1) = $1)"
    case .contains: "(ebb_position($0, $1) > 0)"
    case .length: "length($0)"
    case .indexOf: "(ebb_position($0, $1) - 1)"
    case .substring where argumentCount == 3: "substr($0, max($1, 0) + 1, max($2, 0))"
    case .substring: "substr($0, max($1, 0) + 1)"
    case .trim: "trim($0)"
    case .toLower: "\(SQLiteFunction.lower.name)($0)"
    case .toUpper: "\(SQLiteFunction.upper.name)($0)"
    case .concat: "($0 || $1)"
    case .replace: "ebb_replace($0, $1, $2)"
    case .floor: "(CAST($0 AS INTEGER) - ($0 < CAST($0 AS INTEGER)))"
    case .ceiling: "(CAST($0 AS INTEGER) + ($0 > CAST($0 AS INTEGER)))"
    case .round: "round($0)"
    case .year: Self.datePart("%Y")
    case .month: Self.datePart("%m")
    case .day: Self.datePart("%d")
    case .hour: Self.datePart("%H")
    case .minute: Self.datePart("%M")
    case .second: Self.datePart("%S")
    }
  }

  private static func datePart(_ format: String) -> String {
    "CAST(strftime('\(format)', $0 / 1000.0, 'unixepoch') AS INTEGER)"
  }
}

extension SQLDialect where Self == SQLiteDialect {
  package static var sqlite: SQLiteDialect { SQLiteDialect() }
}

/// A function that conditions call and SQLite lacks. Each storage registers all of them on each of its connections.
///
/// It takes one argument, depends on nothing else, and gives null for anything but text.
package struct SQLiteFunction: Sendable {
  package let name: String
  package let value: @Sendable (String) -> FieldValue

  /// Lower case of all of Unicode; SQLite's own knows ASCII only.
  static let lower = SQLiteFunction(name: "ebb_lower") { .text($0.lowercased()) }
  static let upper = SQLiteFunction(name: "ebb_upper") { .text($0.uppercased()) }
  /// Milliseconds since 1970 of a timestamp in text, or null when the text is not a timestamp.
  static let milliseconds = SQLiteFunction(name: "ebb_milliseconds") { text in
    Timestamp(text).map { .integer($0.milliseconds) } ?? .null
  }

  package static let all = [lower, upper, milliseconds]
  /// The names of those that take several texts: `sqlite_add_searches` registers them.
  package static let searches = ["ebb_position", "ebb_replace"]
}

extension FieldValue {
  /// The value as a library for SQLite binds it: each closure makes the library's own value. SQLite has no booleans
  /// and stores 0 or 1.
  package func bound<Bound>(
    null: Bound, integer: (Int64) -> Bound, real: (Double) -> Bound, text: (String) -> Bound
  ) -> Bound {
    switch self {
    case .null: null
    case .bool(let bool): integer(bool ? 1 : 0)
    case .integer(let value): integer(value)
    case .real(let value): real(value)
    case .text(let value): text(value)
    }
  }
}
