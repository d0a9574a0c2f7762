package import TableProtocol

/// The server's tables: three verbs that change a record, one that reads it, and a page of changes.
///
/// Calls block until there is an answer or a failure, within the time limits the implementation was
/// given. They are made from the sync queue, never from the main thread.
package protocol RemoteTable: Sendable {
  /// The server's address: the key of what is remembered about it.
  var server: String { get }
  /// Which protocol the server speaks, once it has been heard.
  var protocolVersion: ProtocolVersion? { get }
  /// Whether the server takes batches, once that is known. To be remembered for the next start.
  var batching: BatchSupport? { get }
  /// Requests made and bytes moved since the object was made.
  var traffic: Traffic { get }

  /// Sends changes of different records and gives their outcomes in the same order. Each is judged as
  /// if it had been sent alone.
  ///
  /// They are begun in the order given. Those that travel in one batch are acted on in that order; of
  /// several requests under way at once a later one may be acted on first. Once one fails in a way that
  /// the next one would share (see ``RemoteFailure/concernsAll``), those not sent yet get the same
  /// failure with `mayHaveActed` false.
  func send(_ changes: [RemoteChange]) -> [Result<RemoteAnswer, RemoteFailure>]
  /// The record in whatever state, a tombstone included; nil when the server has none.
  func read(_ id: String, in table: String) throws(RemoteFailure) -> Record?
  /// One page of rows, tombstones included.
  func page(_ query: TableQuery) throws(RemoteFailure) -> RemotePage
}

extension RemoteTable {
  /// Sends one change. A failure that is thrown says whether the server may have acted on it.
  package func send(_ change: RemoteChange) throws(RemoteFailure) -> RemoteAnswer {
    guard let outcome = send([change]).first else {
      throw RemoteFailure(.badAnswer("no answer to a change"), mayHaveActed: true)
    }
    return try outcome.get()
  }
}

/// A change as it is put to the server.
package enum RemoteChange: Sendable, Hashable {
  case insert(table: String, Record)
  /// `changed` are the columns that differ from the base, `whole` is the full record: a server that
  /// merges gets the first, one that replaces gets the second.
  case update(table: String, whole: Record, changed: [String: FieldValue], base: RecordVersion?)
  case delete(table: String, id: String, base: RecordVersion?)
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
  package var id: String {
    switch self {
    case .insert(_, let record): record.id
    case .update(_, let whole, _, _), .undelete(_, let whole, _, _): whole.id
    case .delete(_, let id, _): id
    }
  }
}

/// What the server said to a change. It understood the request, whatever it made of it.
package enum RemoteAnswer: Sendable, Hashable {
  /// Done. The record as it is stored now; nil after a delete that answers without one.
  case accepted(Record?)
  /// 409 or 412: the server's copy is another. Nil when the answer did not hold a trustworthy copy.
  case conflict(status: Int, Record?)
  /// 404 or 410: there is no such record, or it was deleted.
  case gone(status: Int)
  /// Another 4xx: this change will not be taken, others may be.
  case refused(status: Int, message: String)
}

package struct RemotePage: Sendable, Hashable {
  package var records: [Record]
  /// True when the server said that it cut the page short of what was asked for.
  package var hasMore: Bool
  /// True when the server promises that rows become visible in the order of their `updatedAt`: then a
  /// pull needs no overlap (table-protocol 11, offline-sync P6).
  package var isOrdered: Bool

  package init(records: [Record], hasMore: Bool, isOrdered: Bool = false) {
    self.records = records
    self.hasMore = hasMore
    self.isOrdered = isOrdered
  }
}

/// Counts of what went over the wire. Bytes are those of request and response bodies.
package struct Traffic: Sendable, Hashable {
  package var requests = 0
  package var bytesSent = 0
  package var bytesReceived = 0

  package init() {}

  package static func - (later: Traffic, earlier: Traffic) -> Traffic {
    var difference = later
    difference.requests -= earlier.requests
    difference.bytesSent -= earlier.bytesSent
    difference.bytesReceived -= earlier.bytesReceived
    return difference
  }
}
