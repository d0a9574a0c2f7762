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
  let signs: SyncSigns
  /// The keys are for something beside the list.
  var isResting = false
  let brush: Brush
  var drawn = DrawnRows()

  /// Draws the rows, with the inline editor in its place among them, and puts the cursor.
  func draw(on frame: inout Frame, height: Int) {
    var height = height
    if let pullLine, showsPullLine(height) {
      frame.lines.append(pullLine)
      height -= 1
    }
    let first = frame.lines.count
    let rows = visibleRows(height: height)
    let dateWidth = drawn.begin(brush, signs)
    let above = rowsAbove(rows)
    frame.lines += rows.enumerated().map { number, row in
      line(row, above: number == 0 ? above : 0, dateWidth: dateWidth)
    }
    if let cursorRow = rows.firstIndex(where: hasCursor) {
      frame.cursor = cursor(in: rows[cursorRow], row: first + cursorRow)
    }
    if rows.isEmpty { frame.lines += empty(height: height) }
  }

  /// The line of the list on this row; nil if the row shows none of the list.
  func line(onRow row: Int, height: Int) -> ListLine? {
    let pull = showsPullLine(height) ? 1 : 0
    let lines = list.window.lines(height: height - pull)
    return lines.indices.contains(row - pull) ? lines[row - pull] : nil
  }

  private func showsPullLine(_ height: Int) -> Bool { pullLine != nil && height > 1 }

  private enum Row {
    case line(ListLine)
    /// One of the rows that a line being typed takes, and the column of the cursor if it is there.
    case editor(Line, number: Int, cursor: Int?)
  }

  private func hasCursor(_ row: Row) -> Bool {
    switch row {
    case .line(let line): editing == nil && line == .row(list.window.selected)
    case .editor(_, _, let cursor): cursor != nil
    }
  }

  /// A new item is typed below the chosen one, an old one where it stands.
  private func visibleRows(height: Int) -> [Row] {
    let lines = list.window.lines(height: height)
    var rows = lines.map { Row.line($0) }
    guard let editing else { return rows }
    let focus = lines.firstIndex(of: .row(list.window.selected))
    let field = editorView(of: editing).rows(atMost: Self.editorHeight(height))
    let fieldRows = field.lines.enumerated().map { number, line in
      Row.editor(line, number: number, cursor: number == field.cursor.row ? field.cursor.column : nil)
    }
    if let focus, isInPlace(editing) {
      rows.replaceSubrange(focus...focus, with: fieldRows)
    } else {
      rows.insert(contentsOf: fieldRows, at: focus.map { $0 + 1 } ?? 0)
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
    let item = isInPlace(editing) ? list.window.selectedItem : nil
    let row = RowView(brush: brush, marks: RowMarks(isSelected: true), signs: signs)
    return EditorView(editing: editing, row: row, item: item, brush: brush)
  }

  /// Returns the place in the typed line at a row and a column; nil if the line is not there.
  func place(onRow row: Int, column: Int, height: Int) -> Int? {
    let height = height - (showsPullLine(height) ? 1 : 0)
    let rows = visibleRows(height: height)
    guard rows.indices.contains(row), case .editor(_, let number, _) = rows[row], let editing else { return nil }
    return editorView(of: editing).place(row: number, column: column, atMost: Self.editorHeight(height))
  }

  /// How many items are out of sight above; none is said of a list without headings, and while a line is typed.
  private func rowsAbove(_ rows: [Row]) -> Int {
    guard editing == nil, list.window.groups != nil else { return 0 }
    let lines = rows.compactMap { row -> ListLine? in if case .line(let line) = row { line } else { nil } }
    return list.window.rowsAbove(lines) ?? 0
  }

  /// `above` is how many items are out of sight above this row.
  private func line(_ row: Row, above: Int, dateWidth: Int) -> Line {
    switch row {
    case .line(.row(let index)): drawn.line(list.window.rows[index], rowView(index, dateWidth: dateWidth))
    case .line(.heading(let group)): heading(group, above: above)
    case .line(.gap): above > 0 ? Line("  " + text.text(.rowsAbove, count: above), theme.quiet) : Line()
    case .editor(let line, _, _): line
    }
  }

  /// Where a line is typed, it is the chosen one.
  private func rowView(_ index: Int, dateWidth: Int) -> RowView {
    let item = list.window.rows[index]
    let isChosen = index == list.window.selected && editing == nil
    let marks = RowMarks(
      isSelected: isChosen && !isResting, isResting: isChosen && isResting,
      isMarked: list.marks.contains(item.id) || list.window.range?.contains(index) == true,
      hasDateHeading: list.window.groups?.grouping == .date)
    return RowView(brush: brush, marks: marks, signs: signs, dateWidth: dateWidth)
  }

  private func cursor(in row: Row, row number: Int) -> Frame.Cursor {
    guard case .editor(_, _, let column?) = row else {
      return Frame.Cursor(row: number, column: 0, isVisible: false)
    }
    return Frame.Cursor(row: number, column: column, isVisible: true)
  }

  /// The name of a group, how many items it has, and a line to the edge. The first heading says how many are out of
  /// sight above: its group may have begun there.
  private func heading(_ group: TodoGroup, above: Int) -> Line {
    var line = Line("  ")
    line.append(text.name(of: group, today: brush.today), style(of: group))
    if let count = list.groupCounts[group] { line.append("  " + text.number(count), theme.quiet) }
    line = line.cut(to: max(0, columns - 6), ellipsis: glyphs.ellipsis)
    line.append(" ")
    let room = max(0, columns - line.columns - 2)
    let words = above > 0 ? " " + text.text(.rowsAbove, count: above) : ""
    let said = TextWidth.columns(of: words) < room ? words : ""
    let width = room - TextWidth.columns(of: said)
    line.append(String(repeating: glyphs.hairline, count: width), theme.hairline)
    line.append(said, theme.quiet)
    return line
  }

  private func style(of group: TodoGroup) -> Style {
    switch group {
    case .overdue: theme.overdue
    case .today: theme.heading + theme.dueToday
    case .project(_?): theme.heading + theme.project
    case .sevenDays, .later, .undated, .priority, .project(nil), .day: theme.heading
    }
  }

  /// Advice when there is nothing to see.
  var emptyWords: String {
    if !list.query.filter.isEmpty {
      let key: StringKey = TodoFilter.hasSmallOr(list.query.filter) ? .emptyFilterOr : .emptyFilter
      return text.text(key, ["filter": list.query.filter, "dismiss": self.key(.list(.dismiss))])
    }
    if list.query.view == .done { return text.text(.emptyDone, ["nextView": key(.list(.nextView))]) }
    if list.viewCounts[.done, default: 0] > 0 {
      return text.text(.emptyAllDone, ["add": key(.list(.add)), "view": text.text(.viewDone)])
    }
    return signs.hasServer
      ? text.text(.emptyList, ["add": key(.list(.add)), "refresh": key(.common(.refresh))])
      : text.text(.emptyListAlone, ["add": key(.list(.add))])
  }

  private func empty(height: Int) -> [Line] {
    let lines = TextWidth.wrap(emptyWords, columns: columns - 4).map { Line("  " + $0) }
    return Array((height > lines.count ? [Line()] + lines : lines).prefix(height))
  }
}
