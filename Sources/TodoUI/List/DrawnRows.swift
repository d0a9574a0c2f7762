import Terminal
import TodoCore
import Words

/// The rows of the list as they were drawn last. A key changes two of them; the others are taken from here.
///
/// It gives what `RowView` would draw, so a frame never shows whether there was one. Main thread only.
final class DrawnRows {
  private var ground: Ground?
  private var dateWidth = 0
  private var rows: [Drawn] = []
  private var before: [Drawn] = []
  /// Where in `before` the next row is looked for first: rows that were one below the other mostly still are.
  private var expected = 0

  /// Everything but the item and its marks that a row depends on.
  private struct Ground: Equatable {
    let columns: Int
    let charset: Charset
    let theme: Theme
    let text: Catalogue
    let today: CalendarDay
    let signs: SyncSigns
  }

  private struct Drawn {
    let item: TodoItem
    let marks: RowMarks
    let line: Line
  }

  /// Begins a frame, and returns the columns that any date has room in.
  func begin(_ brush: Brush, _ signs: SyncSigns) -> Int {
    swap(&rows, &before)
    rows.removeAll(keepingCapacity: true)
    expected = 0
    let now = Ground(
      columns: brush.columns, charset: brush.charset, theme: brush.theme, text: brush.text, today: brush.today,
      signs: signs)
    if now != ground {
      ground = now
      before = []
      dateWidth = RowView.dateWidth(brush)
    }
    return dateWidth
  }

  /// The row of an item, drawn by `row` if the last frame had none like it. Call it for the rows from above to below.
  func line(_ item: TodoItem, _ row: RowView) -> Line {
    let isSame = { (drawn: Drawn) in drawn.marks == row.marks && drawn.item == item }
    if expected < before.count, isSame(before[expected]) {
      return keep(before[expected], from: expected)
    }
    if let place = before.firstIndex(where: isSame) { return keep(before[place], from: place) }
    let drawn = Drawn(item: item, marks: row.marks, line: row.line(item))
    return keep(drawn, from: expected)
  }

  private func keep(_ drawn: Drawn, from place: Int) -> Line {
    rows.append(drawn)
    expected = place + 1
    return drawn.line
  }
}
