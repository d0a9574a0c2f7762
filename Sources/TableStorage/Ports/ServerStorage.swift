package import TableProtocol

/// All that a server keeps: lists, tokens, and under which names clients know the columns of to-do items.
package protocol ServerStorage: TableStorage, AccessStorage {
  /// The other names of columns that the database is served with. Blocks, as the next does.
  func aliases() throws -> ColumnNames

  func keep(_ aliases: ColumnNames) throws

  /// Called once before a server lets its first client in: does what is for servers alone. Throws if something of what
  /// an earlier server wrote is not in the database any more, and may look at what no other check at the start reads.
  func beginServing() async throws
}
