import FoundationEssentials
import TableProtocol
import Terminal
import TodoCore
import Words

/// Everything known about an item.
struct DetailView: View {
  let detail: ItemDetail
  let brush: Brush

  func draw(from first: Int, on frame: inout Frame, height: Int) {
    let lines = lines
    let top = max(0, min(first, lines.count - height))
    frame.cursor = Frame.Cursor(row: frame.lines.count, column: 0, isVisible: false)
    frame.lines += lines.dropFirst(top).prefix(height).map(cut)
  }

  private var lines: [Line] {
    let facts = facts
    let width = min(columns / 2, facts.map { TextWidth.columns(of: $0.0) }.max() ?? 0)
    return wrapped(detail.item.text, after: Line(), theme.title) + [Line()]
      + facts.flatMap { labelled($0.0, $0.1, width: width) }
  }

  var facts: [(String, String)] {
    let item = detail.item
    let notation = TodoNotation(item.text)
    let all: [(StringKey, String?)] = [
      (.detailState, text.words(forState: TodoCopy(text: item.text, complete: item.complete))),
      (.detailPriority, notation.priority.map(String.init)),
      (.detailDue, notation.due.map { text.dueWithDate($0, today: brush.today, isDone: item.complete) }),
      (.detailProjects, joined(notation.projects)),
      (.detailContexts, joined(notation.contexts)),
      (.detailSync, text.words(for: item.state)),
      (.detailChange, detail.change.map { text.words(for: $0) }),
      (.detailCreated, item.createdAt.map { time($0.date) }),
      (.detailUpdated, item.updatedAt.map { time($0.date) }),
      (.detailVersions, text.number(detail.versions)),
      (.detailHandle, detail.handle),
      (.detailID, item.id),
      (.detailVersion, item.version?.text),
    ]
    return all.compactMap { key, words in words.map { (text.text(key), $0) } }
  }

  private func joined(_ words: [String]) -> String? {
    words.isEmpty ? nil : words.joined(separator: " ")
  }
}
