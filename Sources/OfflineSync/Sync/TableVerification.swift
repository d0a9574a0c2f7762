package import TableProtocol

/// The result of comparing all rows of a table with the server's, one by one.
package struct TableVerification: Sendable, Hashable {
  /// The rows this device believes the server to have, and the rows it has.
  package var here = TableDigest()
  package var there = TableDigest()
  /// Rows the server has and this device does not know of.
  package var missingHere = 0
  /// Rows whose versions differ.
  package var different = 0
  /// Rows whose version is the same, but not what their columns hold.
  package var differentContent = 0
  /// Rows that are the same on both sides.
  package var same = 0
  /// Rows this device believes the server to have, and it has not.
  package var missingThere: Int { here.count - same - different - differentContent }
}

/// What a verification reports while it runs. Called on the sync queue.
package enum VerificationEvent: Sendable, Hashable {
  case waitingForOtherProgram
  /// How many rows of the server were compared, of about how many in total.
  case progress(compared: Int, total: Int)
  /// The last event, and the only one of its kind.
  case finished(Result<TableVerification, SyncFailure>)
}
