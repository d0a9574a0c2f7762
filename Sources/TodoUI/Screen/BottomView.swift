import OfflineSync
import Terminal
import TodoCore
import Words

/// The last row; under a question as many rows as its answers take.
struct BottomView: View {
  let model: Model
  let brush: Brush

  /// The field typed into at the bottom; else the keys that help here.
  func lines(atMost rows: Int) -> [Line] {
    if let field = field { return [fieldRow(field)] }
    let hints = HintsView(model: model, brush: brush).lines(columns: columns - 1, atMost: asks ? rows : 1)
    return hints.map { Line(" ") + $0 }
  }

  private var asks: Bool {
    switch model.mode {
    case .paste, .prompt: true
    case .list, .panel, .editor, .filter, .due, .conflicts, .pane, .menu: false
    }
  }

  /// The column of the cursor in what is typed at the bottom.
  var cursor: Int? {
    field.map { field in
      TextWidth.columns(of: field.label) + view(field).cursor(columns: fieldColumns(field))
    }
  }

  struct Field {
    let label: String
    let line: LineEditor
    /// The part of it that is not understood.
    var problem: FilterProblem?
  }

  /// The field typed into at the bottom.
  var field: Field? {
    switch model.mode {
    case .filter(let line): Field(label: "/", line: line, problem: problem(in: line))
    case .due(let line, _): Field(label: text.text(.dueLabel) + " ", line: line)
    case .menu(let menu) where menu.isTyping: Field(label: menu.isPalette ? ":" : "/", line: menu.filter)
    case .menu, .list, .panel, .editor, .conflicts, .pane, .paste, .prompt: nil
    }
  }

  /// Reports a filter that more typing may complete only after an attempt to apply it.
  private func problem(in filter: LineEditor) -> FilterProblem? {
    let problem = TodoFilter.problem(in: filter.text, today: brush.today)
    guard problem?.isUnfinished == true else { return problem }
    return model.screen.notice == problem.map { Notice.filter(.problem($0)) } ? problem : nil
  }

  private func fieldRow(_ field: Field) -> Line {
    var line = Line(field.label, theme.key)
    line.append(view(field).row(columns: fieldColumns(field)))
    if columns > line.columns + 2 {
      line.append("  ")
      line.append(beside(field, columns: columns - line.columns))
    }
    return cut(line)
  }

  /// The problem of what is typed; else the day it means and the keys.
  private func beside(_ field: Field, columns: Int) -> Line {
    if let problem = field.problem { return Line(text.shortWords(for: problem), theme.overdue) }
    var line = meaning.map { $0 + Line("  ") } ?? Line()
    line.append(HintsView(model: model, brush: brush).line(columns: columns - line.columns))
    return line
  }

  /// `→ Fri 27 Nov`: the day that is typed; of a filter the days of the word that the cursor is in. Nil if there is
  /// none.
  var meaning: Line? {
    switch model.mode {
    case .due(let line, let ids):
      // Of several items nothing stood in the field, and an empty one takes no date away.
      if line.isBlank { return ids.count == 1 ? leading(to: text.text(.dueNone), isPast: false) : nil }
      switch DueWords.meaning(of: line.text, today: brush.typedOn) {
      case .day(let day)?: return leading(to: text.weekdayAndDay(day, today: brush.today), isPast: day < brush.today)
      case .never?: return leading(to: text.text(.dueNone), isPast: false)
      case nil: return nil
      }
    case .filter(let line):
      let (cursor, filter) = (line.before.count, try? TodoFilter(line.text, today: brush.today))
      let found = filter?.dates.last { $0.place.contains(cursor) || $0.place.upperBound == cursor }
      return found.map { leading(to: text.words(for: $0, today: brush.today), isPast: false) }
    case .list, .panel, .editor, .conflicts, .pane, .menu, .paste, .prompt: return nil
    }
  }

  private func leading(to day: String, isPast: Bool) -> Line {
    Line(glyphs.leadsTo + " " + day, isPast ? theme.overdue : theme.dueToday)
  }

  /// Beside the field there is room for more.
  var isWide: Bool { columns >= 60 }

  private func view(_ field: Field) -> FieldView {
    let suggested = field.line.isSuggestion ? [(0..<field.line.text.count, theme.selected)] : []
    let marked = field.problem.map { [($0.place, theme.field + theme.overdue)] } ?? suggested
    return FieldView(editor: field.line, marked: marked, brush: brush)
  }

  private func fieldColumns(_ field: Field) -> Int {
    max(1, (isWide ? columns - 30 : columns) - TextWidth.columns(of: field.label))
  }
}
