/// The result of an undo or redo of one step: of its first change, and of the others if it had several.
public struct UndoOutcome: Sendable, Hashable {
  package let first: RowUndoOutcome
  package let others: [RowUndoOutcome]

  init?(_ rows: [RowUndoOutcome]) {
    guard let first = rows.first else { return nil }
    self.first = first
    others = Array(rows.dropFirst())
  }

  package var rows: [RowUndoOutcome] { [first] + others }

  /// The first change of the step, as originally made.
  package var change: RowChange { first.change }

  /// The names of the columns that stay, because they changed since the step.
  public var kept: [String] { Set(rows.flatMap(\.kept)).sorted() }

  /// Why nothing was done for any row; nil if something was done.
  public var obstacle: RowUndoOutcome.Obstacle? {
    rows.allSatisfy { $0.obstacle != nil } ? first.obstacle : nil
  }
}

/// The result of an undo or redo of one change of a step.
public struct RowUndoOutcome: Sendable, Hashable {
  /// The change, as originally made.
  package let change: RowChange
  /// The names of the columns that stay, because they changed since the change was made.
  public var kept: [String] = []
  /// Why nothing was done; nil if something was done.
  public var obstacle: Obstacle?

  public enum Obstacle: Sendable, Hashable {
    /// The row has changed since.
    case changedSince
    /// The row was deleted since.
    case deletedSince
    /// The row that the change deleted was added again.
    case restoredSince
    /// The decision was sent, and the server has what was decided. The versions of the row hold the other text (L15).
    case alreadySent
  }
}
