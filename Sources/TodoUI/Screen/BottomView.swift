import Terminal
import TodoCore
import Words

/// What has to be said, or asked, in as many rows as it takes; below it what came while nobody looked.
struct NoticeView: View {
  let model: Model
  let brush: Brush

  /// On a smaller terminal what came is told in the status line.
  static let rowsForArrivals = 8

  func lines(atMost rows: Int) -> [Line] {
    let quiet = rows > 1 ? quietLine.map { [$0] } ?? [] : []
    return spoken(atMost: rows - quiet.count) + quiet
  }

  private func spoken(atMost rows: Int) -> [Line] {
    guard let words = urgentWords else {
      return model.sync.refresh.showsReceipt && !model.showsPullLine && rows > 1
        ? [cut(RefreshView(sync: model.sync, brush: brush).receipt())] : []
    }
    var lines = TextWidth.wrap(Printable.text(words), columns: columns)
    if lines.count > rows {
      let rest = lines[(rows - 1)...].joined(separator: " ")
      lines = lines.prefix(rows - 1) + [TextWidth.cut(rest, to: columns, ellipsis: glyphs.ellipsis)]
    }
    return lines.map { Line($0, theme.notice) }
  }

  var urgentWords: String? {
    if case .prompt(let question) = model.mode { return text.sentence(for: question, model) }
    return model.screen.notice.map { text.sentence(for: $0, model) }
  }

  /// `12 changes: 4 done, 6 new, 2 edited`, until they were looked at.
  private var quietLine: Line? {
    guard model.sync.arrived > 0, model.screen.size.rows >= Self.rowsForArrivals,
      let arrivals = model.sync.status?.arrivals
    else {
      return nil
    }
    switch model.mode {
    case .list, .editor, .filter, .due: break
    case .conflicts, .pane, .menu, .paste, .prompt: return nil
    }
    var line = Line(glyphs.arrived + " ", theme.arrived)
    line.append(text.away(arrivals))
    for command in [Command.open(.digest), .list(.nextArrival)] {
      line.append("  ")
      line.append(key(command), theme.key)
      line.append(" " + text.hint(command), theme.quiet)
    }
    return cut(line)
  }
}

/// The last row.
struct BottomView: View {
  let model: Model
  let brush: Brush

  /// What is typed at the bottom; else why the chosen item has a mark; else the keys that help here.
  func line() -> Line {
    if let field = field { return fieldRow(field) }
    if model.mode == .list, model.list.marks.isEmpty, let words = stateOfSelected {
      return cut(Line(words, theme.notice))
    }
    guard model.mode == .list, model.list.marks.isEmpty, columns >= 60, let word = wordOfSelected else {
      return HintsView(model: model, brush: brush).line(columns: columns)
    }
    let right = Line(word, theme.quiet)
    return row(HintsView(model: model, brush: brush).line(columns: columns - right.columns - 2), right: right)
  }

  /// The column of the cursor in what is typed at the bottom.
  var cursor: Int? {
    field.map { field in
      TextWidth.columns(of: field.label) + fieldCursor(field.line, columns: fieldColumns(field))
    }
  }

  struct Field {
    let label: String
    let line: LineEditor
  }

  /// What is typed at the bottom.
  var field: Field? {
    switch model.mode {
    case .filter(let line): Field(label: "/", line: line)
    case .due(let line, _): Field(label: text.text(.dueLabel) + " ", line: line)
    case .menu(let menu) where menu.isTyping: Field(label: menu.isPalette ? ":" : "/", line: menu.filter)
    case .menu, .list, .editor, .conflicts, .pane, .paste, .prompt: nil
    }
  }

  private func fieldRow(_ field: Field) -> Line {
    var line = Line(field.label, theme.key)
    line.append(fieldText(field.line, columns: fieldColumns(field)), theme.field)
    if columns > line.columns + 2 {
      line.append("  ")
      line.append(HintsView(model: model, brush: brush).line(columns: columns - line.columns))
    }
    return cut(line)
  }

  private func fieldColumns(_ field: Field) -> Int {
    max(1, (columns >= 60 ? columns - 30 : columns) - TextWidth.columns(of: field.label))
  }

  private var stateOfSelected: String? {
    switch model.list.window.selectedItem?.state {
    case .conflict: text.text(.stateConflict, ["conflicts": key(.open(.conflicts))])
    case .refused(let reason): text.text(.stateRefused, ["reason": reason])
    case .synced, .waiting, .inFlight, nil: nil
    }
  }

  /// The sign of the chosen row as a word.
  private var wordOfSelected: String? {
    switch Badge(model.list.window.selectedItem, isRefreshing: model.sync.refresh.isRunning) {
    case .waiting: text.text(.syncWaiting)
    case .inFlight: text.text(.syncInFlight)
    case .arrived: text.text(.syncArrived)
    case .conflict, .refused, .none: nil
    }
  }
}
