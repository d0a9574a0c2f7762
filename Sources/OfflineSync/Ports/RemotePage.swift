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

  package init(
    records: [Record], hasMore: Bool, isOrdered: Bool = false, next: PageLink? = nil, totalCount: Int? = nil,
    digest: TableDigest? = nil
  ) {
    self.records = records
    self.hasMore = hasMore
    self.isOrdered = isOrdered
    self.next = next
    self.totalCount = totalCount
    self.digest = digest
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
