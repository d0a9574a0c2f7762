import TableProtocol
import TodoCore

extension Model {
  mutating func mark(_ command: Command) -> [Effect] {
    switch command {
    case .mark:
      guard let item = window.selectedItem else { return [] }
      marks.toggle(item)
      return move(by: 1, .key)
    case .markRange: return markRange()
    default: return [.readMarks(query, .all, then: nil)]
    }
  }

  /// A range is drawn from where it was begun to the chosen row; a second time keeps it.
  private mutating func markRange() -> [Effect] {
    guard marks.anchor == nil else { return readRange(then: nil) }
    marks.anchor = window.selectedItem
    window.anchor = marks.anchor == nil ? nil : window.selected
    return []
  }

  /// The range first has to become marks: it may reach over rows that are not in memory.
  mutating func performOnMarks(_ command: Command) -> [Effect] {
    if marks.anchor != nil { return readRange(then: command) }
    if command != .setDue { marks.act() }
    return act(command, on: marks.ids, complete: !marks.areComplete)
  }

  mutating func performOnSelected(_ command: Command) -> [Effect] {
    guard let item = window.selectedItem else { return [] }
    return act(command, on: [item.id], complete: !item.complete)
  }

  mutating func accept(_ marked: [Marked]?, then command: Command?) -> [Effect] {
    let wasRange = marks.anchor != nil
    endRange()
    guard let marked else { return say(.rangeLost) }
    if !wasRange && marked.allSatisfy({ marks.contains($0.id) }) {
      marks.clear()
    } else {
      marks.add(marked)
    }
    return command.map { performOnMarks($0) } ?? []
  }

  /// A range is of the list as it was shown: in another view, filter or order other rows would lie between.
  mutating func endRange() {
    marks.anchor = nil
    window.anchor = nil
  }

  private func readRange(then command: Command?) -> [Effect] {
    guard let from = marks.anchor, let to = window.selectedItem else { return [] }
    return [.readMarks(query, .range(from, to), then: command)]
  }

  private mutating func act(_ command: Command, on ids: [RecordID], complete: Bool) -> [Effect] {
    switch command {
    case .toggle:
      lastChange.request(complete ? .completed : .reopened, texts(of: ids))
      return [.setComplete(ids: ids, complete)]
    case .delete:
      lastChange.request(.deleted, texts(of: ids))
      return [.delete(ids: ids)]
    case .raisePriority: return rewrite(ids, .raisePriority)
    case .lowerPriority: return rewrite(ids, .lowerPriority)
    case .setDue:
      let due = ids.count == 1 ? window.rows.first { $0.id == ids[0] }.map { Self.due(of: $0) } : nil
      mode = .due(LineEditor(due ?? ""), of: ids)
      return []
    default: return []
    }
  }

  mutating func rewrite(_ ids: [RecordID], _ change: TextChange) -> [Effect] {
    lastChange.request(.edited, texts(of: ids).map(change.apply))
    return [.rewrite(ids: ids, change)]
  }

  /// Of those that are in memory.
  private func texts(of ids: [RecordID]) -> [String] {
    window.rows.filter { ids.contains($0.id) }.map(\.text)
  }

  private static func due(of item: TodoItem) -> String {
    TodoNotation(item.text).due?.text ?? ""
  }
}
