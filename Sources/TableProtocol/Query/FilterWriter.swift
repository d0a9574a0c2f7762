/// Writes a filter as OData text, in the dialect of a protocol version (table-protocol 6.2).
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
