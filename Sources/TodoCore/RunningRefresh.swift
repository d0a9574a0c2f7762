import OfflineSync

/// A refresh that was asked for and may still run.
package struct RunningRefresh: Sendable {
  private let cancellation: Cancellation

  init(_ cancellation: Cancellation) {
    self.cancellation = cancellation
  }

  /// Ends it at the next safe point, also while it waits for an answer or for another program. It then finishes with
  /// `RefreshFailure.cancelled`; what it had done is done. From any thread, and as often as one likes.
  package func cancel() { cancellation.cancel() }
}
