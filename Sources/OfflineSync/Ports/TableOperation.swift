public import TableProtocol

/// One pending change of one record: an entry of the journal.
///
/// An insert or update does not hold the new values. They are read from the row when the change is sent, so that many
/// edits are sent as one.
public struct TableOperation: Sendable, Hashable {
  /// The numbers are those stored in `MS_TableOperations` (sync-rules 2.2).
  public enum Kind: Int, Sendable, Hashable, CaseIterable {
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
  /// True from just before the request until its outcome is known (sync-rules Q10).
  ///
  /// The server may have acted on a marked operation. So it is sent again unchanged, and later changes of the record
  /// wait behind it (Q3).
  package var isMarked: Bool
  /// The record that was sent, if the row was changed since; nil while the row still holds what was sent.
  package var sent: Record?

  package init(
    id: Int64, table: String, itemID: RecordID, kind: Kind, base: Record? = nil, isMarked: Bool = false,
    sent: Record? = nil
  ) {
    self.id = id
    self.table = table
    self.itemID = itemID
    self.kind = kind
    self.base = base
    self.isMarked = isMarked || sent != nil
    self.sent = sent
  }
}

/// Why the server did not accept one operation.
///
/// An operation has at most one. A later attempt replaces it, and it stays until it is resolved (sync-rules Q21).
public struct TableOperationError: Sendable, Hashable {
  public enum Kind: String, Sendable, Hashable {
    /// The server's copy changed too (409, 412), or is gone (404, 410).
    case conflict
    /// The server does not take the change: it refuses it (another 4xx), it fails (5xx), or it reports success (2xx) and
    /// does not save it.
    case refused
    /// The server went back to an older state, and a person has to say which side is right.
    case held
  }

  public let id: String
  package let operationID: Int64
  public let table: String
  public let itemID: RecordID
  public var kind: Kind
  /// HTTP status of the answer if the change was refused. Otherwise the status that fits the copies, 409, 412 or 410: a
  /// conflict may come from a pull.
  public var status: Int
  /// The server's own words, cut to a length that can be shown. Empty if it sent none, and with a 2xx. Earlier
  /// versions stored English words of their own with a 2xx: they are not shown.
  public var message: String
  /// The row on this device when this was stored; nil if it was deleted here. If the row is held: what the server had
  /// acknowledged before it went back.
  public var item: Record?
  /// The server's copy; nil if the server has none, or did not show it.
  public var serverItem: Record?
  /// The record that an attempt without an answer may have left on the server; nil if there was no such attempt.
  public var sent: Record?

  package init(
    id: String, operationID: Int64, table: String, itemID: RecordID, kind: Kind, status: Int, message: String = "",
    item: Record? = nil, serverItem: Record? = nil, sent: Record? = nil
  ) {
    self.id = id
    self.operationID = operationID
    self.table = table
    self.itemID = itemID
    self.kind = kind
    self.status = status
    self.message = message
    self.item = item
    self.serverItem = serverItem
    self.sent = sent
  }
}
