extension TextWidth {
  /// The text with each of its lines that is wider than `columns` broken at spaces and between wide characters. What
  /// follows stands below the beginning of its line, or `hanging` columns in if that is more. A word or a quoted
  /// argument that is wider than a line stays whole: the terminal wraps it, and copies it without a line break. A
  /// command that is wider than a line has a backslash where it breaks: so a shell that it is copied to reads on.
  /// Colours (`ESC [ … m`) take no columns.
  package static func folded(_ text: String, columns: Int, hanging: Int = 0) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { FoldedLine($0, columns: columns, hanging: hanging).text }.joined(separator: "\n")
  }
}

/// A line as ``TextWidth/folded(_:columns:hanging:)`` lays it out.
private struct FoldedLine {
  private(set) var text = ""
  private let columns: Int
  private let indent: Int
  /// Where the next run begins, but for the spaces before it.
  private var column = 0
  /// Words that stay on one line if they fit on one.
  private var run: [Word] = []
  /// The spaces before the piece.
  private var gap = ""
  /// Text without a place to break.
  private var piece = ""
  private var pieceColumns = 0
  private var command = CommandWords()

  /// A piece, or those of one quoted argument with the spaces between them.
  private struct Word {
    /// The spaces before it.
    let gap: String
    var text: String
    var columns: Int
  }

  init(_ line: Substring, columns: Int, hanging: Int) {
    self.columns = columns
    let indent = max(hanging, line.prefix { $0 == " " }.count)
    self.indent = indent * 2 > columns ? 0 : indent
    // No character has more columns than bytes.
    guard line.utf8.count > columns else {
      text = String(line)
      return
    }
    var last: Character?
    var isColor = false
    for character in line {
      if isColor || character == "\u{1B}" {
        piece.append(character)
        isColor = !character.isLetter
      } else if character == " " {
        endPiece()
        gap.append(character)
        last = nil
      } else {
        if let last, TextWidth.canBreak(between: last, and: character) { endPiece() }
        piece.append(character)
        pieceColumns += TextWidth.columns(of: character)
        last = character
      }
    }
    endPiece()
    endRun()
    text += gap
  }

  private mutating func endPiece() {
    guard !piece.isEmpty else { return }
    let isQuoted = command.hasOpenQuote
    let isIncluded = command.includes(piece, followsSpace: !gap.isEmpty)
    if isIncluded, isQuoted, let last = run.indices.last {
      run[last].text += gap + piece
      run[last].columns += gap.utf8.count + pieceColumns
    } else {
      if !isIncluded { endRun() }
      run.append(Word(gap: gap, text: piece, columns: pieceColumns))
    }
    (gap, piece, pieceColumns) = ("", "", 0)
  }

  private mutating func endRun() {
    guard let first = run.first else { return }
    let width = run.dropFirst().reduce(first.columns) { $0 + $1.gap.utf8.count + $1.columns }
    // The command of a run that has no room on a line begins on one of its own.
    let staysWhole = indent + width <= columns
    if column > indent, column + first.gap.utf8.count + width > columns { breakLine() } else { append(first.gap) }
    append(first.text, first.columns)
    for (index, word) in run.enumerated().dropFirst() {
      let end = index == run.count - 1 ? 0 : Self.continuation.utf8.count
      if !staysWhole, column > indent, column + word.gap.utf8.count + word.columns + end > columns {
        text += Self.continuation
        breakLine()
      } else {
        append(word.gap)
      }
      append(word.text, word.columns)
    }
    run = []
  }

  /// The sign by which a shell reads on in the next line.
  private static let continuation = " \\"

  private mutating func breakLine() {
    text += "\n" + String(repeating: " ", count: indent)
    column = indent
  }

  private mutating func append(_ spaces: String) { append(spaces, spaces.utf8.count) }

  private mutating func append(_ words: String, _ columns: Int) {
    text += words
    column += columns
  }
}
