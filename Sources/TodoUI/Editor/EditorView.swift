import Terminal
import TodoCore
import Words

/// The line of an item that is typed, on the ground of the chosen row: it wraps, and the date that was understood
/// stands in the column of dates.
struct EditorView: View {
  let editing: Editing
  /// The row that it stands in.
  let row: RowView
  /// Nil for a new item.
  let item: TodoItem?
  let brush: Brush

  private var start: Line { row.start(item) }

  private var field: FieldView {
    FieldView(editor: editing.line, marked: marked, ground: row.ground, brush: brush)
  }

  /// The word that begins as a date: in the colour of the date, or in that of an error if it is none.
  private var marked: [(places: Range<Int>, style: Style)] {
    let underline = Style(underline: true)
    if let places = editing.doubtfulPlace(today: brush.typedOn) {
      return [(places, row.painted(theme.overdue) + underline)]
    }
    guard let (places, day) = editing.datePlace(today: brush.typedOn) else { return [] }
    return [(places, row.painted(style(of: day)) + underline)]
  }

  func rows(atMost most: Int) -> FieldView.Rows {
    let start = start
    let rows = field.rows(columns: columns - start.columns, atMost: most)
    var lines = rows.lines.enumerated().map { number, text in
      var line = number == 0 ? start : Line(start.spans.first?.text ?? "", row.painted(theme.edge))
      line.pad(to: start.columns, row.ground)
      return line + text
    }
    if let date, let last = lines.indices.last {
      let right = columns - (columns < RowView.wide ? 0 : RowView.gap)
      let room = right - date.columns - 1
      if rows.widths[last] + start.columns < room {
        lines[last] = lines[last].cut(to: room, ellipsis: "")
      } else if lines.count < most, !isPlain {
        lines.append(Line(start.spans.first?.text ?? "", row.painted(theme.edge)))
      }
      if lines.count > rows.lines.count || rows.widths[last] + start.columns < room {
        lines[lines.count - 1].pad(to: room + 1, row.ground)
        lines[lines.count - 1].append(date)
        lines[lines.count - 1].pad(to: columns, row.ground)
      }
    }
    let cursor = (row: rows.cursor.row, column: rows.cursor.column + start.columns)
    return FieldView.Rows(lines: lines, widths: rows.widths, cursor: cursor, starts: rows.starts)
  }

  /// The place in the text under a row and a column of these rows; nil beside the text.
  func place(row: Int, column: Int, atMost most: Int) -> Int? {
    let start = start
    let starts = field.rows(columns: columns - start.columns, atMost: most).starts
    guard starts.indices.contains(row), column >= start.columns else { return nil }
    let place = field.place(startingAt: starts[row], column: column - start.columns)
    return row + 1 < starts.count ? min(place, starts[row + 1] - 1) : place
  }

  /// That it was understood is seen by its colour, however far away it is.
  private func style(of day: CalendarDay) -> Style { day < brush.today ? theme.overdue : theme.dueToday }

  /// The date was typed as it is stored: there is less to say of it.
  private var isPlain: Bool {
    editing.datePlace(today: brush.typedOn).map { editing.line.text.contains("due:" + $0.day.text) } ?? false
  }

  /// `→ Fri 27 Nov`
  private var date: Line? {
    guard let (_, day) = editing.datePlace(today: brush.typedOn) else { return nil }
    let words = glyphs.leadsTo + " " + text.weekdayAndDay(day, today: brush.today)
    return Line(words, row.painted(style(of: day)))
  }
}
