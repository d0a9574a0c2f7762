package import TableProtocol

/// What was found when all rows of a table were compared with the server's, one by one.
package struct TableVerification: Sendable, Hashable {
  /// What this device believes the server to have, and what the server has.
  package var here = TableDigest()
  package var there = TableDigest()
  /// Rows the server has and this device does not know of.
  package var missingHere = 0
  /// Rows of which the two have different versions.
  package var different = 0
  /// Rows of which they have the same.
  package var same = 0
  /// Rows this device believes the server to have, and it has not.
  package var missingThere: Int { here.count - same - different }
}

/// What a verification says while it runs. Called on the sync queue.
package enum VerificationEvent: Sendable, Hashable {
  case waitingForOtherProgram
  /// Rows of the server that were looked at, of about so many.
  case progress(compared: Int, total: Int)
  /// The last event, and the only one of its kind.
  case finished(Result<TableVerification, SyncFailure>)
}
