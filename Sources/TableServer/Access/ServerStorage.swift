import TableProtocol

/// All that a server keeps: lists, tokens, and under which names clients know the columns of to-do items.
protocol ServerStorage: TableStorage, AccessStorage {
  /// The other names of columns that the database is served with. Blocks, as the next does.
  func aliases() throws -> ColumnNames

  func keep(_ aliases: ColumnNames) throws
}
