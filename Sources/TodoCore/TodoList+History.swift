import OfflineSync
import TableProtocol

extension TodoList {
  /// Takes back the last change the user made here, also after a restart or a sync. Nil when there is none left.
  package func undo() throws -> TodoReversal? {
    try items.undo().map { TodoReversal(.undo, $0) }
  }

  /// Does the change again that was undone last. Nil when there is none, or another change was made since.
  package func redo() throws -> TodoReversal? {
    try items.redo().map { TodoReversal(.redo, $0) }
  }
}

extension TodoReversal {
  init(_ direction: Direction, _ reversal: Reversal) {
    let before = reversal.change.before.flatMap { $0.system.deleted ? nil : TodoCopy($0) }
    let after = reversal.change.after.flatMap { $0.system.deleted ? nil : TodoCopy($0) }
    self.init(
      direction, Action(before, after), text: (after ?? before)?.text ?? "", itemID: reversal.change.itemID,
      kept: reversal.kept.compactMap(TodoField.init(rawValue:)), obstacle: reversal.obstacle.map(Obstacle.init))
  }
}

extension TodoReversal.Action {
  init(_ before: TodoCopy?, _ after: TodoCopy?) {
    switch (before, after) {
    case (nil, _): self = .add
    case (_, nil): self = .delete
    case (let before?, let after?) where before.text != after.text || before.complete == after.complete: self = .edit
    case (_, let after?): self = after.complete ? .complete : .reopen
    }
  }
}

extension TodoReversal.Obstacle {
  init(_ obstacle: Reversal.Obstacle) {
    switch obstacle {
    case .changedSince: self = .changedSince
    case .deletedSince: self = .deletedSince
    case .restoredSince: self = .restoredSince
    }
  }
}
