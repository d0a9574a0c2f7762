import TodoCore

extension Effect {
  /// What it does to the list here and now; nil when it changes nothing of it.
  var change: ((TodoList) throws -> Message?)? {
    switch self {
    case .add(let texts): { .added(texts.count == 1 ? [try $0.add(texts[0])] : try $0.add(texts)) }
    case .edit(let id, let text, let seen):
      { list in
        try list.edit(id, text: text, seen: seen)
        return .changed(1)
      }
    case .setComplete(let ids, let complete): { .changed(try $0.setComplete(ids, complete)) }
    case .delete(let ids): { .changed(try $0.delete(ids)) }
    case .rewrite(let ids, let change): { .changed(try $0.rewrite(ids, change.apply)) }
    case .undo: { .reversal(.undo, try $0.undo(), in: $0) }
    case .redo: { .reversal(.redo, try $0.redo(), in: $0) }
    case .resolve(let conflicts, let decision):
      { list in
        // One that was decided elsewhere meanwhile is passed over, unless it is the only one.
        var (count, changed) = (0, 0)
        for conflict in conflicts {
          do {
            try list.resolve(conflict, decision)
            count += 1
          } catch TodoError.nothingToDecide where conflicts.count > 1 {
          } catch TodoError.conflictChanged {
            changed += 1
          }
        }
        return .resolved(count, changed: changed)
      }
    case .drop(let id):
      { list in
        try list.drop(id)
        return .changed(1)
      }
    case .restore(let id, let number):
      { list in
        try list.restore(id, to: number)
        return .changed(1)
      }
    default: nil
    }
  }
}

extension TextChange {
  func apply(to text: String) -> String {
    switch self {
    case .raisePriority: TodoNotation.raisingPriority(in: text)
    case .lowerPriority: TodoNotation.loweringPriority(in: text)
    case .due(let day): TodoNotation.settingDue(day, in: text)
    }
  }
}

extension Message {
  fileprivate static func reversal(
    _ direction: UndoResult.Direction, _ reversal: UndoResult?, in list: TodoList
  ) -> Message {
    .reversed(direction, reversal, reversal.flatMap { try? list.item($0.itemID) })
  }
}
