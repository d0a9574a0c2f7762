/// Reads an OData `$orderby`: names with an optional `asc` or `desc`, separated by commas.
package enum OrderParser {
  /// More keys than any client sends; a limit because the text comes from anywhere.
  static let mostKeys = 32

  package static func parse(_ text: some StringProtocol) throws(FilterSyntaxError) -> [SortKey] {
    guard text.utf8.count <= FilterParser.longestText else {
      throw FilterSyntaxError(.tooLong, at: FilterParser.longestText)
    }
    var lexer = FilterLexer(text)
    var keys: [SortKey] = []
    while true {
      guard keys.count < mostKeys else { throw FilterSyntaxError(.tooLong, at: lexer.position) }
      let (key, following) = try key(in: &lexer)
      keys.append(key)
      switch following {
      case .comma: continue
      case .end: return keys
      case .leftParenthesis, .rightParenthesis, .slash, .minus, .word, .literal:
        throw FilterSyntaxError(.unexpected(following.text), at: lexer.position)
      }
    }
  }

  private static func key(in lexer: inout FilterLexer) throws(FilterSyntaxError) -> (SortKey, FilterToken) {
    let token = try lexer.next()
    guard case .word(let column) = token else {
      throw FilterSyntaxError(token == .end ? .unexpectedEnd : .unexpected(token.text), at: lexer.position)
    }
    switch try lexer.next() {
    case .word("asc"): return (SortKey(column), try lexer.next())
    case .word("desc"): return (SortKey(column, ascending: false), try lexer.next())
    case let following: return (SortKey(column), following)
    }
  }
}
