import Terminal
import TodoCore
import Words

/// The smallest terminal the list is shown in.
let smallestSize = Size(columns: 20, rows: 5)

extension Size {
  var holdsList: Bool { columns >= smallestSize.columns && rows >= smallestSize.rows }
}

/// The frame that shows this model. With the rows of the last frame it takes less time, and is the same.
func view(_ model: Model, _ drawn: DrawnRows = DrawnRows()) -> Frame {
  ScreenView(model, drawn).frame()
}

/// The whole screen: the title, the list or what stands in its place, what has to be said, the hints.
struct ScreenView: View {
  let model: Model
  let brush: Brush
  /// The rows below the list: the notice or the question, and the keys or the field. Mostly one row each.
  private let foot: [Line]
  /// How many rows there are for the notice or the question.
  private let noticeRows: Int
  private let drawn: DrawnRows

  init(_ model: Model, _ drawn: DrawnRows = DrawnRows()) {
    self.model = model
    self.drawn = drawn
    brush = Brush(model.screen)
    guard model.screen.size.holdsList else {
      (foot, noticeRows) = ([], 0)
      return
    }
    let rows = model.screen.size.rows
    let bottom = BottomView(model: model, brush: brush)
    let lines = bottom.lines(atMost: (rows - 1) / 2).map { bottom.bar($0) }
    noticeRows = rows - 2 - lines.count
    foot = NoticeView(model: model, brush: brush).lines(atMost: noticeRows) + lines
  }

  func frame() -> Frame {
    let size = model.screen.size
    guard size.holdsList else { return tooSmall(size) }
    var frame = Frame(lines: [TitleView(model: model, brush: brush).line])
    drawMiddle(on: &frame, height: listRows)
    frame.lines += foot
    if let column = BottomView(model: model, brush: brush).cursor {
      frame.cursor = Frame.Cursor(row: size.rows - 1, column: column, isVisible: true)
    }
    if let color = theme.text.color { frame.lines = frame.lines.map { $0.colored(color) } }
    return frame
  }

  /// The rows between the title and what has to be said.
  private var listRows: Int { model.screen.size.rows - 1 - foot.count }

  /// The line of the list on this row of the screen; nil if the row shows none of the list.
  func listLine(onRow row: Int) -> ListLine? {
    let size = model.screen.size
    return size.holdsList ? listView.line(onRow: row - 1, height: listRows) : nil
  }

  /// Returns the place in the typed line at a row and a column of the screen; nil if the line is not there.
  func place(onRow row: Int, column: Int) -> Int? {
    let size = model.screen.size
    guard size.holdsList else { return nil }
    return listView.place(onRow: row - 1, column: column, height: listRows)
  }

  /// The links that the question is about; nil if it is about none.
  var links: LinksView? { LinksView(model, brush, rows: noticeRows) }

  /// How far the items that a question is about can be scrolled, and how many show; of links, how many pages there are
  /// after the first. Nil if it is about none.
  var previewPlaces: (last: Int, page: Int)? {
    if let links { return (links.lastPage, 1) }
    return PreviewView(model, brush).map { ($0.lastTop(height: listRows), max(1, listRows - 1)) }
  }

  private func tooSmall(_ size: Size) -> Frame {
    let line = Line(TextWidth.prefix(text.text(.tooSmall), columns: max(0, size.columns)))
    return Frame(lines: [line] + Array(repeating: Line(), count: max(0, size.rows - 1)))
  }

  private var listView: ListView {
    let columns = brush.columns - listStart - SideDetails.columns(on: model.screen)
    let brush = brush.narrowed(to: columns)
    return ListView(
      list: model.list, editing: model.editor.editing, pullLine: model.pullLine(brush),
      signs: model.signs, isResting: model.mode == .panel, brush: brush, drawn: drawn)
  }

  /// The first column of the list.
  var listStart: Int { model.panel.isShown(on: model.screen) ? Panel.columns(on: model.screen) : 0 }

  private var panelView: PanelView {
    PanelView(
      panel: model.panel, savedFilters: model.list.saved.byNumber, filter: model.list.query.filter,
      brush: brush.narrowed(to: Panel.columns(on: model.screen)))
  }

  /// Returns the entry of the panel that is pressed; nil if there is none.
  func panelEntry(at event: MouseEvent) -> Int? {
    guard event.column >= 0, event.column < listStart - 1 else { return nil }
    return panelView.entry(onRow: event.row - 1, height: listRows)
  }

  /// The list with what stands at its sides.
  private func drawList(on frame: inout Frame, height: Int) {
    let first = frame.lines.count
    listView.draw(on: &frame, height: height)
    let size = model.screen.size
    let side = SideDetails.columns(on: model.screen)
    guard listStart > 0 || side > 0 else { return }
    let left = listStart > 0 ? panelView.lines(height: height) : []
    let right =
      side > 0
      ? SideDetailsView(side: model.side, hasServer: model.hasServer, brush: brush.narrowed(to: side - 4))
        .lines(height: height) : []
    for row in 0..<height {
      var line = left.isEmpty ? Line() : left[row]
      if frame.lines.indices.contains(first + row) { line.append(frame.lines[first + row]) }
      if !right.isEmpty {
        line.pad(to: size.columns - side)
        line.append(right[row])
      }
      if first + row < frame.lines.count { frame.lines[first + row] = line } else { frame.lines.append(line) }
    }
    frame.cursor?.column += listStart
    if model.mode == .panel, let row = panelView.chosenRow(height: height) {
      frame.cursor = Frame.Cursor(row: first + row, column: 0, isVisible: false)
    }
  }

  private func drawMiddle(on frame: inout Frame, height: Int) {
    let first = frame.lines.count
    let conflicts = ConflictView(
      browser: model.panes.conflicts, isTyping: model.editor.editing?.isMerge == true, brush: brush)
    switch model.mode {
    case .menu(let menu):
      let (isShown, fits) = (model.panel.isShown(on: model.screen), Panel.hasRoom(on: model.screen))
      MenuView(menu: menu, hasPanel: isShown, panelFits: fits, brush: brush).draw(on: &frame, height: height)
    case .pane(let pane):
      PaneView(pane: pane, hasServer: model.hasServer, nothing: brush.text.text(model.emptyOutbox), brush: brush).draw(
        on: &frame, height: height, foot: model.screen.paneFoot)
    case .conflicts: conflicts.draw(nil, on: &frame, height: height)
    case .editor(let editing) where editing.isMerge: conflicts.draw(editing, on: &frame, height: height)
    case .list, .panel, .editor, .filter, .due, .paste, .prompt:
      if let preview = PreviewView(model, brush) {
        preview.draw(on: &frame, height: height)
      } else {
        drawList(on: &frame, height: height)
      }
    }
    frame.lines.removeLast(max(0, frame.lines.count - first - height))
    while frame.lines.count < first + height { frame.lines.append(Line()) }
  }
}

extension Model {
  /// The line above the first row, where one shows.
  fileprivate func pullLine(_ brush: Brush) -> Line? {
    showsPullLine ? RefreshView(sync: sync, brush: brush).pullLine() : nil
  }

  var showsPullLine: Bool { mode == .list && sync.showsPullLine }
}
