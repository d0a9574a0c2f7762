import Glibc

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

/// The room of a terminal, in character cells.
package struct Size: Sendable, Hashable {
  package var columns: Int
  package var rows: Int

  package init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }

  /// The size a terminal reports, within reason: 80 by 24 for one that reports none, and no more cells than there can
  /// be on any screen, for memory is taken for each.
  init(reportedColumns columns: Int, rows: Int) {
    let isTold = columns > 0 && rows > 0
    self.init(columns: isTold ? min(columns, 1024) : 80, rows: isTold ? min(rows, 512) : 24)
  }

  /// The size that the terminal behind this descriptor has now.
  init(ofTerminal descriptor: Int32) {
    var window = winsize()
    let isTold = ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0
    self.init(reportedColumns: isTold ? Int(window.ws_col) : 0, rows: Int(window.ws_row))
  }
}

/// A run of text in one style. Its text has been made printable.
package struct Span: Sendable, Hashable {
  package let text: String
  package let style: Style

  package init(_ text: String, _ style: Style = .plain) {
    self.text = Printable.text(text)
    self.style = style
  }
}

/// One row of the screen: runs of styled text from the left edge.
package struct Line: Sendable, Hashable {
  package private(set) var spans: [Span] = []
  package private(set) var columns = 0

  package init() {}

  package init(_ text: String, _ style: Style = .plain) {
    append(text, style)
  }

  /// The row without its styles.
  package var text: String {
    spans.map(\.text).joined()
  }

  package mutating func append(_ text: String, _ style: Style = .plain) {
    append(Span(text, style))
  }

  package mutating func append(_ span: Span) {
    guard !span.text.isEmpty else { return }
    spans.append(span)
    columns += TextWidth.columns(of: span.text)
  }

  package mutating func append(_ line: Line) {
    for span in line.spans { append(span) }
  }

  /// Spaces until the row is that wide; nothing when it already is.
  package mutating func pad(to columns: Int, _ style: Style = .plain) {
    append(String(repeating: " ", count: max(0, columns - self.columns)), style)
  }

  /// The row if it fits, else its beginning and the ellipsis.
  package func cut(to columns: Int, ellipsis: String) -> Line {
    if self.columns <= columns { return self }
    let room = columns - TextWidth.columns(of: ellipsis)
    var result = Line()
    for span in spans {
      let left = room - result.columns
      if TextWidth.columns(of: span.text) > left {
        result.append(TextWidth.prefix(span.text, columns: left) + ellipsis, span.style)
        break
      }
      result.append(span)
    }
    return result
  }

  /// Whether ncurses can keep count of every character in it.
  var isCountedByCurses: Bool {
    spans.allSatisfy { Printable.isPlainASCII($0.text) || $0.text.allSatisfy(TextWidth.isCountedByCurses) }
  }
}
