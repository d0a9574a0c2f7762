package import TableProtocol

/// The events of a connection for notices (wire 19), from its beginning to its end.
package enum NoticeEvent: Sendable, Hashable {
  /// The request is with the server, which has not answered yet.
  case asked
  case level(ListLevel)
  /// A sign of life, also of a kind that is not known.
  case heartbeat
  /// The last one, which comes once unless this device ends the connection.
  case ended(NoticeEnd)
}

/// Why a connection for notices ended.
package enum NoticeEnd: Sendable, Hashable {
  /// The server ended it. The client may come back after `retry` milliseconds; nil if the server did not say.
  case finished(retry: Int?)
  /// The server has no such stream.
  case notOffered
  /// The server does not accept the sign-in, or does not let it read.
  case notSignedIn
  /// There is no sign-in without which the server must not be asked, and it was not.
  case noSignIn
  /// The server has another database than the one that is known.
  case otherDatabase
  /// It could not be made, or broke.
  case failed(RemoteFailure.Reason)
}

/// A connection for notices. It ends with ``close()``. Both functions can be called from any thread, more than once.
package protocol NoticeConnection: Sendable {
  /// Returns at once. Reports nothing afterwards.
  func close()
  /// Waits until the connection is closed, at most `milliseconds`. Returns true if it is closed.
  ///
  /// A program that is stopped keeps its sockets, and a server that says goodbye over TLS may take its time.
  @discardableResult
  func waitUntilClosed(milliseconds: Int) -> Bool
}

/// How far this device has read a list of its server.
package struct ListPosition: Sendable, Hashable {
  /// The delta token; nil before the first pull, and if the next one compares all rows.
  package let token: Timestamp?
  package let database: String?
  package let epoch: Int?

  package init(token: Timestamp?, database: String?, epoch: Int?) {
    self.token = token
    self.database = database
    self.epoch = epoch
  }

  /// True if there is nothing to pull. Anything but the very same place is a reason to ask: the pull is the one truth.
  package func isAt(_ level: ListLevel) -> Bool {
    token == level.updatedAt && database?.lowercased() == level.database && epoch == level.epoch
  }
}
