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
  fileprivate static func columns(of scalar: Unicode.Scalar) -> Int {
    let columns = columns_of_scalar(scalar.value)
    if columns >= 0 { return Int(columns) }
    if scalar.properties.isEmojiPresentation { return 2 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: return 1
    }
  }
}

extension TextWidth {
  /// The text if it fits, else as much of its beginning as leaves room for the ellipsis.
  package static func cut(_ text: String, to columns: Int, ellipsis: String) -> String {
    if self.columns(of: text) <= columns { return text }
    let room = columns - self.columns(of: ellipsis)
    guard room >= 0 else { return prefix(text, columns: columns) }
    return prefix(text, columns: room) + ellipsis
  }

  /// As many whole characters from the beginning as fit.
  package static func prefix(_ text: String, columns: Int) -> String {
    var used = 0
    var result = ""
    for character in text {
      used += self.columns(of: character)
      if used > columns { break }
      result.append(character)
    }
    return result
  }

  /// The text that shows through a window `columns` wide whose left edge is at `start`. Half a wide character at the
  /// left edge shows as a space, so that all that follows stays in its column.
  package static func slice(_ text: String, from start: Int, columns: Int) -> String {
    var position = 0
    var rest = Substring(text)
    while position < start, let character = rest.popFirst() { position += self.columns(of: character) }
    let filler = String(repeating: " ", count: max(0, position - start))
    return prefix(filler + rest, columns: columns)
  }
}

extension TextWidth {
  /// The text in lines no wider than `columns`, broken at spaces and between Chinese or Japanese characters; a word
  /// that is wider than a line, where the line ends.
  package static func wrap(_ text: String, columns: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for piece in pieces(of: text) {
      let joined = line + (piece.followsSpace && !line.isEmpty ? " " : "") + piece.text
      if self.columns(of: joined) <= columns {
        line = joined
        continue
      }
      if !line.isEmpty { lines.append(line) }
      line = cut(piece.text, into: &lines, columns: columns)
    }
    return line.isEmpty ? lines : lines + [line]
  }

  /// Appends full lines of a word, and returns the rest of it. In one walk: a word may have a million letters.
  private static func cut(_ word: String, into lines: inout [String], columns: Int) -> String {
    var line = ""
    var width = 0
    for character in word {
      let next = self.columns(of: character)
      if width + next > columns, !line.isEmpty {
        lines.append(line)
        (line, width) = ("", 0)
      }
      line.append(character)
      width += next
    }
    return line
  }

  /// Text that stays together on a line.
  private struct Piece {
    var text: String
    let followsSpace: Bool
  }

  private static func pieces(of text: String) -> [Piece] {
    text.split(separator: " ").flatMap { word in
      var pieces: [Piece] = []
      var last: Character?
      for character in word {
        if let last, !canBreak(between: last, and: character) {
          pieces[pieces.count - 1].text.append(character)
        } else {
          pieces.append(Piece(text: String(character), followsSpace: last == nil))
        }
        last = character
      }
      return pieces
    }
  }

  /// Beside a wide character, but neither before what closes nor after what opens.
  static func canBreak(between left: Character, and right: Character) -> Bool {
    if left.isASCII && right.isASCII { return false }
    return (columns(of: left) == 2 || columns(of: right) == 2) && !closing.contains(right) && !opening.contains(left)
  }

  private static let closing: Set<Character> = Set("、。，．：；？！）」』】〉》…ー,.:;?!)]}%”’»")
  private static let opening: Set<Character> = Set("（「『【〈《([{“‘«")
}

/// The characters the terminal can show according to the user's locale.
package enum Charset: Sendable, Hashable {
  case utf8
  /// Anything else: only ASCII is sent, for some signs what people write in their place, else one question mark for
  /// each column.
  case ascii

  /// The text as this character set can show it, in as many columns as before.
  package func encode(_ text: String) -> String {
    guard self == .ascii, !Printable.isPlainASCII(text) else { return text }
    return text.reduce(into: "") { result, character in
      if character.isASCII {
        result.append(character)
      } else if let substitute = Self.substitutes[character] {
        result.append(substitute)
      } else {
        result += String(repeating: "?", count: TextWidth.columns(of: character))
      }
    }
  }
}

extension Charset {
  /// As wide as what they stand for.
  private static let substitutes: [Character: Character] = [
    "“": "\"", "”": "\"", "„": "\"", "‘": "'", "’": "'", "«": "\"", "»": "\"", "–": "-", "—": "-", "·": "-", "•": "*",
    "…": ".", "→": ">", "×": "x", "\u{A0}": " ",
    // The signs of the rows, as the list draws them.
    "↑": "^", "≠": "#", "≡": "=",
  ]
}

/// Makes text safe to draw: nothing in it can move the cursor, change a mode or reorder the row.
package enum Printable {
  /// The text with every control character replaced by a visible stand-in.
  ///
  /// Text comes from a server and from other people's clipboards. C0 controls become their pictures
  /// (U+2400 and on), C1 controls, line separators and the characters that turn the direction of
  /// writing round become U+FFFD. Of marks without a column that stand on one letter the first 30 are kept, as many as
  /// any writing needs (UAX #15, Stream-Safe Text Format): a million of them would be drawn again with each key. Emoji
  /// that are joined to a longer chain than that stand apart.
  package static func text(_ text: String) -> String {
    if isPlainASCII(text) { return text }
    var result = String.UnicodeScalarView()
    var marks = 0
    var joiners = 0
    var last: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      marks = hasNoColumn(scalar) ? marks + 1 : 0
      if scalar == joiner { joiners += 1 } else if marks == 0 && last != joiner { joiners = 0 }
      last = scalar
      if marks <= mostMarks && (scalar != joiner || joiners <= mostMarks) { result.append(visible(scalar)) }
    }
    return String(result)
  }

  private static let joiner: Unicode.Scalar = "\u{200D}"

  private static let mostMarks = 30

  /// Nothing below U+0300 is such a mark.
  private static func hasNoColumn(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value >= 0x300 && TextWidth.columns(of: scalar) == 0
  }

  static func isPlainASCII(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
  }

  private static func visible(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar.value {
    case 0x00..<0x20: Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}"
    case 0x7F: "\u{2421}"
    case 0x80..<0xA0, 0x2028...0x202E, 0x2066...0x2069: "\u{FFFD}"
    default: scalar
    }
  }
}
