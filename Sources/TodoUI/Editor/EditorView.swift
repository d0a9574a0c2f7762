import Terminal
import TodoCore
import Words

/// The line of an item that is typed: it wraps, and at its right stands the date that was understood.
struct EditorView: View {
  let editing: Editing
  /// What stands before the text in the first row.
  let start: Line
  let brush: Brush

  private var field: FieldView {
    FieldView(editor: editing.line, marked: editing.doubtfulPlace(today: brush.today), brush: brush)
  }

  func rows(atMost most: Int) -> FieldView.Rows {
    let rows = field.rows(columns: columns - start.columns, atMost: most)
    var lines = rows.lines.enumerated().map { number, row in
      var line = number == 0 ? start : Line()
      line.pad(to: start.columns)
      return line + row
    }
    if let date, let last = lines.indices.last {
      let room = columns - date.columns - 1
      if rows.widths[last] + start.columns < room {
        lines[last] = lines[last].cut(to: room, ellipsis: "") + Line(" ") + date
      } else if lines.count < most {
        var line = Line()
        line.pad(to: room + 1)
        lines.append(line + date)
      }
    }
    let cursor = (row: rows.cursor.row, column: rows.cursor.column + start.columns)
    return FieldView.Rows(lines: lines, widths: rows.widths, cursor: cursor, starts: rows.starts)
  }

  /// The place in the text under a row and a column of these rows; nil beside the text.
  func place(row: Int, column: Int, atMost most: Int) -> Int? {
    let starts = field.rows(columns: columns - start.columns, atMost: most).starts
    guard starts.indices.contains(row), column >= start.columns else { return nil }
    let place = field.place(startingAt: starts[row], column: column - start.columns)
    return row + 1 < starts.count ? min(place, starts[row + 1] - 1) : place
  }

  /// `→ Fri 27 Nov`, for a date that was typed in words.
  private var date: Line? {
    guard let typed = TypedDue(editing.line.text, today: brush.today), case .day(let day)? = typed.meaning,
      typed.words != day.text
    else { return nil }
    return Line(glyphs.leadsTo + " " + text.weekdayAndDay(day, today: brush.today), theme.due)
  }
}
