import Terminal
import Words

extension ViewContext {
  /// The commands with their keys, those of the place one was in first.
  func draw(_ menu: CommandMenu, on frame: inout Frame, height: Int) {
    let entries = menu.entries(model.keymap, text)
    let width = columns >= 60 ? 24 : 16
    let lines = entries.enumerated().flatMap { index, entry in
      heading(before: index, in: entries, menu) + [(index, line(entry, width: width))]
    }
    let chosen = lines.firstIndex { $0.0 == menu.index } ?? 0
    let top = max(0, min(chosen - height / 2, lines.count - height))
    for (index, line) in lines.dropFirst(top).prefix(height) {
      let isChosen = index == menu.index
      if isChosen { frame.cursor = Frame.Cursor(row: frame.lines.count, column: 0, isVisible: false) }
      frame.lines.append(index == nil ? cut(line) : entry(line, isChosen: isChosen))
    }
    if entries.isEmpty { frame.lines.append(cut(Line("  " + text.text(.menuEmpty)))) }
  }

  private func heading(
    before index: Int, in entries: [CommandMenu.Entry], _ menu: CommandMenu
  ) -> [(Int?, Line)] {
    let place = entries[index].place
    guard !menu.isPalette, index == 0 || entries[index - 1].place != place else { return [] }
    var style = theme.title
    style.underline = true
    let title = (nil as Int?, Line(text.name(of: place), style))
    return index == 0 ? [title] : [(nil, Line()), title]
  }

  private func line(_ entry: CommandMenu.Entry, width: Int) -> Line {
    let keys = model.keymap.names(of: entry.command, in: entry.place).joined(separator: " ")
    var line = Line(keys, theme.key)
    line.pad(to: width - 2)
    line.append(" " + text.help(entry.command))
    return line
  }
}
