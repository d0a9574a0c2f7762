import OfflineSync
import Terminal
import TodoCore
import Words

/// The notice or question of the moment; else what came while nobody looked; else how things are. Mostly one row. Only
/// a sentence longer than the screen is wide takes more: what to do stands at its end and must not be cut off.
struct NoticeView: View {
  let model: Model
  let brush: Brush

  /// On a smaller terminal what came is a sign in the title.
  static let rowsForArrivals = 8

  /// One column from the edge, as the title and the hints are.
  func lines(atMost rows: Int) -> [Line] {
    let inner = NoticeView(model: model, brush: brush.narrowed(to: columns - 1))
    return inner.rows(atMost: rows).map { Line(" ") + $0 }
  }

  private func rows(atMost rows: Int) -> [Line] {
    let said = spoken(atMost: rows)
    let lines = said.isEmpty ? captureLines(atMost: rows) ?? [trouble ?? quietLine ?? idleLine] : said
    return withPosition(lines, atMost: rows)
  }

  private func spoken(atMost rows: Int) -> [Line] {
    if let progress = model.screen.progress { return [fitted(words(for: progress))] }
    guard let words = fittingWords else {
      guard model.sync.refresh.showsReceipt, !model.showsPullLine else { return [] }
      let receipt = RefreshView(sync: model.sync, brush: brush).receipt()
      return wrapped(receipt.text, atMost: narrowRows(rows)).map { Line($0, receipt.spans.first?.style ?? .plain) }
    }
    if let rows = rowsOfWarnings(atMost: rows) { return rows }
    if let links = LinksView(model, brush, rows: rows) { return links.lines(words) }
    if offersUndo || saysAdded { return [answer(words)] }
    let style = model.screen.notice?.isAnswer == true ? Style.plain : theme.notice
    let said = [Printable.text(words), hidingWords].compactMap(\.self).joined(separator: glyphs.separator)
    return wrapped(said, atMost: rows).map { Line($0, style) }
  }

  /// Several lines about the preferences: a row each, on a third of the screen at most, with how many more there are.
  /// Nil if there are none, or one, which is shown whole.
  private func rowsOfWarnings(atMost rows: Int) -> [Line]? {
    if case .prompt = model.mode { return nil }
    guard var lines = model.screen.notice?.warnings, lines.count > 1 else { return nil }
    let rows = min(rows, max(2, model.screen.size.rows / 3))
    if lines.count > rows {
      let rest = text.text(.pasteMore, count: lines.count - rows + 1)
      lines = lines.prefix(rows - 1) + [rest]
    }
    return lines.map { Line(TextWidth.cut(Printable.text($0), to: columns, ellipsis: glyphs.ellipsis), theme.notice) }
  }

  /// On a small screen the list needs the rows more than a sentence does that asks for nothing.
  private func narrowRows(_ rows: Int) -> Int { model.screen.size.rows >= Self.rowsForArrivals ? rows : 1 }

  private func wrapped(_ words: String, atMost rows: Int) -> [String] {
    let lines = TextWidth.wrap(words, columns: columns)
    guard lines.count > rows else { return lines }
    let rest = lines[(rows - 1)...].joined(separator: " ")
    return lines.prefix(rows - 1) + [TextWidth.cut(rest, to: room, ellipsis: glyphs.ellipsis)]
  }

  /// The columns of words that have to be cut: then they leave room for the place of what is chosen. All of them on a
  /// narrow screen, where the words are needed more.
  private var room: Int {
    guard columns >= Self.leastColumns, let place = places.last(where: { !$0.isEmpty }) else { return columns }
    return columns - TextWidth.columns(of: place) - 3
  }

  private static let leastColumns = 60

  /// Whole if it fits: the place gives way.
  private func fitted(_ line: Line) -> Line {
    line.columns <= columns ? line : line.cut(to: room, ellipsis: glyphs.ellipsis)
  }

  /// True if a change was just made and the key takes it back here: not under a question, and not where one types.
  private var offersUndo: Bool {
    guard model.screen.notice?.isUndoable == true else { return false }
    switch model.mode {
    case .list, .panel, .conflicts, .pane(.outbox), .pane(.story): return true
    case .pane(.digest), .pane(.detail), .pane(.log): return false
    case .editor, .filter, .due, .menu, .paste, .prompt: return false
    }
  }

  private var saysAdded: Bool {
    if case .prompt = model.mode { return false }
    guard case .change(let change) = model.screen.notice else { return false }
    return change.isAddition
  }

  /// Says that the view or the filter hides the item that was added; nil under a question, and if nothing is known to.
  private var hidingWords: String? {
    if case .prompt = model.mode { return nil }
    return model.screen.notice?.addition.flatMap { text.hiding($0) }
  }

  /// The date that the change gave, and what hides the item; then the key that undoes the change, where it does.
  private var answerTail: Line {
    let undo = offersUndo ? text.text(.didUndo, ["undo": key(.list(.undo))]) : nil
    return Line([dateWords, hidingWords, undo].compactMap(\.self).map { glyphs.separator + $0 }.joined(), theme.quiet)
  }

  /// The date of an item that was added, or that got another one: the row may be out of sight. Nil if the change is
  /// about something else.
  private var dateWords: String? {
    guard case .change(let change) = model.screen.notice else { return nil }
    switch change {
    case .added(_, let day, _): return day.map { words(for: $0) }
    case .did(.dated(let day), _), .changedSeveral(.dated(let day), _, _):
      return day.map { words(for: $0) } ?? text.text(.dueNone)
    case .did, .addedSeveral, .changedSeveral, .stopped, .nothingChanged, .highestPriority, .noPriority, .reversed,
      .nothingToReverse, .dropped, .restored:
      return nil
    }
  }

  /// A day that has passed is said as a day, since `3 days ago` could be when the change was made.
  private func words(for day: CalendarDay) -> String {
    day < brush.today ? text.weekdayAndDay(day, today: brush.today) : text.date(day, today: brush.today)
  }

  /// `completed “Buy oat milk” · u undoes`, `added “Buy oat milk” · today · u undoes`: one row, with the key in it.
  private func answer(_ sentence: String) -> Line {
    let tail = answerTail
    var words = Printable.text(sentence)
    let isShort = TextWidth.columns(of: words) + tail.columns <= columns
    let room = max(1, (isShort ? columns : room) - tail.columns)
    // The text of the item gives way, not what was done to it.
    if case .change(let change) = model.screen.notice, TextWidth.columns(of: words) > room {
      let rest = TextWidth.columns(of: text.sentence(for: .change(change.withWords { _ in "" }), model))
      let ellipsis = glyphs.ellipsis
      let shorter = change.withWords { TextWidth.cut($0, to: max(1, room - rest), ellipsis: ellipsis) }
      words = Printable.text(text.sentence(for: .change(shorter), model))
    }
    let line = Line(words).cut(to: room, ellipsis: glyphs.ellipsis) + tail
    return line.cut(to: columns, ellipsis: glyphs.ellipsis)
  }

  /// `| 12,000 of 60,000 ━━━━────────── Esc stops`
  private func words(for progress: BulkProgress) -> Line {
    var line = Line(Glyphs.spinner(progress.done / 500) + " " + of(progress.done - 1, progress.all), theme.notice)
    var stop = Line()
    if model.screen.progressStops {
      stop.append("  " + key(.list(.dismiss)), theme.key)
      stop.append(" " + text.text(.hintStop), theme.quiet)
    }
    let width = min(Self.barColumns, room - line.columns - stop.columns - 2)
    if width > 0, progress.all > 0 {
      let filled = width * progress.done / progress.all
      line.append("  ")
      line.append(String(repeating: glyphs.filled, count: filled), theme.inFlight)
      line.append(String(repeating: glyphs.hairline, count: width - filled), theme.hairline)
    }
    return line + stop
  }

  private static let barColumns = 20

  /// The text of an item that was undone or redone gives way: whole, it may fill the screen.
  private var fittingWords: String? {
    if case .prompt = model.mode { return urgentWords }
    guard case .change(.reversed(var reversal)) = model.screen.notice else { return urgentWords }
    reversal.text = TextWidth.cut(
      ItemText(reversal.text).line, to: max(20, columns - 20), ellipsis: glyphs.ellipsis)
    return text.sentence(for: .change(.reversed(reversal)), model)
  }

  var urgentWords: String? {
    if case .prompt(let question) = model.mode { return text.sentence(for: question, model) }
    // Its keys are those of the list.
    if case .editor(.draftOffered) = model.screen.notice, model.mode != .list, model.mode != .panel { return nil }
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
    case .editor(let editing) where editing.isMerge: return nil
    case .list, .panel, .editor, .filter, .due: break
    case .conflicts, .pane, .menu, .paste, .prompt: return nil
    }
    var line = Line(glyphs.arrived + " ", theme.arrived)
    line.append(text.away(arrivals))
    // Elsewhere their keys are letters, or do nothing.
    guard model.mode == .list else { return fitted(line) }
    for command in [Command.open(.digest), .list(.nextArrival)] {
      line.append("  ")
      line.append(key(command), theme.key)
      line.append(" " + text.hint(command), theme.quiet)
    }
    return fitted(line)
  }
}

/// The row while there is nothing to say.
extension NoticeView {
  /// How far a refresh is; else why the chosen item has a mark, or what is wrong with the connection.
  private var idleLine: Line {
    if model.sync.refresh.isRunning, !model.showsPullLine {
      return fitted(RefreshView(sync: model.sync, brush: brush).progressLine())
    }
    if case .filter(let line) = model.mode, TodoFilter.problem(in: line.text, today: brush.today) != nil {
      return fitted(Line(text.stillShown(model.list.query.filter), theme.quiet))
    }
    let bottom = BottomView(model: model, brush: Brush(model.screen))
    if !bottom.isWide, let meaning = bottom.meaning { return fitted(meaning) }
    if model.mode == .conflicts {
      let words = text.text(.conflictWaits)
      let room = columns - TextWidth.columns(of: position) - 3
      return TextWidth.columns(of: words) <= room ? Line(words, theme.quiet) : Line()
    }
    guard model.mode == .list || model.mode == .panel else { return Line() }
    if let words = stateOfSelected { return fitted(Line(words, theme.notice)) }
    return trouble ?? fitted(Line(wordOfSelected ?? "", theme.quiet))
  }

  /// The problem of the connection, where the list is looked at. It comes before what has come while nobody looked.
  private var trouble: Line? {
    guard model.mode == .list || model.mode == .panel, !model.sync.refresh.isRunning, stateOfSelected == nil else {
      return nil
    }
    let status = StatusView(sync: model.sync, size: model.screen.size, hasServer: model.hasServer, brush: brush)
    return status.trouble.map(fitted)
  }

  /// Which keys go on from the new item that is typed. They come before what has come while nobody looked, and give way
  /// to a refresh that runs.
  private func captureLines(atMost rows: Int) -> [Line]? {
    guard case .editor(let editing) = model.mode, editing.goesOn, !model.sync.refresh.isRunning else {
      return nil
    }
    let names = { (command: Command) in brush.keymap.name(of: command, in: .editor) }
    let words = text.text(.capture, ["accept": names(.typing(.accept)), "cancel": names(.typing(.cancel))])
    return wrapped(words, atMost: narrowRows(rows)).map { Line($0, theme.quiet) }
  }

  private var stateOfSelected: String? {
    guard let state = model.list.window.selectedItem?.state else { return nil }
    return switch state {
    case .conflict: text.text(.stateConflict, ["conflicts": key(.open(.conflicts))])
    case .refused: text.words(for: state)
    case .synced, .waiting, .inFlight: nil
    }
  }

  /// The sign of the chosen row as a word.
  private var wordOfSelected: String? {
    switch Badge(model.list.window.selectedItem, model.signs) {
    case .waiting: text.text(.syncWaiting)
    case .inFlight: text.text(.syncInFlight)
    case .arrived: text.text(.syncArrived)
    case .conflict, .refused, .none: nil
    }
  }

  /// With the place of what is chosen at the right end of the last row, where there is room for it. Marks that are not
  /// shown are said in any case: a command acts on them.
  private func withPosition(_ lines: [Line], atMost rows: Int) -> [Line] {
    let places = places.filter { !$0.isEmpty }
    guard let last = lines.last, let least = places.last else { return lines }
    let fits = { (line: Line, place: String) in line.columns + TextWidth.columns(of: place) + 3 <= columns }
    if let place = places.first(where: { fits(last, $0) }) { return lines.dropLast() + [ended(last, place)] }
    guard !model.list.marks.hidden.isEmpty else { return lines }
    if lines.count < rows { return lines + [ended(Line(), least)] }
    let room = max(0, columns - TextWidth.columns(of: least) - 3)
    return lines.dropLast() + [ended(last.cut(to: room, ellipsis: glyphs.ellipsis), least)]
  }

  private func ended(_ line: Line, _ place: String) -> Line {
    var line = line
    line.pad(to: columns - TextWidth.columns(of: place) - 1)
    line.append(place, model.list.marks.hidden.isEmpty ? theme.quiet : theme.notice)
    return cut(line)
  }

  /// `17 of 340`, and how many are marked; nothing until counted.
  var position: String { places.first ?? "" }

  /// The same, and what is left of it where there is less room.
  private var places: [String] {
    switch model.mode {
    case .pane(let pane): return pane.position.map { [of($0, pane.total ?? 0)] } ?? []
    case .conflicts: return model.panes.conflicts.map { [of($0.index, $0.conflicts.count)] } ?? []
    case .menu, .paste, .prompt: return []
    case .list, .panel, .editor, .filter, .due: break
    }
    if let browser = model.panes.conflicts { return [of(browser.index, browser.conflicts.count)] }
    let marked = markedCount
    let place = model.list.matching.flatMap { matching in
      model.list.window.position.flatMap { $0 < matching ? of($0, matching) : nil }
    }
    let marks = marked > 0 ? text.marks(marked, hidden: model.list.marks.hidden.count) : nil
    return [[marks, place].compactMap(\.self).joined(separator: glyphs.separator), marks].compactMap(\.self)
  }

  private func of(_ index: Int, _ total: Int) -> String {
    text.text(.positionOfTotal, ["position": text.number(index + 1), "total": text.number(total)])
  }

  /// A range counts as far as its rows are in memory.
  private var markedCount: Int {
    let rows = model.list.window.rows
    guard let range = model.list.window.range, !rows.isEmpty else { return model.list.marks.count }
    let inside = range.clamped(to: 0...rows.count - 1)
    return model.list.marks.count + rows[inside].count { !model.list.marks.contains($0.id) }
  }
}

extension Catalogue {
  /// `3 marked, 1 not shown`: a command acts on all of them.
  func marks(_ count: Int, hidden: Int) -> String {
    let marked = text(.markedCount, count: count)
    return hidden == 0 ? marked : marked + text(.listSeparator) + text(.markedHidden, count: hidden)
  }
}
