import Terminal
import TodoCore
import Words

extension ViewContext {
  /// When a version was made, where, and what it was.
  func line(of version: ItemVersion, in choice: Choice<ItemVersion>) -> Line {
    var line = Line(when(version), theme.quiet)
    line.append("  " + text.word(for: version.origin))
    line.append("  " + text.words(for: version.copy))
    return line
  }

  /// What of it was other in the version before.
  func whole(_ version: ItemVersion, in choice: Choice<ItemVersion>) -> [Line] {
    let before = choice.elements.dropFirst(choice.index + 1).first?.copy
    guard let copy = version.copy, let before, before != copy else {
      return wrapped(text.words(for: version.copy), after: Line())
    }
    var lines: [Line] = []
    if before.text != copy.text {
      let runs = WordMarks.text(WordRun.list(from: before.text, to: copy.text))
      lines += compared(runs, after: Line(text.name(of: .text), theme.quiet))
    }
    if before.complete != copy.complete {
      let words = text.words(forState: before) + " → " + text.words(forState: copy)
      lines += wrapped(
        model.charset == .utf8 ? words : words.replacingArrow, after: Line(text.name(of: .complete), theme.quiet))
    }
    return lines
  }

  func when(_ version: ItemVersion) -> String {
    version.madeAt.map { time($0) } ?? text.text(.timeUnknown)
  }
}

extension String {
  fileprivate var replacingArrow: String {
    split(separator: "→", omittingEmptySubsequences: false).joined(separator: "->")
  }
}
