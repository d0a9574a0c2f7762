/// What the engine can do so far. The part of a law that needs more waits here, in sight, until it can: what is
/// false is left out of the worlds, or let pass.
package enum EngineAbilities {
  /// Rows that left the server without a trace are found, by a full reconcile.
  package static let reconciles = true
  /// An item can be added again that was deleted on the server.
  package static let undeletes = true
  /// Changes of different columns are merged and are no conflict.
  package static let mergesColumns = true
  /// A refusal of a change that was sent before is not taken for a word about the first attempt.
  package static let doubtsRefusals = true
  /// A deletion that is taken back leaves the row with the version its server has.
  package static let revivesByUndo = true
  /// A refused change can be kept or merged, and decided about while its retry has no outcome.
  package static let decidesRefusals = true
  /// What a tombstone held is not taken for something the user has seen.
  package static let doubtsTombstones = true
  /// Two devices can take the same list along: then others know the ids of rows that are new there.
  package static let movesTogether = true
  /// Nothing is asked any more after a cancellation.
  package static let stopsAsking = true
}
