/// What came of undoing a step, or of doing one again: of its first change, and of the others if it had several.
package struct Reversal: Sendable, Hashable {
  package let first: RowReversal
  package let others: [RowReversal]

  init?(_ rows: [RowReversal]) {
    guard let first = rows.first else { return nil }
    self.first = first
    others = Array(rows.dropFirst())
  }

  package var rows: [RowReversal] { [first] + others }

  /// The first change as it was made.
  package var change: RowChange { first.change }

  /// The columns of any row that are not as the step left them and therefore stay, by name.
  package var kept: [String] { Set(rows.flatMap(\.kept)).sorted() }

  /// Why nothing at all was done; nil when something was.
  package var obstacle: RowReversal.Obstacle? {
    rows.allSatisfy { $0.obstacle != nil } ? first.obstacle : nil
  }
}

/// What came of one change of a step.
package struct RowReversal: Sendable, Hashable {
  /// The change as it was made.
  package let change: RowChange
  /// The columns that are not as the change left them and therefore stay, by name.
  package var kept: [String] = []
  /// Why nothing was done; nil when something was.
  package var obstacle: Obstacle?

  package enum Obstacle: Sendable, Hashable {
    /// The row is not as the change left it.
    case changedSince
    /// The row was deleted since.
    case deletedSince
    /// The row that the change deleted is here again.
    case restoredSince
  }
}
