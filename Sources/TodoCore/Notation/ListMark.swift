/// The mark of a line that was copied from a list: `- `, `* [ ] `, `2. `.
package enum ListMark {
  /// The texts behind the marks if each of the lines has one; else the lines as they are. Numbers are marks if there are
  /// several lines and the numbers count them: `24. Dec gifts` alone has a date. A box that is ticked is left out too:
  /// only an import knows done items.
  package static func removed(from lines: [String]) -> [String] {
    var texts: [String] = []
    for (index, line) in lines.enumerated() {
      guard let text = text(behindMarkOf: line, number: lines.count > 1 ? index + 1 : nil) else { return lines }
      texts.append(text)
    }
    return texts
  }

  /// How many ticked boxes `removed` leaves out of these lines.
  package static func tickedBoxes(in lines: [String]) -> Int {
    guard removed(from: lines) != lines else { return 0 }
    return lines.enumerated().count { index, line in
      let behind = rest(behindBulletOf: line.drop(while: \.isWhitespace), index + 1)?.drop(while: \.isWhitespace)
      return ["[x] ", "[X] "].contains { behind?.hasPrefix($0) == true }
    }
  }

  /// Nil if the line has no mark, or no text behind it.
  private static func text(behindMarkOf line: String, number: Int?) -> String? {
    let line = line.drop(while: \.isWhitespace)
    guard let behind = rest(behindBulletOf: line, number), behind.first?.isWhitespace == true else { return nil }
    let text = behind.drop(while: \.isWhitespace)
    guard ["[ ]", "[x]", "[X]"].contains(where: { text.hasPrefix($0) }) else {
      return text.isEmpty ? nil : String(text)
    }
    let behindBox = text.dropFirst(3)
    let words = behindBox.drop(while: \.isWhitespace)
    // A box without a text is the text.
    return String(behindBox.first?.isWhitespace == true && !words.isEmpty ? words : text)
  }

  private static func rest(behindBulletOf line: Substring, _ number: Int?) -> Substring? {
    guard let first = line.first else { return nil }
    if "-*+•".contains(first) { return line.dropFirst() }
    guard let number, line.hasPrefix(String(number)) else { return nil }
    let rest = line.dropFirst(String(number).count)
    guard let sign = rest.first, ".)".contains(sign) else { return nil }
    return rest.dropFirst()
  }
}
