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
  /// The keys are for something beside the list.
  var isResting = false
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
    if let cursorRow = rows.firstIndex(where: hasCursor) {
      frame.cursor = cursor(in: rows[cursorRow], row: first + cursorRow)
    }
    if rows.isEmpty { frame.lines += empty(height: height) }
  }

  /// What one of the lines shows; nil where it shows none of the list.
  func line(onRow row: Int, height: Int) -> ListLine? {
    let pull = showsPullLine(height) ? 1 : 0
    let lines = list.window.lines(height: height - pull)
    return lines.indices.contains(row - pull) ? lines[row - pull] : nil
  }

  private func showsPullLine(_ height: Int) -> Bool { pullLine != nil && height > 1 }

  private enum Row {
    case line(ListLine)
    case editor(LineEditor, of: TodoItem?)
  }

  private func hasCursor(_ row: Row) -> Bool {
    switch row {
    case .line(let line): editing == nil && line == .row(list.window.selected)
    case .editor: true
    }
  }

  /// A new item is typed below the chosen one, an old one where it stands.
  private func visibleRows(height: Int) -> [Row] {
    let lines = list.window.lines(height: height)
    var rows = lines.map { Row.line($0) }
    guard let editing else { return rows }
    let focus = lines.firstIndex(of: .row(list.window.selected))
    if let focus, case .item(let id, _) = editing.target, id == list.window.selectedItem?.id {
      rows[focus] = .editor(editing.line, of: list.window.selectedItem)
      return rows
    }
    let place = focus.map { $0 + 1 } ?? 0
    rows.insert(.editor(editing.line, of: nil), at: place)
    if place >= height { rows.removeFirst() }
    return Array(rows.prefix(height))
  }

  private func line(_ row: Row) -> Line {
    switch row {
    case .line(.row(let index)): return rowView(index).line(list.window.rows[index])
    case .line(.heading(let group)): return heading(group)
    case .line(.gap): return Line()
    case .editor(let editor, let item):
      var line = RowView(brush: brush, isSelected: true, isRefreshing: isRefreshing).start(item)
      line.append(fieldText(editor, columns: columns - line.columns), theme.selected + theme.field)
      return line
    }
  }

  /// Where a line is typed, it is the chosen one.
  private func rowView(_ index: Int) -> RowView {
    let item = list.window.rows[index]
    let isChosen = index == list.window.selected && editing == nil
    return RowView(
      brush: brush, isSelected: isChosen && !isResting, isResting: isChosen && isResting,
      isMarked: list.marks.contains(item.id) || list.window.range?.contains(index) == true,
      isRefreshing: isRefreshing)
  }

  private func cursor(in row: Row, row number: Int) -> Frame.Cursor {
    guard case .editor(let editor, _) = row else {
      return Frame.Cursor(row: number, column: 0, isVisible: false)
    }
    let start = RowView(brush: brush).start(nil).columns
    return Frame.Cursor(row: number, column: start + fieldCursor(editor, columns: columns - start), isVisible: true)
  }

  /// The name of a group, how many items it has, and a line to the edge.
  private func heading(_ group: TodoGroup) -> Line {
    var line = Line("  ")
    line.append(text.name(of: group, today: brush.today), style(of: group))
    if let count = list.groupCounts[group] { line.append("  " + text.number(count), theme.quiet) }
    line = line.cut(to: max(0, columns - 6), ellipsis: glyphs.ellipsis)
    line.append(" ")
    line.append(String(repeating: glyphs.hairline, count: max(0, columns - line.columns - 2)), theme.hairline)
    return line
  }

  private func style(of group: TodoGroup) -> Style {
    switch group {
    case .overdue: theme.overdue
    case .today: theme.heading + theme.dueToday
    case .project(_?): theme.heading + theme.project
    case .thisWeek, .later, .undated, .priority, .project(nil), .day: theme.heading
    }
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
