/// Why the server could not be asked, or did not answer in a way that settles the request.
package struct RemoteFailure: Error, Sendable, Hashable {
  package enum Reason: Sendable, Hashable {
    /// No server is configured.
    case noServer
    /// Name not found, refused, cut or too slow: a few words of which, and the kind where it can be told.
    case unreachable(String, kind: UnreachableKind? = nil)
    /// 401.
    case signInNeeded
    /// 403, where it is not about one change.
    case notAllowed
    /// 408, 429, 502–504: seconds to wait, when the server said.
    case busy(status: Int, retryAfter: Int?)
    /// Another status that is no answer: the server's own words.
    case serverError(status: Int, message: String)
    /// 421: the server at this address has another database than the one this list was synced with.
    case otherDatabase
    /// The database went back to an older state since this list was synced with it (row-states W4).
    case otherEpoch
    /// The answer was not of this protocol.
    case badAnswer(String)
    /// Something on the way answered in place of the server, as the sign-in page of a network does: a few words of
    /// what it was. Such an answer says nothing, of the change or of the server.
    case notTheServer(String)
  }

  /// What stands between us and the server.
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

  package let reason: Reason
  /// True when the server may have acted on the request; false only when it surely did not.
  package let mayHaveActed: Bool
  /// True when the next request would meet the same: it is about the connection, the server as a whole,
  /// or the user, and not about one change.
  package let concernsAll: Bool

  /// What it concerns follows from the reason, unless it is given: a server that fails over a whole batch says nothing
  /// of one of its changes.
  package init(_ reason: Reason, mayHaveActed: Bool, concernsAll: Bool? = nil) {
    self.reason = reason
    self.mayHaveActed = mayHaveActed
    self.concernsAll = concernsAll ?? reason.concernsAll
  }
}

extension RemoteFailure {
  /// The same failure for a change that was not sent any more.
  package var unsent: RemoteFailure { RemoteFailure(reason, mayHaveActed: false, concernsAll: concernsAll) }

  /// The same failure of a request that may have been acted on.
  package var afterActing: RemoteFailure { RemoteFailure(reason, mayHaveActed: true, concernsAll: concernsAll) }
}

extension RemoteFailure.Reason {
  fileprivate var concernsAll: Bool {
    switch self {
    case .noServer, .unreachable, .signInNeeded, .busy, .otherDatabase, .otherEpoch, .notTheServer: true
    case .notAllowed, .serverError, .badAnswer: false
    }
  }
}
