package import TableProtocol

/// What the keeper of a database takes out of it. Each is one transaction, and blocks. A server may run meanwhile.
///
/// A list that goes leaves no trace, tombstones neither: a client that held its delta token would not hear of it. So
/// the next epoch of the database begins with the removal (``TableStorage/raiseEpoch(now:nonce:)``), in which no client
/// trusts a token of before.
package protocol KeeperStorage: Sendable {
  /// Removes the lists of this table, whoever owns them. Returns what they had, and begins no epoch if there are none.
  /// Not for the table of to-do items, which every database has.
  func remove(_ table: ServedTable, now: Timestamp, nonce: String) throws -> RemovedLists
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
