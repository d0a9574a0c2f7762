/// Reads an OData `$filter`, in the syntax of either protocol version (wire 6.2).
///
/// The text comes from anywhere, so its length and its depth are limited: whatever it holds, the
/// outcome is a filter or an error with a position.
package struct FilterParser {
  /// Bytes of UTF-8.
  package static let longestText = 16_384
  /// Parentheses, `not` and arguments inside one another.
  static let deepestNesting = 100
  /// Levels of the tree; a chain of `or` makes one for each member. SQLite takes 1,000.
  static let deepestTree = 300
  /// Functions that are called: a database does not look at its clock while it calls those of one row.
  static let mostCalls = 200

  /// A part that was read, and how many levels its tree has.
  struct Part {
    var filter: Filter
    var depth = 1
  }

  private var lexer: FilterLexer
  private var lookahead: FilterToken?
  private var nesting = 0
  private var calls = 0
  private var insideReplace = false

  package static func parse(_ text: some StringProtocol) throws(FilterSyntaxError) -> Filter {
    guard text.utf8.count <= longestText else { throw FilterSyntaxError(.tooLong, at: longestText) }
    var parser = FilterParser(lexer: FilterLexer(text))
    let part = try parser.expression(above: 0)
    try parser.expect(.end)
    return part.filter
  }

  private init(lexer: FilterLexer) {
    self.lexer = lexer
  }

  private mutating func peek() throws(FilterSyntaxError) -> FilterToken {
    if let lookahead { return lookahead }
    let token = try lexer.next()
    lookahead = token
    return token
  }

  private mutating func take() throws(FilterSyntaxError) -> FilterToken {
    let token = try peek()
    lookahead = nil
    return token
  }

  private mutating func expect(_ token: FilterToken) throws(FilterSyntaxError) {
    let found = try take()
    guard found == token else { throw unexpected(found) }
  }

  private func unexpected(_ token: FilterToken) -> FilterSyntaxError {
    FilterSyntaxError(token == .end ? .unexpectedEnd : .unexpected(token.text), at: lexer.position)
  }

  /// Operators that bind more tightly than `strength`, applied from left to right.
  private mutating func expression(above strength: Int) throws(FilterSyntaxError) -> Part {
    var left = try unary()
    while case .word(let word) = try peek() {
      if word == "in", strength < FilterOperator.equal.strength {
        _ = try take()
        left = Part(filter: .isIn(left.filter, try list()), depth: left.depth + 1)
      } else if let operation = FilterOperator(rawValue: word), operation.strength > strength {
        _ = try take()
        let right = try expression(above: operation.strength)
        left = Part(
          filter: .binary(operation, left.filter, right.filter), depth: max(left.depth, right.depth) + 1)
      } else {
        break
      }
      guard left.depth <= Self.deepestTree else { throw FilterSyntaxError(.tooDeep, at: lexer.position) }
    }
    return left
  }

  private mutating func unary() throws(FilterSyntaxError) -> Part {
    nesting += 1
    defer { nesting -= 1 }
    guard nesting <= Self.deepestNesting else { throw FilterSyntaxError(.tooDeep, at: lexer.position) }
    let token = try take()
    switch token {
    case .minus:
      let operand = try unary()
      return Part(filter: .negated(operand.filter), depth: operand.depth + 1)
    case .word("not"):
      let operand = try unary()
      return Part(filter: .not(operand.filter), depth: operand.depth + 1)
    case .leftParenthesis:
      let inner = try expression(above: 0)
      try expect(.rightParenthesis)
      return inner
    case .literal(let literal):
      return Part(filter: .literal(literal))
    case .word(let word):
      return try named(word)
    case .rightParenthesis, .comma, .slash, .end:
      throw unexpected(token)
    }
  }

  /// A constant, a call or a column.
  private mutating func named(_ word: String) throws(FilterSyntaxError) -> Part {
    switch word {
    case "null": return Part(filter: .literal(.null))
    case "true": return Part(filter: .literal(.bool(true)))
    case "false": return Part(filter: .literal(.bool(false)))
    default: break
    }
    let position = lexer.position
    if try peek() == .leftParenthesis { return try call(word, at: position) }
    var path = word
    while try peek() == .slash {
      _ = try take()
      let token = try take()
      guard case .word(let next) = token else { throw unexpected(token) }
      path += "/" + next
    }
    return Part(filter: .member(path))
  }

  private mutating func call(_ name: String, at position: Int) throws(FilterSyntaxError) -> Part {
    let turned = name == "substringof"
    guard let function = turned ? .contains : FilterFunction(rawValue: name) else {
      throw FilterSyntaxError(.unknownFunction(name), at: position)
    }
    calls += 1
    guard calls <= Self.mostCalls else { throw FilterSyntaxError(.tooManyCalls, at: position) }
    if function == .replace, insideReplace { throw FilterSyntaxError(.unsafeReplace, at: position) }
    let outer = insideReplace
    insideReplace = outer || function == .replace
    defer { insideReplace = outer }
    let arguments = try arguments()
    guard function.argumentCounts.contains(arguments.count) else {
      throw FilterSyntaxError(.wrongArgumentCount(function), at: position)
    }
    let filters = arguments.map(\.filter)
    guard function != .replace || filters[2].isShortText else {
      throw FilterSyntaxError(.unsafeReplace, at: position)
    }
    let depth = (arguments.map(\.depth).max() ?? 0) + 1
    return Part(filter: .call(function, turned ? filters.reversed() : filters), depth: depth)
  }

  private mutating func arguments() throws(FilterSyntaxError) -> [Part] {
    try expect(.leftParenthesis)
    if try peek() == .rightParenthesis {
      _ = try take()
      return []
    }
    var arguments: [Part] = []
    while true {
      arguments.append(try expression(above: 0))
      let token = try take()
      if token == .rightParenthesis { return arguments }
      guard token == .comma else { throw unexpected(token) }
    }
  }

  private mutating func list() throws(FilterSyntaxError) -> [FilterLiteral] {
    try expect(.leftParenthesis)
    var literals: [FilterLiteral] = []
    while true {
      if let text = try lexer.listString() {
        literals.append(.text(text))
      } else {
        let part = try unary()
        guard case .literal(let literal) = part.filter else { throw unexpected(try peek()) }
        literals.append(literal)
      }
      let token = try take()
      if token == .rightParenthesis { return literals }
      guard token == .comma else { throw unexpected(token) }
    }
  }
}

extension Filter {
  /// True for a constant text of at most 100 characters: what `replace` may put in.
  var isShortText: Bool {
    if case .literal(.text(let text)) = self { text.count <= 100 } else { false }
  }
}

extension FilterOperator {
  package var isComparison: Bool { strength == FilterOperator.equal.strength }

  /// How tightly the operator binds: `or` least.
  var strength: Int {
    switch self {
    case .or: 1
    case .and: 2
    case .equal, .notEqual, .greater, .greaterOrEqual, .less, .lessOrEqual: 3
    case .add, .subtract: 4
    case .multiply, .divide, .modulo: 5
    }
  }
}

extension FilterFunction {
  var argumentCounts: ClosedRange<Int> {
    switch self {
    case .startsWith, .endsWith, .contains, .indexOf, .concat: 2...2
    case .substring: 2...3
    case .replace: 3...3
    case .length, .trim, .toLower, .toUpper, .year, .month, .day, .hour, .minute, .second, .floor, .ceiling, .round:
      1...1
    }
  }
}
