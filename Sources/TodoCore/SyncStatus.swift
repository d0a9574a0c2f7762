package import FoundationEssentials

/// What the list knows about itself and the server, read from the store in one go.
package struct SyncStatus: Sendable, Hashable {
  /// Changes not yet accepted by the server, those in conflict or refused included.
  package var pending: Int
  package var conflicts: Int
  package var refused: Int
  /// When the last push and the last pull ended well.
  package var lastPush: Date?
  package var lastPull: Date?
  /// The server's address as configured; nil when there is none.
  package var server: String?
  /// `2.0.0` or `3.0.0` once the server has been heard; nil before.
  package var protocolVersion: String?

  package init(
    pending: Int = 0, conflicts: Int = 0, refused: Int = 0, lastPush: Date? = nil, lastPull: Date? = nil,
    server: String? = nil, protocolVersion: String? = nil
  ) {
    self.pending = pending
    self.conflicts = conflicts
    self.refused = refused
    self.lastPush = lastPush
    self.lastPull = lastPull
    self.server = server
    self.protocolVersion = protocolVersion
  }
}

/// What a refresh is to do.
package struct RefreshWish: Sendable, Hashable {
  package var pushes = true
  package var pulls = true
  /// Compare everything with the server, not only what changed since the last pull.
  package var isFull = false
  /// More than half of the list may go.
  package var allowsMassRemoval = false
  /// What is to become of a list that is another account's; nil asks.
  package var accountChange: AccountChange?

  package enum AccountChange: Sendable, Hashable {
    /// It is the same list under another address or name.
    case sameList
    /// The whole list is sent to the new account as new.
    case takeAlong
  }

  package init() {}

  /// The same once more, after a person agreed to what the server would take away.
  package var agreeingToRemoval: RefreshWish {
    var wish = self
    wish.allowsMassRemoval = true
    // The list is the new account's by now. What is left to do is to compare everything.
    wish.isFull = isFull || accountChange == .sameList
    wish.accountChange = nil
    return wish
  }
}

/// What a refresh says while it runs, and once at its end.
package enum RefreshEvent: Sendable, Hashable {
  /// Another program is syncing this store; this one begins when it is done.
  case waitingForOtherProgram
  case progress(RefreshProgress)
  case finished(RefreshResult)
  /// What both sides have was compared. Comes after `.finished`, and only where the server tells what it has.
  case compared(Agreement)
}

/// How far a refresh is.
package struct RefreshProgress: Sendable, Hashable {
  /// Changes sent, of those there are to send.
  package var sent: Int
  package var toSend: Int
  /// Items received.
  package var received: Int
  /// Requests made, and bytes of their bodies.
  package var requests: Int
  package var bytesSent: Int
  package var bytesReceived: Int

  package init(
    sent: Int = 0, toSend: Int = 0, received: Int = 0, requests: Int = 0, bytesSent: Int = 0, bytesReceived: Int = 0
  ) {
    self.sent = sent
    self.toSend = toSend
    self.received = received
    self.requests = requests
    self.bytesSent = bytesSent
    self.bytesReceived = bytesReceived
  }
}

/// The list belongs to another account than the configured one. Nothing was sent.
package struct OtherAccountNotice: Sendable, Hashable {
  /// The server the list belongs to, and the configured one; the same when another user is signed in, or when the
  /// server's database is another one.
  package var owner: String
  package var current: String
  package var isOtherUser: Bool
  /// Changes that wait for the owner.
  package var pending: Int

  package init(owner: String, current: String, isOtherUser: Bool = false, pending: Int = 0) {
    self.owner = owner
    self.current = current
    self.isOtherUser = isOtherUser
    self.pending = pending
  }
}

/// How a refresh ended. When `failure` is set the counts are of what was done before it; nothing is lost.
package struct RefreshResult: Sendable, Hashable {
  package var pushed: Int
  package var pulled: Int
  /// Conflicts and refusals that wait for a decision now.
  package var conflicts: Int
  package var refused: Int
  /// Requests made, and bytes of their bodies.
  package var requests: Int
  package var bytesSent: Int
  package var bytesReceived: Int
  package var seconds: Double
  package var failure: RefreshFailure?
  /// Where the server wants to take away too much: the texts of the items that would go, the first 1,000.
  package var removals: [String] = []

  package init(
    pushed: Int = 0, pulled: Int = 0, conflicts: Int = 0, refused: Int = 0, requests: Int = 0, bytesSent: Int = 0,
    bytesReceived: Int = 0, seconds: Double = 0, failure: RefreshFailure? = nil
  ) {
    self.pushed = pushed
    self.pulled = pulled
    self.conflicts = conflicts
    self.refused = refused
    self.requests = requests
    self.bytesSent = bytesSent
    self.bytesReceived = bytesReceived
    self.seconds = seconds
    self.failure = failure
  }
}

/// Why a refresh could not be finished, as data; the interface makes the sentence.
package enum RefreshFailure: Error, Sendable, Hashable {
  case noServer
  /// Name not found, connection refused, cut, or too slow: which of it, where that can be told, and the reason in a
  /// few words.
  case unreachable(kind: UnreachableKind? = nil, reason: String)
  /// 401: no token, or a bad one.
  case signInNeeded
  /// 403.
  case notAllowed
  /// 429 or 503; seconds to wait when the server said.
  case serverBusy(retryAfterSeconds: Int?)
  /// Any other answer that is an error: its status and the server's own words.
  case serverError(status: Int, message: String)
  /// The answer was not of this protocol.
  case badAnswer(reason: String)
  /// Something on the way answered in place of the server: a sign-in page of the network, for one.
  case notTheServer(reason: String)
  /// Another program held the store's sync for too long.
  case otherProgramBusy
  case otherAccount(OtherAccountNotice)
  /// The server wants to take away more than half of the list; a person has to agree.
  case massRemoval(items: Int, total: Int)
  case cancelled
  /// The local store failed: full disk, torn file.
  case store(reason: String)

  /// What stands between this device and the server.
  package enum UnreachableKind: String, Sendable, Hashable, CaseIterable {
    /// Nobody knows the host's name.
    case noName
    /// The host is there, and nothing listens.
    case refused
    /// No way leads to the host.
    case noRoute
    case timedOut
    /// The connection ended before the answer did.
    case cut
    /// No secure connection could be made.
    case tls
  }
}
