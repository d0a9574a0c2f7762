/// What the engine can do so far. The part of a law that needs more waits here, in sight, until it can.
package enum EngineAbilities {
  /// Rows that left the server without a trace are found, by a full reconcile.
  package static let reconciles = true
  /// An item can be added again that was deleted on the server.
  package static let undeletes = true
  /// Changes of different columns are merged and are no conflict.
  package static let mergesColumns = true
}
