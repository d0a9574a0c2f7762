public import TableProtocol

/// A table that is kept on this device: its name on the server, and the columns that this device keeps.
///
///     SyncTableDefinition("TodoItem", columns: ["text": .text(""), "complete": .bool(false)])
///
/// The five columns of the protocol (`id`, `createdAt`, `updatedAt`, `version`, `deleted`) come with every table.
/// Columns that only other apps know stay on the server, and survive every edit.
public struct SyncTableDefinition: Sendable, Hashable {
  public let name: String
  /// The columns by name, each with the value of a row that has none. That value decides what the column holds; `.null`
  /// stands for a text that may be missing.
  public let columns: [String: FieldValue]

  public init(_ name: String, columns: [String: FieldValue]) {
    self.name = name
    self.columns = columns
  }
}
