package import TableProtocol

/// Why the server did not accept one operation.
///
/// An operation has at most one. A later attempt replaces it, and it stays until it is resolved (offline-sync Q21).
package struct TableOperationError: Sendable, Hashable {
  package enum Kind: String, Sendable, Hashable {
    /// The server's copy changed too (409, 412), or is gone (404, 410).
    case conflict
    /// The server refuses the change (another 4xx).
    case refused
    /// The server went back to an older state, and a person has to say which side is right.
    case held
  }

  package let id: String
  package let operationID: Int64
  package let table: String
  package let itemID: RecordID
  package var kind: Kind
  /// HTTP status of the answer.
  package var status: Int
  /// The server's own words, cut to a length that can be shown. Empty if it sent none.
  package var message: String
  /// The record that was sent. If the row is held: what the server had acknowledged before it went back.
  package var item: Record?
  /// The server's copy; nil if the server has none, or did not show it.
  package var serverItem: Record?
  /// The record that an attempt without an answer may have left on the server; nil if there was no such attempt.
  package var sent: Record?

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
