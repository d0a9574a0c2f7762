import TableProtocol

/// Comparison of times by instant, whatever form either side has.
extension FilterSQL {
  /// The kind of the expression's value, as far as its outermost part shows it.
  func kind(of filter: Filter) -> SQLColumn.Kind? {
    switch filter {
    case .member(let name): column(name)?.kind
    case .literal(.timestamp): .milliseconds
    case .literal, .not, .negated, .binary, .isIn, .call: nil
    }
  }

  /// Both sides in forms that compare. A column that holds times as text is compared with a
  /// constant as text, so that its index serves.
  func operands(_ left: Filter, _ right: Filter) throws(QuerySQLError) -> (SQLFragment, SQLFragment) {
    let (leftKind, rightKind) = (kind(of: left), kind(of: right))
    guard leftKind?.isTime == true || rightKind?.isTime == true else { return try (value(left), value(right)) }
    if leftKind == .timestampText, case .literal(let literal) = right, literal != .null {
      return try (value(left), text(of: literal))
    }
    if rightKind == .timestampText, case .literal(let literal) = left, literal != .null {
      return try (text(of: literal), value(right))
    }
    return try (moment(left), moment(right))
  }

  /// The expression as milliseconds since 1970.
  func moment(_ filter: Filter) throws(QuerySQLError) -> SQLFragment {
    switch filter {
    case .literal(.null):
      return SQLFragment("NULL")
    case .literal(let literal):
      return SQLFragment("?", [.integer(try timestamp(literal).milliseconds)])
    case .member(let name) where try found(name).kind == .milliseconds:
      return try value(filter)
    case .member, .not, .negated, .binary, .isIn, .call:
      return try checked(value(filter)) { dialect.milliseconds(ofText: $0) }
    }
  }

  private func text(of literal: FilterLiteral) throws(QuerySQLError) -> SQLFragment {
    SQLFragment("?", [.text(try timestamp(literal).text)])
  }

  private func timestamp(_ literal: FilterLiteral) throws(QuerySQLError) -> Timestamp {
    switch literal {
    case .timestamp(let moment):
      return moment
    case .text(let text):
      guard let moment = Timestamp(text) ?? Timestamp(text + "T00:00:00Z") else { throw .notATimestamp(text) }
      return moment
    case .null, .bool, .integer, .real:
      throw .notATimestamp("\(literal)")
    }
  }
}
