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
  /// Requests made and bytes moved since the object was made.
  var traffic: Traffic { get }

  /// Sends one change. A failure that is thrown says whether the server may have acted on it.
  func send(_ change: RemoteChange) throws(RemoteFailure) -> RemoteAnswer
  /// The record in whatever state, a tombstone included; nil when the server has none.
  func read(_ id: String, in table: String) throws(RemoteFailure) -> Record?
  /// One page of rows, tombstones included.
  func page(_ query: TableQuery) throws(RemoteFailure) -> RemotePage
}

/// A change as it is put to the server.
package enum RemoteChange: Sendable, Hashable {
  case insert(table: String, Record)
  /// `changed` are the columns that differ from the base, `whole` is the full record: a server that
  /// merges gets the first, one that replaces gets the second.
  case update(table: String, whole: Record, changed: [String: FieldValue], base: RecordVersion?)
  case delete(table: String, id: String, base: RecordVersion?)
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

  package init(records: [Record], hasMore: Bool) {
    self.records = records
    self.hasMore = hasMore
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
