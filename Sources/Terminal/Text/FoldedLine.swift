extension TextWidth {
  /// The text with each of its lines that is wider than `columns` broken at spaces and between wide characters. What
  /// follows stands below the beginning of its line, or `hanging` columns in if that is more. A word or a command that
  /// is wider than a line stays whole: the terminal wraps it, and copies it without a line break. Colours
  /// (`ESC [ … m`) take no columns.
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
  /// The spaces before the run.
  private var spaces = ""
  /// Pieces that stay on one line, with the spaces between them.
  private var run = ""
  private var runColumns = 0
  /// The spaces before the piece.
  private var gap = ""
  /// Text without a place to break.
  private var piece = ""
  private var pieceColumns = 0
  private var command = CommandWords()

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
    if command.includes(piece, followsSpace: !gap.isEmpty) {
      run += gap + piece
      runColumns += gap.utf8.count + pieceColumns
    } else {
      endRun()
      (spaces, run, runColumns) = (gap, piece, pieceColumns)
    }
    (gap, piece, pieceColumns) = ("", "", 0)
  }

  private mutating func endRun() {
    guard !run.isEmpty else { return }
    if column > indent, column + spaces.utf8.count + runColumns > columns {
      text += "\n" + String(repeating: " ", count: indent)
      column = indent
    } else {
      text += spaces
      column += spaces.utf8.count
    }
    text += run
    column += runColumns
    (spaces, run, runColumns) = ("", "", 0)
  }
}
