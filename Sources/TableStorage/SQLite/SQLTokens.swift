/// The words and signs of a statement of SQL, by which two texts of it can be compared.
enum SQLTokens {
  /// Without spaces and comments. Words are in lower case, and what is in quotes stays as it is.
  static func all(in sql: String) -> [String] {
    var tokens: [String] = []
    var rest = Array(sql.unicodeScalars)[...]
    while let first = rest.first {
      if rest.starts(with: "--".unicodeScalars) {
        rest = rest.drop { $0 != "\n" }
      } else if rest.starts(with: "/*".unicodeScalars) {
        rest = rest.firstRange(of: Array("*/".unicodeScalars)).map { rest[$0.upperBound...] } ?? []
      } else if " \t\n\r\u{0C}".unicodeScalars.contains(first) {
        rest = rest.dropFirst()
      } else {
        let length = length(ofTokenAt: rest, first)
        let token = text(rest.prefix(length))
        tokens.append(endings[first] == nil ? token.lowercased() : token)
        rest = rest.dropFirst(length)
      }
    }
    return tokens
  }

  /// A name without the quotation marks that it may have.
  static func name(_ token: String) -> String {
    guard let first = token.unicodeScalars.first, endings[first] != nil, token.unicodeScalars.count > 1 else {
      return token
    }
    return text(Array(token.unicodeScalars.dropFirst().dropLast())[...])
  }

  /// A quotation, a word or a number, or a sign.
  private static func length(ofTokenAt rest: ArraySlice<Unicode.Scalar>, _ first: Unicode.Scalar) -> Int {
    guard let ending = endings[first] else { return max(1, rest.prefix { isPartOfWord($0) }.count) }
    // A quotation mark that stands twice is read as two quotations, which no table of the server has.
    return 1 + rest.dropFirst().prefix { $0 != ending }.count + 1
  }

  private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var text = ""
    text.unicodeScalars.append(contentsOf: scalars)
    return text
  }

  /// As SQLite has it.
  private static func isPartOfWord(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "_", "$": true
    default: !scalar.isASCII
    }
  }

  /// By which sign a quotation ends that begins with this one.
  private static let endings: [Unicode.Scalar: Unicode.Scalar] = ["\"": "\"", "'": "'", "`": "`", "[": "]"]
}
