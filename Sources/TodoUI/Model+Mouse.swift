import Terminal

/// What the mouse does.
extension Model {
  /// Rows one notch of the wheel moves by.
  private static let wheelRows = 3
  /// The columns of the box of an item.
  private static let box = 2...4

  mutating func point(_ event: MouseEvent) -> [Effect] {
    switch event.kind {
    case .wheelUp: return turnWheel(by: -1)
    case .wheelDown: return turnWheel(by: 1)
    case .press: return press(at: event, isDouble: false)
    case .doublePress: return press(at: event, isDouble: true)
    }
  }

  private mutating func turnWheel(by notches: Int) -> [Effect] {
    switch mode {
    case .list, .filter: return move(by: notches * Self.wheelRows, .wheel)
    case .conflicts, .pane, .menu: panes.scroll(by: notches, screen)
    case .editor, .due, .paste, .prompt: break
    }
    return []
  }

  /// A press chooses the row; on its box it completes the item, twice it edits.
  private mutating func press(at event: MouseEvent, isDouble: Bool) -> [Effect] {
    guard mode == .list, let index = ScreenView(self).item(onRow: event.row) else { return [] }
    sync.closePull()
    let effects = list.move(by: index - list.window.selected, at: screen.now)
    if Self.box.contains(event.column) { return isDouble ? effects : effects + take(list.toggleSelected()) }
    return isDouble ? effects + performInList(.list(.edit), nil) : effects
  }
}
