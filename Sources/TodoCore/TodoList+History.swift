package import FoundationEssentials
package import OfflineSync
package import TableProtocol

extension TodoList {
  /// Takes back the last change the user made here, also after a restart or a sync. Nil when there is none left.
  package func undo(progress: (BulkProgress) -> Void = { _ in }) throws -> UndoResult? {
    try items.step(undoing: true, progress: progress).map { UndoResult(.undo, $0) }
  }

  /// Does the change again that was undone last. Nil when there is none, or another change was made since.
  package func redo(progress: (BulkProgress) -> Void = { _ in }) throws -> UndoResult? {
    try items.step(undoing: false, progress: progress).map { UndoResult(.redo, $0) }
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

/// What an item was at one time, as far as this device has seen it.
package struct ItemVersion: Sendable, Hashable {
  /// Grows with time. Names the version within its item.
  package let number: Int64
  /// Nil: it was deleted then.
  package let copy: TodoCopy?
  /// When it became so: by this device's clock for a change made here, else by the server's. Nil when nobody noted it.
  package let madeAt: Date?
  /// Where the change came from.
  package let origin: RowOrigin

  package init(number: Int64, copy: TodoCopy?, madeAt: Date?, origin: RowOrigin) {
    self.number = number
    self.copy = copy
    self.madeAt = madeAt
    self.origin = origin
  }
}

/// The result of an undo or a redo, of one change or of a group of changes.
package struct UndoResult: Sendable, Hashable {
  package let direction: Direction
  package let action: Action
  /// How many items the step changes back, or again: not those that something was in the way of.
  package let count: Int
  /// The text of the item the change was made to, as the change left it; of a deleted one, as it was. Of a group, the
  /// first one.
  package let text: String
  /// The item, which may be gone now.
  package let itemID: RecordID
  /// Fields that another device changed since; they stay unchanged.
  package let kept: [TodoField]
  /// Why nothing was done; nil if something was.
  package let obstacle: Obstacle?
  /// The ids of the items of which something stays as others made it.
  package let keptItems: [RecordID]
  /// The ids of the items that stay as they are, since something was in the way.
  package let obstructedItems: [RecordID]

  package enum Direction: Sendable, Hashable {
    case undo, redo
  }

  /// What the user did before.
  package enum Action: Sendable, Hashable {
    case add, edit, complete, reopen, delete
  }

  package enum Obstacle: Sendable, Hashable {
    /// The item is not as the change left it, and stays.
    case changedSince
    /// The item was deleted since.
    case deletedSince
    /// The item that was deleted is here again.
    case restoredSince
    /// The decision was sent. The item's history has the other text.
    case alreadySent
  }

  package init(
    _ direction: Direction, _ action: Action, text: String, itemID: RecordID, kept: [TodoField] = [],
    obstacle: Obstacle? = nil, count: Int? = nil, keptItems: [RecordID]? = nil, obstructedItems: [RecordID]? = nil
  ) {
    self.direction = direction
    self.action = action
    self.text = text
    self.itemID = itemID
    self.kept = kept
    self.obstacle = obstacle
    self.count = count ?? (obstacle == nil ? 1 : 0)
    self.keptItems = keptItems ?? (kept.isEmpty ? [] : [itemID])
    self.obstructedItems = obstructedItems ?? (obstacle == nil ? [] : [itemID])
  }
}
