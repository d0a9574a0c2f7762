import TableProtocol
import TableStorage

/// Whether a request is let in, and as whom. Decided before its body is read.
enum Admission: Hashable, Sendable {
  /// A client that need not sign in.
  case anyone
  case user(UserName)
  case refused(AccessError)

  /// `grant` is what the server knows of the token that was shown; nil if it does not know it, or none was shown.
  /// `needsToken` is true once the server gave a token out, unless it was told to let in everybody. `wanted` is `sync`
  /// for what belongs to a user's lists, else the scope that the request needs.
  static func decide(
    showsToken: Bool, grant: Grant?, needsToken: Bool, writes: Bool, for wanted: AccessScope = .sync, now: Timestamp
  ) -> Admission {
    guard needsToken || grant != nil else { return .anyone }
    guard showsToken else { return .refused(.noToken) }
    guard let grant, !grant.isRevoked else { return .refused(.wrongToken) }
    if grant.hasExpired(at: now) { return .refused(.expiredToken) }
    if grant.scope != .invite, wanted != .sync {
      return grant.scope == wanted ? .user(grant.user) : .refused(.scope(grant.scope))
    }
    switch grant.scope {
    case .sync: return .user(grant.user)
    case .read: return writes ? .refused(.scope(.read)) : .user(grant.user)
    case .feed, .metrics: return .refused(.scope(grant.scope))
    case .invite: return .refused(.wrongToken)
    }
  }
}

/// Why somebody is not let in.
enum AccessError: Hashable, Sendable {
  case noToken
  /// The token was never given out, or was taken back: from outside both look the same.
  case wrongToken
  case expiredToken
  /// The invitation was never given out, or was taken back.
  case unknownInvitation
  case usedInvitation
  case expiredInvitation
  /// The token in the URL of a calendar opens none, whatever else it may open.
  case unknownFeed
  /// The request names another user than its token is of.
  case otherUser
  /// The user was removed a moment ago.
  case removedUser
  /// The token is for something else.
  case scope(AccessScope)
  /// Too many requests came from this user or address; so many seconds from now one more may come.
  case tooManyRequests(seconds: Int)
  /// The token is wrong, as too many from this address were; the next may come after so many seconds.
  case tooManyAttempts(seconds: Int)

  /// After which the same may be let in; nil if nothing promises that.
  var secondsToWait: Int? {
    switch self {
    case .tooManyRequests(let seconds), .tooManyAttempts(let seconds): seconds
    case .noToken, .wrongToken, .expiredToken, .unknownInvitation, .usedInvitation, .expiredInvitation, .unknownFeed,
      .otherUser, .removedUser, .scope:
      nil
    }
  }
}
