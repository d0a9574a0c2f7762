import Terminal
import TodoCore
import Words

/// The keys that help most where one is.
struct HintsView: View {
  let model: Model
  let brush: Brush

  /// The keys that are possible next, those that help most first, as many as fit.
  func line(columns: Int) -> Line { lines(columns: columns, atMost: 1).first ?? Line() }

  /// The same in several rows, for the answers to a question: each of them must be on the screen.
  func lines(columns: Int, atMost rows: Int) -> [Line] {
    var (lines, line) = ([Line](), Line())
    for (name, words) in hinted {
      let hint = hint(name, words)
      if hint.columns > columns { continue }
      if line.columns > 0, line.columns + 2 + hint.columns > columns {
        lines.append(line)
        line = Line()
      }
      guard lines.count < rows else { break }
      line.pad(to: line.columns > 0 ? line.columns + 2 : 0)
      line.append(hint)
    }
    return lines.count < rows ? lines + [line] : lines
  }

  /// `r refresh`. The sort question marks the key in its word instead, as in `(d)ate`, if the letter is there.
  private func hint(_ name: String, _ words: String) -> Line {
    guard marksKeyInWord, let place = words.firstRange(of: name), name.count == 1 else {
      var line = Line(name, theme.key)
      line.append(" " + words, theme.quiet)
      return line
    }
    var line = Line(String(words[..<place.lowerBound]), theme.quiet)
    line.append("(" + name + ")", theme.key)
    line.append(String(words[place.upperBound...]), theme.quiet)
    return line
  }

  private var marksKeyInWord: Bool {
    switch model.mode {
    case .prompt(.sort), .prompt(.theme): true
    case .list, .panel, .editor, .filter, .due, .conflicts, .pane, .menu, .paste, .prompt: false
    }
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
    if command == .list(.nextView), model.panel.isShown(on: model.screen) { return text.hint(.list(.panel)) }
    if command == .list(.previousView) { return text.hint(.list(.nextView)) }
    if command == .pane(.run), model.mode == .panel { return text.hint(.list(.filter)) }
    if command == .typing(.accept), case .filter = model.mode { return text.text(.hintApply) }
    if Self.forAllAlike.contains(command) {
      let count = model.panes.conflicts?.alike.count ?? 0
      return text.text(.hintAlike, ["hint": text.hint(command), "count": text.number(count)])
    }
    let marks = model.list.marks
    if command == .item(.toggle) || command == .item(.delete), !marks.hidden.isEmpty {
      // The row under the cursor may be none of them.
      let marked = text.text(.markedCount, count: marks.count)
      return text.text(.hintMarked, ["hint": text.hint(command), "marked": marked])
    }
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
    case .list: model.list.window.rows.isEmpty ? emptyHints : model.list.marks.isEmpty ? listHints : markHints
    case .panel: [.pane(.run), .pane(.close), .move(.down), .list(.togglePanel), .common(.help)]
    case .conflicts:
      conflictHints
    case .editor: [.typing(.accept), .typing(.cancel), .typing(.complete), .typing(.older)]
    case .filter: [.typing(.accept), .typing(.cancel), .typing(.complete), .typing(.olderFilter)]
    case .due: [.typing(.accept), .typing(.cancel)]
    case .pane(.outbox(let choice, _)) where choice.elements.isEmpty:
      (model.hasServer ? [.common(.refresh)] : []) + [.pane(.close), .list(.undo), .common(.help)]
    case .pane(.outbox):
      [.pane(.editChange), .pane(.dropChange)] + (model.hasServer ? [.common(.refresh)] : []) + [
        .pane(.close), .list(.undo), .common(.help),
      ]
    case .pane(.digest): [.pane(.goTo), .pane(.close), .common(.help)]
    case .pane(.story): [.pane(.restoreVersion), .pane(.close), .list(.undo), .common(.help)]
    case .pane(.detail): [.open(.story), .pane(.close), .common(.help)]
    case .pane(.log): [.common(.refresh), .pane(.close), .common(.help)]
    case .menu(let menu):
      menu.isTyping
        ? (model.readsHelp ? [] : [.pane(.run)]) + [.typing(.cancel)]
        : (model.readsHelp ? [] : [.pane(.run)]) + [.list(.filter), .pane(.close)]
    case .paste: [.answer(.pasteItems), .answer(.pasteOne), .answer(.decline)]
    case .prompt(.leave): [.answer(.leave), .answer(.stay)]
    case .prompt(.account): [.answer(.sameList), .answer(.takeAlong), .answer(.decline)]
    case .prompt(.massRemoval): [.answer(.agree), .answer(.sendBack), .answer(.decline)]
    case .prompt(.sort):
      [
        .answer(.sortCreated), .answer(.sortText), .answer(.sortDue), .answer(.sortPriority), .answer(.sortProject),
        .answer(.sortUpdated), .answer(.decline),
      ]
    case .prompt(.theme):
      [
        .answer(.themeAuto), .answer(.themeTerminal), .answer(.themeLight), .answer(.themeDark), .answer(.themePlain),
        .answer(.decline),
      ]
    case .prompt(.slot), .prompt(.link): [.list(.savedFilter), .answer(.decline)]
    }
  }

  /// The commands that decide several conflicts at once: each says how many.
  private static let forAllAlike: [Command] = [
    .conflict(.keepAllMine), .conflict(.keepAllTheirs), .conflict(.keepAllBoth),
  ]

  private var conflictHints: [Command] {
    let current = model.panes.conflicts?.current
    let both: [Command] = current?.isRefused == true ? [] : [.conflict(.keepBoth)]
    let merge: [Command] = current?.merged == nil ? [] : [.conflict(.takeMerge)]
    // The line that is typed is the first one only.
    let hasNote = current.map { ItemText($0.proposal).hasNote } ?? false
    let edit: [Command] = hasNote ? [.conflict(.editMerge), .list(.editNote)] : [.conflict(.editMerge)]
    let one: [Command] = merge + [.conflict(.keepMine), .conflict(.keepTheirs)] + both + edit
    let all = Self.forAllAlike.filter { $0 != .conflict(.keepAllBoth) || !both.isEmpty }
    return (model.panes.conflicts?.alike.count ?? 0) > 1
      ? one + all + [.pane(.close), .list(.undo), .common(.help)]
      : one + [.pane(.close), .list(.undo), .conflict(.nextConflict), .common(.help)]
  }

  private var listHints: [Command] {
    [.common(.help)] + (model.escapeStops ? [.list(.dismiss)] : [])
      + (model.editor.offeredLine == nil ? [] : [.list(.resume)])
      + (model.sync.undecided > 0 ? [.open(.conflicts)] : [])
      + [
        .list(.add), .item(.toggle),
      ] + (model.hasServer ? [.common(.refresh)] : []) + [.list(.quit), .list(.edit), .list(.filter)]
      + (model.panel.isShown(on: model.screen) ? [.list(.nextView), .list(.undo)] : [.list(.undo)]) + [
        .common(.palette), model.panel.isShown(on: model.screen) ? .list(.previousView) : .list(.nextView),
        .list(.sort), .list(.mark),
      ]
  }

  /// Without an item there is nothing to complete, to edit or to sort.
  private var emptyHints: [Command] {
    let isFiltered = !model.list.query.filter.isEmpty
    return [.common(.help)] + (isFiltered || model.escapeStops ? [.list(.dismiss)] : [])
      + (model.editor.offeredLine == nil ? [] : [.list(.resume)])
      + (model.sync.undecided > 0 ? [.open(.conflicts)] : []) + [.list(.add)]
      + (model.hasServer ? [.common(.refresh)] : []) + [.list(.quit)] + (isFiltered ? [.list(.filter)] : [])
      + [.list(.undo), .list(.nextView), .common(.palette)]
  }

  /// Hints while items are marked: a command acts on all of them.
  private var markHints: [Command] {
    [.item(.toggle), .item(.delete), .item(.setDue), .item(.raisePriority), .item(.lowerPriority)]
      + (model.list.marks.anchor == nil ? [.list(.mark)] : [.list(.markRange)]) + [
        .list(.dismiss), .common(.help), .item(.copy),
      ]
  }
}
