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
