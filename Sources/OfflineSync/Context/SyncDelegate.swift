/// Takes part in a push while it runs (offline-sync 7). Called on the sync queue, outside of any transaction,
/// with other changes perhaps under way; the push waits for it.
package protocol SyncDelegate: Sendable {
  /// What is to become of a conflict that could not be merged. Nil leaves it waiting for a person.
  ///
  /// What was decided is sent in the same push. The same operation is asked about again when the server's
  /// copy changed once more, five times at most.
  func resolution(of conflict: Conflict) -> ConflictResolution?
  /// All that could be sent was; `waiting` are the conflicts and refusals that are left, older ones included.
  func pushCompleted(_ report: PushReport, waiting: [TableOperationError])
}

extension SyncDelegate {
  package func resolution(of conflict: Conflict) -> ConflictResolution? { nil }
  package func pushCompleted(_ report: PushReport, waiting: [TableOperationError]) {}
}
