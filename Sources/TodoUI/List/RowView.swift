import Terminal
import TodoCore
import Words

/// The marks of a row beside its item.
struct RowMarks: Equatable {
  /// Typed text has a row of its own.
  var isSelected = false
  /// The keys are for something beside the list: of the chosen row only the edge is left.
  var isResting = false
  var isMarked = false
  /// It stands under a heading that says in which time its date is.
  var hasDateHeading = false
}

/// One item as a row of the list: edge, badge, mark, box, priority, text, tags and date, each in its column.
///
/// On a narrow screen the tags and the date stay in the text, where they were typed.
struct RowView: View {
  let brush: Brush
  var marks = RowMarks()
  var signs = SyncSigns()
  /// The columns of the date; nil where they are still to be measured.
  var dateWidth: Int?

  var isSelected: Bool { marks.isSelected }

  /// The columns of the box.
  static let box = 3...5
  /// From here on tags and dates have columns of their own.
  static let wide = 60
  /// Columns that are left to the words in any case.
  private static let fewestWords = 8
  /// Between text, tags and date, and after the date.
  static let gap = 2

  func line(_ item: TodoItem) -> Line {
    let notation = TodoNotation(item.line)
    var line = start(item, notation.priority)
    if columns < Self.wide {
      fillNarrow(&line, notation, item)
    } else {
      fill(&line, notation, item)
    }
    if isSelected { line.pad(to: columns, ground) }
    return line
  }

  /// All that stands before the text; nothing is known of an item that is typed.
  func start(_ item: TodoItem?, _ priority: Character? = nil) -> Line {
    var line = Line(isSelected || marks.isResting ? glyphs.edge : " ", painted(theme.edge))
    let badge = badge(Badge(item, signs))
    line.append(badge.text, painted(badge.style))
    line.append(marks.isMarked ? glyphs.mark : " ", painted(theme.marked))
    line.append(item?.complete == true ? "[x]" : "[ ]", painted(theme.quiet))
    line.append(" ", ground)
    let sign = priority.map { brush.charset == .utf8 ? String($0) : "(\($0))" } ?? ""
    line.append(sign, painted(theme.priority(priority ?? " "), isDone: item?.complete == true))
    line.pad(to: brush.charset == .utf8 ? 9 : 11, ground)
    return line
  }

  /// The text with its date in it. Where it is too long the date stands at the end, and the words give way to it. So
  /// does a date that is over, under the heading that says so: the word for it is not said twice.
  private func fillNarrow(_ line: inout Line, _ notation: TodoNotation, _ item: TodoItem) {
    let isDone = item.complete
    let note = Line(item.hasNote ? " " + glyphs.note : "", painted(theme.quiet))
    let whole = whole(notation, isDone: isDone) + note
    let words = painted(RowPieces(notation).all, of: notation, isDone: isDone) + note
    let isSaidAbove = marks.hasDateHeading && !isDone && notation.due.map { $0 < brush.today } == true
    let fits = line.columns + whole.columns <= columns && !(isSaidAbove && words.columns > 0)
    let said = notation.due.map { text.date($0, today: brush.today, isDone: isDone) } ?? ""
    let room = columns - line.columns - TextWidth.columns(of: said) - 1
    guard let day = notation.due, !fits, room >= Self.fewestWords else {
      line.append(whole)
      line = line.cut(to: columns, ellipsis: glyphs.ellipsis)
      return
    }
    line.append(words.cut(to: room, ellipsis: glyphs.ellipsis))
    line.pad(to: columns - TextWidth.columns(of: said), ground)
    line.append(said, painted(style(of: day, isDone: isDone), isDone: isDone))
  }

  /// The text, the tags if they have room beside it, and the date.
  private func fill(_ line: inout Line, _ notation: TodoNotation, _ item: TodoItem) {
    let isDone = item.complete
    let right = columns - Self.gap
    let dates = right - (dateWidth ?? Self.dateWidth(brush))
    let day = notation.due
    let room = (day == nil ? right : dates - Self.gap) - line.columns
    let pieces = RowPieces(notation)
    var words = painted(pieces.text, of: notation, isDone: isDone)
    let tags = painted(pieces.tags, of: notation, isDone: isDone)
    let rest = dates - Self.gap - line.columns
    let hasTags = tags.columns > 0 && words.columns + Self.gap + tags.columns <= rest
    if tags.columns > 0 && !hasTags { words = painted(pieces.all, of: notation, isDone: isDone) }
    if words.columns == 0, day != nil { words.append(text.text(.rowWithoutText), painted(theme.quiet, isDone: isDone)) }
    if item.hasNote { words.append(" " + glyphs.note, painted(theme.quiet)) }
    line.append(words.cut(to: max(0, room), ellipsis: glyphs.ellipsis))
    if hasTags {
      line.pad(to: dates - Self.gap - tags.columns, ground)
      line.append(tags)
    }
    guard let day else { return }
    let said = text.date(day, today: brush.today, isDone: isDone)
    line.pad(to: right - TextWidth.columns(of: said), ground)
    line.append(said, painted(style(of: day, isDone: isDone), isDone: isDone))
  }

  /// The columns that any date has room in.
  static func dateWidth(_ brush: Brush) -> Int {
    brush.text.widestDates(today: brush.today).map { TextWidth.columns(of: $0) }.max() ?? 0
  }

  func style(of day: CalendarDay, isDone: Bool) -> Style {
    switch day.days(since: brush.today) {
    case _ where isDone: theme.done
    case ..<0: theme.overdue
    case 0: theme.dueToday
    case ...6: theme.due
    default: theme.dueLater
    }
  }
}

// MARK: Styles

extension RowView {
  /// The background of the row.
  var ground: Style { isSelected ? theme.selected : .plain }

  /// Done items are grey all over, which in the chosen row is text like any other.
  func painted(_ style: Style, isDone: Bool = false) -> Style {
    guard isSelected else { return isDone ? theme.done : style }
    return isDone ? theme.selected : onSelection(style)
  }

  /// Parts of a text, with the words that mean something styled.
  private func painted(_ parts: [RowPieces.Part], of notation: TodoNotation, isDone: Bool) -> Line {
    var line = Line()
    for part in parts {
      switch part.kind {
      case .project: line.append(String(part.text), painted(theme.project, isDone: isDone))
      case .context: line.append(String(part.text), painted(theme.context, isDone: isDone))
      case .priority, .due, nil: line.append(String(part.text), painted(plain, isDone: isDone))
      }
    }
    return line
  }

  private var plain: Style { isSelected ? Style(bold: true) : .plain }

  /// The text as it was typed, without its priority, and its date said as people say it.
  private func whole(_ notation: TodoNotation, isDone: Bool) -> Line {
    var line = Line()
    for part in RowPieces(notation).typed {
      guard part.kind == .due, let day = notation.due else {
        line.append(painted([part], of: notation, isDone: isDone))
        continue
      }
      let said = text.due(day, today: brush.today, isDone: isDone)
      line.append(said, painted(style(of: day, isDone: isDone), isDone: isDone))
    }
    return line
  }
}

/// The text of an item cut into what stands in the columns of its row.
struct RowPieces {
  struct Part: Equatable {
    let text: Substring
    let kind: TodoNotation.Kind?
  }

  /// All but the priority, as it was typed.
  let typed: [Part]

  init(_ notation: TodoNotation) {
    let text = notation.text
    var parts: [Part] = []
    var position = text.startIndex
    for word in notation.words {
      parts.append(Part(text: text[position..<word.range.lowerBound], kind: nil))
      if word.kind == .priority {
        position = text.unicodeScalars.index(after: word.range.upperBound)
        continue
      }
      parts.append(Part(text: text[word.range], kind: word.kind))
      position = word.range.upperBound
    }
    typed = (parts + [Part(text: text[position...], kind: nil)]).filter { !$0.text.isEmpty }
  }

  /// All but the date.
  var all: [Part] { Self.without(typed) { $0.kind == .due } }

  /// The projects and contexts at the beginning and at the end; those in the middle are words of a sentence. None if
  /// there are no other words.
  var tags: [Part] {
    let (first, last) = edges
    guard first < last else { return [] }
    let tags = (typed[..<first] + typed[last...]).filter { $0.isTag }
    return Array(tags.map { [$0] }.joined(separator: [Part(text: " ", kind: nil)]))
  }

  /// The words of an item's first line that are no tag and no date; all of it if there are no others.
  static func words(of text: String) -> String {
    let line = ItemText(text).line
    let words = RowPieces(TodoNotation(line)).text.map { String($0.text) }.joined()
    return words.isEmpty ? line : words
  }

  /// Without the tags that stand apart, and without the date.
  var text: [Part] {
    let (first, last) = edges
    guard first < last else { return all }
    return Self.without(Array(typed[first..<last])) { $0.kind == .due }
  }

  /// From the first to past the last part that is neither a tag nor a date nor a space.
  private var edges: (first: Int, last: Int) {
    let isWord = { (part: Part) in part.kind == nil && part.text.contains { $0 != " " } }
    guard let first = typed.firstIndex(where: isWord), let last = typed.lastIndex(where: isWord) else { return (0, 0) }
    return (first, last + 1)
  }

  /// Removes parts, each with one of the spaces beside it.
  private static func without(_ parts: [Part], _ goes: (Part) -> Bool) -> [Part] {
    var left: [Part] = []
    var hasGap = true
    for part in parts where !goes(part) {
      let text = hasGap && part.kind == nil ? part.text.drop { $0 == " " } : part.text
      if !text.isEmpty { left.append(Part(text: text, kind: part.kind)) }
      hasGap = text.isEmpty ? hasGap : text.last == " "
    }
    if let last = left.last, last.kind == nil {
      let end = last.text.lastIndex { $0 != " " }.map { last.text.index(after: $0) } ?? last.text.startIndex
      left[left.count - 1] = Part(text: last.text[..<end], kind: nil)
    }
    return left
  }
}

extension RowPieces.Part {
  fileprivate var isTag: Bool { kind == .project || kind == .context }
}
