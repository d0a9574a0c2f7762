import Terminal
import TodoCore

extension ViewContext {
  func draw(_ pane: Pane, on frame: inout Frame, height: Int) {
    switch pane {
    case .outbox(let choice, _): draw(choice, on: &frame, height: height, line: line(of:), whole: whole(_:))
    case .digest(let choice): draw(choice, on: &frame, height: height, line: line(of:), whole: whole(_:))
    case .story(_, let choice):
      draw(choice, on: &frame, height: height, line: { line(of: $0, in: choice) }, whole: { whole($0, in: choice) })
    case .log(let choice): draw(choice, on: &frame, height: height, line: line(of:), whole: whole(_:))
    case .detail(let detail, let from): draw(detail, from: from, on: &frame, height: height)
    }
  }

  /// One row an entry, and below them the chosen entry whole.
  private func draw<Element>(
    _ choice: Choice<Element>, on frame: inout Frame, height: Int, line: (Element) -> Line, whole: (Element) -> [Line]
  ) {
    let first = frame.lines.count
    let foot = min(model.paneFoot, height - 1)
    for (index, element) in choice.visible(height: height - foot) {
      let isChosen = index == choice.index
      if isChosen { frame.cursor = Frame.Cursor(row: frame.lines.count, column: 0, isVisible: false) }
      frame.lines.append(entry(line(element), isChosen: isChosen))
    }
    guard foot > 1, let current = choice.current else { return }
    while frame.lines.count < first + height - foot + 1 { frame.lines.append(Line()) }
    frame.lines += whole(current).prefix(foot - 1).map(cut)
  }

  /// An entry as a row; the chosen one is marked by its sign and its style.
  func entry(_ line: Line, isChosen: Bool) -> Line {
    var row = Line(isChosen ? "> " : "  ", theme.title)
    for span in line.spans { row.append(span.text, isChosen ? theme.selected + span.style : span.style) }
    return cut(row)
  }

  /// A label and words beside it, in as many rows as they take.
  func labelled(_ label: String, _ words: String, width: Int, _ style: Style = .plain) -> [Line] {
    var start = Line(label, theme.quiet)
    start.pad(to: width)
    return wrapped(words, after: start, style)
  }
}
