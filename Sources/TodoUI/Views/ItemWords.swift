import Terminal
import TodoCore
import Words

extension ViewContext {
  /// The text of an item, with the words that mean something by the conventions of todo.txt styled, and its date said
  /// as people say it.
  func words(of item: TodoItem, base: Style) -> Line {
    let notation = TodoNotation(item.text)
    guard !notation.words.isEmpty else { return Line(item.text, base) }
    var line = Line()
    var position = item.text.startIndex
    for word in notation.words {
      line.append(String(item.text[position..<word.range.lowerBound]), base)
      line.append(styled(word, of: notation, isDone: item.complete, base: base))
      position = word.range.upperBound
    }
    line.append(String(item.text[position...]), base)
    return line
  }

  private func styled(
    _ word: TodoNotation.Word, of notation: TodoNotation, isDone: Bool, base: Style
  ) -> Span {
    let said = String(notation.text[word.range])
    switch word.kind {
    case .priority: return Span(said, base + theme.priority)
    case .project: return Span(said, base + theme.project)
    case .context: return Span(said, base + theme.context)
    case .due:
      guard let day = notation.due else { return Span(said, base) }
      return Span(text.due(day, today: today, isDone: isDone), base + style(of: day, isDone: isDone))
    }
  }

  private func style(of day: CalendarDay, isDone: Bool) -> Style {
    if isDone || day > today { return theme.due }
    return day == today ? theme.dueToday : theme.overdue
  }
}

extension Style {
  /// The second laid over the first.
  static func + (base: Style, over: Style) -> Style {
    var style = base
    style.bold = base.bold || over.bold
    style.dim = base.dim || over.dim
    style.underline = base.underline || over.underline
    style.reverse = base.reverse || over.reverse
    style.color = over.color ?? base.color
    return style
  }
}
