/// What must hold in every world.
package enum Law: String, Sendable, Hashable, CaseIterable {
  /// All devices and the server have the same rows.
  case agreement
  /// Every acknowledged edit is in the result, was overwritten by one that had seen it, or waits in a
  /// conflict that can be seen.
  case nothingLost
  case noRowTwice
  /// No pending operation is without a row or a reason, and none is left that could be sent.
  case journal
  /// The version a device holds of a row never runs backwards.
  case versions
  /// The delta token never passes a row that is not stored.
  case token
  /// A sync with nothing to do asks for one list and changes nothing.
  case quiet
  /// A conflict is reported only where somebody else changed the row, a refusal only where the server refused it.
  case conflictsAreReal
  /// A program that died sends nothing.
  case deadProgram
  /// A sync that was cancelled sends nothing more.
  case cancelled
  /// A sync that was denied says so.
  case denials
  /// Nothing of one account's list gets to another, and nothing is sent before it is known whose list it is.
  case accounts
  /// No sync takes away more than half of a list unless it may, nor do several that were stopped.
  case massDeletion
  /// What a device believes the server to have is what it has.
  case belief
  /// What rows were is remembered, and what syncs made of them is told.
  case memory
  /// Undoing touches only what is still as it was left.
  case reversals
  /// An item is completed if all who said something about it said so last.
  case completion
  /// Two sides that both deleted an item agree.
  case bothGone
  /// A sync reports the conflicts and refusals that the store shows after it.
  case tally
  /// No word that one side removed is in the result, none is there twice, and the order is one that somebody wrote.
  case words
  /// A decision is final: what was decided against does not come back.
  case decisions
  /// What a sync says that both sides have is what a fresh count finds.
  case receipt
  /// A row keeps the time when it was made.
  case birth
  /// Nothing that a server lost by a restore is taken away before somebody was asked.
  case restores
  /// Columns of another client survive every edit.
  case columns
  /// A server that says what is not so is asked less and less.
  case patience
  /// Our server's own code refuses nothing that a device sends, unless it may (``ServerCode``).
  case service
  /// Nobody is asked anything because lists of others were removed.
  case needlessQuestions
}

package struct Violation: Sendable, Hashable, CustomStringConvertible {
  package let law: Law
  package let what: String

  package var description: String { "\(law): \(what)" }
}
