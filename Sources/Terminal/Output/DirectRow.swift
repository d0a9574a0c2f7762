/// A row written past ncurses, for text it would count wrongly.
///
/// ncurses adds up scalars: a family emoji is six columns to it and two to most terminals, and every
/// cell after it would land in the wrong place. Such a row is sent as it is, with the column stated
/// again after each character in dispute, so that it comes out straight whoever is right.
enum DirectRow {
  /// The bytes that draw the row, with the style back to plain at the end. Rows count from 0.
  static func bytes(_ line: Line, row: Int, depth: ColorDepth) -> String {
    var result = move(row: row, column: 0) + "\u{1B}[0m\u{1B}[K"
    var column = 0
    var style = Style.plain
    for span in line.spans {
      if span.style != style { result += select(span.style, depth: depth) }
      style = span.style
      for character in span.text {
        result.append(character)
        column += TextWidth.columns(of: character)
        if !TextWidth.isCountedByCurses(character) { result += move(row: row, column: column) }
      }
    }
    return result + "\u{1B}[0m"
  }

  /// The text ncurses draws in its place first: with spaces for the characters in dispute. So ncurses can tell such
  /// rows apart when it scrolls.
  static func blanked(_ text: String, in charset: Charset) -> String {
    guard charset == .utf8, !Printable.isPlainASCII(text) else { return text }
    return text.reduce(into: "") { result, character in
      if TextWidth.isCountedByCurses(character) {
        result.append(character)
      } else {
        result += String(repeating: " ", count: TextWidth.columns(of: character))
      }
    }
  }

  static func move(row: Int, column: Int) -> String {
    "\u{1B}[\(row + 1);\(column + 1)H"
  }

  private static func select(_ style: Style, depth: ColorDepth) -> String {
    let style = style.shown(in: depth)
    var codes = ["0"]
    if style.bold { codes.append("1") }
    if style.dim { codes.append("2") }
    if style.underline { codes.append("4") }
    if style.reverse { codes.append("7") }
    codes += Self.codes(style.color?.shown(in: depth), base: 30)
    codes += Self.codes(style.background?.shown(in: depth), base: 40)
    return "\u{1B}[" + codes.joined(separator: ";") + "m"
  }

  /// Select Graphic Rendition: 30 and on for text, 40 and on for the background, 60 more for the bright half.
  private static func codes(_ color: Style.Color?, base: Int) -> [String] {
    guard let color else { return [] }
    guard let index = color.index else { return ["\(base + 8);2;\(color.red);\(color.green);\(color.blue)"] }
    return switch index {
    case ..<8: ["\(base + index)"]
    case ..<16: ["\(base + 52 + index)"]
    default: ["\(base + 8);5;\(index)"]
    }
  }
}
