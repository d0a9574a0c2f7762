import Terminal

extension Model {
  /// Rows one notch of the wheel moves by.
  static let wheelRows = 3

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
    case .conflicts: conflictBrowser?.scroll(by: notches)
    case .pane(var pane):
      pane.move(.by(notches), height: paneHeight)
      mode = .pane(pane)
    case .menu(let menu): return move(.by(notches), in: menu)
    case .editor, .due, .paste, .prompt: break
    }
    return []
  }

  /// A press chooses the row; on its box it completes the item, twice it edits.
  private mutating func press(at event: MouseEvent, isDouble: Bool) -> [Effect] {
    guard mode == .list, let index = ViewContext(self).item(onRow: event.row) else { return [] }
    pull.close()
    let effects = leaving { $0.move(by: index - $0.selected) } + readMissing()
    if Self.box.contains(event.column) { return isDouble ? effects : effects + performOnSelected(.toggle) }
    return isDouble ? effects + perform(.edit) : effects
  }

  /// The columns of the box of an item.
  private static let box = 2...4
}
