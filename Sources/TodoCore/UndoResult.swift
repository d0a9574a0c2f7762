package import TableProtocol

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
