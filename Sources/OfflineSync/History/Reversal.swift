/// What came of undoing a change, or of doing one again.
package struct Reversal: Sendable, Hashable {
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
