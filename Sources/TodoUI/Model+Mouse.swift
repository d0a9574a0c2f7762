import Terminal
import TodoCore

/// Mouse actions: presses on tabs, rows, headings and the panel, and the wheel.
extension Model {
  /// Rows one notch of the wheel moves by.
  private static let wheelRows = 3
  mutating func point(_ event: MouseEvent) -> [Effect] {
    switch event.kind {
    case .wheelUp: return turnWheel(by: -1, at: event)
    case .wheelDown: return turnWheel(by: 1, at: event)
    case .press: return press(at: event, isDouble: false)
    case .doublePress: return press(at: event, isDouble: true)
    }
  }

  private mutating func turnWheel(by notches: Int, at event: MouseEvent) -> [Effect] {
    let isOverPanel = event.row > 0 && event.column < ScreenView(self).listStart
    switch mode {
    case .list where isOverPanel, .panel where isOverPanel:
      panel.move(.by(notches * Self.wheelRows), savedFilters: list.saved.byNumber)
    case .list, .panel, .filter: return move(by: notches * Self.wheelRows, .wheel)
    case .conflicts, .pane, .menu: panes.scroll(by: notches, screen)
    case .paste, .prompt: _ = movePreview { .by(notches * min(Self.wheelRows, $0)) }
    case .editor, .due: break
    }
    return []
  }

  /// A press chooses the row; on its box it completes the item, twice it edits. On a heading it chooses the first item
  /// below.
  private mutating func press(at event: MouseEvent, isDouble: Bool) -> [Effect] {
    let view = ScreenView(self)
    if event.row == 0 { return press(tabAt: event.column) }
    if case .editor = mode {
      guard let place = view.place(onRow: event.row, column: event.column - view.listStart) else { return [] }
      return type { $0.moveCursor(to: place) }
    }
    guard mode == .list || mode == .panel else { return [] }
    if let entry = view.panelEntry(at: event) {
      panel.choose(entry)
      return filterByPanel()
    }
    // The panel's empty part and its rules do nothing, least of all to the row of the list beside them.
    guard event.column >= view.listStart else { return [] }
    panel.leave()
    switch view.listLine(onRow: event.row) {
    case .row(let index):
      return press(row: index, isBox: RowView.box.contains(event.column - view.listStart), isDouble: isDouble)
    case .heading:
      guard case .row(let index) = view.listLine(onRow: event.row + 1) else { return [] }
      return choose(row: index)
    case .gap, nil: return []
    }
  }

  /// The tab of a view shows it, also in place of what was opened over the list.
  private mutating func press(tabAt column: Int) -> [Effect] {
    guard screen.size.holdsList else { return [] }
    switch mode {
    case .list, .panel, .conflicts, .pane: break
    case .editor, .filter, .due, .menu, .paste, .prompt: return []
    }
    guard let view = TitleView(model: self, brush: Brush(screen)).view(atColumn: column) else { return [] }
    panel.leave()
    sync.closePull()
    let closed = panes.close()
    return view == list.query.view ? closed : closed + changeView { $0.show(view) }
  }

  private mutating func press(row index: Int, isBox: Bool, isDouble: Bool) -> [Effect] {
    let effects = choose(row: index)
    if isBox { return isDouble ? effects : effects + take(list.toggleSelected()) }
    return isDouble ? effects + performInList(.list(.edit), nil) : effects
  }

  private mutating func choose(row index: Int) -> [Effect] {
    sync.closePull()
    return list.move(by: index - list.window.selected, at: screen.now)
  }
}
