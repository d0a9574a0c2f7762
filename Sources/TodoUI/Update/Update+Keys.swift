import Terminal

extension Model {
  /// What a key does here. Pasted text is text everywhere: in the list it begins a new item.
  mutating func press(_ key: Key) -> [Effect] {
    refresh.isAwaited = false
    if case .paste(let text) = key { return paste(text) }
    let command = keymap.command(for: key, in: mode.place)
    // Whoever goes on does not want to leave after all.
    if command != .quit { leaveBy = nil }
    if let command { return perform(command, key) }
    if case .character(let character) = key { return type(String(character)) }
    return []
  }

  mutating func perform(_ command: Command, _ key: Key? = nil) -> [Effect] {
    if command == .redraw { return [.redraw] }
    if command == .suspend { return [.suspend] }
    if command == .help && mode.place != .help { return openHelp() }
    if command == .palette { return openPalette() }
    switch mode {
    case .list: return performInList(command, key)
    case .editor, .filter, .due: return performInTyping(command)
    case .conflicts: return performInConflicts(command)
    case .pane(let pane): return performIn(pane, command)
    case .menu(let menu): return performIn(menu, command)
    case .paste(let pasted): return answer(pasted, command)
    case .prompt(let question): return answer(question, command, key)
    }
  }
}
