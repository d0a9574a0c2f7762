import Terminal
import TodoCore
import Words

extension ViewContext {
  /// What happened to an item, in one word, and its text.
  func line(of arrival: Arrival) -> Line {
    var line = Line(text.word(for: arrival.kind), style(of: arrival.kind))
    line.pad(to: Arrival.Kind.allCases.map { TextWidth.columns(of: text.word(for: $0)) }.max() ?? 0)
    line.append("  " + ((arrival.after ?? arrival.before)?.text ?? ""))
    return line
  }

  /// An edit word by word; of the rest the whole text.
  func whole(_ arrival: Arrival) -> [Line] {
    let words =
      switch (arrival.before, arrival.after) {
      case (let before?, let after?): WordMarks.text(WordRun.list(from: before.text, to: after.text))
      case (let copy?, nil), (nil, let copy?): copy.text
      case (nil, nil): ""
      }
    let came = text.text(.arrivedAt, ["time": time(arrival.arrivedAt)])
    return compared(words, after: Line()) + [Line(came, theme.quiet)]
  }

  private func style(of kind: Arrival.Kind) -> Style {
    switch kind {
    case .added: theme.added
    case .completed, .settled: theme.good
    case .reopened, .edited: theme.waiting
    case .deleted: theme.removed
    }
  }
}
