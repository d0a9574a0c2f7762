package import TableProtocol

/// The result of comparing all rows of a table with the server's, one by one.
package struct TableVerification: Sendable, Hashable {
  /// The number of rows that this device believes the server to have, and of rows that the server has.
  package var here = TableDigest()
  package var there = TableDigest()
  /// Rows that the server has and this device does not know.
  package var missingHere = 0
  /// Rows whose versions differ.
  package var different = 0
  /// Rows with the same version and different columns.
  package var differentContent = 0
  /// Rows, tombstones included, of which the server says that they hold something else than it stored. 0 if it does
  /// not look.
  package var damaged = 0
  /// Rows of the server that can't be stored here: see ``UnreadableRow``. They count as missing here or as different.
  package var unreadable = 0
  /// Rows with a change that the server does not have: it waits to be sent, or for a decision. They were compared as
  /// this device believes the server to have them.
  package var waiting = 0
  /// Rows that are the same on both sides.
  package var same = 0
  /// Rows that this device believes the server to have, and that the server does not have.
  package var missingThere: Int { here.count - same - different - differentContent }
}

/// An event of a running verification. Reported on the sync queue.
package enum VerificationEvent: Sendable, Hashable {
  case waitingForOtherProgram
  /// The number of compared rows of the server, and about how many there are in total.
  case progress(compared: Int, total: Int)
  /// The end. Comes once, as the last event.
  case finished(Result<TableVerification, SyncFailure>)
}
