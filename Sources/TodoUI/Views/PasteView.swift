import Terminal

extension ViewContext {
  /// The items that would be added, and the question.
  func draw(_ pasted: PastedText, on frame: inout Frame, height: Int) {
    let shown = pasted.lines.prefix(pasted.lines.count > height ? height - 1 : height)
    frame.lines += shown.map { cut(Line("  [ ]   " + $0)) }
    if shown.count < pasted.lines.count {
      frame.lines.append(cut(Line("  " + text.text(.pasteMore, count: pasted.lines.count - shown.count), theme.quiet)))
    }
  }
}
