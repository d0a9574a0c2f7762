import Words

extension Model {
  /// What is valid here, to read, narrow down and run.
  mutating func openHelp() -> [Effect] {
    mode = .menu(CommandMenu(from: mode, isPalette: false))
    return []
  }

  mutating func openPalette() -> [Effect] {
    mode = .menu(CommandMenu(from: mode, isPalette: true))
    return []
  }

  mutating func performIn(_ menu: CommandMenu, _ command: Command) -> [Effect] {
    if let edit = command.edit { return change { $0.apply(edit) } }
    if let step = Step(command, page: window.height) { return move(step, in: menu) }
    var menu = menu
    switch command {
    case .run: return run(menu)
    case .filter:
      menu.beginTyping()
      mode = .menu(menu)
    case .cancel where !menu.isPalette:
      menu.endTyping()
      mode = .menu(menu)
    case .close, .cancel, .help: mode = menu.origin
    default: break
    }
    return []
  }

  mutating func move(_ step: Step, in menu: CommandMenu) -> [Effect] {
    var menu = menu
    menu.move(step, count: menu.entries(keymap, preferences.catalogue).count)
    mode = .menu(menu)
    return []
  }

  /// Runs the chosen command where the menu was opened; what means something elsewhere only says so.
  private mutating func run(_ menu: CommandMenu) -> [Effect] {
    let entries = menu.entries(keymap, preferences.catalogue)
    guard entries.indices.contains(menu.index) else { return [] }
    let entry = entries[menu.index]
    mode = menu.origin
    guard entry.place == menu.origin.place else { return say(.notHere(entry.command)) }
    return perform(entry.command)
  }
}
