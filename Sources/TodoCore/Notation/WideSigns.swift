/// The space and the signs of East Asian keyboards in a text that was typed. The store knows words by the ASCII space
/// alone, and a text that was imported stays as it is.
enum WideSigns {
  static let space: Unicode.Scalar = "\u{3000}"

  static func isSpace(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == space }

  /// The text with `+` for `＋` and `@` for `＠` before a letter at the beginning of a word, and with ASCII spaces beside
  /// each tag, priority and `key:word`. Other wide spaces stay, for they are part of a title. Only the first line
  /// changes.
  static func narrowed(_ text: String) -> String {
    let end = TodoNotation.endOfFirstLine(text)
    var rest = text.unicodeScalars[..<end]
    guard rest.contains(where: { $0 == space || signs[$0] != nil }) else { return text }
    var (line, wasSign) = ("", false)
    while !rest.isEmpty {
      let gap = rest.prefix { isSpace($0) }
      let word = rest[gap.endIndex...].prefix { !isSpace($0) }
      let narrow = withNarrowSign(Substring(word))
      let stands = isSign(narrow) || (word.startIndex == text.startIndex && isPriority(narrow))
      line += wasSign || stands ? String(repeating: " ", count: gap.count) : String(gap)
      line += narrow
      wasSign = stands
      rest = rest[word.endIndex...]
    }
    return line + String(text.unicodeScalars[end...])
  }

  private static let signs: [Unicode.Scalar: String] = ["＋": "+", "＠": "@"]

  private static func withNarrowSign(_ word: Substring) -> String {
    let scalars = word.unicodeScalars
    guard let first = scalars.first, let sign = signs[first],
      let second = scalars.dropFirst().first, second.properties.isAlphabetic
    else { return String(word) }
    return sign + String(scalars.dropFirst())
  }

  private static func isSign(_ word: String) -> Bool {
    if word.utf8.first == UInt8(ascii: "+") || word.utf8.first == UInt8(ascii: "@") { return word.utf8.count > 1 }
    if DueKey.split(word[...]) != nil { return true }
    let key = word.utf8.prefix { $0 != UInt8(ascii: ":") }
    let isName = !key.isEmpty && key.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) }
    return isName && word.utf8.count > key.count + 1
  }

  private static func isPriority(_ word: String) -> Bool { word.utf8.count == 3 && PriorityLetter(word + " ") != nil }
}
