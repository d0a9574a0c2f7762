/// The mark of a line that was copied from a list: `- `, `* [ ] `, `2. `.
package enum ListMark {
  /// The texts behind the marks if each of the lines has one; else the lines as they are. A box that is ticked is left
  /// out too: only an import knows done items.
  package static func removed(from lines: [String]) -> [String] {
    var texts: [String] = []
    for line in lines {
      guard let text = text(behindMarkOf: line) else { return lines }
      texts.append(text)
    }
    return texts
  }

  /// Nil if the line has no mark, or no text behind it.
  private static func text(behindMarkOf line: String) -> String? {
    let line = line.drop(while: \.isWhitespace)
    guard let behind = rest(behindBulletOf: line), behind.first?.isWhitespace == true else { return nil }
    let text = behind.drop(while: \.isWhitespace)
    guard ["[ ]", "[x]", "[X]"].contains(where: { text.hasPrefix($0) }) else {
      return text.isEmpty ? nil : String(text)
    }
    let behindBox = text.dropFirst(3)
    let words = behindBox.drop(while: \.isWhitespace)
    // A box without a text is the text.
    return String(behindBox.first?.isWhitespace == true && !words.isEmpty ? words : text)
  }

  private static func rest(behindBulletOf line: Substring) -> Substring? {
    guard let first = line.first else { return nil }
    if "-*+•".contains(first) { return line.dropFirst() }
    let digits = line.prefix { ("0"..."9").contains($0) }.count
    let rest = line.dropFirst(digits)
    guard (1...3).contains(digits), let sign = rest.first, ".)".contains(sign) else { return nil }
    return rest.dropFirst()
  }
}
