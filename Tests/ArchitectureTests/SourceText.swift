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
      return code(of: line)
    }.joined(separator: "\n")
  }

  /// The line's code: no comment, and strings emptied.
  private static func code(of line: Substring) -> String {
    var code = ""
    var inString = false
    var rest = line
    while let character = rest.first {
      if !inString && rest.hasPrefix("//") { break }
      if inString && character == "\\" {
        rest = rest.dropFirst(2)
        continue
      }
      if character == "\"" { inString.toggle() }
      if !inString || character == "\"" { code.append(character) }
      rest = rest.dropFirst()
    }
    return code
  }
}
