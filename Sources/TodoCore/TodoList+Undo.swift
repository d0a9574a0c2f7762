package import FoundationEssentials
package import OfflineSync
package import TableProtocol

/// The result of an undo or a redo, of one change or of a group of changes.
package struct UndoResult: Sendable, Hashable {
  package let direction: Direction
  package let action: Action
  /// The number of items that were changed; of a decision, the number of conflicts.
  package let count: Int
  /// The text of the first changed item after the change; of a deleted item, before it.
  package var text: String
  /// The first changed item, which may be gone now.
  package let itemID: RecordID
  /// The fields that stay, because they changed since.
  package let kept: [TodoField]
  /// Why nothing was done; nil if something was.
  package let obstacle: RowUndoOutcome.Obstacle?
  /// Whether it ended the conflict of the first item, or opened one.
  package var conflict: RowUndoOutcome.ConflictTurn?
  /// The items of which some field stays, because it changed since.
  package let keptItems: [RecordID]
  /// The items that were not changed, because of an obstacle.
  package let obstructedItems: [RecordID]
  /// When the change was made that is undone, or the undo that is redone. Nil if it is not known.
  package var madeAt: Date?
  /// True for a decision that kept the item here, though it was deleted on the server.
  package var isAgainstDeletion = false
  /// The item after the undo of a decision that opened no conflict again; nil after anything else.
  package var leftItem: LeftItem?

  package enum Direction: Sendable, Hashable {
    case undo, redo
  }

  /// The change that the user had made.
  package enum Action: Sendable, Hashable {
    case add, edit, complete, reopen, delete
    /// A conflict was decided. Its undo opens the conflict again, or brings back what a deletion took away.
    case decide
  }

  package enum LeftItem: Sendable, Hashable {
    case live(TodoCopy)
    case deleted
  }

  package init(
    _ direction: Direction, _ action: Action, text: String, itemID: RecordID, kept: [TodoField] = [],
    obstacle: RowUndoOutcome.Obstacle? = nil, count: Int? = nil, keptItems: [RecordID]? = nil,
    obstructedItems: [RecordID]? = nil
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

extension TodoList {
  /// Undoes the last change that the user made here, also after a restart or a sync. Returns nil if there is none.
  package func undo(progress: (BulkProgress) -> Void = { _ in }) throws -> UndoResult? {
    guard let outcome = try items.step(undoing: true, progress: progress) else { return nil }
    var result = try dated(UndoResult(.undo, outcome), outcome)
    if result.action == .decide, result.obstacle == nil, result.conflict == nil {
      let copy = try item(result.itemID).map { TodoCopy(text: $0.text, complete: $0.complete) }
      result.leftItem = copy.map(UndoResult.LeftItem.live) ?? .deleted
    }
    return result
  }

  /// Redoes the change that was undone last. Returns nil if there is none, or if another change was made since.
  package func redo(progress: (BulkProgress) -> Void = { _ in }) throws -> UndoResult? {
    try items.step(undoing: false, progress: progress).map { try dated(UndoResult(.redo, $0), $0) }
  }

  /// True if the last change of the user deleted an item whose id begins so, in any case: an undo brings it back.
  package func wasDeletedLast(_ handle: String) throws -> Bool {
    let handle = handle.lowercased()
    return try items.rowsDeletedLast().contains { $0.text.lowercased().hasPrefix(handle) }
  }

  /// The same with the time of the change: that of the version before the present one, if the change made it.
  private func dated(_ result: UndoResult, _ outcome: UndoOutcome) throws -> UndoResult {
    guard let row = outcome.firstDone else { return result }
    let left = result.direction == .undo ? row.change.after : row.change.before
    let version = try story(of: result.itemID).dropFirst().first
    let copy = left.flatMap { $0.system.deleted ? nil : TodoCopy($0) }
    // An item that was added complete came from a file, and its version is from when it was completed. Of many that
    // were added nothing is remembered.
    let isUnknown = copy?.complete == true || outcome.count > SyncTable.mostAddedWithVersions
    if result.action == .add, isUnknown { return result }
    guard let version, version.origin == .here, version.copy == copy else { return result }
    var result = result
    result.madeAt = version.madeAt
    return result
  }
}

extension UndoResult {
  init(_ direction: Direction, _ reversal: UndoOutcome) {
    // Of a group, an item that was changed.
    let shown = reversal.firstDone ?? reversal.first
    let before = shown.change.before.flatMap { $0.system.deleted ? nil : TodoCopy($0) }
    let after = shown.change.after.flatMap { $0.system.deleted ? nil : TodoCopy($0) }
    // A change that was taken back while it was in conflict is noted as a decision. It is still the change.
    let isChange = shown.conflict.map { $0.isForServer == (direction == .undo) } ?? false
    let isDecision = shown.change.decision != nil && !isChange
    // Of a deletion that was decided for, the text there.
    let decided = shown.change.decision?.after.record.map { TodoCopy($0) }
    self.init(
      direction, isDecision ? .decide : Action(before, after),
      text: (after ?? before ?? decided)?.text ?? "", itemID: shown.change.itemID,
      kept: reversal.kept.compactMap(TodoField.init(rawValue:)), obstacle: reversal.obstacle,
      count: isDecision ? reversal.decidedCount : reversal.doneCount, keptItems: reversal.keptItems,
      obstructedItems: reversal.obstructedItems)
    conflict = reversal.conflict
    isAgainstDeletion = isDecision && after != nil && shown.change.decision?.after.isLive == false
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
