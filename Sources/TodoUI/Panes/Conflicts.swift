import TableProtocol
import Terminal
import TodoCore
import Words

/// The conflicts and refusals that wait for a decision, and the one on the screen.
struct ConflictBrowser: Equatable, Sendable {
  private(set) var conflicts: [TodoConflict]
  private(set) var index: Int
  /// The first of its lines on the screen.
  private(set) var line = 0

  /// Starts at the item with this id, or at the first if it is not among them.
  init(_ conflicts: [TodoConflict], at id: RecordID?) {
    self.conflicts = conflicts
    index = conflicts.firstIndex { $0.id == id } ?? 0
  }

  var current: TodoConflict? {
    conflicts.indices.contains(index) ? conflicts[index] : nil
  }

  /// The current one and those like it: conflicts in the same fields, or refusals, with the same sides deleted.
  var alike: [TodoConflict] {
    guard let current else { return [] }
    return conflicts.filter { $0.isLike(current) }
  }

  mutating func move(by count: Int) {
    index = max(0, min(conflicts.count - 1, index + count))
    line = 0
  }

  /// `last` is the first line of the last page.
  mutating func scroll(by lines: Int, last: Int) {
    line = max(0, min(last, line + lines))
  }

  /// Goes to the one of this item. Else keeps the current one; if it is gone, the next one takes its place.
  mutating func replace(with conflicts: [TodoConflict], at wanted: RecordID? = nil) {
    let id = conflicts.contains { $0.id == wanted } ? wanted : current?.id
    if id != current?.id { line = 0 }
    self.conflicts = conflicts
    if let place = conflicts.firstIndex(where: { $0.id == id }) {
      index = place
    } else {
      move(by: 0)
    }
  }
}

extension TodoConflict {
  fileprivate func isLike(_ other: TodoConflict) -> Bool {
    isRefused == other.isRefused && (kind == .held) == (other.kind == .held) && fields == other.fields
      && (mine == nil) == (other.mine == nil)
      && (theirs == nil) == (other.theirs == nil)
  }
}

/// The conflict or refusal that waits for a decision.
struct ConflictView: View {
  let browser: ConflictBrowser?
  /// The text that settles it is typed.
  var isTyping = false
  let brush: Brush

  /// Draws what waits for a decision: why, and how the copies differ. Above it the text that settles it, while
  /// that is typed, with the note that is saved below its line.
  func draw(_ editing: Editing?, on frame: inout Frame, height: Int) {
    let first = frame.lines.count
    if let editing {
      let rows = FieldView(editor: editing.line, brush: brush).rows(columns: columns - 2, atMost: max(1, height / 3))
      frame.cursor = Frame.Cursor(row: first + rows.cursor.row, column: 2 + rows.cursor.column, isVisible: true)
      for (number, row) in rows.lines.enumerated() {
        frame.lines.append(Line(number == 0 ? "> " : "  ", theme.title) + row)
      }
      frame.lines += noteLines(editing.note, atMost: max(1, height / 3))
    }
    let lines = browser?.current.map(conflictLines) ?? []
    let room = first + height - frame.lines.count
    let top = max(0, min(browser?.line ?? 0, lines.count - room))
    let shown = lines.dropFirst(top).prefix(max(0, room))
    frame.lines += shown.map(cut)
    let rest = lines.count - top - shown.count
    if rest > 0, shown.count > 1 { frame.lines[frame.lines.count - 1] = more(rest + 1) }
    if editing == nil { frame.cursor = Frame.Cursor(row: first, column: 0, isVisible: false) }
  }

  private func noteLines(_ note: String, atMost most: Int) -> [Line] {
    guard !note.isEmpty else { return [] }
    let lines = wrapped(note, after: Line(" "), theme.quiet).map(cut)
    return lines.count <= most ? lines : lines.prefix(most - 1) + [cut(Line("  " + glyphs.ellipsis, theme.quiet))]
  }

  /// The first of its lines on the last page. A sentence above the hints may take two rows of it.
  func lastPage(height: Int) -> Int {
    max(0, (browser?.current.map(conflictLines) ?? []).count - max(1, height - 2))
  }

  /// `… and 7 more  PgDn`: at the end of a screen that does not hold all of it.
  private func more(_ count: Int) -> Line {
    var line = Line(text.text(.pasteMore, count: count), theme.quiet)
    line.append("  " + brush.keymap.name(of: .move(.pageDown), in: .conflicts), theme.key)
    return cut(line)
  }

  private func conflictLines(_ conflict: TodoConflict) -> [Line] {
    var badge = Line()
    badge.append(self.badge(conflict.isRefused ? .refused : .conflict))
    let fields = conflict.fields.isEmpty ? [.text] : conflict.fields
    let reason = wrapped(text.reason(of: conflict), after: badge, theme.title)
    // Else nothing would say which item it is.
    let copy = fields.contains(.text) ? nil : conflict.mine ?? conflict.theirs
    let item = copy.map { said(text.words(.text, of: $0, in: conflict, absent: .conflictDeleted)) }
    return reason + (item.map { wrapped($0, after: Line(), theme.title) } ?? [])
      + fields.flatMap { field in
        (fields.count > 1 ? [Line(text.name(of: field), theme.field)] : []) + copies(field, of: conflict)
      } + merged(conflict)
  }

  /// The merged text that Enter saves, on a bar, and below it the words that it lacks. Nothing if there is nothing to
  /// merge or the text is being typed.
  private func merged(_ conflict: TodoConflict) -> [Line] {
    guard let words = conflict.merged, !isTyping else { return [] }
    let ground = theme.selected
    let width = sides(.text, of: conflict).map { TextWidth.columns(of: $0.label) }.max() ?? 0
    var start = Line(text.text(.conflictMerged), ground)
    start.pad(to: width, ground)
    let rows = wrapped(said(words), after: start, ground).map { row in
      var line = Line()
      for span in row.spans { line.append(span.text, ground) }
      line.pad(to: columns, ground)
      return line
    }
    return [Line()] + rows + leftOut(of: conflict, width)
  }

  private func leftOut(of conflict: TodoConflict, _ width: Int) -> [Line] {
    guard let words = text.leftOut(of: conflict) else { return [] }
    var start = Line()
    start.pad(to: width)
    return wrapped(said(words), after: start, theme.quiet)
  }

  private func copies(_ field: TodoField, of conflict: TodoConflict) -> [Line] {
    let sides = sides(field, of: conflict)
    let width = sides.map { TextWidth.columns(of: $0.label) }.max() ?? 0
    return sides.flatMap { side in
      var start = Line(side.label, theme.quiet)
      start.pad(to: width)
      return compared(side.words, after: start)
    }
  }

  /// The sides of a field, with the times as far as there is room for them.
  func sides(_ field: TodoField, of conflict: TodoConflict) -> [(label: String, words: String)] {
    text.sides(of: field, in: conflict) { date in
      guard columns >= Self.narrowest else { return nil }
      let isToday = CalendarDay(date) == brush.today
      return isToday || columns >= Self.wide ? time(date) : CalendarDay(date).text
    }.map { ($0.label, said($0.words)) }
  }

  /// The words with each date as the list says it.
  func said(_ words: String) -> String { text.withDatesInWords(words, today: brush.today) }

  /// From so many columns on there is room for a time, and for one with its date.
  private static let narrowest = 30
  private static let wide = 60
}
