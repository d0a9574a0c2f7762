import CNcurses

/// How many columns text takes on a terminal, counted by what a reader sees as one character.
package enum TextWidth {
  package static func columns(of text: String) -> Int {
    if Printable.isPlainASCII(text) { return text.utf8.count }
    return text.reduce(0) { $0 + columns(of: $1) }
  }

  /// 2 for Chinese, Japanese, Korean and emoji, 0 for a mark without its letter, otherwise mostly 1.
  ///
  /// An emoji made of several scalars (a family, a flag, a skin tone, a heart with U+FE0F) counts 2,
  /// as terminals that join them draw it.
  package static func columns(of character: Character) -> Int {
    if character.isASCII { return 1 }
    if isJoinedEmoji(character) { return 2 }
    return character.unicodeScalars.reduce(0) { $0 + columns(of: $1) }
  }

  /// Whether ncurses would count the same columns. It adds up the scalars and knows no sequences.
  static func isCountedByCurses(_ character: Character) -> Bool {
    if character.isASCII { return true }
    var sum = 0
    for scalar in character.unicodeScalars {
      let columns = columns_of_scalar(scalar.value)
      if columns < 0 { return false }
      sum += Int(columns)
    }
    return sum > 0 && sum == columns(of: character)
  }

  private static func isJoinedEmoji(_ character: Character) -> Bool {
    let scalars = character.unicodeScalars
    guard let first = scalars.first, scalars.count > 1, first.properties.isEmoji else { return false }
    return scalars.dropFirst().contains {
      $0 == "\u{FE0F}" || $0 == "\u{200D}" || $0.properties.isEmojiModifier || isRegionalIndicator($0)
    }
  }

  private static func isRegionalIndicator(_ scalar: Unicode.Scalar) -> Bool {
    (0x1F1E6...0x1F1FF).contains(scalar.value)
  }

  /// The C library's table may be older than Swift's; what it does not know is judged by its properties.
  private static func columns(of scalar: Unicode.Scalar) -> Int {
    let columns = columns_of_scalar(scalar.value)
    if columns >= 0 { return Int(columns) }
    if scalar.properties.isEmojiPresentation { return 2 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: return 1
    }
  }
}
