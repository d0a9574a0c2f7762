package import TableProtocol

/// One page of a list as the server answered it.
package struct RemotePage: Sendable, Hashable {
  package var records: [Record]
  /// True when the server said that it cut the page short of what was asked for.
  package var hasMore: Bool
  /// True when the server promises that rows become visible in the order of their `updatedAt`: then a
  /// pull needs no overlap (table-protocol 11, offline-sync P6).
  package var isOrdered: Bool
  /// Where the server says that the next page is; nil when it did not say.
  package var next: PageLink?
  /// How many rows match on all pages, where that was asked for and answered.
  package var totalCount: Int?
  /// What the whole table comes to, in the state this page is from, where the server told it with its last page
  /// (an extension of Ebb).
  package var digest: TableDigest?
  /// Rows of this page that can't be stored. They are not among ``records``.
  package var unreadable: [UnreadableRow]
  /// How many rows the server gave, the unreadable ones included: a page that is not full is the last one.
  package var rowCount: Int
  /// The last row in the order of the server, even if it is unreadable: the next page begins behind it. Nil only if
  /// the page is empty.
  package var last: PageEnd?
  /// The server's clock when it answered, in UTC and whole seconds; nil if it did not say.
  package var serverTime: Timestamp?
  /// The state the server's database goes on from; nil if the server announces none (an extension of Ebb).
  package var epoch: DatabaseEpoch?
  /// `updatedAt` of the newest row of the table, in UTC; nil if the server does not announce it (an extension of Ebb).
  package var newest: Timestamp?
  /// True if the server said that it was asked for rows after a moment later than anything it has: its database
  /// went back (an extension of Ebb).
  package var isBehind: Bool

  /// ``last`` and ``rowCount`` follow from the records unless they are given.
  package init(
    records: [Record], hasMore: Bool, isOrdered: Bool = false, next: PageLink? = nil, totalCount: Int? = nil,
    digest: TableDigest? = nil, unreadable: [UnreadableRow] = [], rowCount: Int? = nil, last: PageEnd? = nil,
    serverTime: Timestamp? = nil, epoch: DatabaseEpoch? = nil, newest: Timestamp? = nil, isBehind: Bool = false
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
  }
}

/// Where a page ends: the sort keys of its last row.
package struct PageEnd: Sendable, Hashable {
  /// As the server gave it. It may be none that a record can have.
  package let id: String
  /// UTC.
  package let updatedAt: Timestamp?

  package init(id: String, updatedAt: Timestamp?) {
    self.id = id
    self.updatedAt = updatedAt
  }
}

/// A row of a page that can't be stored, because its id is forbidden or a property of the server is malformed.
package struct UnreadableRow: Sendable, Hashable {
  /// Nil if the row has no id that is a text.
  package let id: String?
  /// A few words, in English, for the log.
  package let reason: String
  /// UTC; nil if the row has none that can be read.
  package let updatedAt: Timestamp?

  package init(id: String?, reason: String, updatedAt: Timestamp?) {
    self.id = id
    self.reason = reason
    self.updatedAt = updatedAt
  }
}

/// The query part of a link to a next page. Nothing else of such a link is used: where requests go is the
/// client's own business (table-protocol 6.4, 13).
package struct PageLink: Sendable, Hashable {
  package let query: String

  package init(query: String) {
    self.query = query
  }
}
