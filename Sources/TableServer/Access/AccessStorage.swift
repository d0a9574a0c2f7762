import TableProtocol

/// Where a server keeps what tokens it gave out.
///
/// What a method returned is on the disk, as in ``TableStorage``; a server that runs sees at its next request what
/// another program added or took back.
protocol AccessStorage: Sendable {
  /// Nil for a token that was never given out. A grant that was taken back is found.
  func grant(_ digest: TokenDigest) async throws -> Grant?

  /// True once a token was given out, also if it was taken back.
  func hasGrants() async throws -> Bool

  /// All of them, in the order they were given out. Blocks, as the two after it do.
  func grants() throws -> [Grant]

  /// Gives the token out, and returns it under the id that it got. The first user of a server gets the list of those who
  /// needed not sign in; returns how many items that are, 0 if there are none.
  func add(_ grant: Grant, _ digest: TokenDigest) throws -> (grant: Grant, itemsTakenOver: Int)

  /// Takes tokens back, and returns those that were not taken back before.
  func revoke(_ choice: GrantChoice) throws -> [Grant]

  func noteUse(_ digest: TokenDigest, at moment: Timestamp) async throws
}

/// Which tokens are meant.
package enum GrantChoice: Hashable, Sendable {
  case id(String)
  case user(UserName)
}
