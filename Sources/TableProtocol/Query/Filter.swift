/// A condition on rows, or a value computed from one: the tree of an OData `$filter`
/// (wire 6.2), the same on both sides of the wire and in the local store.
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

  /// The same with another name for each column.
  package func renamingColumns(_ name: (String) -> String) -> Filter {
    switch self {
    case .literal: self
    case .member(let column): .member(name(column))
    case .not(let operand): .not(operand.renamingColumns(name))
    case .negated(let operand): .negated(operand.renamingColumns(name))
    case .binary(let operation, let left, let right):
      .binary(operation, left.renamingColumns(name), right.renamingColumns(name))
    case .isIn(let operand, let literals): .isIn(operand.renamingColumns(name), literals)
    case .call(let function, let arguments): .call(function, arguments.map { $0.renamingColumns(name) })
    }
  }

  private static func joined(_ conditions: [Filter], by connective: FilterOperator) -> Filter? {
    guard let first = conditions.first else { return nil }
    return conditions.dropFirst().reduce(first) { .binary(connective, $0, $1) }
  }
}

/// Writes a filter as OData text, in the dialect of a protocol version (wire 6.2).
///
/// Puts parentheses round every operation, as all known clients do; only a chain of one `and` or
/// `or` shares a pair, so that a long chain is not a deep one. Not percent-encoded.
package struct FilterWriter {
  package let version: ProtocolVersion

  package init(_ version: ProtocolVersion) {
    self.version = version
  }

  package func text(of filter: Filter) -> String {
    switch filter {
    case .literal(let literal): text(of: literal)
    case .member(let name): name
    case .not(let operand): "not (\(text(of: operand)))"
    case .negated(let operand): "-(\(text(of: operand)))"
    case .binary(let operation, let left, let right):
      "(\(chained(left, operation)) \(operation.rawValue) \(text(of: right)))"
    case .isIn(let operand, let literals):
      "(\(text(of: operand)) in (\(literals.map(text(of:)).joined(separator: ","))))"
    case .call(let function, let arguments): call(function, arguments)
    }
  }

  private func chained(_ left: Filter, _ operation: FilterOperator) -> String {
    if operation == .and || operation == .or, case .binary(operation, let first, let second) = left {
      return "\(chained(first, operation)) \(operation.rawValue) \(text(of: second))"
    }
    return text(of: left)
  }

  private func call(_ function: FilterFunction, _ arguments: [Filter]) -> String {
    let turned = version == .v2 && function == .contains
    let texts = (turned ? arguments.reversed() : arguments).map(text(of:))
    return "\(turned ? "substringof" : function.rawValue)(\(texts.joined(separator: ",")))"
  }

  private func text(of literal: FilterLiteral) -> String {
    switch literal {
    case .null: "null"
    case .bool(let bool): bool ? "true" : "false"
    case .integer(let integer): String(integer)
    case .real(let real): real.isFinite ? String(real) : "null"
    case .text(let text): quoted(text)
    case .timestamp(let moment):
      switch version {
      case .v2: "datetimeoffset'\(moment.text)'"
      case .v3: "cast(\(moment.text),Edm.DateTimeOffset)"
      }
    }
  }

  private func quoted(_ text: String) -> String {
    var quoted = "'"
    for scalar in text.unicodeScalars {
      quoted.unicodeScalars.append(scalar)
      if scalar == "'" { quoted.unicodeScalars.append(scalar) }
    }
    return quoted + "'"
  }
}
