import Terminal
import TodoCore
import Words

/// The rows of the list, with the line of an item that is typed in its place among them.
struct ListView: View {
  let list: ItemList
  /// Nil when no item is typed.
  let editing: Editing?
  /// The line above the first row, where one shows.
  let pullLine: Line?
  let isRefreshing: Bool
  let brush: Brush

  /// Draws the rows, with the inline editor in its place among them, and puts the cursor.
  func draw(on frame: inout Frame, height: Int) {
    var height = height
    if let pullLine, showsPullLine(height) {
      frame.lines.append(pullLine)
      height -= 1
    }
    let first = frame.lines.count
    let rows = visibleRows(height: height)
    frame.lines += rows.map { row in line(row) }
    if let cursorRow = rows.firstIndex(where: \.hasCursor) {
      frame.cursor = cursor(in: rows[cursorRow], row: first + cursorRow)
    }
    if rows.isEmpty { frame.lines += empty(height: height) }
  }

  /// The place in the window of the item that one of the rows shows; nil where it shows none.
  func item(onRow row: Int, height: Int) -> Int? {
    let pull = showsPullLine(height) ? 1 : 0
    let place = row - pull
    let index = top(height: height - pull) + place
    return (0..<height - pull).contains(place) && list.window.rows.indices.contains(index) ? index : nil
  }

  private func showsPullLine(_ height: Int) -> Bool { pullLine != nil && height > 1 }

  /// The chosen row stays in sight where a notice leaves less room than the window was made for.
  private func top(height: Int) -> Int {
    max(list.window.top, list.window.selected - height + 1)
  }

  private enum Row {
    case item(TodoItem, isSelected: Bool, isMarked: Bool)
    /// One of the rows that a line being typed takes, and the column of the cursor if it is there.
    case editor(Line, number: Int, cursor: Int?)

    var hasCursor: Bool {
      switch self {
      case .item(_, let isSelected, _): isSelected
      case .editor(_, _, let cursor): cursor != nil
      }
    }
  }

  /// A new item is typed below the chosen one, an old one where it stands.
  private func visibleRows(height: Int) -> [Row] {
    let window = list.window
    let top = top(height: height)
    var rows = window.rows.indices.dropFirst(top).prefix(height).map { item($0) }
    guard let editing else { return rows }
    let editor = editorView(of: editing)
    let focus = window.selected - top
    let field = editor.rows(atMost: Self.editorHeight(height))
    let fieldRows = field.lines.enumerated().map { number, line in
      Row.editor(line, number: number, cursor: number == field.cursor.row ? field.cursor.column : nil)
    }
    if isInPlace(editing) {
      rows.replaceSubrange(focus...focus, with: fieldRows)
    } else {
      rows = rows.indices.map { item(top + $0, isSelected: false) }
      rows.insert(contentsOf: fieldRows, at: min(rows.count, focus + 1))
    }
    let end = (rows.lastIndex { if case .editor = $0 { true } else { false } } ?? 0) + 1
    return Array(rows.dropFirst(max(0, end - height)).prefix(height))
  }

  /// A line being typed takes at most a third of the rows.
  private static func editorHeight(_ height: Int) -> Int { max(1, height / 3) }

  private func isInPlace(_ editing: Editing) -> Bool {
    if case .item(let id, _) = editing.target { id == list.window.selectedItem?.id } else { false }
  }

  private func editorView(of editing: Editing) -> EditorView {
    EditorView(
      editing: editing, start: itemStart(isInPlace(editing) ? list.window.selectedItem : nil, marker: ">"), brush: brush
    )
  }

  /// The place in the line being typed under a row and a column; nil where there is none of it.
  func place(onRow row: Int, column: Int, height: Int) -> Int? {
    let height = height - (showsPullLine(height) ? 1 : 0)
    let rows = visibleRows(height: height)
    guard rows.indices.contains(row), case .editor(_, let number, _) = rows[row], let editing else { return nil }
    return editorView(of: editing).place(row: number, column: column, atMost: Self.editorHeight(height))
  }

  private func item(_ index: Int, isSelected: Bool? = nil) -> Row {
    let item = list.window.rows[index]
    let isMarked = list.marks.contains(item.id) || list.window.range?.contains(index) == true
    return .item(item, isSelected: isSelected ?? (index == list.window.selected), isMarked: isMarked)
  }

  private func line(_ row: Row) -> Line {
    switch row {
    case .item(let item, let isSelected, let isMarked):
      return cut(itemLine(item, isSelected: isSelected, isMarked: isMarked))
    case .editor(let line, _, _): return line
    }
  }

  private func cursor(in row: Row, row number: Int) -> Frame.Cursor {
    guard case .editor(_, _, let column?) = row else {
      return Frame.Cursor(row: number, column: 0, isVisible: false)
    }
    return Frame.Cursor(row: number, column: column, isVisible: true)
  }

  private func itemLine(_ item: TodoItem, isSelected: Bool, isMarked: Bool) -> Line {
    var line = itemStart(item, marker: isSelected ? ">" : " ", isMarked: isMarked)
    line.append(words(of: item, base: isSelected ? theme.selected : item.complete ? theme.done : .plain))
    if item.hasNote { line.append(" " + glyphs.note, theme.quiet) }
    return line
  }

  private func itemStart(_ item: TodoItem?, marker: String, isMarked: Bool = false) -> Line {
    var line = Line(marker, theme.title)
    line.append(isMarked ? glyphs.mark : " ", theme.marked)
    line.append(item?.complete == true ? "[x] " : "[ ] ")
    line.append(badge(Badge(item, isRefreshing: isRefreshing)))
    line.append(" ")
    return line
  }

  /// What to do when there is nothing to see.
  var emptyWords: String {
    if !list.query.filter.isEmpty {
      return text.text(.emptyFilter, ["filter": list.query.filter, "dismiss": key(.list(.dismiss))])
    }
    if list.query.view == .done { return text.text(.emptyDone, ["nextView": key(.list(.nextView))]) }
    return text.text(.emptyList, ["add": key(.list(.add)), "refresh": key(.common(.refresh))])
  }

  private func empty(height: Int) -> [Line] {
    let lines = TextWidth.wrap(emptyWords, columns: columns - 4).map { Line("  " + $0) }
    return Array((height > lines.count ? [Line()] + lines : lines).prefix(height))
  }
}

extension ListView {
  /// The text of an item, with the words that mean something by the conventions of todo.txt styled, and its date said
  /// as people say it.
  func words(of item: TodoItem, base: Style) -> Line {
    let text = item.line
    let notation = TodoNotation(text)
    guard !notation.words.isEmpty else { return Line(text, base) }
    var line = Line()
    var position = text.startIndex
    for word in notation.words {
      line.append(String(text[position..<word.range.lowerBound]), base)
      line.append(styled(word, of: notation, isDone: item.complete, base: base))
      position = word.range.upperBound
    }
    line.append(String(text[position...]), base)
    return line
  }

  private func styled(
    _ word: TodoNotation.Word, of notation: TodoNotation, isDone: Bool, base: Style
  ) -> Span {
    let said = String(notation.text[word.range])
    switch word.kind {
    case .priority: return Span(said, base + theme.priority)
    case .project: return Span(said, base + theme.project)
    case .context: return Span(said, base + theme.context)
    case .due:
      guard let day = notation.due else { return Span(said, base) }
      return Span(text.due(day, today: brush.today, isDone: isDone), base + style(of: day, isDone: isDone))
    }
  }

  private func style(of day: CalendarDay, isDone: Bool) -> Style {
    if isDone || day > brush.today { return theme.due }
    return day == brush.today ? theme.dueToday : theme.overdue
  }
}
