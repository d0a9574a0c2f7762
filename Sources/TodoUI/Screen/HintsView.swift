import Terminal
import Words

/// The keys that help most where one is.
struct HintsView: View {
  let model: Model
  let brush: Brush

  /// The keys that are possible next, those that help most first, as many as fit.
  func line(columns: Int) -> Line {
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
    if command == .list(.dismiss), model.escapeStops { return text.text(.hintStop) }
    if command == .typing(.accept), case .filter = model.mode { return text.text(.hintApply) }
    return text.hint(command)
  }

  /// Of a row of keys the first and the last.
  private func keyName(of command: Command) -> String {
    let names = brush.keymap.names(of: command, in: model.mode.place)
    guard command == .list(.savedFilter), let first = names.first, let last = names.last, first != last else {
      return names.first ?? ""
    }
    return first + "-" + last
  }

  private var hintedCommands: [Command] {
    switch model.mode {
    case .list: model.list.marks.isEmpty ? listHints : markHints
    case .conflicts:
      (model.panes.conflicts?.alike.count ?? 0) > 1
        ? [
          .conflict(.keepMine), .conflict(.keepTheirs), .conflict(.keepBoth), .conflict(.editMerge),
          .conflict(.keepAllMine), .conflict(.keepAllTheirs), .pane(.close), .common(.help),
        ]
        : [
          .conflict(.keepMine), .conflict(.keepTheirs), .conflict(.keepBoth), .conflict(.editMerge), .pane(.close),
          .conflict(.nextConflict), .common(.help),
        ]
    case .editor: [.typing(.accept), .typing(.cancel), .typing(.complete), .typing(.older)]
    case .filter: [.typing(.accept), .typing(.cancel), .typing(.complete)]
    case .due: [.typing(.accept), .typing(.cancel)]
    case .pane(.outbox): [.pane(.editChange), .pane(.dropChange), .common(.refresh), .pane(.close), .common(.help)]
    case .pane(.digest): [.pane(.goTo), .pane(.close), .move(.down), .common(.help)]
    case .pane(.story): [.pane(.restoreVersion), .pane(.close), .move(.down), .common(.help)]
    case .pane(.detail): [.open(.story), .pane(.close), .move(.down), .common(.help)]
    case .pane(.log): [.common(.refresh), .pane(.close), .move(.down), .common(.help)]
    case .menu(let menu):
      menu.isTyping ? [.pane(.run), .typing(.cancel)] : [.pane(.run), .list(.filter), .pane(.close)]
    case .paste: [.answer(.pasteItems), .answer(.pasteOne), .answer(.decline)]
    case .prompt(.leave): [.answer(.leave), .answer(.stay)]
    case .prompt(.account): [.answer(.sameList), .answer(.takeAlong), .answer(.decline)]
    case .prompt(.massRemoval): [.answer(.agree), .answer(.decline)]
    case .prompt(.sort):
      [
        .answer(.sortCreated), .answer(.sortText), .answer(.sortDue), .answer(.sortPriority), .answer(.sortUpdated),
        .answer(.decline),
      ]
    case .prompt(.slot): [.list(.savedFilter), .answer(.decline)]
    }
  }

  private var listHints: [Command] {
    [.common(.help)] + (model.escapeStops ? [.list(.dismiss)] : [])
      + (model.sync.undecided > 0 ? [.open(.conflicts)] : [])
      + [
        .list(.add), .item(.toggle), .common(.refresh), .list(.quit), .list(.edit), .list(.filter), .list(.undo),
        .common(.palette), .list(.nextView), .list(.sort), .list(.mark),
      ]
  }

  /// What is done now is done to all that is marked.
  private var markHints: [Command] {
    [.item(.toggle), .item(.delete), .item(.setDue), .item(.raisePriority), .item(.lowerPriority)]
      + (model.list.marks.anchor == nil ? [.list(.mark)] : [.list(.markRange)]) + [.list(.dismiss), .common(.help)]
  }
}
