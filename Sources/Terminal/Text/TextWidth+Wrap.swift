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
      line = piece.text
      while self.columns(of: line) > columns {
        let head = prefix(line, columns: columns)
        guard !head.isEmpty else { break }
        lines.append(head)
        line.removeFirst(head.count)
      }
    }
    return line.isEmpty ? lines : lines + [line]
  }

  /// What stays together on a line.
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
  private static func canBreak(between left: Character, and right: Character) -> Bool {
    if left.isASCII && right.isASCII { return false }
    return (columns(of: left) == 2 || columns(of: right) == 2) && !closing.contains(right) && !opening.contains(left)
  }

  private static let closing: Set<Character> = Set("、。，．：；？！）」』】〉》…ー,.:;?!)]}%”’»")
  private static let opening: Set<Character> = Set("（「『【〈《([{“‘«")
}
