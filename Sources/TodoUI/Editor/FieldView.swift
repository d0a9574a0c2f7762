import Terminal
import Words

/// A line being typed, as it shows: in one row that scrolls sideways, or in several that wrap.
struct FieldView: View {
  let editor: LineEditor
  /// Characters that are styled, by their places.
  var marked: [(places: Range<Int>, style: Style)] = []
  /// Of the field; nil for that of a field at the bottom.
  var ground: Style?
  let brush: Brush

  /// One character as it is drawn.
  private struct Cell {
    let text: String
    let columns: Int
    let isSpace: Bool
  }

  private var cells: [Cell] {
    editor.text.map { character in
      let text = Printable.text(String(character))
      return Cell(text: text, columns: TextWidth.columns(of: text), isSpace: character == " ")
    }
  }

  private var plain: Style { ground ?? theme.field }

  private func style(_ place: Int) -> Style {
    marked.first { $0.places.contains(place) }?.style ?? plain
  }

  private func line(_ cells: [Cell], _ places: Range<Int>, columns: Int) -> Line {
    var line = Line()
    var place = places.lowerBound
    while place < places.upperBound {
      let style = style(place)
      let end = places[place...].firstIndex { self.style($0) != style } ?? places.upperBound
      line.append(cells[place..<end].map(\.text).joined(), style)
      place = end
    }
    line.pad(to: columns, plain)
    return line
  }
}

// MARK: In several rows

extension FieldView {
  /// The text in rows, and where the cursor is in them.
  struct Rows {
    var lines: [Line]
    /// How much of each row the text takes.
    var widths: [Int]
    /// Of these rows, from 0, and of these columns.
    let cursor: (row: Int, column: Int)
    /// The place of the first character of each row in the text.
    let starts: [Int]
  }

  /// As many rows as the text takes, at most so many: those round the cursor. Words stay whole where they can.
  func rows(columns: Int, atMost most: Int) -> Rows {
    let columns = max(2, columns)
    let cells = cells
    let starts = Self.starts(cells, columns: columns)
    let cursor = editor.before.count
    let row = starts.lastIndex { $0 <= cursor } ?? 0
    let first = max(0, min(row - most / 2, starts.count - most))
    let shown = first..<min(starts.count, first + max(1, most))
    let lines = shown.map { number in
      let end = number + 1 < starts.count ? starts[number + 1] : cells.count
      return line(cells, starts[number]..<end, columns: columns).cut(to: columns, ellipsis: "")
    }
    let widths = shown.map { number in
      let end = number + 1 < starts.count ? starts[number + 1] : cells.count
      return cells[starts[number]..<end].reduce(0) { $0 + $1.columns }
    }
    let column = cells[starts[row]..<cursor].reduce(0) { $0 + $1.columns }
    return Rows(
      lines: lines, widths: widths, cursor: (row - first, min(column, columns - 1)), starts: shown.map { starts[$0] })
  }

  /// The place in the text that stands at a column of a row that begins at `start`.
  func place(startingAt start: Int, column: Int) -> Int {
    var (place, used) = (start, 0)
    for cell in cells.dropFirst(start) {
      used += cell.columns
      if used > column { break }
      place += 1
    }
    return place
  }

  /// Where each row begins. The last column is left to spaces and the cursor.
  private static func starts(_ cells: [Cell], columns: Int) -> [Int] {
    var starts = [0]
    var (used, afterSpace) = (0, 0)
    for (place, cell) in cells.enumerated() {
      if used + cell.columns > (cell.isSpace ? columns : columns - 1), place > (starts.last ?? 0) {
        let start = afterSpace > (starts.last ?? 0) ? afterSpace : place
        starts.append(start)
        used = cells[start..<place].reduce(0) { $0 + $1.columns }
      }
      used += cell.columns
      if cell.isSpace { afterSpace = place + 1 }
    }
    return starts
  }
}

// MARK: In one row

extension FieldView {
  /// The part of the text that a field this wide shows.
  func row(columns: Int) -> Line {
    let cells = cells
    let start = start(columns)
    var (line, position) = (Line(), 0)
    for (place, cell) in cells.enumerated() {
      defer { position += cell.columns }
      guard position >= start else {
        // Half a wide character at the left edge shows as a space, so that all that follows stays in its column.
        let rest = position + cell.columns - start
        if rest > 0 { line.append(String(repeating: " ", count: rest), plain) }
        continue
      }
      guard position - start + cell.columns <= columns else { break }
      line.append(cell.text, style(place))
    }
    line.pad(to: columns, plain)
    return line
  }

  /// The column of the cursor in that row.
  func cursor(columns: Int) -> Int {
    min(columns - 1, cursorColumn - start(columns))
  }

  /// The field moves by half its width, so that the text stands still while the cursor crosses half of it.
  private func start(_ columns: Int) -> Int {
    let step = max(1, columns / 2)
    return cursorColumn >= columns ? (cursorColumn / step - 1) * step : 0
  }

  private var cursorColumn: Int {
    TextWidth.columns(of: Printable.text(editor.before))
  }
}
