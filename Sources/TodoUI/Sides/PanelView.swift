import Terminal
import TodoCore
import Words

/// The panel's lines, each as wide as the panel, with the line that parts it from the list.
struct PanelView: View {
  let panel: Panel
  let savedFilters: [Int: String]
  /// The filter of the list.
  let filter: String
  /// As wide as the panel, with the line at its right.
  let brush: Brush

  /// The content of a line.
  private enum Row {
    case entry(Int, Panel.Entry)
    case line
  }

  private var width: Int { columns - 1 }
  /// The columns of an entry: three before it are for the signs of the chosen one, two behind it are free.
  private var room: Int { width - 5 }

  func lines(height: Int) -> [Line] {
    let (shown, isInWords) = (visibleRows(height: height), saysLateInWords)
    return (0..<height).map { row in
      var line = shown.indices.contains(row) ? self.line(shown[row], isInWords) : Line()
      line.pad(to: width)
      line.append(glyphs.column, theme.hairline)
      return line
    }
  }

  /// Returns the number of the entry on a line; nil if the line has no entry.
  func entry(onRow row: Int, height: Int) -> Int? {
    let shown = visibleRows(height: height)
    guard shown.indices.contains(row), case .entry(let index, _) = shown[row] else { return nil }
    return index
  }

  /// Returns the line of the chosen entry; nil if it is not shown.
  func chosenRow(height: Int) -> Int? {
    visibleRows(height: height).firstIndex { row in
      if case .entry(let index, _) = row { index == panel.index } else { false }
    }
  }

  /// As much as there is room for, with the chosen entry in sight.
  private func visibleRows(height: Int) -> [Row] {
    var rows: [Row] = []
    var chosen = 0
    var index = 0
    for part in panel.parts(savedFilters: savedFilters) {
      if !rows.isEmpty { rows.append(.line) }
      for entry in part {
        if index == panel.index { chosen = rows.count }
        rows.append(.entry(index, entry))
        index += 1
      }
    }
    return Array(rows.dropFirst(max(0, chosen - height + 1)).prefix(height))
  }

  private func line(_ row: Row, _ isInWords: Bool) -> Line {
    switch row {
    case .line:
      var line = Line("   ")
      line.append(String(repeating: glyphs.hairline, count: width - 5), theme.hairline)
      return line
    case .entry(let index, let entry):
      return line(of: entry, isChosen: panel.isEntered && index == panel.index, isInWords)
    }
  }

  /// True if there is room for `3 late` in every row with late items. Else `!3` stands in all of them, so that no row
  /// looks like one without.
  private var saysLateInWords: Bool {
    panel.contents.words.allSatisfy { word in
      word.late == 0
        || TextWidth.columns(of: "\(word.word) \(late(word, inWords: true)) \(text.number(word.count))") <= room
    }
  }

  private func late(_ word: WordCount, inWords: Bool) -> String {
    inWords ? text.text(.panelLate, count: word.late) : "!" + text.number(word.late)
  }

  /// The name at the left, the count at the right, and before it how many are late. The name gives way to both.
  private func line(of entry: Panel.Entry, isChosen: Bool, _ isInWords: Bool) -> Line {
    let isActive = !filter.isEmpty && entry.filter == filter
    let ground = isChosen ? theme.selected : .plain
    let painted = { (style: Style) in isChosen && theme.selected.background == nil ? ground : ground + style }
    var line = Line(isChosen ? glyphs.edge : " ", painted(theme.edge))
    line.append(isActive && !isChosen ? glyphs.edge + " " : "  ", isChosen ? ground : theme.edge)
    var right = Line()
    if case .word(let word) = entry, word.late > 0 {
      right.append(late(word, inWords: isInWords) + " ", painted(theme.overdue))
    }
    let last = lastSign(of: entry)
    right.append(Line(last.text, isChosen ? ground : last.style))
    line.append(
      TextWidth.cut(name(of: entry), to: max(1, room - right.columns - 1), ellipsis: glyphs.ellipsis),
      painted(isActive ? theme.title + style(of: entry) : style(of: entry)))
    line.pad(to: width - 2 - right.columns, ground)
    line.append(right)
    line.pad(to: width, ground)
    return line
  }

  private func name(of entry: Panel.Entry) -> String {
    switch entry {
    case .group(let group, _): text.name(of: group, today: brush.today)
    case .word(let word): word.word
    case .saved(let number, let filter, _): "\(number) \(filter)"
    }
  }

  /// The count; in its place a mark for a filter that is not understood.
  private func lastSign(of entry: Panel.Entry) -> (text: String, style: Style) {
    if let count = count(of: entry) { return (text.number(count), theme.quiet) }
    guard case .saved(_, let filter, _) = entry, TodoFilter.problem(in: filter, today: brush.today) != nil else {
      return ("", theme.quiet)
    }
    return (glyphs.refused, theme.refused)
  }

  private func count(of entry: Panel.Entry) -> Int? {
    switch entry {
    case .group(_, let count): count
    case .word(let word): word.count
    case .saved(_, _, let count): count
    }
  }

  private func style(of entry: Panel.Entry) -> Style {
    switch entry {
    case .group(.overdue, let count): count > 0 ? theme.overdue : .plain
    case .group: .plain
    case .word(let word): word.word.hasPrefix("+") ? theme.project : theme.context
    case .saved: theme.quiet
    }
  }
}
