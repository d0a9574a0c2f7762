/// A rough reading of Swift sources: enough to tell code from comments and strings, line by line.
enum SourceText {
  /// The source with the text of its comments gone and its lines kept. Block comments that share a line with code
  /// are not looked for: this project has none.
  static func withoutComments(_ source: String) -> String {
    var inBlock = false
    return source.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      if inBlock {
        inBlock = !line.contains("*/")
        return ""
      }
      if line.drop(while: \.isWhitespace).hasPrefix("/*") {
        inBlock = !line.contains("*/")
        return ""
      }
      return parts(of: line).code
    }.joined(separator: "\n")
  }

  /// A comment: lines that follow one another are one.
  struct Comment: Equatable {
    /// The number of its first line, from 1.
    let line: Int
    /// Without the slashes, in one line.
    var text: String
  }

  /// The line comments of a source, those behind code too. Block comments are not looked for.
  static func comments(in source: String) -> [Comment] {
    var comments: [Comment] = []
    var goesOn = false
    for (index, line) in source.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      guard line.utf8.contains(UInt8(ascii: "/")) else {
        goesOn = false
        continue
      }
      let (code, comment) = parts(of: line)
      let text = comment.drop { $0 == "/" }
      let isAlone = code.allSatisfy(\.isWhitespace)
      if goesOn, isAlone, !comment.isEmpty {
        comments[comments.count - 1].text += text
      } else if !comment.isEmpty {
        comments.append(Comment(line: index + 1, text: String(text)))
      }
      goesOn = isAlone && !comment.isEmpty
    }
    return comments
  }

  /// The line's code, with strings emptied, and its comment from the slashes on.
  private static func parts(of line: Substring) -> (code: String, comment: Substring) {
    // Most lines have neither: looking at each of their characters would take seconds for the whole repository.
    guard line.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\"") }) else {
      return (String(line), "")
    }
    var code = ""
    var inString = false
    var rest = line
    while let character = rest.first {
      if !inString && rest.hasPrefix("//") { return (code, rest) }
      if inString && character == "\\" {
        rest = rest.dropFirst(2)
        continue
      }
      if character == "\"" { inString.toggle() }
      if !inString || character == "\"" { code.append(character) }
      rest = rest.dropFirst()
    }
    return (code, "")
  }
}
