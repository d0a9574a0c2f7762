import Terminal
import Words

extension ViewContext {
  /// The keys that are possible next, those that help most first, as many as fit.
  func hints(columns: Int) -> Line {
    var line = Line()
    for (name, words) in hinted {
      let needed = TextWidth.columns(of: name) + 1 + TextWidth.columns(of: words) + (line.columns > 0 ? 2 : 0)
      if line.columns + needed > columns { break }
      if line.columns > 0 { line.append("  ") }
      line.append(name, theme.key)
      line.append(" " + words, theme.quiet)
    }
    return line
  }

  /// The name of each key and what it does.
  var hinted: [(key: String, words: String)] {
    hintedCommands.compactMap { command in
      let name = keyName(of: command)
      let words = command == .dismiss && model.escapeStops ? text.text(.hintStop) : text.hint(command)
      return name.isEmpty ? nil : (name, words)
    }
  }

  /// Of a row of keys the first and the last.
  private func keyName(of command: Command) -> String {
    let names = model.keymap.names(of: command, in: model.mode.place)
    guard command == .savedFilter, let first = names.first, let last = names.last, first != last else {
      return names.first ?? ""
    }
    return first + "-" + last
  }

  private var hintedCommands: [Command] {
    switch model.mode {
    case .list: model.marks.isEmpty ? listHints : markHints
    case .conflicts:
      (model.deciding?.alike.count ?? 0) > 1
        ? [.keepMine, .keepTheirs, .keepBoth, .editMerge, .keepAllMine, .keepAllTheirs, .close, .help]
        : [.keepMine, .keepTheirs, .keepBoth, .editMerge, .close, .nextConflict, .help]
    case .editor: [.accept, .cancel, .complete, .older]
    case .filter: [.accept, .cancel, .complete]
    case .due: [.accept, .cancel]
    case .pane(.outbox): [.editChange, .dropChange, .refresh, .close, .help]
    case .pane(.digest): [.goTo, .close, .down, .help]
    case .pane(.story): [.restoreVersion, .close, .down, .help]
    case .pane(.detail): [.story, .close, .down, .help]
    case .pane(.log): [.refresh, .close, .down, .help]
    case .menu(let menu): menu.isTyping ? [.run, .cancel] : [.run, .filter, .close]
    case .paste: [.pasteItems, .pasteOne, .decline]
    case .prompt(.leave): [.leave, .stay]
    case .prompt(.account): [.sameList, .takeAlong, .decline]
    case .prompt(.massRemoval): [.agree, .decline]
    case .prompt(.sort): [.sortCreated, .sortText, .sortDue, .sortPriority, .sortUpdated, .decline]
    case .prompt(.slot): [.savedFilter, .decline]
    }
  }

  private var listHints: [Command] {
    [.help] + (model.escapeStops ? [.dismiss] : []) + (model.undecided > 0 ? [.conflicts] : [])
      + [.add, .toggle, .refresh, .quit, .edit, .filter, .undo, .palette, .nextView, .sort, .mark]
  }

  /// What is done now is done to all that is marked.
  private var markHints: [Command] {
    [.toggle, .delete, .setDue, .raisePriority, .lowerPriority]
      + (model.marks.anchor == nil ? [.mark] : [.markRange]) + [.dismiss, .help]
  }
}
