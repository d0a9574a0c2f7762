import Terminal
import TodoCore

extension ViewContext {
  /// Draws the rows, with the inline editor in its place among them, and puts the cursor.
  func drawList(on frame: inout Frame, height: Int) {
    let first = frame.lines.count
    let rows = visibleRows(height: height)
    frame.lines += rows.map { row in line(row) }
    if let cursorRow = rows.firstIndex(where: { $0.hasCursor }) {
      frame.cursor = cursor(in: rows[cursorRow], row: first + cursorRow)
    }
    if rows.isEmpty { frame.lines += empty(height: height) }
    while frame.lines.count < first + height { frame.lines.append(Line()) }
  }

  private enum Row {
    case item(TodoItem, isSelected: Bool)
    case editor(LineEditor, of: TodoItem?)

    var hasCursor: Bool {
      switch self {
      case .item(_, let isSelected): isSelected
      case .editor: true
      }
    }
  }

  /// A new item is typed below the chosen one, an old one where it stands.
  private func visibleRows(height: Int) -> [Row] {
    let window = model.window
    var rows = window.rows.indices.map { Row.item(window.rows[$0], isSelected: $0 == window.selected) }
    var focus = window.selected
    if case .editor(let editing) = model.mode {
      let selected = window.selectedItem
      if let selected, case .item(let id, _) = editing.target, id == selected.id {
        rows[focus] = .editor(editing.line, of: selected)
      } else {
        focus = min(focus + 1, rows.count)
        rows = window.rows.map { .item($0, isSelected: false) }
        rows.insert(.editor(editing.line, of: nil), at: focus)
      }
    }
    let top = max(window.top, focus - height + 1)
    return Array(rows.dropFirst(top).prefix(height))
  }

  private func line(_ row: Row) -> Line {
    switch row {
    case .item(let item, let isSelected): return cut(itemLine(item, isSelected: isSelected))
    case .editor(let editor, let item):
      var line = itemStart(item, marker: ">")
      line.append(fieldText(editor, columns: columns - line.columns), Style(underline: true))
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

  private func itemLine(_ item: TodoItem, isSelected: Bool) -> Line {
    var line = itemStart(item, marker: isSelected ? ">" : " ")
    let base = Style(bold: isSelected, dim: item.complete && !isSelected, reverse: isSelected)
    line.append(TodoWords.line(item.text, base: base))
    return line
  }

  private func itemStart(_ item: TodoItem?, marker: String) -> Line {
    var line = Line(marker + " ", Style(bold: true))
    line.append(item?.complete == true ? "[x] " : "[ ] ")
    line.append(glyphs.badge(shown(item?.state ?? .synced)))
    line.append(" ")
    return line
  }

  /// A change that was sent without an answer waits like any other, until a refresh here sends it again.
  private func shown(_ state: ItemState) -> ItemState {
    state == .inFlight && !model.refresh.isRunning ? .waiting : state
  }

  /// What to do when there is nothing to see.
  private func empty(height: Int) -> [Line] {
    let words: String
    if !model.query.filter.isEmpty {
      words = text.text(
        .emptyFilter, ["filter": model.query.filter, "dismiss": Keymap.keyName(of: .dismiss)])
    } else if model.query.view == .done {
      words = text.text(.emptyDone, ["nextView": Keymap.keyName(of: .nextView)])
    } else {
      words = text.text(
        .emptyList, ["add": Keymap.keyName(of: .add), "refresh": Keymap.keyName(of: .refresh)])
    }
    let lines = TextWidth.wrap(words, columns: columns - 4).map { Line("  " + $0) }
    return Array((height > lines.count ? [Line()] + lines : lines).prefix(height))
  }
}
