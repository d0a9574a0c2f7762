/// Cuts an OData expression into tokens, on demand: what a quote means inside `in (…)` is known
/// only to the parser.
struct FilterLexer {
  let bytes: [UInt8]
  private(set) var position = 0

  init(_ text: some StringProtocol) {
    bytes = Array(text.utf8)
  }

  mutating func next() throws(FilterSyntaxError) -> FilterToken {
    skipSpaces()
    guard let byte = peek() else { return .end }
    switch byte {
    case UInt8(ascii: "("): return single(.leftParenthesis)
    case UInt8(ascii: ")"): return single(.rightParenthesis)
    case UInt8(ascii: ","): return single(.comma)
    case UInt8(ascii: "/"): return single(.slash)
    case UInt8(ascii: "'"): return .literal(.text(try quoted()))
    case UInt8(ascii: "-"):
      guard let following = peek(1), following.isDigit else { return single(.minus) }
      return .literal(try bareLiteral())
    case _ where byte.isDigit || startsGUID: return .literal(try bareLiteral())
    case _ where byte.isIdentifierStart: return try word()
    default:
      let found = String(decoding: bytes[position...].prefix(16), as: UTF8.self).prefix(1)
      throw FilterSyntaxError(.unexpected(String(found)), at: position)
    }
  }

  /// A string of an `in (…)` list, if one comes next. Some clients write these without doubling the
  /// quotes inside, so only a quote before a comma or a parenthesis ends one (wire 6.2).
  mutating func listString() throws(FilterSyntaxError) -> String? {
    skipSpaces()
    guard peek() == UInt8(ascii: "'") else { return nil }
    return try quoted { rest in
      let following = rest.first { $0 != UInt8(ascii: " ") }
      return following == UInt8(ascii: ",") || following == UInt8(ascii: ")")
    }
  }

  private mutating func skipSpaces() {
    while let byte = peek(), byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") { position += 1 }
  }

  private func peek(_ distance: Int = 0) -> UInt8? {
    position + distance < bytes.count ? bytes[position + distance] : nil
  }

  private mutating func single(_ token: FilterToken) -> FilterToken {
    position += 1
    return token
  }

  private mutating func run(while belongs: (UInt8) -> Bool) -> String {
    let start = position
    while let byte = peek(), belongs(byte) { position += 1 }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  /// Reads `'…'` with quotes doubled inside; `ends` decides whether a single quote closes it.
  private mutating func quoted(
    ends: (ArraySlice<UInt8>) -> Bool = { _ in true }
  ) throws(FilterSyntaxError) -> String {
    let start = position
    var content: [UInt8] = []
    position += 1
    while let byte = peek() {
      position += 1
      if byte == 0 { throw FilterSyntaxError(.invalidLiteral("U+0000"), at: position - 1) }
      if byte == UInt8(ascii: "'") {
        if peek() == UInt8(ascii: "'") {
          position += 1
        } else if ends(bytes[position...]) {
          return String(decoding: content, as: UTF8.self)
        }
      }
      content.append(byte)
    }
    throw FilterSyntaxError(.unterminatedString, at: start)
  }

  /// A number, or a date, time or GUID as OData 4 writes them: without quotes.
  private mutating func bareLiteral() throws(FilterSyntaxError) -> FilterLiteral {
    let start = position
    let text = run { $0.isIdentifierPart || $0.isLiteralPunctuation }
    guard let literal = FilterLiteral(bare: text) else {
      throw FilterSyntaxError(.invalidLiteral(text), at: start)
    }
    return literal
  }

  private mutating func word() throws(FilterSyntaxError) -> FilterToken {
    let start = position
    let word = run(while: \.isIdentifierPart)
    if peek() == UInt8(ascii: "'") {
      let content = try quoted()
      guard let literal = FilterLiteral(prefix: word, content: content) else {
        throw FilterSyntaxError(.invalidLiteral("\(word)'\(content)'"), at: start)
      }
      return .literal(literal)
    }
    if word == "cast", peek() == UInt8(ascii: "(") { return .literal(try cast(from: start)) }
    return .word(word)
  }

  /// `cast(value,Edm.Type)`, whose value is written without quotes.
  private mutating func cast(from start: Int) throws(FilterSyntaxError) -> FilterLiteral {
    position += 1
    let value = run { $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: ")") }
    guard peek() == UInt8(ascii: ",") else { throw FilterSyntaxError(.invalidLiteral("cast"), at: start) }
    position += 1
    let type = run { $0 != UInt8(ascii: ")") }
    guard peek() == UInt8(ascii: ")"), let literal = FilterLiteral(cast: value, to: type) else {
      throw FilterSyntaxError(.invalidLiteral("cast(\(value),\(type)"), at: start)
    }
    position += 1
    return literal
  }

  private var startsGUID: Bool {
    guard position + 36 <= bytes.count, peek(36).map(\.isIdentifierPart) != true else { return false }
    return GUIDText.isGUID(bytes[position..<position + 36])
  }
}

extension UInt8 {
  var isIdentifierStart: Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) || self == UInt8(ascii: "_")
  }

  var isIdentifierPart: Bool { isIdentifierStart || isDigit }

  fileprivate var isLiteralPunctuation: Bool {
    switch self {
    case UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: ":"), UInt8(ascii: "."): true
    default: false
    }
  }
}

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

/// Why a `$filter` or `$orderby` could not be read, and where.
package struct FilterSyntaxError: Error, Hashable, Sendable {
  package enum Reason: Hashable, Sendable {
    case unexpectedEnd
    /// The text found where something else was due.
    case unexpected(String)
    case unterminatedString
    /// A number, date or byte string that is none.
    case invalidLiteral(String)
    case unknownFunction(String)
    case wrongArgumentCount(FilterFunction)
    /// `replace` inside `replace`, or with a replacement that is not a short constant: a short
    /// expression must not make a huge string (wire 6.2).
    case unsafeReplace
    case tooDeep
    case tooManyCalls
    case tooLong
  }

  package let reason: Reason
  /// Bytes of UTF-8 before the place, in the decoded text.
  package let position: Int

  package init(_ reason: Reason, at position: Int) {
    self.reason = reason
    self.position = position
  }
}
