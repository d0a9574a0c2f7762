import Terminal
import TodoCore
import Words

/// The items that a question is about, in place of the list. Those for which there is no room can be scrolled to.
struct PreviewView: View {
  let brush: Brush
  /// Texts of pasted lines, or of items with their notes.
  private let texts: [String]
  private let isRemoval: Bool
  /// The number of texts above the screen.
  private let top: Int

  /// Nil if nothing is asked, or nothing about items.
  init?(_ model: Model, _ brush: Brush) {
    switch model.mode {
    case .paste(let pasted): (texts, isRemoval) = (pasted.items, false)
    case .prompt(.massRemoval): (texts, isRemoval) = (model.sync.refresh.result?.removals ?? [], true)
    case .list, .panel, .editor, .filter, .due, .conflicts, .pane, .menu, .prompt: return nil
    }
    self.brush = brush
    top = model.panes.previewTop
  }

  /// The first row of the last page.
  func lastTop(height: Int) -> Int { max(0, texts.count - height) }

  /// As many items as there is room for, and how many more there are below.
  func draw(on frame: inout Frame, height: Int) {
    let left = texts.dropFirst(min(top, lastTop(height: height)))
    let shown = left.prefix(left.count > height ? max(0, height - 1) : height)
    frame.lines += shown.map { cut(line($0)) }
    if shown.count < left.count, height > 0 { frame.lines.append(cut(more(left.count - shown.count))) }
  }

  /// `and 9 more  j down`
  private func more(_ count: Int) -> Line {
    var line = Line("  " + text.text(.pasteMore, count: count), theme.quiet)
    let key = brush.keymap.name(of: .move(.down), in: isRemoval ? .removalPrompt : .pastePrompt)
    if !key.isEmpty {
      line.append("  " + key, theme.key)
      line.append(" " + text.hint(.move(.down)), theme.quiet)
    }
    return line
  }

  private func line(_ item: String) -> Line {
    isRemoval ? Line("  - " + ItemText(item).line, theme.removed) : Line("   [ ]   " + item, theme.added)
  }
}
