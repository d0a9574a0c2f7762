/// The pieces an OData expression is made of.
enum FilterToken: Hashable {
  case leftParenthesis
  case rightParenthesis
  case comma
  case slash
  case minus
  /// An operator, a function, `not`, or a column: which of them depends on the place.
  case word(String)
  case literal(FilterLiteral)
  case end

  /// The token as it may be quoted in an error.
  var text: String {
    switch self {
    case .leftParenthesis: "("
    case .rightParenthesis: ")"
    case .comma: ","
    case .slash: "/"
    case .minus: "-"
    case .word(let word): word
    case .literal: "a value"
    case .end: "the end"
    }
  }
}
