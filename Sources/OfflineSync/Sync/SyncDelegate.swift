/// Takes part in a push while it runs (offline-sync 7). Called on the sync queue, outside of any transaction,
/// with other changes perhaps under way; the push waits for it.
package protocol SyncDelegate: Sendable {
  /// What is to become of a conflict that could not be merged. Nil leaves it waiting for a person.
  ///
  /// What was decided is sent in the same push. The same operation is asked about again when the server's
  /// copy changed once more, five times at most.
  func resolution(of conflict: Conflict) -> ConflictResolution?
  /// The push is over, once for each; `waiting` are the conflicts and refusals that are left, older ones included.
  /// `failure` says why not all was sent that could be.
  func pushCompleted(_ report: PushReport, waiting: [TableOperationError], failure: SyncFailure?)
}

extension SyncDelegate {
  package func resolution(of conflict: Conflict) -> ConflictResolution? { nil }
  package func pushCompleted(_ report: PushReport, waiting: [TableOperationError], failure: SyncFailure?) {}
}
