/// Why the server could not be asked, or did not answer in a way that settles the request.
public struct RemoteFailure: Error, Sendable, Hashable {
  public enum Reason: Sendable, Hashable {
    /// No server is configured.
    case noServer
    /// No connection, or no answer in time: a few words that say why, and the kind if it is known.
    case unreachable(String, kind: UnreachableKind? = nil)
    /// No sign-in can be read here, and the server was not asked without one.
    case noSignIn
    /// 401.
    case signInNeeded
    /// 403 to a request that is not about one change.
    case notAllowed
    /// 408, 429, 502 to 504: the seconds to wait, if the answer said so.
    case busy(status: Int, retryAfter: Int?)
    /// Another status that settles nothing, with the server's own words.
    case serverError(status: Int, message: String)
    /// 421: the server at this address has another database than this list was synced with.
    case otherDatabase
    /// The database went back to an older state since this list was synced with it (sync-rules W4).
    case otherEpoch
    /// The answer does not follow the protocol. The status of an answer to a change.
    case badAnswer(String, status: Int? = nil)
    /// Something between here and the server answered, such as the sign-in page of a network: a few words that say
    /// what. Such an answer proves nothing about the change or the server.
    case notTheServer(String)
    /// 401 or 403 of something between here and the server, with its words. A 401 is about the token, whoever says it
    /// (sync-rules Q20); a 403 says nothing about the sign-in at the server.
    case refusedOnTheWay(status: Int, message: String)
    /// Answers of the server can't be used: something on the way has changed them, or the server contradicts itself.
    case alteredAnswer(Alteration)
  }

  /// Why answers can't be used although they seem to be the server's.
  public enum Alteration: Sendable, Hashable, CaseIterable {
    case notUTF8
    /// It lacks the headers that this server sends with each answer, or the request lost those that were sent.
    case headersRemoved
    /// The server did not see the token that was sent, and answered as to anybody.
    case tokenRemoved
    /// The server is one of ours, and was asked for columns under other names than its own.
    case ownColumns
    /// It is compressed, and no request asks for that.
    case compressed
    /// It is the answer to another request: from a cache, or mixed up on the way.
    case otherRequest
    /// A change is refused again and again as if the server had another copy of the item. But the server shows only the
    /// copy that is known here.
    case contradictory
  }

  /// Why no connection led to an answer.
  public enum UnreachableKind: String, Sendable, Hashable, CaseIterable {
    /// The host's name has no address.
    case noName
    /// The host answers, and nothing listens on the port.
    case refused
    /// No route leads to the host.
    case noRoute
    /// No connection was made in time.
    case timedOut
    /// The connection was made, and no answer came in time.
    case silent
    /// The connection closed before the answer was complete.
    case cut
    /// The TLS handshake failed.
    case tls
  }

  public let reason: Reason
  /// True if the server may have acted on the request; false only if it surely did not.
  public let mayHaveActed: Bool
  /// True if the next request would fail for the same reason: the connection, the server as a whole or the user is
  /// the cause, not one change.
  public let concernsAll: Bool

  /// `concernsAll` follows from the reason unless it is given. Give it if a whole batch failed: that proves nothing
  /// about one of its changes.
  package init(_ reason: Reason, mayHaveActed: Bool, concernsAll: Bool? = nil) {
    self.reason = reason
    self.mayHaveActed = mayHaveActed
    self.concernsAll = concernsAll ?? reason.concernsAll
  }
}

extension RemoteFailure {
  /// The same failure for a change that was never sent because of it.
  package var unsent: RemoteFailure { RemoteFailure(reason, mayHaveActed: false, concernsAll: concernsAll) }

  /// The same failure for a request that the server may have acted on.
  package var afterActing: RemoteFailure { RemoteFailure(reason, mayHaveActed: true, concernsAll: concernsAll) }

  /// True if the server answered other requests at the same time: only some changes wait, and all that it has was read.
  package var isBesideAnswers: Bool {
    if case .unreachable = reason { !concernsAll } else { false }
  }
}

extension RemoteFailure.Alteration {
  /// True if something between here and the server does it: an answer that takes another way may be all right.
  package var isOfTheWay: Bool {
    switch self {
    case .headersRemoved, .tokenRemoved, .compressed, .otherRequest: true
    case .notUTF8, .ownColumns, .contradictory: false
    }
  }
}

extension RemoteFailure.Reason {
  /// True if a proxy says that the server behind it does not answer (RFC 9110, 15.6.3 and 15.6.5). Ebb's own server
  /// says 504 with a time to wait, if it can't know whether a change was saved (wire 17).
  package var isOfGateway: Bool {
    if case .busy(let status, nil) = self { [502, 504].contains(status) } else { false }
  }

  /// True if a newer token may help: a proxy before the server can check it too (sync-rules Q20).
  package var asksForSignIn: Bool {
    switch self {
    case .noSignIn, .signInNeeded: true
    case .refusedOnTheWay(let status, _): status == 401
    case .noServer, .unreachable, .notAllowed, .busy, .serverError, .otherDatabase, .otherEpoch, .badAnswer,
      .notTheServer, .alteredAnswer:
      false
    }
  }

  fileprivate var concernsAll: Bool {
    switch self {
    case .noServer, .unreachable, .noSignIn, .signInNeeded, .busy, .otherDatabase, .otherEpoch, .notTheServer,
      .refusedOnTheWay, .alteredAnswer:
      true
    case .notAllowed, .serverError, .badAnswer: false
    }
  }
}
