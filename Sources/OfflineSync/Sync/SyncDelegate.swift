/// Decides about conflicts while a push runs (offline-sync 7). Called on the sync queue, outside of any transaction.
/// Other changes may be under way, and the push waits for the delegate.
public protocol SyncDelegate: Sendable {
  /// Returns the decision about a conflict that could not be merged, or nil to leave it to the user.
  ///
  /// The decision is sent in the same push. If the server's copy changes once more, the delegate is asked again, at
  /// most five times for one row.
  func resolution(of conflict: Conflict) -> ConflictResolution?
  /// Called once at the end of each push. `waiting` holds all conflicts and refusals, including older ones. `failure`
  /// is the reason if some changes could not be sent.
  func pushCompleted(_ report: PushReport, waiting: [TableOperationError], failure: SyncFailure?)
}

extension SyncDelegate {
  public func resolution(of conflict: Conflict) -> ConflictResolution? { nil }
  public func pushCompleted(_ report: PushReport, waiting: [TableOperationError], failure: SyncFailure?) {}
}
