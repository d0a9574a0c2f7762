import FoundationEssentials
import TableProtocol
import Terminal
import TodoCore
import Words

extension ViewContext {
  /// Everything known about an item.
  func draw(_ detail: ItemDetail, from first: Int, on frame: inout Frame, height: Int) {
    let lines = lines(of: detail)
    let top = max(0, min(first, lines.count - height))
    frame.cursor = Frame.Cursor(row: frame.lines.count, column: 0, isVisible: false)
    frame.lines += lines.dropFirst(top).prefix(height).map(cut)
  }

  private func lines(of detail: ItemDetail) -> [Line] {
    let facts = facts(of: detail)
    let width = min(columns / 2, facts.map { TextWidth.columns(of: $0.0) }.max() ?? 0)
    return wrapped(detail.item.text, after: Line(), theme.title) + [Line()]
      + facts.flatMap { labelled($0.0, $0.1, width: width) }
  }

  func facts(of detail: ItemDetail) -> [(String, String)] {
    let item = detail.item
    let notation = TodoNotation(item.text)
    let all: [(StringKey, String?)] = [
      (.detailState, text.words(forState: TodoCopy(text: item.text, complete: item.complete))),
      (.detailPriority, notation.priority.map(String.init)),
      (.detailDue, notation.due.map { text.dueWithDate($0, today: today, isDone: item.complete) }),
      (.detailProjects, joined(notation.projects)),
      (.detailContexts, joined(notation.contexts)),
      (.detailSync, text.words(for: item.state)),
      (.detailChange, detail.change.map { text.words(for: $0) }),
      (.detailCreated, item.createdAt.map { time($0.date) }),
      (.detailUpdated, item.updatedAt.map { time($0.date) }),
      (.detailVersions, text.number(detail.versions)),
      (.detailHandle, detail.handle),
      (.detailID, item.id.text),
      (.detailVersion, item.version?.text),
    ]
    return all.compactMap { key, words in words.map { (text.text(key), $0) } }
  }

  private func joined(_ words: [String]) -> String? {
    words.isEmpty ? nil : words.joined(separator: " ")
  }
}
