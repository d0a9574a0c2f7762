package import TableProtocol

/// Where a server keeps what tokens it gave out.
///
/// A method's effect is on the disk when it returns, as in ``TableStorage``. Other programs add tokens and take them
/// back while a server runs.
package protocol AccessStorage: Sendable {
  /// Nil for a token that was never given out, or that is damaged. A grant that was taken back is found.
  func grant(_ digest: TokenDigest) async throws -> Grant?

  /// All that can be read, also those that were taken back; and ``wereTokensGiven()`` of the same moment.
  func allGrants() async throws -> (grants: [TokenDigest: Grant], wereTokensGiven: Bool)

  /// All that can be read, in the order they were given out. Blocks, as the three after it do.
  func grants() throws -> [Grant]

  /// True once a token or an invitation was given out, also if it was taken back or is damaged.
  func wereTokensGiven() throws -> Bool

  /// Gives the token out, and returns it under the id that it got. The first user who is invited or gets a token of
  /// scope ``AccessScope/sync`` gets the list of those who needed not sign in; returns how many items that are, 0 if
  /// there are none.
  func add(_ grant: Grant, _ digest: TokenDigest) throws -> (grant: Grant, itemsTakenOver: Int)

  /// Takes tokens back, and returns those that can be read and were not taken back before.
  func revoke(_ choice: GrantChoice) throws -> [Grant]

  /// Exchanges an invitation for a token, at once or not at all. The first user of a server gets the list of those who
  /// needed not sign in.
  func join(_ invitation: TokenDigest, as token: TokenDigest, device: String, at now: Timestamp) async throws
    -> JoinOutcome

  /// Keeps where clients reach the server, for the links of invitations.
  func note(address: String) async throws

  /// Nil if no server has run on the database yet, or clients reach it at no address of its own. Blocks.
  func address() throws -> String?

  /// Gives up after a short while: nothing depends on it.
  func noteUse(_ digest: TokenDigest, at moment: Timestamp) async throws
}

/// The outcome of an invitation that was shown.
package enum JoinOutcome: Hashable, Sendable {
  case joined(Grant)
  /// It was never given out, or was taken back.
  case unknown
  case used
  case expired

  /// The outcome for a device that shows an invitation; nil if it may have a new token. `given` is the grant of the
  /// token that it would get: there is one if the same attempt came before, and it is given again. `now` is UTC.
  package init?(of invitation: Grant?, given: @autoclosure () throws -> Grant?, at now: Timestamp) rethrows {
    guard let invitation, invitation.scope == .invite else {
      self = .unknown
      return
    }
    let isOver = invitation.hasExpired(at: now)
    guard invitation.isRevoked else {
      guard isOver else { return nil }
      self = .expired
      return
    }
    guard invitation.lastUsedAt != nil else {
      self = .unknown
      return
    }
    if !isOver, let given = try given(), !given.isRevoked, given.user == invitation.user {
      self = .joined(given)
    } else {
      self = .used
    }
  }
}

/// Which tokens are meant.
package enum GrantChoice: Hashable, Sendable {
  case id(String)
  case user(UserName)
}
