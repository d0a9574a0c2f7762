import FoundationEssentials
import Terminal
import TodoCore
import Words

/// The smallest terminal the list is shown in.
let smallestSize = Size(columns: 20, rows: 5)

extension Size {
  fileprivate var holdsList: Bool { columns >= smallestSize.columns && rows >= smallestSize.rows }
}

/// What the screen shows for this model: the title, the list or what stands in its place, what has to be said, the
/// status, the hints.
func view(_ model: Model) -> Frame {
  let size = model.size
  let text = model.preferences.catalogue
  guard size.holdsList else { return tooSmall(size, text) }
  let view = ViewContext(model)
  let bottom = view.notice + [view.status(), view.bottomRow()]
  var frame = Frame(lines: [view.title()])
  view.drawMiddle(on: &frame, height: size.rows - 1 - bottom.count)
  frame.lines += bottom
  if let column = view.bottomCursor { frame.cursor = Frame.Cursor(row: size.rows - 1, column: column, isVisible: true) }
  return frame
}

private func tooSmall(_ size: Size, _ text: Catalogue) -> Frame {
  let line = Line(TextWidth.prefix(text.text(.tooSmall), columns: max(0, size.columns)))
  return Frame(lines: [line] + Array(repeating: Line(), count: max(0, size.rows - 1)))
}

/// What every part of the view needs.
struct ViewContext {
  let model: Model
  let text: Catalogue
  let theme: Theme
  let glyphs: Glyphs
  let columns: Int
  /// The day it is here.
  let today: CalendarDay

  init(_ model: Model) {
    self.model = model
    text = model.preferences.catalogue
    theme = model.preferences.theme
    glyphs = Glyphs.of(model.charset)
    columns = model.size.columns
    today = CalendarDay(model.now.date)
  }

  /// For what is told instead of shown: nothing is cut or wrapped, and there are no signs.
  init(telling model: Model) {
    self.model = model
    text = model.preferences.catalogue
    theme = model.preferences.theme
    glyphs = Glyphs.told(separator: text.text(.listSeparator))
    columns = 100_000
    today = CalendarDay(model.now.date)
  }

  fileprivate var notice: [Line] { notice(atMost: model.size.rows - 4) }

  /// Rows for the list or what stands in its place: all but the title, what has to be said, the status and the hints.
  var middleHeight: Int { model.size.holdsList ? model.size.rows - 3 - notice.count : 0 }

  /// A moment as the clock on the wall shows it, with the date where that is not today's.
  func time(_ date: Date) -> String {
    LocalMoment(date).text(today: LocalMoment(model.now.date))
  }

  func cut(_ line: Line) -> Line {
    line.cut(to: columns, ellipsis: glyphs.ellipsis)
  }

  /// Text at the left edge and at the right one; the left gives way.
  func row(_ left: Line, right: Line) -> Line {
    var line = left.cut(to: max(0, columns - right.columns - 1), ellipsis: glyphs.ellipsis)
    line.pad(to: columns - right.columns)
    line.append(right)
    return line.cut(to: columns, ellipsis: glyphs.ellipsis)
  }

  /// The words in as many rows as they take, beside the beginning of the first.
  func wrapped(_ words: String, after start: Line, _ style: Style = .plain) -> [Line] {
    let indent = start.columns == 0 ? 0 : start.columns + 1
    let rows = TextWidth.wrap(Printable.text(words), columns: max(1, columns - indent))
    return (rows.isEmpty ? [""] : rows).enumerated().map { number, row in
      var line = number == 0 ? start : Line()
      line.pad(to: indent)
      line.append(row, style)
      return line
    }
  }

  /// The same for words with the marks of a comparison: what is in brackets is coloured too.
  func compared(_ words: String, after start: Line) -> [Line] {
    var style = Style.plain
    return wrapped(words, after: start).map { line in
      var coloured = Line()
      for span in line.spans {
        for piece in WordMarks.pieces(of: span.text) {
          if piece == WordMarks.removal {
            style = theme.removed
          } else if piece == WordMarks.addition {
            style = theme.added
          }
          coloured.append(piece, span.style + style)
          if WordMarks.closings.contains(piece) { style = .plain }
        }
      }
      return coloured
    }
  }

  fileprivate func drawMiddle(on frame: inout Frame, height: Int) {
    let first = frame.lines.count
    switch model.mode {
    case .menu(let menu): draw(menu, on: &frame, height: height)
    case .pane(let pane): draw(pane, on: &frame, height: height)
    case .paste(let pasted): draw(pasted, on: &frame, height: height)
    case .conflicts: drawConflict(nil, on: &frame, height: height)
    case .editor(let editing) where editing.isMerge: drawConflict(editing.line, on: &frame, height: height)
    case .prompt(.massRemoval): draw(removals: model.refresh.result?.removals ?? [], on: &frame, height: height)
    case .list, .editor, .filter, .due, .prompt: drawList(on: &frame, height: height)
    }
    frame.lines.removeLast(max(0, frame.lines.count - first - height))
    while frame.lines.count < first + height { frame.lines.append(Line()) }
  }
}
