import Terminal

/// The smallest terminal the list is shown in.
let smallestSize = Size(columns: 20, rows: 5)

/// What the screen shows for this model: the title, the list or the help, what has to be said, the status, the hints.
func view(_ model: Model, text: Catalogue) -> Frame {
  let size = model.size
  guard size.columns >= smallestSize.columns, size.rows >= smallestSize.rows else {
    return tooSmall(size, text)
  }
  let view = ViewContext(model: model, text: text)
  let notice = view.notice(atMost: size.rows - 4)
  let bottom = notice + [view.status(), view.bottomRow()]
  let height = size.rows - 1 - bottom.count
  var frame = Frame(lines: [view.title()])
  switch model.mode {
  case .help(let line): frame.lines += HelpView(text: text).lines(from: line, height: height, view)
  case .conflicts: view.drawConflict(nil, on: &frame, height: height)
  case .editor(let editing) where editing.isMerge: view.drawConflict(editing.line, on: &frame, height: height)
  default: view.drawList(on: &frame, height: height)
  }
  frame.lines += bottom
  if case .filter(let line, _) = model.mode { frame.cursor = view.filterCursor(line, row: size.rows - 1) }
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
  let glyphs: Glyphs
  let columns: Int

  init(model: Model, text: Catalogue) {
    self.model = model
    self.text = text
    glyphs = Glyphs.of(model.charset)
    columns = model.size.columns
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
}
