public import TableProtocol

/// A table that is kept on this device: its name on the server, and the columns that this device keeps.
///
///     SyncTableDefinition("TodoItem", columns: ["text": .text(""), "complete": .bool(false)])
///
/// The five columns of the protocol (`id`, `createdAt`, `updatedAt`, `version`, `deleted`) come with every table.
/// Columns that only other apps know stay on the server, and survive every edit.
///
/// Null, false and an empty text look the same to a person, so a difference between null and one of the others is no
/// conflict. If null means "not answered" in an app and false means "no", one answer may replace the other without a
/// question. Such a column needs a text or a number for each of its states.
public struct SyncTableDefinition: Sendable, Hashable {
  /// The name on the server. The local table has it too.
  public let name: String
  /// The columns by name, each with the value of a row that has none. That value decides what the column holds; `.null`
  /// stands for a text that may be missing.
  public let columns: [String: FieldValue]

  /// A later definition of the same table may have more columns: the next pull then compares all rows. The store keeps
  /// columns that it no longer has.
  public init(_ name: String, columns: [String: FieldValue]) {
    self.name = name
    self.columns = columns
  }
}
