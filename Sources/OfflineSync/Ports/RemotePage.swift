package import TableProtocol

/// One page of a list, as the server sent it.
package struct RemotePage: Sendable, Hashable {
  package var records: [Record]
  /// True if the server says that more rows follow.
  package var hasMore: Bool
  /// True if the server promises that rows become visible in the order of their `updatedAt`. A pull then needs no
  /// overlap (wire 11, sync-rules P6).
  package var isOrdered: Bool
  /// The server's link to the next page; nil if it gave none.
  package var next: PageLink?
  /// How many rows match on all pages; nil if the request did not ask, or the server did not answer.
  package var totalCount: Int?
  /// The digest of the whole table in the state of this page; nil if the server gave none. Ebb's server gives it with
  /// the last page (an extension of Ebb).
  package var digest: TableDigest?
  /// Rows of this page that can't be stored. They are not among ``records``.
  package var unreadable: [UnreadableRow]
  /// How many rows the page has, unreadable ones included.
  package var rowCount: Int
  /// The last row in the server's order, even if it is unreadable; nil only if the page is empty. The next page begins
  /// after it.
  package var last: PageEnd?
  /// The server's clock when it answered, in UTC and whole seconds; nil if it did not say.
  package var serverTime: Timestamp?
  /// The epoch of the server's database; nil if the server announces none (an extension of Ebb).
  package var epoch: DatabaseEpoch?
  /// `updatedAt` of the newest row of the table, in UTC; nil if the server does not announce it (an extension of Ebb).
  package var newest: Timestamp?
  /// True if the request asked for rows after a moment that the server has never reached: its database went back
  /// (an extension of Ebb).
  package var isBehind: Bool
  /// How many rows of the whole table hold something else than the server stored, tombstones included. Nil unless it
  /// was asked to look (an extension of Ebb).
  package var damaged: Int?
  /// Which tombstones the server still has; nil if it does not say (an extension of Ebb).
  package var tombstones: TombstoneRetention?

  /// ``last`` and ``rowCount`` follow from the records unless they are given.
  package init(
    records: [Record], hasMore: Bool, isOrdered: Bool = false, next: PageLink? = nil, totalCount: Int? = nil,
    digest: TableDigest? = nil, unreadable: [UnreadableRow] = [], rowCount: Int? = nil, last: PageEnd? = nil,
    serverTime: Timestamp? = nil, epoch: DatabaseEpoch? = nil, newest: Timestamp? = nil, isBehind: Bool = false,
    damaged: Int? = nil, tombstones: TombstoneRetention? = nil
  ) {
    self.records = records
    self.hasMore = hasMore
    self.isOrdered = isOrdered
    self.next = next
    self.totalCount = totalCount
    self.digest = digest
    self.unreadable = unreadable
    self.rowCount = rowCount ?? records.count + unreadable.count
    self.last = last ?? records.last.map { PageEnd(id: $0.id, updatedAt: $0.system.updatedAt) }
    self.serverTime = serverTime
    self.epoch = epoch
    self.newest = newest
    self.isBehind = isBehind
    self.damaged = damaged
    self.tombstones = tombstones
  }
}

/// The end of a page: the sort keys of its last row.
package struct PageEnd: Sendable, Hashable {
  /// The id as the server sent it. It may be invalid.
  package let id: RecordID
  /// UTC.
  package let updatedAt: Timestamp?

  package init(id: RecordID, updatedAt: Timestamp?) {
    self.id = id
    self.updatedAt = updatedAt
  }
}

/// A row of a page that can't be stored, because its id is invalid or a system property is malformed.
package struct UnreadableRow: Sendable, Hashable {
  /// Nil if the row has no text as its id.
  package let id: RecordID?
  /// A few words, in English, for the log.
  package let reason: String
  /// UTC; nil if it is missing or unreadable.
  package let updatedAt: Timestamp?

  package init(id: RecordID?, reason: String, updatedAt: Timestamp?) {
    self.id = id
    self.reason = reason
    self.updatedAt = updatedAt
  }
}

/// The query part of a link to a next page. Nothing else of the link is used: the client alone decides where its
/// requests go (wire 6.4, 13).
package struct PageLink: Sendable, Hashable {
  package let query: String

  package init(query: String) {
    self.query = query
  }
}

extension RemoteTable {
  /// Returns true if the server always says when it cuts a page short. Only one of ours promises that: another server,
  /// or a proxy before it, may cut at any size and not say so (wire 6.4).
  func saysWhenCut(_ page: RemotePage) -> Bool { page.isOrdered }

  /// True if requests should ask how many rows match: the count shows that a page was cut, and spares a request for an
  /// empty one. A server of 3.0.0 is asked only once it is known to be none of ours.
  var mayCutSilently: Bool { protocolVersion == .v2 || (protocolVersion == .v3 && knowledge.database == nil) }
}
