import Terminal
import TodoCore
import Words

extension ViewContext {
  /// Draws the rows, with the inline editor in its place among them, and puts the cursor.
  func drawList(on frame: inout Frame, height: Int) {
    var height = height
    if showsPullLine(height) {
      frame.lines.append(pullLine())
      height -= 1
    }
    let first = frame.lines.count
    let rows = visibleRows(height: height)
    frame.lines += rows.map { row in line(row) }
    if let cursorRow = rows.firstIndex(where: { $0.hasCursor }) {
      frame.cursor = cursor(in: rows[cursorRow], row: first + cursorRow)
    }
    if rows.isEmpty { frame.lines += empty(height: height) }
  }

  /// The place in the window of the item that a row of the screen shows; nil where it shows none.
  func item(onRow row: Int) -> Int? {
    let pull = showsPullLine(middleHeight) ? 1 : 0
    let height = middleHeight - pull
    let place = row - 1 - pull
    let index = top(height: height) + place
    return (0..<height).contains(place) && model.window.rows.indices.contains(index) ? index : nil
  }

  private func showsPullLine(_ height: Int) -> Bool { model.showsPullLine && height > 1 }

  /// The chosen row stays in sight where a notice leaves less room than the window was made for.
  private func top(height: Int) -> Int {
    max(model.window.top, model.window.selected - height + 1)
  }

  private enum Row {
    case item(TodoItem, isSelected: Bool, isMarked: Bool)
    case editor(LineEditor, of: TodoItem?)

    var hasCursor: Bool {
      switch self {
      case .item(_, let isSelected, _): isSelected
      case .editor: true
      }
    }
  }

  /// A new item is typed below the chosen one, an old one where it stands.
  private func visibleRows(height: Int) -> [Row] {
    let window = model.window
    var top = top(height: height)
    var rows = window.rows.indices.dropFirst(top).prefix(height).map { item($0) }
    guard case .editor(let editing) = model.mode else { return rows }
    let focus = window.selected - top
    let selected = window.selectedItem
    if let selected, case .item(let id, _) = editing.target, id == selected.id {
      rows[focus] = .editor(editing.line, of: selected)
      return rows
    }
    if focus + 1 >= height && !rows.isEmpty {
      top += 1
      rows.removeFirst()
    }
    rows = rows.enumerated().map {
      window.rows.indices.contains(top + $0.offset) ? item(top + $0.offset, isSelected: false) : $0.element
    }
    rows.insert(.editor(editing.line, of: nil), at: min(rows.count, window.selected + 1 - top))
    return Array(rows.prefix(height))
  }

  private func item(_ index: Int, isSelected: Bool? = nil) -> Row {
    let item = model.window.rows[index]
    let isMarked = model.marks.contains(item.id) || model.window.range?.contains(index) == true
    return .item(item, isSelected: isSelected ?? (index == model.window.selected), isMarked: isMarked)
  }

  private func line(_ row: Row) -> Line {
    switch row {
    case .item(let item, let isSelected, let isMarked):
      return cut(itemLine(item, isSelected: isSelected, isMarked: isMarked))
    case .editor(let editor, let item):
      var line = itemStart(item, marker: ">")
      line.append(fieldText(editor, columns: columns - line.columns), theme.field)
      return line
    }
  }

  private func cursor(in row: Row, row number: Int) -> Frame.Cursor {
    let start = itemStart(nil, marker: ">").columns
    guard case .editor(let editor, _) = row else {
      return Frame.Cursor(row: number, column: 0, isVisible: false)
    }
    return Frame.Cursor(row: number, column: start + fieldCursor(editor, columns: columns - start), isVisible: true)
  }

  private func itemLine(_ item: TodoItem, isSelected: Bool, isMarked: Bool) -> Line {
    var line = itemStart(item, marker: isSelected ? ">" : " ", isMarked: isMarked)
    line.append(words(of: item, base: isSelected ? theme.selected : item.complete ? theme.done : .plain))
    return line
  }

  private func itemStart(_ item: TodoItem?, marker: String, isMarked: Bool = false) -> Line {
    var line = Line(marker, theme.title)
    line.append(isMarked ? glyphs.mark : " ", theme.marked)
    line.append(item?.complete == true ? "[x] " : "[ ] ")
    line.append(badge(Badge(item, isRefreshing: model.refresh.isRunning)))
    line.append(" ")
    return line
  }

  func badge(_ badge: Badge) -> Span {
    switch badge {
    case .none: Span(" ")
    case .arrived: Span(glyphs.arrived, theme.arrived)
    case .waiting: Span(glyphs.waiting, theme.waiting)
    case .inFlight: Span(glyphs.inFlight, theme.inFlight)
    case .conflict: Span(glyphs.conflict, theme.conflict)
    case .refused: Span(glyphs.refused, theme.refused)
    }
  }

  /// What to do when there is nothing to see.
  var emptyWords: String {
    if !model.query.filter.isEmpty {
      return text.text(.emptyFilter, ["filter": model.query.filter, "dismiss": key(.dismiss)])
    }
    if model.query.view == .done { return text.text(.emptyDone, ["nextView": key(.nextView)]) }
    return text.text(.emptyList, ["add": key(.add), "refresh": key(.refresh)])
  }

  private func empty(height: Int) -> [Line] {
    let lines = TextWidth.wrap(emptyWords, columns: columns - 4).map { Line("  " + $0) }
    return Array((height > lines.count ? [Line()] + lines : lines).prefix(height))
  }

  /// The name of the key of a command of the list.
  func key(_ command: Command) -> String {
    model.keymap.name(of: command, in: .list)
  }
}
