import Terminal
import Words

extension ViewContext {
  /// The keys that are possible next, those that help most first, as many as fit.
  func hints(columns: Int) -> Line {
    var line = Line()
    for (name, words) in hinted {
      let hint = hint(name, words)
      let gap = line.columns > 0 ? 2 : 0
      if line.columns + gap + hint.columns > columns { break }
      line.pad(to: line.columns + gap)
      line.append(hint)
    }
    return line
  }

  /// `r refresh`. The sort question marks the key in its word instead, as in `(d)ate`, if the letter is there.
  private func hint(_ name: String, _ words: String) -> Line {
    guard model.mode == .prompt(.sort), let place = words.firstRange(of: name), name.count == 1 else {
      var line = Line(name, theme.key)
      line.append(" " + words, theme.quiet)
      return line
    }
    var line = Line(String(words[..<place.lowerBound]), theme.quiet)
    line.append("(" + name + ")", theme.key)
    line.append(String(words[place.upperBound...]), theme.quiet)
    return line
  }

  /// The name of each key and what it does.
  var hinted: [(key: String, words: String)] {
    hintedCommands.compactMap { command in
      let name = keyName(of: command)
      return name.isEmpty ? nil : (name, hintWords(for: command))
    }
  }

  /// The same key may do different things in one place.
  private func hintWords(for command: Command) -> String {
    if command == .dismiss, model.escapeStops { return text.text(.hintStop) }
    if command == .accept, case .filter = model.mode { return text.text(.hintApply) }
    return text.hint(command)
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
      (model.conflictBrowser?.alike.count ?? 0) > 1
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
