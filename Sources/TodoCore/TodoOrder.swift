/// The orders a list can be shown in. Items that are alike in it stand in the order they were created in.
package enum TodoOrder: String, Sendable, Hashable, CaseIterable {
  /// Oldest first.
  case created
  /// By the alphabet, capital or not.
  case text
  /// What is due first; without a date last.
  case due
  /// (A) first; without one last.
  case priority
  /// What the server stored last comes first; before it what it never stored.
  case updated
}
