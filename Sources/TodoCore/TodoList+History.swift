import OfflineSync
import TableProtocol

extension TodoList {
  /// Takes back the last change the user made here, also after a restart or a sync. Nil when there is none left.
  package func undo() throws -> UndoResult? {
    try items.undo().map { UndoResult(.undo, $0) }
  }

  /// Does the change again that was undone last. Nil when there is none, or another change was made since.
  package func redo() throws -> UndoResult? {
    try items.redo().map { UndoResult(.redo, $0) }
  }
}

extension UndoResult {
  init(_ direction: Direction, _ reversal: UndoOutcome) {
    // Of a group, an item that something was done to.
    let told = reversal.rows.first { $0.obstacle == nil } ?? reversal.first
    let before = told.change.before.flatMap { $0.system.deleted ? nil : TodoCopy($0) }
    let after = told.change.after.flatMap { $0.system.deleted ? nil : TodoCopy($0) }
    self.init(
      direction, Action(before, after), text: (after ?? before)?.text ?? "", itemID: told.change.itemID,
      kept: reversal.kept.compactMap(TodoField.init(rawValue:)), obstacle: reversal.obstacle.map(Obstacle.init),
      count: reversal.rows.count { $0.obstacle == nil },
      keptItems: reversal.rows.filter { !$0.kept.isEmpty }.map(\.change.itemID),
      obstructedItems: reversal.rows.filter { $0.obstacle != nil }.map(\.change.itemID))
  }
}

extension UndoResult.Action {
  init(_ before: TodoCopy?, _ after: TodoCopy?) {
    switch (before, after) {
    case (nil, _): self = .add
    case (_, nil): self = .delete
    case (let before?, let after?) where before.text != after.text || before.complete == after.complete: self = .edit
    case (_, let after?): self = after.complete ? .complete : .reopen
    }
  }
}

extension UndoResult.Obstacle {
  init(_ obstacle: RowUndoOutcome.Obstacle) {
    switch obstacle {
    case .changedSince: self = .changedSince
    case .deletedSince: self = .deletedSince
    case .restoredSince: self = .restoredSince
    case .alreadySent: self = .alreadySent
    }
  }
}
