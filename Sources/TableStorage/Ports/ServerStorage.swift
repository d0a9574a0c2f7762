package import TableProtocol

/// All that a server keeps: lists, tokens, and under which names clients know the columns of to-do items.
package protocol ServerStorage: TableStorage, AccessStorage {
  /// The other names of columns that the database is served with. Blocks, as the next does.
  func aliases() throws -> ColumnNames

  func keep(_ aliases: ColumnNames) throws

  /// True if the check of all rows at the start reads a snapshot, so that the clients of other servers need not wait
  /// for it.
  var checksSnapshot: Bool { get }

  /// Prepares the database for a server. Called once, before the first client is let in. Throws if something that an
  /// earlier server wrote is missing. May check indexes, which no other check at the start reads.
  func beginServing() async throws
}
