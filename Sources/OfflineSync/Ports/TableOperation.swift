package import TableProtocol

/// One pending change of one record: an entry of the journal.
///
/// An insert or update does not hold the new values. They are read from the row when the change is sent, so that many
/// edits are sent as one.
package struct TableOperation: Sendable, Hashable {
  /// The numbers are those stored in `MS_TableOperations` (offline-sync 2.2).
  package enum Kind: Int, Sendable, Hashable, CaseIterable {
    case insert = 0
    case update = 1
    case delete = 2
  }

  /// Place in the journal: the order in which changes are sent.
  package let id: Int64
  package let table: String
  package let itemID: RecordID
  package var kind: Kind
  /// The server's copy that the change started from, with its version; nil if the server had none. An update sends the
  /// columns that differ from it, and a conflict is judged by it.
  package var base: Record?
  /// True from just before the request until its outcome is known (offline-sync Q10).
  ///
  /// The server may have acted on a frozen operation. So it is sent again unchanged, and later changes of the record
  /// wait behind it (Q3).
  package var isFrozen: Bool
  /// The record that was sent, if the row was changed since; nil while the row still holds what was sent.
  package var sent: Record?

  package init(
    id: Int64, table: String, itemID: RecordID, kind: Kind, base: Record? = nil, isFrozen: Bool = false,
    sent: Record? = nil
  ) {
    self.id = id
    self.table = table
    self.itemID = itemID
    self.kind = kind
    self.base = base
    self.isFrozen = isFrozen || sent != nil
    self.sent = sent
  }
}
