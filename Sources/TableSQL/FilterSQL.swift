package import TableProtocol

/// Turns a filter into a condition in SQL, for the server's database and the local store alike.
///
/// Pure text: no database is touched. Strings compare by code point and exactly; times by instant.
package struct FilterSQL {
  /// The result of a comparison with null (wire 6.2).
  package enum NullRule: Sendable {
    /// Protocol 2.0.0: nothing is true of null except `eq null`.
    case sql
    /// Protocol 3.0.0: null equals null, differs from any value, and is neither less nor greater.
    case odata
  }

  /// Longer conditions are refused: some functions write an argument twice, and nested they would
  /// grow without bound.
  static let longestSQL = 100_000

  let dialect: any SQLDialect
  let nulls: NullRule
  let column: (String) -> SQLColumn?

  /// `column` returns nil for a name the table lacks.
  package init(_ dialect: any SQLDialect, nulls: NullRule, column: @escaping (String) -> SQLColumn?) {
    self.dialect = dialect
    self.nulls = nulls
    self.column = column
  }

  /// An expression that is true (and neither false nor null) exactly for the rows that match.
  package func condition(_ filter: Filter) throws(QueryError) -> SQLFragment {
    switch filter {
    case .binary(let connective, _, _) where connective == .and || connective == .or:
      try joined(chain(filter, of: connective), by: connective) { part throws(QueryError) in try condition(part) }
    case .binary(let relation, let left, let right) where relation.isComparison:
      try compare(left, relation, right)
    case .isIn(let operand, let literals):
      try membership(operand, literals)
    case .binary, .literal, .member, .not, .negated, .call:
      try value(filter)
    }
  }

  /// An expression whose value counts, not only its truth: below a `not`, "unknown" and "false" differ.
  func value(_ filter: Filter) throws(QueryError) -> SQLFragment {
    switch filter {
    // As a constant: for an argument, SQLite compiles the statement again, to see whether it may use an index of only
    // the rows with this truth value.
    case .literal(.bool(let truth)): SQLFragment(dialect.constant(truth))
    case .literal(let literal): SQLFragment(literal: literal)
    case .member(let name): SQLFragment(try found(name).expression)
    case .not(let operand): try checked(value(operand)) { "(NOT \($0))" }
    case .negated(let operand): try checked(value(operand)) { "(- \($0))" }
    case .binary(let relation, let left, let right) where relation.isComparison:
      try decided(compare(left, relation, right, exactly: true))
    case .binary(let connective, _, _) where connective == .and || connective == .or:
      try joined(chain(filter, of: connective), by: connective) { part throws(QueryError) in try value(part) }
    case .binary(let operation, let left, let right): try join(value(left), operation.sql, value(right))
    case .isIn(let operand, let literals): try decided(membership(operand, literals))
    case .call(let function, let arguments): try call(function, arguments)
    }
  }

  func found(_ name: String) throws(QueryError) -> SQLColumn {
    guard let column = column(name) else { throw .unknownColumn(name) }
    return column
  }

  /// By the OData rule a comparison is true or false, never unknown.
  private func decided(_ comparison: SQLFragment) throws(QueryError) -> SQLFragment {
    switch nulls {
    case .sql: comparison
    case .odata: try checked(comparison) { "coalesce(\($0), \(dialect.constant(false)))" }
    }
  }

  /// The members of a chain of `and` or of `or`, whichever way it is nested.
  private func chain(_ filter: Filter, of connective: FilterOperator) -> [Filter] {
    guard case .binary(connective, let left, let right) = filter else { return [filter] }
    return chain(left, of: connective) + chain(right, of: connective)
  }

  /// Nested as little as can be: the parser of a database takes only so many parentheses inside one another.
  private func joined(
    _ parts: [Filter], by connective: FilterOperator, _ written: (Filter) throws(QueryError) -> SQLFragment
  ) throws(QueryError) -> SQLFragment {
    guard parts.count > 1 else { return try written(parts[0]) }
    let middle = (parts.count + 1) / 2
    return try join(
      joined(Array(parts[..<middle]), by: connective, written), connective.sql,
      joined(Array(parts[middle...]), by: connective, written))
  }

  private func join(_ left: SQLFragment, _ symbol: String, _ right: SQLFragment) throws(QueryError) -> SQLFragment {
    try checked(SQLFragment("(\(left.sql) \(symbol) \(right.sql))", left.arguments + right.arguments)) { $0 }
  }

  func checked(_ fragment: SQLFragment, _ wrap: (String) -> String) throws(QueryError) -> SQLFragment {
    guard fragment.sql.utf8.count <= Self.longestSQL else { throw .tooComplex }
    return SQLFragment(wrap(fragment.sql), fragment.arguments)
  }

  private func compare(
    _ left: Filter, _ relation: FilterOperator, _ right: Filter, exactly: Bool = false
  ) throws(QueryError) -> SQLFragment {
    if right.isNull || left.isNull, relation == .equal || relation == .notEqual {
      let operand = try value(right.isNull ? left : right)
      return try checked(operand) { "(\($0) IS \(relation == .equal ? "" : "NOT ")NULL)" }
    }
    let (first, second) = try operands(left, right)
    // `=` with a constant is never true of null either, and every index understands it.
    let hasConstant = left.isConstant || right.isConstant
    switch (nulls, relation) {
    case (.odata, .equal) where exactly || !hasConstant: return try join(first, dialect.isSame, second)
    case (.odata, .notEqual): return try join(first, dialect.isNotSame, second)
    case (.odata, _), (.sql, _): return try join(first, relation.sql, second)
    }
  }

  private func membership(_ operand: Filter, _ literals: [FilterLiteral]) throws(QueryError) -> SQLFragment {
    let present = literals.filter { $0 != .null }
    let isTimed = kind(of: operand)?.isTime == true || present.contains(where: \.isTime)
    let left = isTimed ? try moment(operand) : try value(operand)
    var sql = dialect.isIn(left.sql, count: present.count)
    var arguments = left.arguments
    for literal in present {
      arguments += isTimed ? try moment(.literal(literal)).arguments : SQLFragment(literal: literal).arguments
    }
    if nulls == .odata, present.count < literals.count {
      sql += " OR \(left.sql) IS NULL"
      arguments += left.arguments
    }
    return try checked(SQLFragment("(\(sql))", arguments)) { $0 }
  }
}

extension Filter {
  fileprivate var isNull: Bool { self == .literal(.null) }

  fileprivate var isConstant: Bool {
    if case .literal(let literal) = self { literal != .null } else { false }
  }
}

extension FilterLiteral {
  package var isTime: Bool {
    if case .timestamp = self { true } else { false }
  }
}

extension SQLFragment {
  /// A time without a column to go by stands as its milliseconds.
  init(literal: FilterLiteral) {
    switch literal {
    case .null: self.init("NULL")
    case .bool(let bool): self.init("?", [.bool(bool)])
    case .integer(let integer): self.init("?", [.integer(integer)])
    case .real(let real): self.init("?", [.real(real)])
    case .text(let text): self.init("?", [.text(text)])
    case .timestamp(let moment): self.init("?", [.integer(moment.milliseconds)])
    }
  }
}

extension FilterOperator {
  fileprivate var sql: String {
    switch self {
    case .and: "AND"
    case .or: "OR"
    case .equal: "="
    case .notEqual: "<>"
    case .greater: ">"
    case .greaterOrEqual: ">="
    case .less: "<"
    case .lessOrEqual: "<="
    case .add: "+"
    case .subtract: "-"
    case .multiply: "*"
    case .divide: "/"
    case .modulo: "%"
    }
  }
}

/// The functions of OData (wire 6.2), in the words of the dialect.
extension FilterSQL {
  func call(_ function: FilterFunction, _ arguments: [Filter]) throws(QueryError) -> SQLFragment {
    guard !arguments.isEmpty else { return SQLFragment("NULL") }
    var parts: [SQLFragment] = []
    for argument in arguments { parts.append(try function.isDatePart ? moment(argument) : value(argument)) }
    return try filled(dialect.pattern(function, argumentCount: parts.count), parts)
  }

  /// Puts the parts at the places `$0`, `$1`… of the pattern, with their arguments in that order.
  private func filled(_ pattern: String, _ parts: [SQLFragment]) throws(QueryError) -> SQLFragment {
    var result = SQLFragment("")
    var rest = pattern[...]
    while let mark = rest.firstIndex(of: "$") {
      result.sql += rest[..<mark]
      let digit = rest.index(after: mark)
      if digit < rest.endIndex, let index = rest[digit].wholeNumberValue, parts.indices.contains(index) {
        result.sql += parts[index].sql
        result.arguments += parts[index].arguments
      }
      guard result.sql.utf8.count <= Self.longestSQL else { throw .tooComplex }
      rest = rest[digit...].dropFirst()
    }
    result.sql += rest
    return result
  }
}

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
  func operands(_ left: Filter, _ right: Filter) throws(QueryError) -> (SQLFragment, SQLFragment) {
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
  func moment(_ filter: Filter) throws(QueryError) -> SQLFragment {
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

  private func text(of literal: FilterLiteral) throws(QueryError) -> SQLFragment {
    SQLFragment("?", [.text(try timestamp(literal).text)])
  }

  private func timestamp(_ literal: FilterLiteral) throws(QueryError) -> Timestamp {
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
