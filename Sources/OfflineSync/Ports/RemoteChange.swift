package import TableProtocol

/// A change as it is sent to the server.
package enum RemoteChange: Sendable, Hashable {
  case insert(table: String, Record)
  /// `changed` holds the columns that differ from the base, `whole` the full record. A server that merges gets the
  /// first, a server that replaces gets the second.
  case update(table: String, whole: Record, changed: [String: FieldValue], base: RecordVersion?)
  case delete(table: String, id: RecordID, base: RecordVersion?)
  /// Makes a tombstone live again, with these values. `base` is the version of the tombstone.
  case undelete(table: String, whole: Record, changed: [String: FieldValue], base: RecordVersion?)
}

extension RemoteChange {
  package var table: String {
    switch self {
    case .insert(let table, _), .update(let table, _, _, _), .delete(let table, _, _), .undelete(let table, _, _, _):
      table
    }
  }

  /// The id of the record that changes.
  package var id: RecordID {
    switch self {
    case .insert(_, let record): record.id
    case .update(_, let whole, _, _), .undelete(_, let whole, _, _): whole.id
    case .delete(_, let id, _): id
    }
  }
}

/// The server's answer to a change that it understood.
package enum RemoteAnswer: Sendable, Hashable {
  /// Done. The record as it is stored now; nil after a delete whose answer holds no record.
  case accepted(Record?)
  /// 409 or 412: the server has another copy. Nil if the answer holds no copy that can be trusted.
  case conflict(status: Int, Record?)
  /// 404 or 410: there is no such record, or it was deleted.
  case gone(status: Int)
  /// Another 4xx: the server refuses this change, and may accept others.
  case refused(status: Int, message: String)
}
