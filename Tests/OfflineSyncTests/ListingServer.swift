import OfflineSync
import TableProtocol

/// Answers lists in a way of its own, and everything else as the server behind it does.
struct ListingServer: ForwardingTable {
  let base: any RemoteTable
  let list: @Sendable (any RemoteTable, TableQuery, PageLink?) throws(RemoteFailure) -> RemotePage

  func page(_ query: TableQuery, at link: PageLink?, verifying: Bool) throws(RemoteFailure) -> RemotePage {
    try list(base, query, link)
  }
}

extension ListingServer {
  /// Gives the first page whatever it is asked.
  static func deaf(_ base: any RemoteTable, limit: Int) -> ListingServer {
    ListingServer(base: base) { base, query, _ throws(RemoteFailure) in
      try base.page(TableQuery(table: query.table, order: query.order, limit: limit))
    }
  }

  /// Leaves out the last rows of a page, and says nothing of it.
  static func shortening(_ base: any RemoteTable, to limit: Int) -> ListingServer {
    ListingServer(base: base) { base, query, link throws(RemoteFailure) in
      var page = try base.page(query, at: link)
      page.records = Array(page.records.prefix(limit))
      page.rowCount = page.records.count
      page.last = page.records.last.map { PageEnd(id: $0.id, updatedAt: $0.system.updatedAt) }
      return page
    }
  }
}
