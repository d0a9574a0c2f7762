import Terminal
import Words

extension ViewContext {
  /// The items that would be added.
  func draw(_ pasted: PastedText, on frame: inout Frame, height: Int) {
    draw(pasted.lines.map { Line("  [ ]   " + $0, theme.added) }, on: &frame, height: height)
  }

  /// The items that would go.
  func draw(removals texts: [String], on frame: inout Frame, height: Int) {
    draw(texts.map { Line("  - " + $0, theme.removed) }, on: &frame, height: height)
  }

  /// As many lines as there is room for, and how many more there are.
  private func draw(_ lines: [Line], on frame: inout Frame, height: Int) {
    let shown = lines.prefix(lines.count > height ? max(0, height - 1) : height)
    frame.lines += shown.map(cut)
    if shown.count < lines.count, height > 0 {
      frame.lines.append(cut(Line("  " + text.text(.pasteMore, count: lines.count - shown.count), theme.quiet)))
    }
  }
}
