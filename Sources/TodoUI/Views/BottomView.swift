import Terminal
import TodoCore

extension ViewContext {
  /// What has to be said, or asked, in as many rows as it takes.
  func notice(atMost rows: Int) -> [Line] {
    let words: String
    if case .prompt(let question) = model.mode {
      words = text.sentence(for: question, pending: model.pending)
    } else if let notice = model.notice {
      words = text.sentence(for: notice, pending: model.pending)
    } else {
      return []
    }
    var lines = TextWidth.wrap(Printable.text(words), columns: columns)
    if lines.count > rows {
      let rest = lines[(rows - 1)...].joined(separator: " ")
      lines = lines.prefix(rows - 1) + [TextWidth.cut(rest, to: columns, ellipsis: glyphs.ellipsis)]
    }
    return lines.map { Line($0, Style(bold: true)) }
  }

  /// The filter while it is typed; else why the chosen item has a mark; else the keys that help here.
  func bottomRow() -> Line {
    if case .filter(let line, _) = model.mode { return filterRow(line) }
    if model.mode == .list, let words = stateOfSelected { return cut(Line(words, Style(bold: true))) }
    return hints()
  }

  func filterCursor(_ editor: LineEditor, row: Int) -> Frame.Cursor {
    Frame.Cursor(row: row, column: 1 + fieldCursor(editor, columns: fieldColumns), isVisible: true)
  }

  private func filterRow(_ editor: LineEditor) -> Line {
    var line = Line("/", Style(bold: true))
    line.append(fieldText(editor, columns: fieldColumns), Style(underline: true))
    if columns > fieldColumns + 1 {
      line.append("  ")
      line.append(hints())
    }
    return cut(line)
  }

  private var fieldColumns: Int {
    columns >= 60 ? columns - 30 : columns - 1
  }

  private var stateOfSelected: String? {
    switch model.window.selectedItem?.state {
    case .conflict: text.text(.stateConflict, ["conflicts": Keymap.keyName(of: .conflicts)])
    case .refused(let reason): text.text(.stateRefused, ["reason": reason])
    case .synced, .waiting, .inFlight, nil: nil
    }
  }

  private func hints() -> Line {
    var line = Line()
    for (command, key) in hintsOfPlace {
      let name = Keymap.keyName(of: command)
      let words = text.text(key)
      let needed = TextWidth.columns(of: name) + 1 + TextWidth.columns(of: words) + (line.columns > 0 ? 2 : 0)
      if line.columns + needed > columns { break }
      if line.columns > 0 { line.append("  ") }
      line.append(name, Style(bold: true))
      line.append(" " + words, Style(dim: true))
    }
    return line
  }

  private var hintsOfPlace: [(Command, StringKey)] {
    switch model.mode {
    case .list:
      [(.help, .hintHelp)] + (model.escapeStops ? [(.dismiss, .hintStop)] : [])
        + (model.undecided > 0 ? [(.conflicts, .hintDecide)] : [])
        + [
          (.add, .hintAdd), (.toggle, .hintToggle), (.refresh, .hintRefresh), (.quit, .hintQuit),
          (.edit, .hintEdit), (.filter, .hintFilter),
        ]
    case .conflicts:
      [
        (.keepMine, .hintMine), (.keepTheirs, .hintTheirs), (.keepBoth, .hintBoth), (.editMerge, .hintEdit),
        (.closeConflicts, .hintBack), (.nextConflict, .hintNext), (.help, .hintHelp),
      ]
    case .editor: [(.accept, .hintSave), (.cancel, .hintCancel)]
    case .filter: [(.accept, .hintKeep), (.cancel, .hintClear)]
    case .help: [(.closeHelp, .hintClose), (.down, .hintScroll)]
    case .prompt(.leave): [(.leave, .hintLeave), (.stay, .hintStay)]
    case .prompt(.account): [(.sameList, .hintSameList), (.takeAlong, .hintTakeAlong), (.decline, .hintDecline)]
    case .prompt(.massRemoval): [(.agree, .hintAgree), (.decline, .hintDecline)]
    }
  }
}
