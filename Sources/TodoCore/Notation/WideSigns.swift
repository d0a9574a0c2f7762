/// The space and the signs of East Asian keyboards in what was typed: a text, the beginning of a word. The store knows
/// words by the ASCII space alone, and a text that was imported stays as it is. `WideFilter` reads those of a filter.
package enum WideSigns {
  static let space: Unicode.Scalar = "\u{3000}"
  /// The characters of ASCII that can be printed, from `！` to `～`.
  static let printable: ClosedRange<Unicode.Scalar> = "\u{FF01}"..."\u{FF5E}"

  static func isSpace(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == space }

  /// The text with `+` for `＋` and `@` for `＠` before a letter at the beginning of a word, with `(A)` for `（Ａ）` before
  /// all others, and with ASCII spaces beside each tag, priority and `key:word`. Wide parentheses have their space
  /// inside, so that `（Ａ）家賃` needs none. Other wide spaces stay, for they are part of a title. Only the first line
  /// changes.
  static func narrowed(_ text: String) -> String {
    let end = TodoNotation.endOfFirstLine(text)
    var rest = text.unicodeScalars[..<end]
    guard rest.contains(where: { $0 == space || printable.contains($0) }) else { return text }
    var (line, wasSign) = ("", false)
    if let priority = priority(before: rest) {
      line = priority
      rest = rest.dropFirst(3)
    }
    while !rest.isEmpty {
      let gap = rest.prefix { isSpace($0) }
      let word = rest[gap.endIndex...].prefix { !isSpace($0) }
      let isFirst = word.startIndex == text.startIndex
      let start = isFirst && word.endIndex < end ? DueWords.narrow(String(word.prefix(4))) : ""
      let narrow = isPriority(start) ? start : withNarrowSign(Substring(word))
      let stands = isSign(narrow) || (isFirst && isPriority(narrow))
      line += wasSign || stands ? String(repeating: " ", count: gap.count) : String(gap)
      line += narrow
      wasSign = stands
      rest = rest[word.endIndex...]
    }
    return line + String(text.unicodeScalars[end...])
  }

  /// A word that is being typed, with the sign of ASCII at its beginning, also if nothing stands behind it yet.
  package static func narrowed(beginning word: String) -> String {
    guard let first = word.first, let sign = sign(first), word.dropFirst().first.map(isLetter) ?? true else {
      return word
    }
    return String(sign) + word.dropFirst()
  }

  static func sign(_ character: Character) -> Character? {
    switch character {
    case "＋": "+"
    case "＠": "@"
    default: nil
    }
  }

  static func isLetter(_ character: Character) -> Bool {
    character.unicodeScalars.first?.properties.isAlphabetic == true
  }

  private static func withNarrowSign(_ word: Substring) -> String {
    let scalars = word.unicodeScalars
    guard let first = scalars.first, let sign = sign(Character(first)),
      let second = scalars.dropFirst().first, second.properties.isAlphabetic
    else { return String(word) }
    return String(sign) + String(scalars.dropFirst())
  }

  private static func isSign(_ word: String) -> Bool {
    if word.utf8.first == UInt8(ascii: "+") || word.utf8.first == UInt8(ascii: "@") { return word.utf8.count > 1 }
    if DueKey.split(word[...]) != nil { return true }
    let key = word.utf8.prefix { $0 != UInt8(ascii: ":") }
    let isName = !key.isEmpty && key.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) }
    return isName && word.utf8.count > key.count + 1
  }

  /// `(A) ` if a line begins with `（Ａ）` or `（A）` and goes on right behind it.
  private static func priority(before line: Substring.UnicodeScalarView) -> String? {
    guard let behind = line.dropFirst(3).first, !isSpace(behind), line.first == "（", line.dropFirst(2).first == "）"
    else { return nil }
    let narrow = DueWords.narrow(String(line.prefix(3)))
    return isPriority(narrow) ? narrow + " " : nil
  }

  private static func isPriority(_ word: String) -> Bool { word.utf8.count == 3 && PriorityLetter(word + " ") != nil }
}
