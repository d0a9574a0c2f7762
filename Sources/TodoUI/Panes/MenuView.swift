import Terminal
import Words

/// The help or the palette on the screen.
struct MenuView: View {
  let menu: CommandMenu
  /// The key of the next view leads into the panel where that shows.
  let hasPanel: Bool
  /// The screen is wide enough for the panel.
  let panelFits: Bool
  let brush: Brush

  private struct MenuLine {
    /// The entry it shows; nil for a heading.
    var index: Int?
    let line: Line

    var isGap: Bool { index == nil && line.columns == 0 }
  }

  /// The commands with their keys, those of the place one was in first; in columns if they have room.
  func draw(on frame: inout Frame, height: Int) {
    let entries = menu.entries(brush.keymap, text)
    let lines = lines(of: entries)
    let count = min(Self.mostColumns, columns / Self.columnWidth)
    if !menu.isPalette, count > 1, height >= Self.fewestRows, lines.count > height {
      let part = MenuView(
        menu: menu, hasPanel: hasPanel, panelFits: panelFits, brush: brush.narrowed(to: columns / count - 2))
      part.draw(part.lines(of: entries), inColumns: count, width: columns / count, on: &frame, height: height)
      return
    }
    let chosen = lines.firstIndex { $0.index == menu.index } ?? 0
    let top = menu.index == 0 && chosen < height ? 0 : max(0, min(chosen - height / 2, lines.count - height))
    for line in lines.dropFirst(top).prefix(height) {
      if line.index == menu.index {
        frame.cursor = Frame.Cursor(row: frame.lines.count, column: 0, isVisible: false)
      }
      frame.lines.append(drawn(line))
    }
    if entries.isEmpty { frame.lines += wrapped(emptyWords, after: Line(" ")).prefix(height) }
  }

  /// The keys and what they do have room in so many columns.
  private static let columnWidth = 56
  private static let mostColumns = 3
  /// On fewer rows a heading would leave no room for what it names.
  private static let fewestRows = 10

  private func drawn(_ line: MenuLine) -> Line {
    line.index == nil ? cut(line.line) : entry(line.line, isChosen: line.index == menu.index)
  }

  private func lines(of entries: [CommandMenu.Entry]) -> [MenuLine] {
    let width = columns >= 60 ? 24 : columns >= Self.columnWidth - 2 ? 22 : 16
    return entries.enumerated().flatMap { index, entry in
      headings(before: index, in: entries).map { MenuLine(line: $0) }
        + [MenuLine(index: index, line: line(entry, width: width))]
    }
  }

  /// The columns of the page that the chosen entry is on, side by side.
  private func draw(
    _ lines: [MenuLine], inColumns count: Int, width: Int, on frame: inout Frame, height: Int
  ) {
    let parts = Self.parts(of: lines, height: height)
    let chosen = parts.firstIndex { part in part.contains { $0.index == menu.index } } ?? 0
    let page = parts.dropFirst(chosen / count * count).prefix(count)
    for row in 0..<height {
      var line = Line()
      for (place, part) in page.enumerated() where row < part.count {
        line.pad(to: place * width)
        line.append(drawn(part[row]))
        if part[row].index == menu.index {
          frame.cursor = Frame.Cursor(row: frame.lines.count, column: place * width, isVisible: false)
        }
      }
      frame.lines.append(line)
    }
  }

  /// The lines cut into columns. A heading stays with the first entry below it.
  private static func parts(of lines: [MenuLine], height: Int) -> [[MenuLine]] {
    var (parts, part, block): ([[MenuLine]], [MenuLine], [MenuLine]) = ([], [], [])
    for line in lines {
      block.append(line)
      guard line.index != nil else { continue }
      if !part.isEmpty, part.count + block.count > height {
        parts.append(part)
        part = []
      }
      part += part.isEmpty ? Array(block.drop { $0.isGap }) : block
      block = []
    }
    return parts + [part]
  }

  /// The command that is most like what was typed is named, and not run: nobody has chosen it.
  private var emptyWords: String {
    let typed = menu.filter.text.lowercased().filter { $0 != " " }
    let words = [StringKey.lineLive, .lineNotLive].map { text.text($0).lowercased().filter { $0 != " " } }
    if (words + ["live", "notlive"]).contains(typed) { return text.text(.menuLive) }
    guard menu.isPalette, let first = menu.filter.text.split(separator: " ").first else { return text.text(.menuEmpty) }
    let (word, known) = (CommandWords.folded(String(first)), CommandWords(text))
    if let command = known.shellCommand(word) { return text.text(.menuShell, ["word": command]) }
    if (known.labels(of: .list(.theme)) + known.aliases(of: .list(.theme))).contains(word) {
      return text.text(.menuThemes, ["themes": themes])
    }
    if CommandTable.settings.contains(word) { return text.sentences(text.text(.menuEmpty), text.text(.menuSettings)) }
    guard let command = known.nearest(to: word, among: menu.commands) else { return text.text(.menuEmpty) }
    return text.sentences(text.text(.menuEmpty), nearest(command))
  }

  /// A command by its label and what it does; once, where both are the same.
  private func nearest(_ command: Command) -> String {
    let (label, help) = (text.hint(command), text.help(command))
    if label == help { return text.text(.menuNearestAlone, ["help": help]) }
    return text.text(.menuNearest, ["name": label, "help": help])
  }

  private var themes: String { ThemeChoice.allCases.map(\.rawValue).joined(separator: text.text(.listSeparator)) }

  /// The name of the place where another one begins, and of the group of keys.
  private func headings(before index: Int, in entries: [CommandMenu.Entry]) -> [Line] {
    guard !menu.isPalette else { return [] }
    let entry = entries[index]
    let last: CommandMenu.Entry? = index == 0 ? nil : entries[index - 1]
    var lines: [Line] = []
    if last?.place != entry.place {
      var style = theme.title
      style.underline = true
      lines = (index == 0 ? [] : [Line()]) + [Line(text.name(of: entry.place), style)]
      if entry.place == .list, menu.filter.text.isEmpty { lines += marksWords }
    }
    if let group = menu.group(of: entry), last.flatMap({ menu.group(of: $0) }) != group {
      lines += [Line(), Line("  " + text.text(group.title), theme.heading)]
    }
    return lines
  }

  /// Which keys act on all that is marked.
  private var marksWords: [Line] {
    let keys = ItemCommand.allCases.map { brush.keymap.name(of: .item($0), in: .list) }.filter { !$0.isEmpty }
    let values: KeyValuePairs = [
      "keys": keys.joined(separator: " "), "mark": brush.keymap.name(of: .list(.mark), in: .list),
    ]
    return wrapped(text.text(.helpMarks, values), after: Line(" "), theme.quiet)
  }

  private func line(_ entry: CommandMenu.Entry, width: Int) -> Line {
    let keys = menu.keys(of: entry, brush.keymap).joined(separator: " ")
    let lacksRoom = !panelFits && entry.command.showsPanel
    var line = Line(keys, lacksRoom ? theme.quiet : theme.key)
    line.pad(to: width - 2)
    let entersPanel = hasPanel && entry.command == .list(.nextView) && entry.place == .list
    let help = text.help(entersPanel ? .list(.panel) : entry.command)
    guard lacksRoom else {
      line.append(" " + help)
      return line
    }
    let values: KeyValuePairs = ["help": help, "columns": String(Panel.fewestColumns)]
    let reason = text.text(.panelNeeds, values)
    // Two columns are for the sign of the chosen entry.
    let hasRoom = line.columns + 1 + TextWidth.columns(of: reason) + 2 <= columns
    line.append(" " + (hasRoom ? reason : help), theme.quiet)
    return line
  }
}
