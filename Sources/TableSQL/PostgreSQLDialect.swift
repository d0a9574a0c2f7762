package import TableProtocol

/// PostgreSQL's words.
///
/// Not everything that a filter can ask has the same answer there as in SQLite, whose values have types of their own:
/// numbers are whole or not, a text is compared with a number, the remainder of a fraction is taken. ``says(_:_:)``
/// knows what is the same; of the rest somebody else has to decide.
package struct PostgreSQLDialect: SQLDialect {
  /// Expressions that are never null: an index serves their order only if nulls are not mentioned.
  let neverNull: Set<String>

  package init(neverNull: Set<String> = []) { self.neverNull = neverNull }

  package func quoted(_ name: String) -> String { SQLiteDialect.sqlite.quoted(name) }

  /// Numbers the arguments, and says of each which type it has, since PostgreSQL guesses it from the neighbourhood.
  package func statement(_ fragment: SQLFragment) -> String {
    let pieces = fragment.sql.split(separator: "?", omittingEmptySubsequences: false)
    var text = String(pieces[0])
    for (index, (piece, argument)) in zip(pieces.dropFirst(), fragment.arguments).enumerated() {
      text += "$\(index + 1)\(Self.cast(argument))\(piece)"
    }
    return text
  }

  private static func cast(_ argument: FieldValue) -> String {
    switch argument {
    case .null: ""
    case .bool: "::boolean"
    case .integer: "::bigint"
    case .real: "::numeric"
    case .text: "::text"
    }
  }

  package func constant(_ truth: Bool) -> String { truth ? "true" : "false" }

  package var isSame: String { "IS NOT DISTINCT FROM" }
  package var isNotSame: String { "IS DISTINCT FROM" }

  package func isIn(_ operand: String, count: Int) -> String {
    // An empty list is no list there.
    count == 0 ? "(\(operand) IS NULL AND false)" : SQLiteDialect.sqlite.isIn(operand, count: count)
  }

  package var noLimit: FieldValue { .null }

  /// PostgreSQL sorts null after every value.
  package func sortKey(_ expression: String, ascending: Bool) -> String {
    if neverNull.contains(expression) { return expression + (ascending ? "" : " DESC") }
    return expression + (ascending ? " ASC NULLS FIRST" : " DESC NULLS LAST")
  }

  package func milliseconds(ofText expression: String) -> String {
    "(extract(epoch FROM \(expression)::timestamptz) * 1000)::bigint"
  }

  package func pattern(_ function: FilterFunction, argumentCount: Int) -> String {
    switch function {
    case .startsWith: "(left($0, length($1)) = $1)"
    case .endsWith: "(right($0, length($1)) = $1)"
    case .contains: "(strpos($0, $1) > 0)"
    case .length: "length($0)"
    case .indexOf: "(strpos($0, $1) - 1)"
    case .substring where argumentCount == 3: "substr($0, greatest($1, 0) + 1, greatest($2, 0))"
    case .substring: "substr($0, greatest($1, 0) + 1)"
    case .trim: "trim($0)"
    case .toLower: "lower($0)"
    case .toUpper: "upper($0)"
    case .concat: "($0 || $1)"
    case .replace: "replace($0, $1, $2)"
    case .floor: "floor($0)"
    case .ceiling: "ceil($0)"
    case .round: "round($0)"
    case .year, .month, .day, .hour, .minute, .second:
      "extract(\(function.rawValue) FROM to_timestamp($0 / 1000.0) AT TIME ZONE 'UTC')"
    }
  }
}

extension SQLDialect where Self == PostgreSQLDialect {
  package static var postgreSQL: PostgreSQLDialect { PostgreSQLDialect() }
}

/// The part of conditions that PostgreSQL answers as SQLite does.
extension PostgreSQLDialect {
  /// Bytes of a text that PostgreSQL looks for in others. Its search takes as long as both lengths multiplied, and no
  /// timeout ends it before it is done.
  private static let longestSought = 100

  /// The filter as two, of which both must hold: the first has the same answer in PostgreSQL, the second need not. Nil
  /// for a part that asks nothing.
  package static func divide(
    _ filter: Filter, _ column: (String) -> SQLColumn?
  ) -> (here: Filter?, elsewhere: Filter?) {
    if case .binary(.and, let left, let right) = filter {
      let (left, right) = (divide(left, column), divide(right, column))
      return (
        Filter.all([left.here, right.here].compactMap(\.self)),
        Filter.all([left.elsewhere, right.elsewhere].compactMap(\.self))
      )
    }
    return says(filter, column) ? (filter, nil) : (nil, filter)
  }

  /// True for a condition that is true, false or unknown of the same rows as in SQLite.
  package static func says(_ filter: Filter, _ column: (String) -> SQLColumn?) -> Bool {
    switch filter {
    case .member(let name): column(name)?.kind == .bool
    case .not(let operand): says(operand, column)
    case .binary(.and, let left, let right), .binary(.or, let left, let right):
      says(left, column) && says(right, column)
    case .binary(let relation, let left, let right) where relation.isComparison:
      compares(left, relation, right, column)
    case .isIn(.member(let name), let literals):
      literals.allSatisfy { $0 == .null || column(name).map($0.isOf) == true }
    case .call(.contains, let arguments):
      arguments.count == 2 && isText(arguments[0], column) && isShortText(arguments[1])
    case .call(.startsWith, let arguments), .call(.endsWith, let arguments):
      arguments.count == 2 && arguments.allSatisfy { isText($0, column) }
    case .literal, .negated, .binary, .isIn, .call: false
    }
  }

  private static func compares(
    _ left: Filter, _ relation: FilterOperator, _ right: Filter, _ column: (String) -> SQLColumn?
  ) -> Bool {
    let isEquality = relation == .equal || relation == .notEqual
    switch (left, right) {
    case (.member(let name), .literal(let literal)), (.literal(let literal), .member(let name)):
      guard let column = column(name) else { return false }
      if literal == .null { return isEquality }
      return literal.isOf(column) && (isEquality || column.kind != .bool)
    case (.member(let first), .member(let second)):
      guard let first = column(first), let second = column(second) else { return false }
      return first.kind == second.kind && first.kind != .timestampText && (isEquality || first.kind != .bool)
    case _: return false
    }
  }

  private static func isShortText(_ filter: Filter) -> Bool {
    if case .literal(.text(let text)) = filter { text.utf8.count <= longestSought } else { false }
  }

  private static func isText(_ filter: Filter, _ column: (String) -> SQLColumn?) -> Bool {
    switch filter {
    case .member(let name): column(name)?.kind == .text
    case .literal(.text): true
    case .literal, .not, .negated, .binary, .isIn, .call: false
    }
  }
}

extension FilterLiteral {
  /// True for a value as the column has them. A text is one of a column of moments: whoever writes the condition reads
  /// it.
  fileprivate func isOf(_ column: SQLColumn) -> Bool {
    switch (self, column.kind) {
    case (.text, .text), (.bool, .bool), (.integer, .number), (.real, .number), (.timestamp, .milliseconds),
      (.text, .milliseconds):
      true
    case (.null, _), (.text, _), (.bool, _), (.integer, _), (.real, _), (.timestamp, _): false
    }
  }
}
