import Terminal

/// Lightly styles the words that mean something by the conventions of todo.txt: priority, project, context, due date.
enum TodoWords {
  /// The whole text, in the base style but for those words.
  static func line(_ text: String, base: Style) -> Line {
    var line = Line()
    var plain = ""
    for (index, word) in text.split(separator: " ", omittingEmptySubsequences: false).enumerated() {
      if index > 0 { plain += " " }
      guard let style = style(of: word, isFirst: index == 0, base: base) else {
        plain += word
        continue
      }
      line.append(plain, base)
      line.append(String(word), style)
      plain = ""
    }
    line.append(plain, base)
    return line
  }

  private static func style(of word: Substring, isFirst: Bool, base: Style) -> Style? {
    var style = base
    if isFirst && isPriority(word) {
      style.bold = true
    } else if word.count > 1 && word.hasPrefix("+") {
      style.color = .cyan
    } else if word.count > 1 && word.hasPrefix("@") {
      style.color = .green
    } else if word.hasPrefix("due:") && word.utf8.count > 4 {
      style.color = .yellow
    } else {
      return nil
    }
    return style
  }

  private static func isPriority(_ word: Substring) -> Bool {
    let bytes = Array(word.utf8)
    return bytes.count == 3 && bytes[0] == UInt8(ascii: "(") && bytes[2] == UInt8(ascii: ")")
      && (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(bytes[1])
  }
}
