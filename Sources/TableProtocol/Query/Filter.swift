/// A condition on rows, or a value computed from one: the tree of an OData `$filter`
/// (table-protocol 6.2), the same on both sides of the wire and in the local store.
public indirect enum Filter: Sendable, Hashable {
  case literal(FilterLiteral)
  /// A column, user's or server's.
  case member(String)
  case not(Filter)
  case negated(Filter)
  case binary(FilterOperator, Filter, Filter)
  case isIn(Filter, [FilterLiteral])
  case call(FilterFunction, [Filter])
}

public enum FilterLiteral: Sendable, Hashable {
  case null
  case bool(Bool)
  case integer(Int64)
  case real(Double)
  case text(String)
  /// A moment; compared with timestamp columns by instant, never by text.
  case timestamp(Timestamp)
}

public enum FilterOperator: String, Sendable, Hashable, CaseIterable {
  case and, or
  case equal = "eq"
  case notEqual = "ne"
  case greater = "gt"
  case greaterOrEqual = "ge"
  case less = "lt"
  case lessOrEqual = "le"
  case add
  case subtract = "sub"
  case multiply = "mul"
  case divide = "div"
  case modulo = "mod"
}

/// The functions the known clients send. `contains` is written `substringof`, with its arguments
/// turned round, in protocol 2.0.0.
public enum FilterFunction: String, Sendable, Hashable, CaseIterable {
  case startsWith = "startswith"
  case endsWith = "endswith"
  case contains
  case length
  case indexOf = "indexof"
  case substring
  case trim
  case toLower = "tolower"
  case toUpper = "toupper"
  case concat
  case replace
  case year, month, day, hour, minute, second
  case floor, ceiling, round
}

extension Filter {
  public static func compare(_ column: String, _ relation: FilterOperator, _ literal: FilterLiteral) -> Filter {
    .binary(relation, .member(column), .literal(literal))
  }

  /// All of the conditions; nil when there are none.
  public static func all(_ conditions: [Filter]) -> Filter? {
    joined(conditions, by: .and)
  }

  /// Any of the conditions; nil when there are none.
  public static func any(_ conditions: [Filter]) -> Filter? {
    joined(conditions, by: .or)
  }

  private static func joined(_ conditions: [Filter], by connective: FilterOperator) -> Filter? {
    guard let first = conditions.first else { return nil }
    return conditions.dropFirst().reduce(first) { .binary(connective, $0, $1) }
  }
}
