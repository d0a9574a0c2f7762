package import TableProtocol

/// Lets the keeper of a database take users and tables out of it. Blocks. A server may run meanwhile. Each change is
/// one transaction, but for users in PostgreSQL: the tokens are taken back first, and the same call again ends what was
/// broken off.
///
/// A list that goes leaves no trace, tombstones neither: a client that held its delta token would not hear of it. So
/// the next epoch of the database begins with the removal (``TableStorage/raiseEpoch(now:nonce:)``), in which no client
/// trusts a token of before. `nonce` is its name, a text without a comma that no epoch had before. The names of the
/// epochs before it follow in ``DatabaseEpoch/nonce``: a client that knows one of these has missed removals only. If a
/// list got its first rows in the epoch that ends, they go no further back than that epoch: the list may have replaced
/// a removed one, and a client that knows an earlier epoch may have rows of that.
package protocol KeeperStorage: Sendable {
  /// Removes the lists of these tables, whoever owns them. Returns what they had, and begins no epoch if there are
  /// none. Not for the table of to-do items, which every database has.
  func remove(_ tables: Set<ServedTable>, now: Timestamp, nonce: String) throws -> RemovedLists

  /// Removes the lists of these users, and takes back the tokens and invitations. These are kept as any that were taken
  /// back: else a server without another token would let everybody in, and a backup would let these users in again. The
  /// list that one of them got as the first user is nobody's again, and empty.
  ///
  /// A storage may take the tokens back in a transaction of its own, before that of the lists. If only the first was
  /// done, the lists are there, nobody is let in to them, and the same removal ends it.
  func remove(_ users: Set<UserName>, now: Timestamp, nonce: String) throws -> RemovedUsers
}

/// The lists of users who were removed, and the tokens and invitations that were taken back.
package struct RemovedUsers: Hashable, Sendable {
  package var lists: RemovedLists
  package var grants: [Grant]

  package init(lists: RemovedLists, grants: [Grant]) {
    self.lists = lists
    self.grants = grants
  }
}

/// Lists that were removed, and how much was in them.
package struct RemovedLists: Hashable, Sendable {
  package var lists = 0
  /// Rows that were not deleted.
  package var items = 0
  package var tombstones = 0

  package init(lists: Int = 0, items: Int = 0, tombstones: Int = 0) {
    self.lists = lists
    self.items = items
    self.tombstones = tombstones
  }
}
