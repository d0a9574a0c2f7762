/// Everything the screen shows at one moment. No curses in it, so that tests can read it.
package struct Frame: Sendable, Hashable {
  package var lines: [Line]
  package var cursor: Cursor?

  package init(lines: [Line] = [], cursor: Cursor? = nil) {
    self.lines = lines
    self.cursor = cursor
  }

  /// Where the cursor stands, counted from the upper left corner. It is parked on the chosen row even
  /// when it is hidden, for screen readers follow it.
  package struct Cursor: Sendable, Hashable {
    package var row: Int
    package var column: Int
    package var isVisible: Bool

    package init(row: Int, column: Int, isVisible: Bool) {
      self.row = row
      self.column = column
      self.isVisible = isVisible
    }
  }

  /// The rows, without their styles and the spaces at their ends.
  package var text: String {
    lines.map { line in
      let text = line.text
      let end = text.lastIndex { $0 != " " }
      return end.map { String(text[...$0]) } ?? ""
    }
    .joined(separator: "\n")
  }

  /// The rows to draw when the screen shows `earlier`: those that differ; all of them when it shows
  /// nothing that can be relied upon.
  package func changedRows(since earlier: Frame?) -> [Int] {
    let rows = Array(0..<max(lines.count, earlier?.lines.count ?? 0))
    guard let earlier else { return rows }
    return rows.filter { line($0) != earlier.line($0) }
  }

  /// An empty row past the last one.
  package func line(_ row: Int) -> Line {
    lines.indices.contains(row) ? lines[row] : Line()
  }
}
